/**
 * The Merkle tree of the audit log (RFC 6962 section 2.1): hashes, proofs, and their verification
 * (RFC 9162 sections 2.1.3 and 2.1.4). Pure: hashes of nodes come from a {@link NodeSource}, and
 * the hash function may be replaced by a faster SHA-256.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8 } from '@scure/base'

/** SHA-256 of bytes, or of a text in UTF-8. */
export type Sha256 = (data: Uint8Array | string) => Uint8Array

export const portableSha256: Sha256 = (data) =>
  sha256(typeof data === 'string' ? utf8.decode(data) : data)

export const HASH_BYTES = 32

/** Leaves `start` (inclusive) to `end` (exclusive). */
export interface LeafRange {
  readonly start: number
  readonly end: number
}

/** A complete subtree: `2 ** level` leaves from `index * 2 ** level` on. */
export interface TreeNode {
  readonly level: number
  readonly index: number
}

/** The hash of a complete subtree. */
export type NodeSource = (node: TreeNode) => Uint8Array

const LEAF_PREFIX = 0x00
const NODE_PREFIX = 0x01

/** SHA-256(0x00 || data). */
export function leafHash(data: Uint8Array, hash: Sha256 = portableSha256): Uint8Array {
  const bytes = new Uint8Array(1 + data.length)
  bytes[0] = LEAF_PREFIX
  bytes.set(data, 1)
  return hash(bytes)
}

/** SHA-256(0x01 || left || right). */
export function nodeHash(
  left: Uint8Array,
  right: Uint8Array,
  hash: Sha256 = portableSha256,
): Uint8Array {
  const bytes = new Uint8Array(1 + left.length + right.length)
  bytes[0] = NODE_PREFIX
  bytes.set(left, 1)
  bytes.set(right, 1 + left.length)
  return hash(bytes)
}

/** The complete subtrees that make up a range, from left to right. */
export function completeNodes({ start, end }: LeafRange): TreeNode[] {
  const nodes: TreeNode[] = []
  let from = start
  while (from < end) {
    let level = 0
    while (from % 2 ** (level + 1) === 0 && from + 2 ** (level + 1) <= end) level++
    nodes.push({ level, index: from / 2 ** level })
    from += 2 ** level
  }
  return nodes
}

/** Root of a range that is a subtree of the tree; of `[0, size)`, the root of the log. */
export function rangeHash(
  range: LeafRange,
  source: NodeSource,
  hash: Sha256 = portableSha256,
): Uint8Array {
  const hashes = completeNodes(range).map(source)
  const last = hashes.pop()
  if (last === undefined) return hash(new Uint8Array())
  return hashes.reduceRight((right, left) => nodeHash(left, right, hash), last)
}

/** Leaves `[0, leaves.length)` as a source of nodes; for small trees and tests. */
export function sourceOfLeaves(
  leaves: readonly Uint8Array[],
  hash: Sha256 = portableSha256,
): NodeSource {
  const at = ({ level, index }: TreeNode): Uint8Array => {
    if (level > 0) {
      const left = at({ level: level - 1, index: 2 * index })
      return nodeHash(left, at({ level: level - 1, index: 2 * index + 1 }), hash)
    }
    const leaf = leaves[index]
    if (leaf === undefined) throw new RangeError(`there is no leaf ${index}`)
    return leaf
  }
  return at
}

/** The ranges whose hashes prove that leaf `index` is in a tree of `size`, from the leaf up. */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  if (!isLeafOf(index, size)) throw new RangeError(`there is no leaf ${index} in ${size}`)
  const ranges: LeafRange[] = []
  let { start, end } = { start: 0, end: size }
  while (end - start > 1) {
    const middle = start + splitOf(end - start)
    if (index < middle) {
      ranges.unshift({ start: middle, end })
      end = middle
    } else {
      ranges.unshift({ start, end: middle })
      start = middle
    }
  }
  return ranges
}

/** The ranges whose hashes prove that the tree of size `to` continues that of size `from`. */
export function consistencyRanges(from: number, to: number): LeafRange[] {
  if (!isSize(from) || !isSize(to) || from < 1 || from > to) {
    throw new RangeError(`a tree of ${to} leaves does not continue one of ${from}`)
  }
  const ranges: LeafRange[] = []
  let { start, end } = { start: 0, end: to }
  while (end !== from) {
    const middle = start + splitOf(end - start)
    if (from <= middle) {
      ranges.unshift({ start: middle, end })
      end = middle
    } else {
      ranges.unshift({ start, end: middle })
      start = middle
    }
  }
  return start === 0 ? ranges : [{ start, end }, ...ranges]
}

