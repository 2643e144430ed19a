/**
 * What a test of the lists must reach at least: `portcullis lists test --assert` fails below. The
 * aims of the matcher are higher (docs/matching.md); a floor is what an operator must not go below.
 */

/** Share of the questions that must come out well. */
export interface Floor {
  /** Whether a question must BLOCK, must not be CLEAR, or must be CLEAR. */
  readonly wanted: 'BLOCK' | 'BLOCK or REVIEW' | 'CLEAR'
  readonly least: number
}

/** Names of lists on which similar names count as well. */
export const SIMILAR_FLOORS = {
  exact: { wanted: 'BLOCK', least: 1 },
  'weak alias': { wanted: 'BLOCK or REVIEW', least: 1 },
  'level 1': { wanted: 'BLOCK', least: 0.99 },
  'level 2': { wanted: 'BLOCK', least: 0.95 },
  'level 3': { wanted: 'BLOCK or REVIEW', least: 0.85 },
} as const satisfies Record<string, Floor>

/**
 * Names of lists that are compared in normal form only: a match is a REVIEW, and no more is
 * promised than that the way a name is written does not count.
 */
export const EXACT_FLOORS = {
  exact: { wanted: 'BLOCK or REVIEW', least: 1 },
  'weak alias': { wanted: 'BLOCK or REVIEW', least: 1 },
  'level 1': { wanted: 'BLOCK or REVIEW', least: 0.99 },
} as const satisfies Record<string, Floor>

/** Wallets of any list: there is no similar address. */
export const WALLET_FLOORS = {
  'wallet, exact': { wanted: 'BLOCK', least: 1 },
  'wallet, disguised': { wanted: 'BLOCK', least: 1 },
  'wallet, near miss': { wanted: 'CLEAR', least: 1 },
} as const satisfies Record<string, Floor>

/** Names of nobody, on all lists together. */
export const CLEAN_FLOOR: Floor = { wanted: 'CLEAR', least: 0.98 }
