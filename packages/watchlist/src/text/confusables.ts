import { normalise } from './normalize.ts'

/**
 * Letters of other scripts beside the Latin letter they pass for, as printed: capitals and small
 * letters differ (capital eta looks like H, small eta like n). A table of our own, chosen by
 * looking; transliteration is another matter.
 */
const LOOKALIKES =
  'аa АA вb ВB сc СC еe ЕE ԁd ԍg һh ҺH НH нh іi ІI їi ЇI јj ЈJ кk КK ӏl ӀI мm МM пn оo ОO рp ' +
  'РP гr ѕs ЅS тt ТT цu υu ѵv ѴV ԝw ԜW хx ХX уy УY ԛq ԚQ ьb ЬB зz ёe ЁE йu αa ΑA βb ΒB ϲc ϹC ' +
  'εe ΕE ηn ΗH ιi ΙI κk ΚK ΜM νv ΝN οo ΟO ρp ΡP σo τt ΤT ΥY χx ΧX γy ωw ζz ΖZ ΔA ΛA ɑa ɡg ɩi ' +
  'ʀr ʏy ɢg ʜh ʟl ɴn ᴀa ʙb ᴄc ᴅd ᴇe ᴊj ᴋk ᴍm ᴏo ᴘp ꜱs ᴛt ᴜu ᴠv ᴡw ᴢz ɛe ɔo օo Օo սu Սu հh ոn ' +
  'Տs ցg Լl ꓐB ꓑP ꓒd ꓓD ꓔT ꓖG ꓗK ꓙJ ꓚC ꓜZ ꓝF ꓟM ꓠN ꓡL ꓢS ꓣR ꓦV ꓧH ꓪW ꓫX ꓬY ꓮA ꓰE ꓲI ꓳO ꓴU ' +
  'ᎪA ᏴB ᏟC ᎠD ᎬE ᏀG ᎻH ᎥI ᎫJ ᏦK ᏞL ᎷM ᏢP ᏒR ᏚS ᎢT ᏙV ᎡR ᎳW ᏔW ᎩY ᏃZ'

const LATIN_OF: ReadonlyMap<string, string> = new Map(
  LOOKALIKES.split(' ').map((pair) => {
    const [letter = '', latin = ''] = [...pair]
    return [letter, latin]
  }),
)

const LOOKALIKE = new RegExp(`[${[...LATIN_OF.keys()].join('')}]`, 'gu')

/**
 * Digits and signs written for letters. `1` stands for i and l alike, which share one class below.
 */
const LETTER_OF: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '2': 'z',
  '6': 'g',
  l: 'i',
}

/**
 * The text with letters for its digits, in every way that says something: all of them; all but
 * those that stand alone, which may be numbers (`Z4R3CH3-4`); those of words and initials only
 * (`PUNT0 54, 5.4.`); these with one more digit that stands alone. None for text without digits.
 */
export function textsForDigits(text: string): string[] {
  const letters = (digits: string) => lettersForDigits(digits)
  const all = text.replace(/[0-9]+/g, letters)
  if (all === text) return []
  const some = text.replace(/[0-9]{2,}|(?<=\p{L})[0-9]|[0-9](?=\p{L})/gu, letters)
  const words = text.replace(/\S*\p{L}\S*|(?<!\S)(?:[0-9]\.)+[0-9]?(?![^\s,;])/gu, letters)
  const more = [...words.matchAll(LONE_DIGIT)]
    .slice(0, LONE_DIGITS)
    .map(
      ({ index }) => words.slice(0, index) + letters(words.charAt(index)) + words.slice(index + 1),
    )
  return [...new Set([all, some, words, ...more])].filter((one) => one !== text)
}

const LONE_DIGIT = /(?<![\p{L}\p{N}])[0-9](?![\p{L}\p{N}])/gu
/** Text with more digits by themselves is no name. */
const LONE_DIGITS = 3

/**
 * The name with letters of other scripts, and signs inside words, replaced by the Latin letter they
 * look like, in normal form. Case-aware, so it needs the name as given beside its normal form.
 */
export function latinLook(text: string, form: string): string {
  const compatible = text.normalize('NFKC')
  const letters = compatible.replace(LOOKALIKE, (letter) => LATIN_OF.get(letter) ?? letter)
  const latin = SIGN_WITHIN.test(letters) ? letters.replace(WORD, lettersForSigns) : letters
  return latin === compatible ? form : normalise(latin)
}

/** Signs that look like letters, in a word that has letters too: `!r@n`. */
function lettersForSigns(word: string): string {
  const signed = SIGN_WITHIN.test(word) && /\p{L}/u.test(word)
  return signed ? word.replace(SIGN, (sign) => LETTER_OF_SIGN[sign] ?? sign) : word
}

const WORD = /\S+/g
const SIGN = /[@$|!]/g
/** The mark at the end of a sentence is one. */
const SIGN_WITHIN = /[@$|]|!(?=[\p{L}\p{N}@$|])/u
const LETTER_OF_SIGN: Readonly<Record<string, string>> = { '@': 'a', $: 's', '!': 'i', '|': 'i' }

/**
 * The text without the signs that hide a letter inside a word or stand between its letters:
 * `Vlad*mir`. Undefined when there are none.
 */
export function withoutMasks(text: string): string | undefined {
  const plain = text.replace(/(?<=\p{L})[*#^~?%\u2022\u25cf\u2588]+(?=\p{L})/gu, '')
  return plain === text ? undefined : plain
}

/**
 * What a word of a normal form looks like: digits inside words as letters, i and l as one, and, in
 * a long word, `rn` as m and `vv` as w. Two words with the same skeleton look alike; they are not
 * the same word. A number stays a number.
 */
export function skeletonOf(word: string): string {
  if (/^[0-9]+$/.test(word)) return word
  const long = word.length >= DRAWN_LETTERS && /rn|vv/.test(word)
  const drawn = long ? word.replaceAll('rn', 'm').replaceAll('vv', 'w') : word
  return /^[a-km-z]*$/.test(drawn) ? drawn : lettersForDigits(drawn)
}

/** In shorter words `rn` is no disguise: `Purna` is not `Puma`. */
const DRAWN_LETTERS = 7

/**
 * The word with every character replaced by the letter it looks like, numbers too: `10` looks like
 * `io`.
 */
export function lettersForDigits(word: string): string {
  let letters = ''
  for (const character of word) {
    letters += LETTER_OF[character] ?? LATIN_OF.get(character)?.toLowerCase() ?? character
  }
  return letters
}
