/**
 * The disguises of `vectors/own/name-evasion.json`, made anew for any listed name. Level 1 changes
 * how a name is written, level 2 a letter or its spacing, level 3 what is left of it.
 */
export interface Disguised {
  readonly level: 1 | 2 | 3
  readonly transform: string
  readonly input: string
}

type Transform = (name: string, words: readonly string[]) => string | undefined

const CYRILLIC: Readonly<Record<string, string>> = {
  a: 'а',
  c: 'с',
  e: 'е',
  i: 'і',
  o: 'о',
  p: 'р',
  s: 'ѕ',
  x: 'х',
  y: 'у',
  A: 'А',
  B: 'В',
  C: 'С',
  E: 'Е',
  H: 'Н',
  I: 'І',
  K: 'К',
  M: 'М',
  O: 'О',
  P: 'Р',
  S: 'Ѕ',
  T: 'Т',
  X: 'Х',
}
const GREEK: Readonly<Record<string, string>> = {
  A: 'Α',
  B: 'Β',
  E: 'Ε',
  H: 'Η',
  I: 'Ι',
  K: 'Κ',
  M: 'Μ',
  N: 'Ν',
  O: 'Ο',
  P: 'Ρ',
  T: 'Τ',
  X: 'Χ',
  Y: 'Υ',
  Z: 'Ζ',
  o: 'ο',
  v: 'ν',
}
const LEET: Readonly<Record<string, string>> = {
  a: '4',
  A: '4',
  e: '3',
  E: '3',
  i: '1',
  I: '1',
  o: '0',
  O: '0',
  s: '5',
  S: '5',
}
const MARKED: Readonly<Record<string, string>> = {
  A: 'Á',
  a: 'á',
  E: 'É',
  e: 'é',
  I: 'Í',
  i: 'í',
  O: 'Ö',
  o: 'ö',
  U: 'Ü',
  u: 'ü',
  N: 'Ñ',
  n: 'ñ',
  C: 'Ç',
  S: 'Ş',
}

const LEVEL_1: Readonly<Record<string, Transform>> = {
  lower: (name) => name.toLowerCase(),
  upper: (name) => name.toUpperCase(),
  alternating: (name) =>
    [...name].map((one, at) => (at % 2 ? one.toLowerCase() : one.toUpperCase())).join(''),
  white_space: (name) => ` \t${name.replaceAll(' ', ' \u00a0\u3000')}\n `,
  punct_dots: (_, words) => words.map((word) => `${word}.`).join(' '),
  commas: (_, words) => words.join(', '),
  hyphens: (_, words) => words.join('-'),
  underscores: (_, words) => words.join('_'),
  slashes: (_, words) => words.join('/'),
  quotes: (name) => `"${name}"`,
  apostrophe: (name, words) =>
    inLongest(name, words, (word, at) => `${word.slice(0, at)}\u2019${word.slice(at)}`),
  reverse_tokens: (_, words) => words.toReversed().join(' '),
  rotate_tokens: (_, words) =>
    words.length > 2 ? [...words.slice(1), words[0]].join(' ') : undefined,
  zwsp: (name, words) =>
    inLongest(name, words, (word, at) => `${word.slice(0, at)}\u200b${word.slice(at)}`),
  zwsp_everywhere: (name) => [...name].join('\u200b'),
  hangul_filler: (name, words) =>
    inLongest(name, words, (word, at) => `${word.slice(0, at)}\u3164${word.slice(at)}`),
  braille_blank: (name) => name.replaceAll(' ', '\u2800'),
  rlo: (name) => `\u202e${name}\u202c`,
  fullwidth: (name) =>
    name.replace(/[!-~]/g, (one) => String.fromCodePoint(one.charCodeAt(0) + 0xfee0)),
  math_bold: (name) =>
    name.replace(/[A-Za-z]/g, (one) =>
      String.fromCodePoint(
        one < 'a' ? 0x1d400 + one.charCodeAt(0) - 65 : 0x1d41a + one.charCodeAt(0) - 97,
      ),
    ),
  diacritics: (name) => mapLetters(name, MARKED),
  diacritics_nfd: (name) => mapLetters(name, MARKED).normalize('NFD'),
  zalgo: (name) => name.replace(/[A-Za-z]/g, (one) => `${one}\u0301\u0335`),
  homoglyph_1: (name) => name.replace(/[aceiopsxyABCEHIKMOPSTX]/, (one) => CYRILLIC[one] ?? one),
  homoglyph_all_cyrillic: (name) => mapLetters(name, CYRILLIC),
  homoglyph_all_greek: (name) => mapLetters(name, GREEK),
  title_prefix: (name) => `Mr. ${name}`,
  dba: (name) => `${name} d/b/a Sunny Imports`,
  llc_suffix: (name) => `${name} LLC`,
  embedded: (name) => `Payment to ${name} invoice 4431`,
  html: (name) => `<b>${name}</b>`,
}

