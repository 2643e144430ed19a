/**
 * Plain data in parcels, so that a thread can take a hundred thousand objects from another one
 * without ever stopping for long: long arrays and maps travel in slices, typed arrays move as they
 * are, and what is left, the skeleton, is small.
 */

/** Elements or pairs of one slice: about a millisecond to unpack. */
const SLICE = 400

type Kind = 'array' | 'map'

/** A slice of the container with that number. */
export interface Parcel {
  readonly container: number
  readonly items: readonly unknown[]
}

/** Everything but the long arrays and maps. */
export interface Skeleton {
  readonly value: unknown
  readonly containers: readonly Kind[]
}

export interface Packed {
  readonly skeleton: Skeleton
  readonly parcels: () => Generator<Parcel>
  /** Memory that moves and is not copied. */
  readonly transfer: readonly ArrayBuffer[]
}

/** Takes plain data apart: objects, arrays, maps, typed arrays and primitives; no functions. */
export function pack(value: unknown): Packed {
  const containers: { kind: Kind; items: readonly unknown[] }[] = []
  const numbers = new Map<object, number>()
  const transfer = new Set<ArrayBuffer>()
  const put = (source: object, kind: Kind, items: readonly unknown[]) => {
    const known = numbers.get(source)
    const number = known ?? containers.push({ kind, items }) - 1
    numbers.set(source, number)
    // What stands in the skeleton where the container stood.
    return { parcelled: number }
  }
  const walk = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part
    if (ArrayBuffer.isView(part)) {
      if (part.buffer instanceof ArrayBuffer) transfer.add(part.buffer)
      return part
    }
    if (part instanceof Map) return part.size > SLICE ? put(part, 'map', [...part]) : part
    if (Array.isArray(part)) {
      const items = part as readonly unknown[]
      return items.length > SLICE ? put(items, 'array', items) : items.map(walk)
    }
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]))
  }
  const skeleton = { value: walk(value), containers: containers.map(({ kind }) => kind) }
  return { skeleton, parcels: () => slices(containers), transfer: [...transfer] }
}

function* slices(containers: readonly { items: readonly unknown[] }[]): Generator<Parcel> {
  for (const [container, { items }] of containers.entries())
    for (let at = 0; at < items.length; at += SLICE)
      yield { container, items: items.slice(at, at + SLICE) }
}

/** Puts together what `pack` took apart. */
export class Unpacking {
  readonly #skeleton: Skeleton
  readonly #containers: (unknown[] | Map<unknown, unknown>)[]

  constructor(skeleton: Skeleton) {
    this.#skeleton = skeleton
    this.#containers = skeleton.containers.map((kind) => (kind === 'map' ? new Map() : []))
  }

  /** Parcels MUST come in the order in which they were packed. */
  add({ container, items }: Parcel): void {
    const target = this.#containers[container]
    if (target instanceof Map)
      for (const [key, value] of items as readonly (readonly [unknown, unknown])[])
        target.set(key, value)
    else for (const item of items) target?.push(item)
  }

  /** The value, once every parcel has been added. */
  finish(): unknown {
    const walk = (part: unknown): unknown => {
      if (typeof part !== 'object' || part === null) return part
      if (ArrayBuffer.isView(part) || part instanceof Map) return part
      if (Array.isArray(part)) return part.map(walk)
      if ('parcelled' in part) return this.#containers[part.parcelled as number]
      return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]))
    }
    return walk(this.#skeleton.value)
  }
}
