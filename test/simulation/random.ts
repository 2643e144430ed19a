/** Everything a simulation leaves to chance, drawn from one seed. */
import { random as mulberry } from '../support/load.ts'

export interface Random {
  /** A whole number from `from` to `to`, both included. */
  int(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** Draws a key in proportion to its weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name
  /** So many characters of the alphabet. */
  text(alphabet: string, length: number): string
}

export function randomOf(seed: number): Random {
  const next = mulberry(seed)
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  const pick = <T>(items: readonly T[]): T => items[int(0, items.length - 1)] as T
  return {
    int,
    pick,
    chance: (probability) => next() < probability,
    weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
      const entries = Object.entries(weights) as [Name, number][]
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of entries) {
        left -= weight
        if (left < 0) return name
      }
      return entries[0]![0]
    },
    text: (alphabet, length) =>
      Array.from({ length }, () => alphabet.charAt(int(0, alphabet.length - 1))).join(''),
  }
}
