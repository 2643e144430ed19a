/**
 * An immutable map from 32-bit keys to whole numbers, several per key: two flat arrays and no
 * object per entry, so that a million pairs take 8 MB and build in tens of milliseconds. Keys are
 * hashes: who looks up MUST verify what comes back.
 */
export interface IntMultimap {
  readonly mask: number
  /** Where the pairs of each bucket begin. */
  readonly starts: Int32Array
  /** Key and value in turn: who finds the one has the other at hand. */
  readonly pairs: Int32Array
}

/** Pairs in the making; grows by doubling. */
export interface IntPairs {
  keys: Uint32Array
  values: Int32Array
  count: number
}

/** No pairs yet. `capacity` is a guess, in pairs. */
export function noPairs(capacity = 1024): IntPairs {
  return { keys: new Uint32Array(capacity), values: new Int32Array(capacity), count: 0 }
}

/** Adds one pair. */
export function addPair(pairs: IntPairs, key: number, value: number): void {
  if (pairs.count === pairs.keys.length) {
    const keys = new Uint32Array(pairs.count * 2)
    const values = new Int32Array(pairs.count * 2)
    keys.set(pairs.keys)
    values.set(pairs.values)
    pairs.keys = keys
    pairs.values = values
  }
  pairs.keys[pairs.count] = key
  pairs.values[pairs.count] = value
  pairs.count++
}

/** The map of the pairs; values of one key keep the order in which they were added. */
export function buildMultimap(pairs: IntPairs): IntMultimap {
  let size = 16
  while (size < pairs.count) size *= 2
  const mask = size - 1
  const starts = new Int32Array(size + 1)
  for (let at = 0; at < pairs.count; at++) {
    const bucket = (pairs.keys[at]! & mask) + 1
    starts[bucket] = starts[bucket]! + 1
  }
  for (let bucket = 0; bucket < size; bucket++)
    starts[bucket + 1] = starts[bucket + 1]! + starts[bucket]!
  const next = starts.slice()
  const sorted = new Int32Array(2 * pairs.count)
  for (let at = 0; at < pairs.count; at++) {
    const key = pairs.keys[at]!
    const slot = next[key & mask]!
    next[key & mask] = slot + 1
    sorted[2 * slot] = key
    sorted[2 * slot + 1] = pairs.values[at]!
  }
  return { mask, starts, pairs: sorted }
}

/**
 * The first slot under `key`, from slot `from` on if given, or -1. For who cannot afford a call for
 * each value; the others say `eachValue`.
 */
export function slotOf(map: IntMultimap, key: number, from?: number): number {
  const bucket = key & map.mask
  const end = map.starts[bucket + 1]!
  const signed = key | 0
  for (let slot = from ?? map.starts[bucket]!; slot < end; slot++)
    if (map.pairs[2 * slot] === signed) return slot
  return -1
}

/** How many slots there are: one for each pair. */
export function slotsOf({ pairs }: IntMultimap): number {
  return pairs.length / 2
}

/** The key in a slot, as a signed number. */
export function keyIn(map: IntMultimap, slot: number): number {
  return map.pairs[2 * slot]!
}

/** The value in a slot. */
export function valueIn(map: IntMultimap, slot: number): number {
  return map.pairs[2 * slot + 1]!
}

/** Calls `visit` with every value under `key`. */
export function eachValue(map: IntMultimap, key: number, visit: (value: number) => void): void {
  for (let slot = slotOf(map, key); slot >= 0; slot = slotOf(map, key, slot + 1))
    visit(valueIn(map, slot))
}

/** True when something stands under `key`. */
export function hasKey(map: IntMultimap, key: number): boolean {
  return slotOf(map, key) >= 0
}

/** What `hashText` begins with. */
export const HASH_SEED = 0x811c9dc5 | 0

/**
 * FNV-1a over UTF-16 units, continuing from `seed`. Signed 32-bit, as all hashes here: an unsigned
 * one is more than the engine keeps without an object of its own.
 */
export function hashText(text: string, seed = HASH_SEED): number {
  return hashFrom(text, 0, seed)
}

/** The same of what stands from `start` on. */
export function hashFrom(text: string, start: number, seed: number): number {
  let hash = seed | 0
  for (let at = start; at < text.length; at++) hash = hashUnit(hash, text.charCodeAt(at))
  return hash | 0
}

/** The hash continued by one UTF-16 unit. */
export function hashUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193)
}

/** Spreads a hash, so that sums of several still differ. */
export function mixHash(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
