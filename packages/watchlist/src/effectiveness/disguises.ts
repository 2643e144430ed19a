/**
 * What people do to a name so that it is not found. Level 1 changes how a name is written, level 2
 * a letter or its spacing, level 3 what is left of it.
 */
import { longestOf, lookalike, marked, styled } from './disguise-letters.ts'

export type DisguiseLevel = 1 | 2 | 3

/**
 * What a disguise leaves of a name, so that it is still the same name: its words in any order, the
 * name itself inside other text, the place of each letter, a form that decodes to it, its letters
 * without the spaces, all but an edit or two, letters in their order, or letters backwards.
 */
export type Kept =
  'words' | 'name' | 'places' | 'code' | 'letters' | 'edits' | 'subsequence' | 'backwards'

/** A name in disguise. */
export interface Disguised {
  readonly level: DisguiseLevel
  readonly transform: string
  readonly keeps: Kept
  readonly input: string
}

/** Undefined when the name gives no occasion for it. */
type Change = (name: string, words: readonly string[]) => string | undefined

const LEVEL_1: Readonly<Record<string, readonly [Kept, Change]>> = {
  lower: ['words', (name) => name.toLowerCase()],
  upper: ['words', (name) => name.toUpperCase()],
  alternating: [
    'words',
    (name) => [...name].map((one, at) => (at % 2 ? one.toLowerCase() : one.toUpperCase())).join(''),
  ],
  white_space: ['words', (name) => ` \t${name.replaceAll(' ', ' \u00a0\u3000')}\n `],
  punct_dots: ['words', (_, words) => words.map((word) => `${word}.`).join(' ')],
  commas: ['words', (_, words) => words.join(', ')],
  hyphens: ['words', (_, words) => words.join('-')],
  underscores: ['words', (_, words) => words.join('_')],
  slashes: ['words', (_, words) => words.join('/')],
  quotes: ['words', (name) => `"${name}"`],
  apostrophe: ['words', inMiddle('\u2019')],
  reverse_tokens: ['words', (_, words) => words.toReversed().join(' ')],
  rotate_tokens: [
    'words',
    (_, words) => (words.length > 2 ? [...words.slice(1), words[0]].join(' ') : undefined),
  ],
  zwsp: ['words', inMiddle('\u200b')],
  zwsp_everywhere: ['words', (name) => [...name].join('\u200b')],
  hangul_filler: ['words', inMiddle('\u3164')],
  braille_blank: ['words', (name) => name.replaceAll(' ', '\u2800')],
  rlo: ['words', (name) => `\u202e${name}\u202c`],
  fullwidth: ['words', (name) => styled(name, /[!-~]/g, () => 0xfee0)],
  math_bold: [
    'words',
    (name) => styled(name, /[A-Za-z]/g, (one) => (one < 'a' ? 0x1d400 - 65 : 0x1d41a - 97)),
  ],
  diacritics: ['words', (name) => marked(name)],
  diacritics_nfd: ['words', (name) => marked(name).normalize('NFD')],
  zalgo: ['words', (name) => name.replace(/[A-Za-z]/g, (one) => `${one}\u0301\u0335`)],
  homoglyph_1: ['places', (name) => lookalike(name, 'cyrillic', 1)],
  homoglyph_all_cyrillic: ['places', (name) => lookalike(name, 'cyrillic')],
  homoglyph_all_greek: ['places', (name) => lookalike(name, 'greek')],
  title_prefix: ['name', (name) => `Mr. ${name}`],
  dba: ['name', (name) => `${name} d/b/a Sunny Imports`],
  llc_suffix: ['name', (name) => `${name} LLC`],
  embedded: ['name', (name) => `Payment to ${name} invoice 4431`],
  html: ['name', (name) => `<b>${name}</b>`],
}

const LEVEL_2: Readonly<Record<string, readonly [Kept, Change]>> = {
  url_encoded: ['code', (name) => encodeURIComponent(name)],
  html_entity: ['code', (name) => [...name].map((one) => `&#${one.codePointAt(0) ?? 0};`).join('')],
  concat: ['letters', (_, words) => (words.length > 1 ? words.join('') : undefined)],
  split_letters: ['letters', (name) => [...name.replaceAll(' ', '')].join(' ')],
  double_letter: ['edits', inLongest((word) => word.slice(0, 2) + word.slice(1))],
  leet_1: ['places', (name) => lookalike(name, 'leet', 1)],
  leet_all: ['places', (name) => lookalike(name, 'leet')],
  leet_plus_homo: ['places', (name) => lookalike(lookalike(name, 'leet'), 'cyrillic')],
  split_word: ['letters', inMiddle(' ')],
  sub1: ['edits', inLongest((word) => `${word.slice(0, 2)}x${word.slice(3)}`)],
  del1: ['edits', inLongest((word) => word.slice(0, 3) + word.slice(4))],
  ins1: ['edits', inLongest((word) => `${word.slice(0, 3)}h${word.slice(3)}`)],
  transpose1: [
    'edits',
    inLongest((word) => word.slice(0, 2) + word.charAt(3) + word.charAt(2) + word.slice(4)),
  ],
}

const LEVEL_3: Readonly<Record<string, readonly [Kept, Change]>> = {
  drop_middle: [
    'subsequence',
    (_, words) =>
      words.length > 2
        ? words.filter((_word, at) => at !== words.length >> 1).join(' ')
        : undefined,
  ],
  initial_first: [
    'subsequence',
    ([letter = ''], words) =>
      words.length > 1 ? [`${letter}.`, ...words.slice(1)].join(' ') : undefined,
  ],
  vowel_drop: [
    'subsequence',
    (_, words) =>
      words.map((word) => word.slice(0, 1) + word.slice(1).replace(/[aeiou]/gi, '')).join(' '),
  ],
  reversed_string: ['backwards', (name) => [...name].reverse().join('')],
  two_edits: [
    'edits',
    inLongest((word) =>
      word.length < 8 ? undefined : `${word.slice(0, 2)}x${word.slice(3, 5)}q${word.slice(6)}`,
    ),
  ],
}

const LEVELS = [LEVEL_1, LEVEL_2, LEVEL_3] as const

/** How many letters a word needs to be changed inside. */
const CHANGEABLE_LETTERS = 6

/** Every disguise of a name in speaking order that changes it, mildest first. */
export function disguisesOf(name: string): Disguised[] {
  const words = name.split(' ').filter((word) => word !== '')
  return LEVELS.flatMap((changes, at) =>
    Object.entries(changes).flatMap(([transform, [keeps, change]]): Disguised[] => {
      const input = change(name, words)
      if (input === undefined || input === name || input.trim() === '') return []
      return [{ level: (at + 1) as DisguiseLevel, transform, keeps, input }]
    }),
  )
}

/** Changes the longest word of a name, when it is long enough and plain. */
function inLongest(change: (word: string) => string | undefined): Change {
  return (name, words) => {
    const longest = longestOf(words)
    if (longest.length < CHANGEABLE_LETTERS || !/^[A-Za-z]+$/.test(longest)) return undefined
    const changed = change(longest)
    return changed === undefined ? undefined : name.replace(longest, changed)
  }
}

/** Puts something into the middle of the longest word. */
function inMiddle(text: string): Change {
  return inLongest((word) => {
    const middle = word.length >> 1
    return word.slice(0, middle) + text + word.slice(middle)
  })
}
