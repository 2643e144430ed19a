/**
 * Plain data in parcels, so that a process can take a hundred thousand objects from another one
 * without ever stopping for long: long arrays, maps and typed arrays travel in slices, and what is
 * left, the skeleton, is small.
 */

/** Elements or pairs of one slice: about a millisecond to unpack. */
const SLICE = 400
const NUMBERS_PER_SLICE = 1 << 16

type Numbers = Int32Array | Uint32Array | Uint8Array | Uint16Array | Float32Array | Float64Array

/** How an empty container is made, by the name of its class. */
const MAKE: Readonly<Record<string, (length: number) => Container>> = {
  Array: () => [],
  Map: () => new Map(),
  Int32Array: (length) => new Int32Array(length),
  Uint32Array: (length) => new Uint32Array(length),
  Uint16Array: (length) => new Uint16Array(length),
  Uint8Array: (length) => new Uint8Array(length),
  Float32Array: (length) => new Float32Array(length),
  Float64Array: (length) => new Float64Array(length),
}

type Container = unknown[] | Map<unknown, unknown> | Numbers

/** What is needed to make a container before anything is in it. */
interface ContainerShape {
  readonly type: string
  readonly length: number
}

/** A slice of the container with that number. */
export interface Parcel {
  readonly container: number
  /** Where the slice begins. */
  readonly at: number
  readonly items: readonly unknown[] | Numbers
}

/** Everything but the containers that travel in slices; those are numbered. */
export interface Skeleton {
  readonly value: unknown
  readonly containers: readonly ContainerShape[]
}

/** Data taken apart. */
export interface Packed {
  readonly skeleton: Skeleton
  readonly parcels: () => Generator<Parcel, undefined>
}

/**
 * Takes plain data apart: objects, arrays, maps, typed arrays and primitives. Throws for anything
 * else, since it would not arrive as it left.
 */
export function pack(value: unknown): Packed {
  const packed: { type: string; items: readonly unknown[] | Numbers }[] = []
  const numbers = new Map<object, number>()
  /** What stands in the skeleton where the container stood. */
  const apart = (source: object, type: string, items: readonly unknown[] | Numbers) => {
    const number = numbers.get(source) ?? packed.push({ type, items }) - 1
    numbers.set(source, number)
    return { parcelled: number }
  }
  const walk = (part: unknown): unknown => {
    if (typeof part === 'function') throw new Error('a function cannot be packed')
    if (typeof part !== 'object' || part === null) return part
    const type = part.constructor.name
    if (Array.isArray(part)) {
      return part.length > SLICE ? apart(part, type, part as unknown[]) : part.map(walk)
    }
    if (part instanceof Map) return apart(part, type, [...part])
    if (type in MAKE) return apart(part, type, part as Numbers)
    if (type !== 'Object') throw new Error(`a ${type} cannot be packed`)
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]))
  }
  const root = walk(value)
  const containers = packed.map(({ type, items }) => ({ type, length: items.length }))
  return { skeleton: { value: root, containers }, parcels: () => slices(packed) }
}

function* slices(
  packed: readonly { items: readonly unknown[] | Numbers }[],
): Generator<Parcel, undefined> {
  for (const [container, { items }] of packed.entries()) {
    const step = Array.isArray(items) ? SLICE : NUMBERS_PER_SLICE
    for (let at = 0; at < items.length; at += step)
      yield { container, at, items: items.slice(at, at + step) }
  }
}

/** Puts together what `pack` took apart. */
export class Unpacking {
  readonly #value: unknown
  readonly #containers: readonly Container[]

  constructor({ value, containers }: Skeleton) {
    this.#value = value
    this.#containers = containers.map(({ type, length }) => MAKE[type]?.(length) ?? [])
  }

  /** Parcels MUST come in the order in which they were packed. */
  add({ container, at, items }: Parcel): void {
    const target = this.#containers[container]
    if (target instanceof Map) {
      for (const [key, value] of items as readonly (readonly [unknown, unknown])[])
        target.set(key, value)
    } else if (Array.isArray(target)) {
      for (const item of items) target.push(item)
    } else {
      target?.set(items as Numbers, at)
    }
  }

  /** The value, once every parcel has been added. */
  finish(): unknown {
    const walk = (part: unknown): unknown => {
      if (typeof part !== 'object' || part === null) return part
      if (Array.isArray(part)) return part.map(walk)
      if ('parcelled' in part) return this.#containers[part.parcelled as number]
      return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]))
    }
    return walk(this.#value)
  }
}
