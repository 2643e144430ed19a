/** Proofs over trees of any size, grown in any steps: they verify, and nothing like them does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Appended,
  appendLeaves,
  consistencyRanges,
  inclusionRanges,
  leafHash,
  nodeHash,
  type NodeSource,
  openTiles,
  portableSha256,
  rangeHash,
  type Tile,
  tileKey,
  tileSource,
  verifyConsistency,
  verifyInclusion,
} from '@portcullis/protocol'

const LARGEST = 3_000
const LEAVES = Array.from({ length: LARGEST }, (_, n) => leafHash(new Uint8Array([n >> 8, n])))

interface Grown {
  readonly size: number
  readonly source: NodeSource
  /** Root of each size that the tree had on its way. */
  readonly roots: ReadonlyMap<number, Uint8Array>
}

/** The tree as the log grows it: in batches, from the open tiles alone. */
function grown(batches: readonly number[]): Grown {
  const tiles = new Map<string, Tile>()
  const roots = new Map<number, Uint8Array>()
  let size = 0
  for (const batch of batches) {
    const open = openTiles(size).map((id) => tiles.get(tileKey(id))!)
    const leaves = LEAVES.slice(size, size + batch)
    const appended: Appended = appendLeaves(size, open, leaves, portableSha256)
    for (const tile of appended.changed) tiles.set(tileKey(tile), tile)
    size = appended.size
    roots.set(size, appended.root)
  }
  return { size, source: tileSource(tiles, portableSha256), roots }
}

const batches = fc
  .array(fc.integer({ min: 1, max: 600 }), { minLength: 2, maxLength: 5 })
  .filter((sizes) => sizes.reduce((sum, size) => sum + size, 0) <= LARGEST)

const flipped = (hash: Uint8Array, bit: number): Uint8Array =>
  hash.map((byte, at) => (at === Math.floor(bit / 8) ? byte ^ (1 << (bit % 8)) : byte))

const anyBit = fc.integer({ min: 0, max: 255 })

test('the root is that of the whole tree, whatever the steps', () => {
  fc.assert(
    fc.property(batches, (steps) => {
      const { size } = grown(steps)
      const [inSteps, atOnce] = [grown(steps), grown([size])]
      assert.deepEqual(inSteps.roots.get(size), atOnce.roots.get(size))
    }),
    { numRuns: 60 },
  )
})

test('every leaf is proven, and not with another bit, hash, place or size', () => {
  fc.assert(
    fc.property(batches, fc.nat(), anyBit, fc.nat(), (steps, anyLeaf, bit, anyHash) => {
      const { size, source, roots } = grown(steps)
      const leafIndex = anyLeaf % size
      const hashes = inclusionRanges(leafIndex, size).map((range) => rangeHash(range, source))
      const proof = {
        leafIndex,
        treeSize: size,
        leaf: LEAVES[leafIndex]!,
        root: roots.get(size)!,
        hashes,
      }
      assert.ok(verifyInclusion(proof))
      const at = anyHash % hashes.length
      const wrong = [
        { ...proof, leaf: flipped(proof.leaf, bit) },
        { ...proof, root: flipped(proof.root, bit) },
        { ...proof, hashes: hashes.with(at, flipped(hashes[at]!, bit)) },
        { ...proof, hashes: hashes.toSpliced(at, 1) },
        { ...proof, hashes: [...hashes, proof.leaf] },
        { ...proof, leafIndex: (leafIndex + 1) % size },
        { ...proof, leafIndex: -1 },
        { ...proof, leafIndex: leafIndex + 0.5 },
        { ...proof, treeSize: leafIndex },
      ]
      for (const one of wrong) assert.equal(verifyInclusion(one), false)
    }),
    { numRuns: 100 },
  )
})

test('every size continues every earlier one, and not with another bit, hash or order', () => {
  fc.assert(
    fc.property(batches, fc.nat(), anyBit, fc.nat(), (steps, anySize, bit, anyHash) => {
      const { size, source, roots } = grown(steps)
      const sizes = [...roots.keys()]
      const from = sizes[anySize % (sizes.length - 1)]!
      const hashes = consistencyRanges(from, size).map((range) => rangeHash(range, source))
      const proof = { from, to: size, fromRoot: roots.get(from)!, toRoot: roots.get(size)!, hashes }
      assert.ok(verifyConsistency(proof))
      const at = anyHash % hashes.length
      const wrong = [
        { ...proof, fromRoot: flipped(proof.fromRoot, bit) },
        { ...proof, toRoot: flipped(proof.toRoot, bit) },
        { ...proof, hashes: hashes.with(at, flipped(hashes[at]!, bit)) },
        { ...proof, hashes: hashes.toSpliced(at, 1) },
        { ...proof, hashes: [...hashes, proof.toRoot] },
        { ...proof, from: size, to: from },
        { ...proof, from: 0 },
      ]
      for (const one of wrong) assert.equal(verifyConsistency(one), false)
    }),
    { numRuns: 100 },
  )
})

test('a tree in which any earlier leaf is another continues nothing', () => {
  fc.assert(
    fc.property(batches, fc.nat(), (steps, anyLeaf) => {
      const { size, source, roots } = grown(steps)
      const from = [...roots.keys()][0]!
      const changed = anyLeaf % from
      const rewritten: NodeSource = (node) =>
        node.level === 0 && node.index === changed ? LEAVES[changed + 1]! : source(node)
      const hashes = consistencyRanges(from, size).map((range) => rangeHash(range, source))
      const fromRoot = rangeHash({ start: 0, end: from }, bottomUp(rewritten))
      const proof = { from, to: size, fromRoot, toRoot: roots.get(size)!, hashes }
      assert.equal(verifyConsistency(proof), false)
    }),
    { numRuns: 40 },
  )
})

/** Nodes worked out from the leaves of a source, so that a leaf that is another is felt. */
const bottomUp = (leaves: NodeSource): NodeSource => {
  const at: NodeSource = ({ level, index }) =>
    level === 0
      ? leaves({ level, index })
      : nodeHash(
          at({ level: level - 1, index: 2 * index }),
          at({ level: level - 1, index: 2 * index + 1 }),
        )
  return at
}
