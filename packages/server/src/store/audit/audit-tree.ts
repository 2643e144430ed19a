/** The Merkle tree in the store: tiles read and written inside a transaction. */
import { Buffer } from 'node:buffer'
import {
  completeNodes,
  HASH_BYTES,
  type LeafRange,
  type NodeSource,
  rangeHash,
  type Sha256,
  type Tile,
  type TileId,
  tileKey,
  tileOf,
  tileSource,
} from '@portcullis/protocol'
import { all, first, type Script } from '../script.ts'
import type { Statements } from '../statements.ts'

export function* readTile(sql: Statements, { level, tile }: TileId): Script<Tile | undefined> {
  const row = yield* first(sql.tile({ level: BigInt(level), tile: BigInt(tile) }))
  return row === undefined ? undefined : { level, tile, hashes: hashesOf(row.hashes) }
}

export function* writeTile(sql: Statements, { level, tile, hashes }: Tile): Script<void> {
  const text = Buffer.concat(hashes).toString('hex')
  yield* all(sql.putTile({ level: BigInt(level), tile: BigInt(tile), hashes: text }))
}

function hashesOf(text: string): Uint8Array[] {
  const bytes = Buffer.from(text, 'hex')
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, index) =>
    bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  )
}

/** The tiles that the ranges rest on, as a source of nodes. Throws RangeError past the tree. */
export function* nodesOf(
  sql: Statements,
  ranges: readonly LeafRange[],
  hash: Sha256,
): Script<NodeSource> {
  const tiles = new Map<string, Tile>()
  for (const id of ranges.flatMap(completeNodes).map(tileOf)) {
    if (tiles.has(tileKey(id))) continue
    const tile = yield* readTile(sql, id)
    if (tile !== undefined) tiles.set(tileKey(id), tile)
  }
  return tileSource(tiles, hash)
}

export function* hashesOfRanges(
  sql: Statements,
  ranges: readonly LeafRange[],
  hash: Sha256,
): Script<readonly Uint8Array[]> {
  const source = yield* nodesOf(sql, ranges, hash)
  return ranges.map((range) => rangeHash(range, source, hash))
}
