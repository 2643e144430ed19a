import { bitsOf } from '../text/letter-mask.ts'
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
/** Letters of the second word, and what leaving each out costs. */
const letters = new Uint16Array(ROW)
const drops = new Uint8Array(ROW)

/**
 * Weighted distance of two words in tenths of an edit; any number above `limit` when it is greater
 * than that. Words MUST NOT be longer than `EDIT_WORD_LIMIT`.
 */
export function soundDistance(a: string, b: string, limit = Infinity): number {
  let [before, previous, current]: Int16Array[] = [rows[0], rows[1], rows[2]]
  previous![0] = 0
  for (let at = 0; at < b.length; at++) {
    letters[at] = b.charCodeAt(at)
    drops[at] = dropCost(b, at)
    previous![at + 1] = previous![at]! + drops[at]!
  }
  let leastBefore = 0
  for (let row = 1; row <= a.length; row++) {
    const least = fillRow(a, b.length, row, before!, previous!, current!)
    // Neighbours swapped reach over one row.
    if (Math.min(least, leastBefore) > limit) return least
    leastBefore = least
    ;[before, previous, current] = [previous, current, before]
  }
  return previous![b.length]!
}

/** What a letter more or less costs at least. */
export const LEAST_DROP = Math.min(DOUBLED, ...DELETION)

/**
 * Letters a to z by what it costs at least to be rid of one of them, whatever stands for it: for
 * each cost, how much more it is than the one before, and the letters that cost as much or more.
 */
const RIDDANCES = riddances()

function riddances(): { readonly more: number; readonly letters: number }[] {
  const costs = Array.from({ length: 26 }, (_, at) => {
    const letter = 97 + at
    const others = SUBSTITUTION.subarray(letter * 128, letter * 128 + 128)
    return Math.min(DELETION[letter]!, ...others.filter((_, other) => other !== letter))
  })
  const steps = [...new Set(costs)].sort((a, b) => a - b)
  return steps.map((cost, at) => ({
    more: cost - (steps[at - 1] ?? 0),
    letters: costs.reduce((mask, own, letter) => (own >= cost ? mask | (1 << letter) : mask), 0),
  }))
}

/** The least that two words are apart whose letters are these masks; see `letterMask`. */
export function leastDistance(a: number, b: number): number {
  const left = a & ~b
  const right = b & ~a
  let leftCost = 0
  let rightCost = 0
  for (const { more, letters } of RIDDANCES) {
    leftCost += more * bitsOf(left & letters)
    rightCost += more * bitsOf(right & letters)
  }
  return Math.max(leftCost, rightCost)
}

/** The distance of two words of one letter. */
export function letterDistance(a: string, b: string): number {
  return Math.min(swapCost(a.charCodeAt(0), b.charCodeAt(0)), dropCost(a, 0) + dropCost(b, 0))
}

/** True when one letter may be taken for the other at the beginning of a word. */
export function soundsAlike(a: number, b: number): boolean {
  return swapCost(a, b) < FULL
}

/** Returns the least cost of the row. */
function fillRow(
  a: string,
  columns: number,
  row: number,
  before: Int16Array,
  previous: Int16Array,
  current: Int16Array,
): number {
  const letter = a.charCodeAt(row - 1)
  const letterBefore = row > 1 ? a.charCodeAt(row - 2) : -1
  const drop = dropCost(a, row - 1)
  let left = previous[0]! + drop
  let least = left
  current[0] = left
  for (let column = 1; column <= columns; column++) {
    const other = letters[column - 1]!
    let cost = previous[column - 1]! + swapCost(letter, other)
    const above = previous[column]! + drop
    if (above < cost) cost = above
    const beside = left + drops[column - 1]!
    if (beside < cost) cost = beside
    if (other === letterBefore && column > 1 && letter === letters[column - 2]) {
      const swapped = before[column - 2]! + SWAPPED
      if (swapped < cost) cost = swapped
    }
    current[column] = cost
    left = cost
    if (cost < least) least = cost
  }
  return least
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
