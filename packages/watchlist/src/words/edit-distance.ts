/**
 * Longest word compared letter by letter, in UTF-16 units. Longer words match as a whole or not at
 * all.
 */
export const EDIT_WORD_LIMIT = 40

const ROW = EDIT_WORD_LIMIT + 2
const rows = [new Uint8Array(ROW), new Uint8Array(ROW), new Uint8Array(ROW)] as const

/**
 * Levenshtein distance with a swap of neighbours as one edit (optimal string alignment), or `limit
 * + 1` when it is greater than `limit`. Only the band of width `2 * limit + 1` is computed. Words
 * MUST NOT be longer than `EDIT_WORD_LIMIT`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let [before, previous, current]: Uint8Array[] = [rows[0], rows[1], rows[2]]
  for (let column = 0; column <= b.length; column++) previous![column] = column
  for (let row = 1; row <= a.length; row++) {
    const least = fillRow(a, b, row, limit, before!, previous!, current!)
    if (least > limit) return limit + 1
    ;[before, previous, current] = [previous, current, before]
  }
  return Math.min(previous![b.length]!, limit + 1)
}

function fillRow(
  a: string,
  b: string,
  row: number,
  limit: number,
  before: Uint8Array,
  previous: Uint8Array,
  current: Uint8Array,
): number {
  const first = Math.max(1, row - limit)
  const last = Math.min(b.length, row + limit)
  current[first - 1] = first === 1 ? row : limit + 1
  const letter = a.charCodeAt(row - 1)
  let least = current[first - 1]!
  for (let column = first; column <= last; column++) {
    const same = letter === b.charCodeAt(column - 1)
    const above = column === row + limit ? limit + 1 : previous[column]!
    let cost = Math.min(previous[column - 1]! + (same ? 0 : 1), above + 1, current[column - 1]! + 1)
    const swapped =
      row > 1 &&
      column > 1 &&
      letter === b.charCodeAt(column - 2) &&
      a.charCodeAt(row - 2) === b.charCodeAt(column - 1)
    if (swapped) cost = Math.min(cost, before[column - 2]! + 1)
    current[column] = cost
    if (cost < least) least = cost
  }
  return least
}