/** The largest power of two below `size`. */
function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

export interface InclusionProof {
  readonly leafIndex: number
  readonly treeSize: number
  readonly leaf: Uint8Array
  readonly root: Uint8Array
  readonly hashes: readonly Uint8Array[]
}

/** Whether the leaf stands at its index in the tree with that root. */
export function verifyInclusion(proof: InclusionProof, hash: Sha256 = portableSha256): boolean {
  const { leafIndex, treeSize, leaf, root, hashes } = proof
  if (!isLeafOf(leafIndex, treeSize) || !areHashes([leaf, root, ...hashes])) return false
  let node = leafIndex
  let last = treeSize - 1
  let current = leaf
  for (const other of hashes) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      current = nodeHash(other, current, hash)
      while (node % 2 === 0 && node !== 0) {
        node = half(node)
        last = half(last)
      }
    } else {
      current = nodeHash(current, other, hash)
    }
    node = half(node)
    last = half(last)
  }
  return last === 0 && sameBytes(current, root)
}

export interface ConsistencyProof {
  readonly from: number
  readonly to: number
  readonly fromRoot: Uint8Array
  readonly toRoot: Uint8Array
  readonly hashes: readonly Uint8Array[]
}

/** Whether the later tree continues the earlier one: nothing that was in it is altered or gone. */
export const verifyConsistency = (
  { from, to, fromRoot, toRoot, hashes }: ConsistencyProof,
  hash: Sha256 = portableSha256,
): boolean =>
  from > 0 &&
  verifySubtree({ start: 0, end: from, size: to, subtree: fromRoot, root: toRoot, hashes }, hash)

export interface SubtreeProof extends LeafRange {
  readonly size: number
  readonly subtree: Uint8Array
  readonly root: Uint8Array
  readonly hashes: readonly Uint8Array[]
}

/**
 * Whether `[start, end)` with that root is part of the tree with the other. A range that starts at
 * 0 is an earlier tree (draft-ietf-plants-merkle-tree-certs, consistency of a subtree).
 */
export function verifySubtree(proof: SubtreeProof, hash: Sha256 = portableSha256): boolean {
  const { start, end, size, subtree, root, hashes } = proof
  if (!isSize(start) || !isSize(size) || end > size || !areHashes(hashes)) return false
  // An empty range is part of every tree, and needs no proof.
  if (start === end) return hashes.length === 0 && sameBytes(subtree, hash(new Uint8Array()))
  if (!isSubtree(proof)) return false
  let [first, last, edge] = [start, end - 1, size - 1]
  const up = () => {
    first = half(first)
    last = half(last)
    edge = half(edge)
  }
  if (last === edge) while (first !== last) up()
  else while (first !== last && last % 2 === 1) up()
  const rest = [...hashes]
  const seed = first === last ? subtree : rest.shift()
  if (seed === undefined) return false
  let [small, large] = [seed, seed]
  for (const other of rest) {
    if (edge === 0) return false
    if (last % 2 === 1 || last === edge) {
      if (first < last) small = nodeHash(other, small, hash)
      large = nodeHash(other, large, hash)
      while (last % 2 === 0) up()
    } else {
      large = nodeHash(large, other, hash)
    }
    up()
  }
  return edge === 0 && sameBytes(small, subtree) && sameBytes(large, root)
}

/** Whether a range can be a subtree: it starts at a multiple of a power of two that holds it. */
export function isSubtree({ start, end }: LeafRange): boolean {
  if (!isSize(start) || !isSize(end) || start >= end) return false
  return start % (end - start === 1 ? 1 : 2 * splitOf(end - start)) === 0
}

const half = (value: number): number => Math.floor(value / 2)
const isSize = (value: number): boolean => Number.isSafeInteger(value) && value >= 0
const isLeafOf = (index: number, size: number): boolean =>
  isSize(index) && isSize(size) && index < size
const areHashes = (hashes: readonly Uint8Array[]): boolean =>
  hashes.every(({ length }) => length === HASH_BYTES)

/** Public values: no need to compare in constant time. */
export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index])
