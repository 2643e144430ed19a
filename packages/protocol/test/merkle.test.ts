/** The Merkle tree: published vectors, our own, and every proof of every small tree. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { hex } from '@scure/base'
import {
  appendLeaves,
  canonicalJson,
  completeNodes,
  consistencyRanges,
  entryHash,
  inclusionRanges,
  isSubtree,
  leafDataOf,
  leafHash,
  type LoggedEntry,
  openTiles,
  portableSha256,
  rangeHash,
  type Sha256,
  sourceOfLeaves,
  type Tile,
  tileKey,
  tileSource,
  verifyConsistency,
  verifyInclusion,
  verifySubtree,
} from '@portcullis/protocol'
import { conformance, sharedFiles } from './vectors.ts'

const VECTORS = new URL('../../../../shared/data/vectors/merkle-rfc6962/testdata/', import.meta.url)
const leftOut = existsSync(VECTORS) ? false : 'left out: ../shared is not beside this repository'

interface Vector {
  readonly leafIdx: number
  readonly treeSize: number
  readonly start: number
  readonly end: number
  readonly size: number
  readonly size1: number
  readonly size2: number
  readonly root: string
  readonly root1: string
  readonly root2: string
  readonly leafHash: string
  readonly proof: readonly string[] | null
  readonly wantErr: boolean
}

function vectorsIn(folder: string): [string, Vector][] {
  return readdirSync(new URL(folder, VECTORS), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => {
      const path = `${entry.parentPath}/${entry.name}`
      return [path, JSON.parse(readFileSync(path, 'utf8')) as Vector]
    })
}

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'))
const proofOf = ({ proof }: Vector): Uint8Array[] => (proof ?? []).map(bytes)

const KINDS: Readonly<Record<string, (vector: Vector) => boolean>> = {
  inclusion: (v) =>
    verifyInclusion({
      leafIndex: v.leafIdx,
      treeSize: v.treeSize,
      leaf: bytes(v.leafHash),
      root: bytes(v.root),
      hashes: proofOf(v),
    }),
  consistency: (v) =>
    verifyConsistency({
      from: v.size1,
      to: v.size2,
      fromRoot: bytes(v.root1),
      toRoot: bytes(v.root2),
      hashes: proofOf(v),
    }),
  subtreeinclusion: (v) =>
    isSubtree(v) &&
    v.leafIdx >= v.start &&
    verifyInclusion({
      leafIndex: v.leafIdx - v.start,
      treeSize: v.end - v.start,
      leaf: bytes(v.leafHash),
      root: bytes(v.root),
      hashes: proofOf(v),
    }),
  subtreeconsistency: (v) =>
    verifySubtree({
      start: v.start,
      end: v.end,
      size: v.size,
      subtree: bytes(v.root1),
      root: bytes(v.root2),
      hashes: proofOf(v),
    }),
}

for (const [folder, verify] of Object.entries(KINDS)) {
  test(
    `${folder} proofs of the published vectors, negative ones included`,
    { skip: leftOut },
    () => {
      const vectors = vectorsIn(`${folder}/`)
      assert.ok(vectors.length >= 98, `only ${vectors.length} vectors`)
      for (const [path, vector] of vectors) assert.equal(verify(vector), !vector.wantErr, path)
    },
  )
}

const leavesOf = (size: number): Uint8Array[] =>
  Array.from({ length: size }, (_, index) => leafHash(new TextEncoder().encode(`leaf ${index}`)))

const LEAVES = leavesOf(64)
const SOURCE = sourceOfLeaves(LEAVES)
const ROOTS = Array.from({ length: 65 }, (_, end) => rangeHash({ start: 0, end }, SOURCE))

test('conformance/merkle.json: roots and proofs of this implementation stay what they are', () => {
  const pinned = conformance<{
    roots: Record<string, string>
    inclusion: { leafIndex: number; treeSize: number; hashes: string[] }[]
    consistency: { from: number; to: number; hashes: string[] }[]
  }>('merkle.json')
  for (const [size, root] of Object.entries(pinned.roots)) {
    assert.equal(hex.encode(ROOTS[Number(size)]!), root)
  }
  const hashesOf = (ranges: ReturnType<typeof inclusionRanges>) =>
    ranges.map((range) => hex.encode(rangeHash(range, SOURCE)))
  for (const { leafIndex, treeSize, hashes } of pinned.inclusion) {
    assert.deepEqual(hashesOf(inclusionRanges(leafIndex, treeSize)), hashes)
  }
  for (const { from, to, hashes } of pinned.consistency) {
    assert.deepEqual(hashesOf(consistencyRanges(from, to)), hashes)
  }
})

test('every leaf of every tree of 1 to 64 leaves is proven, and nowhere else', () => {
  for (let treeSize = 1; treeSize <= 64; treeSize++) {
    const root = ROOTS[treeSize]!
    for (let leafIndex = 0; leafIndex < treeSize; leafIndex++) {
      const hashes = inclusionRanges(leafIndex, treeSize).map((range) => rangeHash(range, SOURCE))
      const proof = { leafIndex, treeSize, leaf: LEAVES[leafIndex]!, root, hashes }
      assert.equal(verifyInclusion(proof), true)
      const another = (leafIndex + 1) % treeSize
      if (another !== leafIndex)
        assert.equal(verifyInclusion({ ...proof, leafIndex: another }), false)
      assert.equal(verifyInclusion({ ...proof, leaf: ROOTS[0]! }), false)
    }
  }
})

test('every pair of sizes up to 64 is consistent, and with another root is not', () => {
  for (let to = 1; to <= 64; to++) {
    for (let from = 1; from <= to; from++) {
      const hashes = consistencyRanges(from, to).map((range) => rangeHash(range, SOURCE))
      const proof = { from, to, fromRoot: ROOTS[from]!, toRoot: ROOTS[to]!, hashes }
      assert.equal(verifyConsistency(proof), true, `${from} to ${to}`)
      assert.equal(verifyConsistency({ ...proof, fromRoot: ROOTS[0]! }), false)
      assert.equal(verifyConsistency({ ...proof, toRoot: ROOTS[0]! }), false)
    }
  }
})

test('tiles, written batch by batch, give the nodes of the whole tree', () => {
  const hash: Sha256 = portableSha256
  const tiles = new Map<string, Tile>()
  const leaves = leavesOf(70_000)
  const batches = [1, 254, 1, 1, 255, 256, 257, 1_000, 64_000, 4_231]
  let size = 0
  for (const count of batches) {
    const open = openTiles(size).map((id) => tiles.get(tileKey(id))!)
    const appended = appendLeaves(size, open, leaves.slice(size, size + count), hash)
    for (const tile of appended.changed) tiles.set(tileKey(tile), tile)
    size = appended.size
    const whole = rangeHash({ start: 0, end: size }, sourceOfLeaves(leaves), hash)
    assert.deepEqual(appended.root, whole, `at ${size}`)
  }
  const source = tileSource(tiles, hash)
  for (const leafIndex of [0, 255, 256, 65_535, 65_536, size - 1]) {
    const hashes = inclusionRanges(leafIndex, size).map((range) => rangeHash(range, source))
    const root = rangeHash({ start: 0, end: size }, source)
    const leaf = leaves[leafIndex]!
    assert.equal(verifyInclusion({ leafIndex, treeSize: size, leaf, root, hashes }), true)
  }
  assert.deepEqual(
    completeNodes({ start: 4, end: 7 }).map(({ level }) => level),
    [1, 0],
  )
})

test('canonical JSON is that of RFC 8785', (t) => {
  const inputs = sharedFiles(t, 'jcs/testdata/input')
  const outputs = new Map(sharedFiles(t, 'jcs/testdata/output') ?? [])
  for (const [name, input] of inputs ?? []) {
    const canonical = canonicalJson(JSON.parse(input.toString('utf8')))
    assert.deepEqual(Buffer.from(canonical, 'utf8'), outputs.get(name), name)
  }
})

test('an entry is hashed as the RFC 8785 form that it is given out in', () => {
  const entry: LoggedEntry = {
    verdict: 'CLEAR',
    hashVersion: 1,
    kind: 'screen',
    txnId: 'txn_00000001',
    operatorId: null,
    at: '2026-11-20T12:00:00.000Z',
    record: JSON.stringify({ cpName: '\u2028 \u00e9 \ud83d\ude00 \u0007 "quoted" \\' }),
    facts: '{"a":"\u0000"}',
    agentId: null,
    spendMicroUsd: '12',
    charge: 1,
  }
  const { facts: _facts, ...other } = entry
  for (const one of [entry, other]) {
    assert.equal(new TextDecoder().decode(leafDataOf(one)), canonicalJson(one))
    assert.deepEqual(entryHash(one), leafHash(leafDataOf(one)))
  }
})
