/** Numbers from 0 to 1. */
export type Chance = () => number

/** The same numbers for the same seed at every run (mulberry32). `seed` is a whole number. */
export function seeded(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * Numbers for one purpose: what is drawn for a list does not change because another list is loaded
 * as well. FNV-1a over UTF-16 units.
 */
export function seededFor(seed: number, purpose: string): Chance {
  let hash = 0x811c9dc5
  for (let at = 0; at < purpose.length; at++)
    hash = Math.imul(hash ^ purpose.charCodeAt(at), 0x01000193)
  return seeded((hash ^ seed) >>> 0)
}

/** `count` different items, each as likely as any other; all of them when there are no more. */
export function draw<T>(items: readonly T[], count: number, chance: Chance): T[] {
  const left = [...items]
  const most = Math.min(count, left.length)
  for (let at = 0; at < most; at++) {
    const other = at + Math.floor(chance() * (left.length - at))
    ;[left[at], left[other]] = [left[other] as T, left[at] as T]
  }
  return left.slice(0, most)
}

/** One of the items, of which there MUST be some. */
export function pick<T>(items: readonly T[], chance: Chance): T {
  return items[Math.floor(chance() * items.length)] as T
}
