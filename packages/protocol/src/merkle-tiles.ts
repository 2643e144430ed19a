/**
 * The tree as it is kept: tiles of 256 hashes side by side, eight levels of the tree each (as
 * c2sp.org/tlog-tiles). A tile of level 0 holds leaf hashes, one of level 1 the roots of 256 tiles
 * of level 0. Any node lies in one tile, so that a proof reads a handful of them whatever the size.
 */
import {
  nodeHash,
  type NodeSource,
  rangeHash,
  type Sha256,
  sourceOfLeaves,
  type TreeNode,
} from './merkle.ts'

export const TILE_HEIGHT = 8
export const TILE_WIDTH = 2 ** TILE_HEIGHT

/** Which tile: its level, and its place in the level. */
export interface TileId {
  readonly level: number
  readonly tile: number
}

/** 1 to 256 hashes, from the left. */
export interface Tile extends TileId {
  readonly hashes: readonly Uint8Array[]
}

/** The tile that holds a node. */
export function tileOf({ level, index }: TreeNode): TileId {
  const inTile = level % TILE_HEIGHT
  return {
    level: (level - inTile) / TILE_HEIGHT,
    tile: Math.floor((index * 2 ** inTile) / TILE_WIDTH),
  }
}

/** The tiles that are not full yet in a tree of `size`, those that an append goes on writing. */
export function openTiles(size: number): TileId[] {
  const open: TileId[] = []
  let count = size
  for (let level = 0; count > 0; level++) {
    const full = Math.floor(count / TILE_WIDTH)
    if (count % TILE_WIDTH > 0) open.push({ level, tile: full })
    count = full
  }
  return open
}

export const tileKey = ({ level, tile }: TileId): string => `${level}/${tile}`

/** Nodes out of tiles. Inner nodes of a tile are worked out once and kept with the source. */
export function tileSource(tiles: ReadonlyMap<string, Tile>, hash: Sha256): NodeSource {
  const inner = new Map<string, Uint8Array>()
  const at = (node: TreeNode): Uint8Array => {
    if (node.level % TILE_HEIGHT > 0) {
      const key = `${node.level}/${node.index}`
      const known = inner.get(key)
      if (known !== undefined) return known
      const left = at({ level: node.level - 1, index: 2 * node.index })
      const value = nodeHash(left, at({ level: node.level - 1, index: 2 * node.index + 1 }), hash)
      inner.set(key, value)
      return value
    }
    const value = tiles.get(tileKey(tileOf(node)))?.hashes[node.index % TILE_WIDTH]
    if (value === undefined) throw new RangeError(`node ${node.level}/${node.index} is missing`)
    return value
  }
  return at
}

export interface Appended {
  /** Every tile that is new or longer than before, whole. */
  readonly changed: readonly Tile[]
  readonly size: number
  readonly root: Uint8Array
}

/** Appends leaves to a tree of `size`, of which only the {@link openTiles} are needed. */
export function appendLeaves(
  size: number,
  open: readonly Tile[],
  leaves: readonly Uint8Array[],
  hash: Sha256,
): Appended {
  const current = new Map(open.map((tile) => [tile.level, { ...tile, hashes: [...tile.hashes] }]))
  const written = new Map(open.map((tile) => [tileKey(tile), tile]))
  const changed = new Map<string, Tile>()
  const add = (level: number, value: Uint8Array, before: number): void => {
    const tile = current.get(level) ?? {
      level,
      tile: Math.floor(before / TILE_WIDTH),
      hashes: [],
    }
    current.set(level, tile)
    tile.hashes.push(value)
    changed.set(tileKey(tile), tile)
    if (tile.hashes.length < TILE_WIDTH) return
    current.delete(level)
    const root = sourceOfLeaves(tile.hashes, hash)({ level: TILE_HEIGHT, index: 0 })
    add(level + 1, root, Math.floor(before / TILE_WIDTH))
  }
  for (const [count, leaf] of leaves.entries()) add(0, leaf, size + count)
  const after = size + leaves.length
  const source = tileSource(new Map([...written, ...changed]), hash)
  return {
    changed: [...changed.values()],
    size: after,
    root: rangeHash({ start: 0, end: after }, source, hash),
  }
}
