/** Hepburn romanisation of Katakana; Hiragana stands 0x60 before it. */
const KANA =
  'アa イi ウu エe オo カka キki クku ケke コko ガga ギgi グgu ゲge ゴgo サsa シshi スsu セse ソso ザza ジji ' +
  'ズzu ゼze ゾzo タta チchi ツtsu テte トto ダda ヂji ヅzu デde ドdo ナna ニni ヌnu ネne ノno ハha ヒhi フfu ' +
  'ヘhe ホho バba ビbi ブbu ベbe ボbo パpa ピpi プpu ペpe ポpo マma ミmi ムmu メme モmo ヤya ユyu ヨyo ラra ' +
  'リri ルru レre ロro ワwa ヰi ヱe ヲo ンn ヴvu ァa ィi ゥu ェe ォo ャya ュyu ョyo ヮwa ヵka ヶke'

const LATIN: ReadonlyMap<string, string> = new Map(
  KANA.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)] as const),
)
const SMALL_Y = 'ャュョ'
const SMALL_VOWELS = 'ァィゥェォ'

/** The text with every Kana sign in Latin letters; long-vowel marks are left out, as lists do. */
export function lettersOfKana(text: string): string {
  if (!/[\u3041-\u3096\u30a1-\u30fa]/.test(text)) return text
  const signs = [...text].map((sign) =>
    sign >= '\u3041' && sign <= '\u3096' ? String.fromCharCode(sign.charCodeAt(0) + 0x60) : sign,
  )
  let latin = ''
  let doubled = false
  for (const sign of signs) {
    if (sign === 'ッ') doubled = true
    else if (sign !== 'ー') {
      latin = join(latin, sign, doubled)
      doubled = false
    }
  }
  return latin
}

function join(before: string, sign: string, doubled: boolean): string {
  const sound = LATIN.get(sign)
  if (sound === undefined) return before + sign
  if (SMALL_Y.includes(sign) && before.endsWith('i')) {
    const stem = before.slice(0, -1)
    return stem + (/(?:sh|ch|j)$/.test(stem) ? sound.slice(1) : sound)
  }
  if (SMALL_VOWELS.includes(sign) && /[aeiou]$/.test(before)) return before.slice(0, -1) + sound
  return before + (doubled ? sound.slice(0, 1) : '') + sound
}
