/**
 * Mandarin readings of the characters that personal names, companies and places use most, without
 * tones. A table of our own. The reading says how a Chinese name is romanised, not a Japanese one,
 * and many characters share one: see `docs/matching.md` for what such evidence is worth.
 */
const READINGS =
  'a阿啊 ai艾爱愛 an安岸 ao敖奥奧 ba巴八霸 bai白百柏 ban班板半 bang邦榜 bao包宝寶保鲍鮑葆 bei北贝貝倍蓓 ben本贲 bi毕畢碧必璧 bian边邊卞 biao彪标標 ' +
  'bin斌彬宾賓滨濱 bing兵冰炳丙 bo博波伯勃柏泊 bu卜布步部 cai蔡才财財彩采 can灿燦 cang仓倉 cao曹操草 cen岑 chai柴 chan产產禅 chang常昌长長畅暢厂廠嫦 chao超朝潮晁 che车車 ' +
  'chen陈陳晨辰臣沉琛 cheng程成城诚誠承呈乘 chi迟遲池 chong崇冲充 chu楚储儲初褚 chuan川传傳船 chuang创創 chun春纯純淳 ci慈 cong聪聰丛叢从 cui崔翠 cun存村 da大达達 dai戴代岱 ' +
  'dan丹旦 dang党黨 dao道岛島 de德得 deng邓鄧登灯 di迪地帝第狄 dian电電典 ding丁鼎定 dong东東董冬栋棟动動 dou窦 du杜都度 duan段端 dun敦 duo多 e鄂峨 en恩 er尔爾二 fa发發法 ' +
  'fan范凡樊帆繁 fang方芳房防 fei飞飛菲费費非 fen芬 feng冯馮峰锋鋒凤鳳风風丰豐枫封 fu付傅福富夫符芙甫扶 gai盖 gan甘干 gang刚剛钢鋼港岗 gao高 ge葛歌戈格 geng耿庚 gong龚龔公工宫功贡 ' +
  'gou苟 gu顾顧古谷辜 guan关關管冠官 guang光广廣 gui桂贵貴归圭 guo郭国國果 ha哈 hai海 han韩韓汉漢寒涵翰含 hang航杭 hao郝浩豪好昊皓 he何贺賀和河鹤合荷禾赫 heng恒恆衡亨 ' +
  'hong洪红紅宏鸿鴻虹弘 hou侯厚后 hu胡湖虎户瑚 hua华華花化 huai怀懷 huan欢歡环環桓焕 huang黄黃皇煌 hui惠辉輝慧会會晖汇徽 huo霍火 ji吉季纪紀机機集基计計继積极姬冀际際技 ' +
  'jia贾賈佳家嘉加甲 jian建剑劍健简簡坚堅江鉴 jiang江姜蒋蔣将疆 jiao焦娇嬌交 jie杰傑洁潔捷介婕 jin金进進晋锦錦津近今瑾 jing静靜晶京景敬经經靖精井菁 jiong炯 jiu九久 ju菊巨鞠 juan娟 ' +
  'jue觉 jun军軍君俊钧鈞均骏駿峻 ka卡 kai凯凱开開 kan阚 kang康抗 ke柯科可克 kong孔空 kou寇 ku库 kuai快 kuang邝鄺匡矿 kui奎魁 kun坤昆 lai赖賴来來莱 lan兰蘭蓝藍岚嵐 ' +
  'lang郎朗 lao劳勞老 le乐樂 lei雷磊蕾 leng冷 li李丽麗力立利理莉礼禮黎厉历里梨励 lian连連莲蓮联聯廉 liang梁良亮量 liao廖辽遼 lie烈 lin林琳霖临臨麟 ling玲凌灵靈令岭 ' +
  'liu刘劉柳流六 long龙龍隆 lou娄婁楼 lu卢盧陆陸路鲁魯鹿露禄 luan栾 lun伦倫 luo罗羅洛骆駱 lv吕呂律绿 ma马馬玛 mai麦麥迈 man满滿曼 mang芒 mao毛茂 mei梅美妹玫 men门 ' +
  'meng孟蒙梦夢萌 mi米密 miao苗妙 min敏民闵閔 ming明名铭鳴鸣 mo莫墨 mou牟 mu穆木牧慕 na娜那 nan南男楠 nen能 ni倪尼妮 nian年念 ning宁寧凝 niu牛纽 nong农農 nu努 ' +
  'ou欧歐区 pan潘盘 pang庞龐 pei裴佩培沛 peng彭鹏鵬朋 pi皮 pin品 ping平萍苹 pu蒲普浦 qi齐齊祁琪奇启啟企其气氣期祺 qian钱錢前千倩谦 qiang强強 qiao乔喬桥巧 qin秦琴勤钦芹覃 ' +
  'qing清青庆慶晴卿 qiong琼瓊 qiu邱秋丘球裘 qu曲屈瞿 quan全权權泉 que阙 ran冉然 rao饶饒 ren任人仁 rong荣榮容蓉融戎 rou柔 ru如茹汝 ruan阮 rui瑞睿锐芮蕊 run润潤 ' +
  'ruo若 sa萨 sai赛 san三 sang桑 sen森 sha沙莎 shan山善珊单 shang尚商上 shao邵少绍 she佘社 shen沈申深神 sheng生胜勝盛圣聖升 shi石史施时時世士仕实實师師诗食 ' +
  'shou寿壽守首 shu淑舒书書树樹叔 shuai帅帥 shuang双雙爽 shui水 shun顺順舜 si思司斯四 song宋松嵩颂 su苏蘇素肃 sui隋遂 sun孙孫 suo索 ta塔 tai泰台太 tan谭譚谈檀 tang唐汤湯堂棠 ' +
  'tao陶涛濤桃 te特 teng腾騰滕 ti体 tian田天甜 tie铁鐵 ting婷庭廷亭 tong童同通彤佟桐 tu涂屠图 tuan团團 wan万萬婉宛湾 wang王汪旺望网網 wei伟偉魏卫衛韦韋威维維炜玮巍微薇为尉 ' +
  'wen文温溫闻聞雯 weng翁 wo沃 wu吴吳武伍五乌烏物务務邬 xi习習席西希喜熙溪锡细 xia夏霞下侠 xian贤賢先仙显咸县 xiang向翔香祥湘象项項享 xiao小晓曉肖萧蕭孝笑 xie谢謝解邪协 ' +
  'xin新欣心信鑫辛昕馨 xing星兴興邢行幸杏 xiong熊雄 xiu秀修 xu徐许許旭须续 xuan轩軒玄萱宣 xue雪学學薛 xun迅寻荀勋 ya雅亚亞娅 yan严嚴颜顏燕艳豔岩言闫閆彦延炎研妍 ' +
  'yang杨楊阳陽洋羊扬揚央 yao姚瑶耀药 ye叶葉业業野 yi易一义義艺藝毅怡依宜仪儀伊益逸翼亿懿 yin尹银銀殷音印茵寅 ying英颖莹瑩映应應营盈 yong永勇用咏雍 you友尤游有优優幽 ' +
  'yu于余玉宇雨俞喻育裕瑜郁虞钰豫煜渝昱 yuan袁元原远遠源园圓媛苑缘 yue岳月悦越粤 yun云雲运運芸韵蕴 za杂 zai在 zan赞 zang藏臧 zao早 ze泽澤泽 zeng曾增 zha查 zhai翟 ' +
  'zhan詹展战占 zhang张張章彰掌 zhao赵趙昭兆招 zhe哲浙 zhen珍振真镇鎮贞貞震甄 zheng郑鄭正政争 zhi志智芝之直知治致植制 zhong中忠钟鍾仲众重 zhou周舟洲州 zhu朱珠竹祝诸諸主柱筑 ' +
  'zhuang庄莊壮 zhuo卓 zi子紫自梓资資 zong宗总 zou邹鄒 zu祖 zuo左'

const READING_OF: ReadonlyMap<string, string> = new Map(
  READINGS.split(' ').flatMap((group) => {
    const reading = /^[a-z]+/.exec(group)?.[0] ?? ''
    return [...group.slice(reading.length)].map((character) => [character, reading] as const)
  }),
)

/**
 * The reading of a Han character as a word of its own (spaces around it), or undefined when the
 * table has none.
 */
export function hanReading(character: string): string | undefined {
  const reading = READING_OF.get(character)
  return reading === undefined ? undefined : ` ${reading} `
}
