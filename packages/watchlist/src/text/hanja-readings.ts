import { normalise } from './normalize.ts'

/**
 * Readings in Korean of the characters that Koreans write family names with, and given names. A
 * table of our own; simplified forms beside the ones used in Korea.
 */
const FAMILY =
  '김金 이李 박朴 최崔 정鄭郑丁程 강姜康 조趙赵曺曹 윤尹 장張张章蔣蒋 임林任 한韓韩 오吳吴 서徐 신申辛慎 권權权 황黃黄 안安 송宋 류柳劉刘 홍洪 전全田錢钱 고高 문文 손孫孙 양梁楊杨 ' +
  '배裵裴 백白 허許许 남南 심沈 노盧卢 하河 곽郭 성成 차車车 주朱周 우禹 구具 민閔闵 나羅罗 진陳陈 지池 엄嚴严 원元 천千 방方房 공孔 현玄 함咸 변卞邊边 염廉 여呂吕 추秋 도都 소蘇苏 ' +
  '석石 선宣 설薛 마馬马 길吉 위魏 표表 명明 기奇 왕王 금琴 옥玉 육陸陆 인印 맹孟 제諸诸 모牟 탁卓 국鞠 어魚鱼 은殷 용龍龙 태太'
const GIVEN =
  '정正貞贞定廷靜静晶政禎禎 은恩銀银殷 일日一逸 성成星聖圣誠诚盛 철哲鐵铁喆 영英永榮荣映泳寧宁 남男南 호浩鎬镐虎昊豪湖 룡龍龙 해海 여與与 설雪 주柱珠周主宙 명明命 수秀洙壽寿水守 ' +
  '용勇鎔龍龙用容 광光廣广 혁赫革 진鎭镇振珍眞真進进 상相尙尚祥 철澈 길吉 동東东同 원元源遠远 국國国 봉鳳凤奉 식植湜 선善仙先宣 근根槿 혜惠慧 희姬熙喜姫 재在宰載载 인仁寅 현賢贤鉉铉顯显玄 ' +
  '우佑宇雨祐友 민敏旻民珉 준俊準准峻 지智志芝 훈勳勋訓训薰 석錫锡石碩硕奭 만萬万 천天千川 춘春 화華华和花 강强剛刚康 경京慶庆景敬卿 학學学鶴鹤 범範范 복福 순順顺淳純纯 덕德 ' +
  '건建健 환煥焕桓 태泰太 규奎圭 섭燮 표杓 찬燦灿讚贊 기基起奇 무武 문文 송松 관寬宽官 창昌 승勝胜承昇升 도道 대大 중中重仲 종鍾鐘钟宗 열烈 필弼 량亮良 림林 락樂乐 산山 신信新 연延演妍 ' +
  '옥玉 월月 자子 숙淑 미美 심心 형亨炯 평平 충忠 치治 택澤泽 하夏 보寶宝 균均 구九求 계桂 고高 공公 교敎教 군軍君 권權权 금金 남男 능能 단丹 당唐 래來来 렬烈 령玲 록綠录 륜倫伦 률律'

const FAMILY_OF = syllablesOf(FAMILY)
const GIVEN_OF = syllablesOf(GIVEN)
/** Signs of a Korean name, family name included. */
const [LEAST_SIGNS, MOST_SIGNS] = [3, 4]

function syllablesOf(groups: string): ReadonlyMap<string, string> {
  const syllables = new Map<string, string>()
  for (const group of groups.split(' '))
    for (const sign of group.slice(1))
      if (!syllables.has(sign)) syllables.set(sign, group.slice(0, 1))
  return syllables
}

/**
 * A name in Chinese characters as it is read in Korea, in Latin letters; undefined when it is not
 * one family name and a given name of characters that Koreans use.
 */
export function koreanReading(runs: readonly string[]): string | undefined {
  const signs = [...runs.join('')]
  if (runs.length > 2 || signs.length < LEAST_SIGNS || signs.length > MOST_SIGNS) return undefined
  const family = FAMILY_OF.get(signs[0] ?? '')
  const given = signs.slice(1).map((sign) => GIVEN_OF.get(sign))
  if (family === undefined || given.includes(undefined)) return undefined
  return normalise(`${family}${given.join('')}`)
}
