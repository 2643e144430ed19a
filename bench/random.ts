/** Chance with a seed, so that two runs send the same payments. */
export interface Random {
  /** A whole number from 0 up to, and without, `below`. */
  below(below: number): number
  pick<T>(from: readonly T[]): T
  characters(alphabet: string, count: number): string
}

/** Mulberry32. */
export function seededRandom(seed: number): Random {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    pick: <T>(from: readonly T[]) => from[below(from.length)] as T,
    characters: (alphabet, count) =>
      Array.from({ length: count }, () => alphabet[below(alphabet.length)]).join(''),
  }
}
