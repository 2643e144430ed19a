import { EDIT_WORD_LIMIT } from './edit-distance.ts'

/**
 * Edit distance in tenths of an edit, where letters that are taken for one another cost less: a
 * vowel for a vowel, a letter doubled, `h` left out, `k` for `q`, neighbours swapped.
 */
const FULL = 10
const VOWEL = 5
const SILENT = 5
const DOUBLED = 3
const SWAPPED = 8
const ALIKE = 6

const ALIKE_GROUPS = [
  'kqcgx',
  'szcx',
  'dt',
  'ts',
  'bpvfw',
  'Wfb',
  'jyig',
  'jz',
  'mn',
  'uvw',
  'oua',
  'SsC',
  'JjzS',
  'hk',
  'hg',
  'Tsc',
  'CjT',
]
const SUBSTITUTION = new Uint8Array(128 * 128).fill(FULL)
const DELETION = new Uint8Array(128).fill(FULL)
for (const group of [...ALIKE_GROUPS, 'aeiouy'])
  for (const a of group)
    for (const b of group) {
      const slot = a.charCodeAt(0) * 128 + b.charCodeAt(0)
      const cost = a === b ? 0 : group === 'aeiouy' ? VOWEL : ALIKE
      SUBSTITUTION[slot] = Math.min(SUBSTITUTION[slot]!, cost)
    }
// One sound of Japanese.
SUBSTITUTION['l'.charCodeAt(0) * 128 + 'r'.charCodeAt(0)] = SWAPPED
SUBSTITUTION['r'.charCodeAt(0) * 128 + 'l'.charCodeAt(0)] = SWAPPED
// One letter of Arabic, which Arabs write d and Persians z.
SUBSTITUTION['d'.charCodeAt(0) * 128 + 'z'.charCodeAt(0)] = DOUBLED
SUBSTITUTION['z'.charCodeAt(0) * 128 + 'd'.charCodeAt(0)] = DOUBLED
for (const silent of 'aeiouyhw') DELETION[silent.charCodeAt(0)] = SILENT

// `consonantsOf` writes W for a v, which a script without vowels may leave out.
DELETION['W'.charCodeAt(0)] = DOUBLED
// A capital stands for two letters; see `soundOf`.
for (const pair of 'SCTJ') {
  DELETION[pair.charCodeAt(0)] = 15
  for (let other = 0; other < 128; other++) {
    const slots = [pair.charCodeAt(0) * 128 + other, other * 128 + pair.charCodeAt(0)]
    for (const slot of slots) if (SUBSTITUTION[slot] === FULL) SUBSTITUTION[slot] = 15
  }
}

const ROW = EDIT_WORD_LIMIT + 2
const rows = [new Int16Array(ROW), new Int16Array(ROW), new Int16Array(ROW)] as const

/**
 * Weighted distance of two words in tenths of an edit. Words MUST NOT be longer than
 * `EDIT_WORD_LIMIT`.
 */
export function soundDistance(a: string, b: string): number {
  let [before, previous, current]: Int16Array[] = [rows[0], rows[1], rows[2]]
  previous![0] = 0
  for (let column = 1; column <= b.length; column++)
    previous![column] = previous![column - 1]! + dropCost(b, column - 1)
  for (let row = 1; row <= a.length; row++) {
    fillRow(a, b, row, before!, previous!, current!)
    ;[before, previous, current] = [previous, current, before]
  }
  return previous![b.length]!
}

/** True when one letter may be taken for the other at the beginning of a word. */
export function soundsAlike(a: number, b: number): boolean {
  return swapCost(a, b) < FULL
}

function fillRow(
  a: string,
  b: string,
  row: number,
  before: Int16Array,
  previous: Int16Array,
  current: Int16Array,
): void {
  const letter = a.charCodeAt(row - 1)
  const drop = dropCost(a, row - 1)
  current[0] = previous[0]! + drop
  for (let column = 1; column <= b.length; column++) {
    const other = b.charCodeAt(column - 1)
    let cost = previous[column - 1]! + swapCost(letter, other)
    cost = Math.min(cost, previous[column]! + drop, current[column - 1]! + dropCost(b, column - 1))
    if (
      row > 1 &&
      column > 1 &&
      letter === b.charCodeAt(column - 2) &&
      a.charCodeAt(row - 2) === other
    )
      cost = Math.min(cost, before[column - 2]! + SWAPPED)
    current[column] = cost
  }
}

function swapCost(a: number, b: number): number {
  if (a === b) return 0
  return a < 128 && b < 128 ? SUBSTITUTION[a * 128 + b]! : FULL
}

function dropCost(word: string, at: number): number {
  const letter = word.charCodeAt(at)
  if (at > 0 && word.charCodeAt(at - 1) === letter) return DOUBLED
  return letter < 128 ? DELETION[letter]! : FULL
}
