import { isForeign, transliterate } from './transliterate.ts'

/**
 * Longest name looked at, in UTF-16 units. Longer text is cut, so that no name takes unbounded
 * work.
 */
export const NAME_TEXT_LIMIT = 5000

/** Longer text is more than a name: a word for each of thousands of signs would cost too much. */
const NAME_LENGTH = 500

/**
 * Letters that no Unicode decomposition reduces to the base letters under which a list spells them.
 * Lower case, because lower-casing comes first.
 */
const UNDECOMPOSED: ReadonlyMap<string, string> = new Map([
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ı', 'i'],
  ['ȷ', 'j'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['ŋ', 'n'],
  ['ĸ', 'k'],
  ['ə', 'a'],
  ['ƒ', 'f'],
  ['ɓ', 'b'],
  ['ƙ', 'k'],
  ['ɗ', 'd'],
  ['ƴ', 'y'],
  ['ɫ', 'l'],
  ['ς', 'σ'],
  // Small capitals, which are Latin letters and no other script's.
  ...Array.from('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', (letter, at) => {
    return [letter, 'abcdefghijklmnoprstuvwyz'.charAt(at)] as const
  }),
])

const UNDECOMPOSED_LETTER = new RegExp(`[${[...UNDECOMPOSED.keys()].join('')}]`, 'gu')
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]+/gu
/** Controls that are no white space leave no trace; tabs and line ends stay, as word breaks. */
const SILENT_CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]+/g
/**
 * Marks are decoration on these scripts, and vowels or letters on the others (Devanagari, Thai,
 * Kana).
 */
const MARKED_SCRIPTS = ['Latin', 'Greek', 'Cyrillic', 'Arabic', 'Hebrew', 'Armenian']
const MARKED = new RegExp(
  `([${MARKED_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}\\p{Nd}])\\p{M}+`,
  'gu',
)
const MARK_ON_NOTHING = /(^|[^\p{L}\p{N}\p{M}])\p{M}+/gu
/**
 * Joins: O'Brien is OBRIEN, QA'IDA is QAIDA. Includes modifier letters that stand for ayn and
 * hamza.
 */
const APOSTROPHE = /['`´‘’‛′ʹʻʼʽʾʿˈˊˋ＇]+/gu
/** S.A. is SA; a single initial keeps its dot as a break. */
const DOTTED = /(?<![\p{L}\p{N}])(?:\p{L}\.){2,}(?:\p{L}(?![\p{L}\p{N}]))?/gu
const SEPARATOR = /[^\p{L}\p{N}\p{M}]+/gu
const PLAIN = /^[a-z0-9]+(?: [a-z0-9]+)*$/

/**
 * The one normal form of a name, for index and query alike: words in lower case, parted by single
 * spaces.
 *
 * Compatibility forms, case, invisible and bidirectional characters, marks and punctuation are
 * folded; apostrophes join, every other punctuation parts; dotted abbreviations close up. A name in
 * a non-Latin script stays in it. A name of which nothing would remain keeps its visible
 * characters, so that it can match itself and nothing matches on emptiness. Idempotent; at most
 * `NAME_TEXT_LIMIT` characters long; the empty string only for text without a visible character.
 */
export function normalise(text: string): string {
  const cut = text.length > NAME_TEXT_LIMIT ? text.slice(0, NAME_TEXT_LIMIT) : text
  if (PLAIN.test(cut)) return cut
  const visible = isAscii(cut) ? cut.replace(SILENT_CONTROL, '') : visibleForm(cut)
  const lower = visible.toLowerCase()
  if (isAscii(lower)) return collapse(foldPunctuation(lower)) || collapse(foldUnpunctuated(lower))
  const words = collapse(foldPunctuation(foldLetters(lower)))
  if (words === '') return collapse(foldUnpunctuated(lower))
  const latin = inLatinLetters(words)
  // Marks that belonged to a letter of another script are decoration on a Latin one.
  return collapse(latin === words || isAscii(latin) ? latin : foldPunctuation(foldLetters(latin)))
}

/**
 * The signs of a text, folded as `normalise` does and left in their own script, without spaces:
 * romanisation makes many signs one, and this does not.
 */
export function signsOf(text: string): string {
  return foldPunctuation(foldLetters(visibleForm(text).toLowerCase())).replaceAll(' ', '')
}

/**
 * For each word of the normal form, the number of the written word that it is read from: a word of
 * Han or Hangul signs is read as several.
 */
export function writtenWordsOf(text: string): number[] {
  const written = wordsOf(collapse(foldPunctuation(foldLetters(visibleForm(text).toLowerCase()))))
  return written.flatMap((word, at) => wordsOf(transliterate(word)).map(() => at))
}

/** The words of a normal form; none for the empty one. */
export function wordsOf(normalForm: string): string[] {
  return normalForm === '' ? [] : normalForm.split(' ')
}

function inLatinLetters(words: string): string {
  if (!isForeign(words)) return words
  const rare = words.length <= NAME_LENGTH
  return words
    .split(' ')
    .map((word) => transliterate(word, rare))
    .join(' ')
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}

function visibleForm(text: string): string {
  const visible = text
    .toWellFormed()
    .normalize('NFKC')
    .slice(0, NAME_TEXT_LIMIT)
    .toWellFormed()
    .replace(INVISIBLE, '')
    .replace(SILENT_CONTROL, '')
    .replace(BOXED, letterOfBox)
  return FLAGS.test(visible) ? visible.replace(FLAG, letterOfBox) : visible
}

/** Letters in a circle or square that Unicode does not decompose, because they are emoji too. */
const BOXED = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu
const FLAG = /[\u{1f1e6}-\u{1f1ff}]/gu
/** Two of these letters are a flag, and four are two; more are no flags. */
const FLAGS = /[\u{1f1e6}-\u{1f1ff}]{5,}/u
const FIRST_OF_BOXES = [0x1f1e6, 0x1f170, 0x1f150]

function letterOfBox(box: string): string {
  const code = box.codePointAt(0) ?? 0
  const first = FIRST_OF_BOXES.find((one) => code >= one) ?? code
  return String.fromCharCode(65 + code - first)
}

function foldLetters(lower: string): string {
  return foldOnce(lower).normalize('NFC').toLowerCase()
}

function foldOnce(lower: string): string {
  return lower
    .replace(APOSTROPHE, "'")
    .normalize('NFKD')
    .replace(INVISIBLE, '')
    .replace(MARKED, '$1')
    .replace(MARK_ON_NOTHING, '$1')
    .replace(UNDECOMPOSED_LETTER, (letter) => UNDECOMPOSED.get(letter) ?? letter)
}

function foldPunctuation(lower: string): string {
  const joined = lower.replace(APOSTROPHE, '')
  const closed = joined.includes('.')
    ? joined.replace(DOTTED, (initials) => initials.replaceAll('.', ''))
    : joined
  return closed.replace(SEPARATOR, ' ')
}

/** For what holds no letter and no digit (`★`, `!!!`): itself, with spaces collapsed. */
function foldUnpunctuated(lower: string): string {
  return lower.replace(/[\s\u2800]+/gu, ' ')
}

function collapse(words: string): string {
  return words.slice(0, NAME_TEXT_LIMIT).trim()
}