const LEVEL_2: Readonly<Record<string, Transform>> = {
  url_encoded: (name) => encodeURIComponent(name),
  html_entity: (name) => [...name].map((one) => `&#${one.codePointAt(0)};`).join(''),
  concat: (_, words) => (words.length > 1 ? words.join('') : undefined),
  split_letters: (name) => [...name.replaceAll(' ', '')].join(' '),
  double_letter: (name, words) =>
    inLongest(name, words, (word) => word[0]! + word[1]! + word.slice(1)),
  leet_1: (name) => name.replace(/[aeiosAEIOS]/, (one) => LEET[one] ?? one),
  leet_all: (name) => mapLetters(name, LEET),
  leet_plus_homo: (name) => mapLetters(mapLetters(name, LEET), CYRILLIC),
  split_word: (name, words) =>
    inLongest(name, words, (word, at) => `${word.slice(0, at)} ${word.slice(at)}`),
  sub1: (name, words) => inLongest(name, words, (word) => `${word.slice(0, 2)}x${word.slice(3)}`),
  del1: (name, words) => inLongest(name, words, (word) => word.slice(0, 3) + word.slice(4)),
  ins1: (name, words) => inLongest(name, words, (word) => `${word.slice(0, 3)}h${word.slice(3)}`),
  transpose1: (name, words) =>
    inLongest(name, words, (word) => word.slice(0, 2) + word[3]! + word[2]! + word.slice(4)),
}

const LEVEL_3: Readonly<Record<string, Transform>> = {
  drop_middle: (_, words) =>
    words.length > 2 ? words.filter((_word, at) => at !== words.length >> 1).join(' ') : undefined,
  initial_first: (_, words) =>
    words.length > 1 ? [`${words[0]![0]!}.`, ...words.slice(1)].join(' ') : undefined,
  vowel_drop: (_, words) =>
    words.map((word) => word[0]! + word.slice(1).replace(/[aeiou]/gi, '')).join(' '),
  reversed_string: (name) => [...name].reverse().join(''),
  two_edits: (name, words) =>
    longestOf(words).length < 8
      ? undefined
      : inLongest(
          name,
          words,
          (word) => `${word.slice(0, 2)}x${word.slice(3, 5)}q${word.slice(6)}`,
        ),
}

const LEVELS = [LEVEL_1, LEVEL_2, LEVEL_3] as const

/** Every disguise of a name that changes it. */
export function disguisesOf(name: string): Disguised[] {
  const words = name.split(' ').filter((word) => word !== '')
  return LEVELS.flatMap((transforms, at) =>
    Object.entries(transforms).flatMap(([transform, change]): Disguised[] => {
      const input = change(name, words)
      return input === undefined ? [] : [{ level: (at + 1) as 1 | 2 | 3, transform, input }]
    }),
  )
}

/** Changes the longest word of a name; nothing when it has fewer than six letters. */
function inLongest(
  name: string,
  words: readonly string[],
  change: (word: string, middle: number) => string,
): string | undefined {
  const longest = longestOf(words)
  if (longest.length < 6 || !/^[A-Za-z]+$/.test(longest)) return undefined
  return name.replace(longest, change(longest, longest.length >> 1))
}

function longestOf(words: readonly string[]): string {
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')
}

function mapLetters(name: string, table: Readonly<Record<string, string>>): string {
  return name.replace(/[A-Za-z]/g, (letter) => table[letter] ?? letter)
}
