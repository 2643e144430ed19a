import { lettersOfKana } from './kana.ts'
import { koreanReading } from './hanja-readings.ts'
import { lettersOfHangul } from './hangul.ts'

/**
 * Names of other languages as East Asia writes them, where the signs alone do not say it: names
 * that sanctions lists bear most. A table of our own, in normal form.
 */
const KNOWN: ReadonlyMap<string, string> = tableOf(
  '本:bin 乌萨马:usama 烏薩瑪:usama 奥萨马:osama 奧薩瑪:osama 拉登:ladin 拉丹:ladin 本拉登:bin ladin 宾拉登:bin ladin 賓拉登:bin ladin 穆罕默德:muhammad 默罕默德:muhammad 艾哈迈德:ahmad 马哈茂德:mahmud ' +
    '阿卜杜拉:abdullah 阿卜杜勒:abdul 阿卜杜:abd 阿布:abu 哈桑:hasan 侯赛因:husayn 萨达姆:saddam 易卜拉欣:ibrahim 优素福:yusuf 尤素福:yusuf 哈利德:khalid ' +
    '扎瓦希里:zawahiri 艾曼:ayman 巴格达迪:baghdadi 苏莱曼尼:soleimani 卡西姆:qasem 哈梅内伊:khamenei 巴沙尔:bashar 阿萨德:assad 卡扎菲:qadhafi ' +
    '普京:putin 弗拉基米尔:vladimir 谢尔盖:sergey 亚历山大:aleksandr 德米特里:dmitry 梅德韦杰夫:medvedev 拉夫罗夫:lavrov 绍伊古:shoigu 伊万:ivan 米哈伊尔:mikhail ' +
    '尼古拉:nikolay 马杜罗:maduro 尼古拉斯:nicolas 阿列克谢:aleksey 安德烈:andrey 伊戈尔:igor 谢钦:sechin 普里戈任:prigozhin 叶夫根尼:yevgeny 卢卡申科:lukashenko ' +
    '卡德罗夫:kadyrov 拉姆赞:ramzan 真主党:hizballah 哈马斯:hamas 塔利班:taliban 基地组织:al qaida 伊斯兰国:islamic state ' +
    'プーチン:putin ウラジーミル:vladimir ウラジミール:vladimir ムハンマド:muhammad モハメド:mohamed アブドラ:abdullah フセイン:husayn サダム:saddam ' +
    'ラディン:ladin ラーディン:ladin ビンラディン:bin ladin ビン:bin ヒズボラ:hizballah ヒズボッラー:hizballah アルカイダ:al qaida タリバン:taliban タリバーン:taliban キム:kim ' +
    'ジョンウン:jong un ジョンイル:jong il アレクサンドル:aleksandr セルゲイ:sergey ドミトリー:dmitry ラブロフ:lavrov ショイグ:shoigu カダフィ:qadhafi アサド:assad ' +
    'バッシャール:bashar マドゥロ:maduro ルカシェンコ:lukashenko オウム真理教:aum shinrikyo ' +
    '푸틴:putin 블라디미르:vladimir 빈:bin 라덴:ladin 빈라덴:bin ladin 오사마:usama 무함마드:muhammad 모하메드:mohamed 압둘라:abdullah 후세인:husayn 사담:saddam ' +
    '헤즈볼라:hizballah 알카에다:al qaida 탈레반:taliban 카다피:qadhafi 아사드:assad 바샤르:bashar 마두로:maduro 세르게이:sergey 라브로프:lavrov 쇼이구:shoigu 루카셴코:lukashenko',
)

/**
 * Chinese characters that write the sounds of foreign names, with the sound they write there, which
 * is not how they are read alone: `s`, not `si`. A table of our own.
 */
const SOUND_OF: ReadonlyMap<string, string> = tableOf(
  '阿:a 艾:ai 埃:e 安:an 昂:an 奥:o 奧:o 巴:ba 拜:bai 班:ban 贝:be 貝:be 本:ben 比:bi 宾:bin 波:bo 伯:b 博:bo 布:b 卜:b 查:cha 茨:ts 达:da 達:da 戴:da ' +
    '丹:dan 德:d 登:den 迪:di 蒂:ti 东:don 杜:du 顿:ton 多:do 厄:e 恩:n 尔:r 爾:r 耳:r 法:fa 菲:fi 费:fe 費:fe 芬:fin 夫:v 弗:f 福:fo 盖:ge 蓋:ge 甘:gan 冈:gon 戈:go ' +
    '格:g 古:gu 哈:ha 海:he 汉:han 罕:ham 豪:hao 赫:h 黑:he 亨:hen 侯:hu 胡:hu 霍:kho 基:ki 吉:ji 加:ga 贾:ja 賈:ja 杰:je 金:kin 京:jin 卡:ka 凯:kai 坎:kan 科:ko ' +
    '可:k 克:k 肯:ken 孔:kon 库:ku 庫:ku 夸:kwa 奎:kui 昆:kun 拉:la 莱:le 萊:le 兰:lan 蘭:lan 朗:lan 劳:lau 勒:l 雷:re 蕾:le 利:li 里:ri 理:ri 林:lin 隆:lon 卢:lu 盧:lu ' +
    '鲁:ru 魯:ru 伦:ren 倫:ren 罗:ro 羅:ro 洛:lo 吕:lu 马:ma 馬:ma 玛:ma 瑪:ma 迈:mai 邁:mai 曼:man 芒:mon 茂:mau 梅:me 门:men 門:men 蒙:mon 米:mi 明:min 莫:mo 默:me ' +
    '姆:m 穆:mu 纳:na 納:na 娜:na 内:ne 內:ne 南:nan 尼:ni 涅:ne 宁:nin 努:nu 诺:no 諾:no 欧:eu 歐:eu 帕:pa 派:pai 潘:pan 佩:pe 彭:pen 皮:pi 平:pin 珀:per 普:p 奇:ch ' +
    '齐:zi 齊:zi 恰:cha 乔:jo 喬:jo 切:che 钦:chin 琴:chin 让:jan 热:zhe 日:zh 荣:yon 茹:ru 瑞:re 若:jo 萨:sa 薩:sa 塞:se 赛:sai 賽:sai 桑:san 瑟:se 森:sen 沙:sha 莎:sha ' +
    '山:shan 尚:shan 绍:sho 舍:she 什:sh 施:sh 史:s 舒:shu 丝:s 絲:s 司:s 斯:s 思:s 苏:su 蘇:su 索:so 塔:ta 泰:tai 坦:tan 汤:tom 湯:tom 特:t 滕:ten 提:ti 廷:tin 图:tu 圖:tu ' +
    '土:tu 托:to 陀:to 瓦:va 万:van 萬:van 旺:van 威:wi 韦:ve 韋:ve 维:vi 維:vi 魏:ve 温:win 溫:win 文:ven 翁:on 沃:vo 乌:u 烏:u 武:u 西:si 希:hi 锡:si 錫:si 夏:sha 肖:sho ' +
    '谢:she 謝:she 辛:sin 欣:hin 休:hu 雅:ya 亚:ya 亞:ya 延:yan 扬:yan 耶:ye 叶:ye 葉:ye 伊:i 以:i 易:i 因:in 英:in 尤:yu 优:yu 于:yu 约:yo 約:yo 扎:za 泽:ze 澤:ze 詹:jan ' +
    '扬:yan 哲:zhe 珍:jen 治:j 朱:ju 兹:z 茲:z 祖:zu 佐:zo',
)

function tableOf(pairs: string): ReadonlyMap<string, string> {
  return new Map(
    pairs.split(' ').flatMap((pair, at, all) => {
      const colon = pair.indexOf(':')
      if (colon < 0) return []
      // A name of two words goes on until the next pair.
      const more = all.slice(at + 1).findIndex((next) => next.includes(':'))
      const rest = all.slice(at + 1, more < 0 ? undefined : at + 1 + more)
      return [[pair.slice(0, colon), [pair.slice(colon + 1), ...rest].join(' ')] as const]
    }),
  )
}

/** Signs that say a syllable or a word. */
const SIGNS = /[\u3041-\u30fa\p{Script=Han}\uac00-\ud7a3]/u
const HAN = /^\p{Script=Han}+$/u
const HANGUL = /^[\uac00-\ud7a3]+$/
const KANA = /^[\u3041-\u3096\u30a1-\u30fa\u30fc]+$/
/** Points between the names of a foreigner. */
const POINT = /[·・‧•･]/u
/** Fewer signs than this, without such a point, are a name of the country itself. */
const FOREIGN_SIGNS = 3
/** Longer text is no name. */
const SIGNS_LIMIT = 40

/**
 * What else a text in Han, Kana or Hangul may say, in words of Latin letters: a name of another
 * language written by its sounds, and Chinese characters read as in Korea. None for other text.
 */
export function soundsAbroad(text: string): string[] {
  if (!SIGNS.test(text) || text.length > SIGNS_LIMIT) return []
  const plain = text.normalize('NFKC')
  const runs = plain.split(/[^\p{L}\p{M}\p{N}]+/u).filter((run) => run !== '')
  const pointed = POINT.test(plain)
  const heard = runs.map((run) => foreignSounds(run, pointed))
  const readings: string[] = []
  if (heard.every((one) => one !== undefined)) {
    const sounds = heard.join(' ')
    // Chinese and Japanese have one letter for l and r.
    const other = sounds.replace(/[lr]/g, (one) => (one === 'l' ? 'r' : 'l'))
    const oneLetter = !runs.every((run) => HANGUL.test(run) || KNOWN.has(run))
    readings.push(sounds, ...(oneLetter && other !== sounds ? [other] : []))
  }
  const korean = koreanReading(runs)
  return korean === undefined ? readings : [...readings, korean]
}

function foreignSounds(run: string, pointed: boolean): string | undefined {
  const known = KNOWN.get(run)
  if (known !== undefined) return known
  if (!pointed && [...run].length < FOREIGN_SIGNS) return undefined
  if (HANGUL.test(run)) return lettersOfHangul(run)
  if (KANA.test(run)) return withoutSupports(lettersOfKana(run))
  if (!HAN.test(run)) return undefined
  const sounds = Array.from(run, (sign) => SOUND_OF.get(sign))
  return sounds.includes(undefined) ? undefined : sounds.join('')
}

/** Without the vowels that Japanese puts behind a consonant that has none: `hamasu`. */
function withoutSupports(latin: string): string {
  return latin
    .replace(/(?<=[aeiou].*[bcdfghkmprsz])u(?=[^aeiouy]|$)/g, '')
    .replace(/(?<=[aeiou].*[td])o(?=[^aeiouy]|$)/g, '')
    .replace(/^([bfgkp])u(?=r)/, '$1')
}
