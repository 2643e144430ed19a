/** The whole log checked against itself: every entry, every leaf, every checkpoint. */
import {
  appendLeaves,
  type Appended,
  type Checkpoint,
  type DamageKind,
  entryHash,
  HASH_VERSION,
  hexOf,
  type LeafRange,
  openTiles,
  originOf,
  readCompactJws,
  sameBytes,
  type Sha256,
  type Tile,
  TILE_HEIGHT,
  TILE_WIDTH,
  tileKey,
  tileOf,
  verifyCheckpoint,
} from '@portcullis/protocol'
import { DERIVED_STATES, type EntrySource, type LeafPage, type LoggedLeaf } from './audit-store.ts'
import type { SealEnv } from './sealer.ts'

/** The first thing that is wrong, and where. */
export interface LogDamage {
  readonly kind: DamageKind
  readonly leafIndex: number | null
  readonly source: EntrySource | null
  readonly seq: number | null
  readonly txnId: string | null
  readonly message: string
}

export interface LogReading {
  readonly damage: LogDamage | undefined
  readonly entries: number
  readonly purged: number
  readonly checkpoints: number
  /** Where an interrupted check goes on; undefined when it came to its end. */
  readonly resumeAt: VerifyState | undefined
}

/** A check that was interrupted: so many leaves were good, and the tree up to there. */
export interface VerifyState {
  readonly size: number
  readonly purged: number
  readonly open: readonly { level: number; tile: number; hashes: readonly string[] }[]
}

export interface VerifyOptions {
  /** Checkpoints that somebody kept elsewhere; the log must contain them all. */
  readonly kept?: readonly Checkpoint[]
  readonly receipts?: boolean
  readonly from?: { readonly size: number; readonly purged: number; readonly open: readonly Tile[] }
  readonly progress?: (done: number, of: number) => void
  /** Asked between pages; it may let signals and other work have their turn first. */
  readonly stopped?: () => Promise<boolean>
}

/** A multiple of the tile width, so that a page reads each tile once. */
const PAGE = 512

export async function verifyLog(env: SealEnv, options: VerifyOptions = {}): Promise<LogReading> {
  const { store } = env
  const checkpoints = [...(await store.checkpoints()), ...(options.kept ?? [])]
  const counted = { checkpoints: checkpoints.length }
  const forged = await firstForged(env, checkpoints)
  if (forged !== undefined) return { ...counted, ...NOTHING, damage: forged }
  const since = options.from?.size ?? 0
  const size = Math.max(0, ...checkpoints.map((checkpoint) => checkpoint.size))
  let purgedLeaves = await store.purgedLeaves()
  let tree = { size: since, open: options.from?.open ?? [] }
  let purged = options.from?.purged ?? 0
  while (tree.size < size) {
    if ((await options.stopped?.()) === true) {
      const resumeAt = { ...tree, purged, open: tree.open.map(hexTile) }
      return { ...counted, damage: undefined, entries: tree.size, purged, resumeAt }
    }
    const stop = nextStop(tree.size, checkpoints)
    const page = await store.leaves(tree.size, stop - tree.size)
    const due = { start: tree.size, end: stop }
    let damage = firstDamage(env, page, due, purgedLeaves, options)
    if (damage !== undefined) {
      // A service beside this check may have purged since.
      purgedLeaves = await store.purgedLeaves()
      damage = firstDamage(env, page, due, purgedLeaves, options)
    }
    if (damage !== undefined) {
      const named = await nameReordered(env, damage, size)
      return { ...counted, ...NOTHING, entries: tree.size, damage: named }
    }
    purged += page.leaves.filter(({ state }) => state === 'purged').length
    const grown = appendLeaves(
      tree.size,
      tree.open,
      page.leaves.map(({ leafHash }) => leafHash),
      env.sha256,
    )
    const broken =
      brokenRoot(checkpoints, grown.size, hexOf(grown.root), tree.size) ??
      (await brokenTile(env, tree.size, grown))
    if (broken !== undefined) return { ...counted, ...NOTHING, damage: broken }
    tree = { size: grown.size, open: openOf(tree.open, grown.changed, grown.size) }
    options.progress?.(tree.size, size)
  }
  const unsigned = (await unsignedLeaves(env, size)) ?? (await wrongState(env))
  return { ...counted, damage: unsigned, entries: size, purged, resumeAt: undefined }
}

type PurgedLeaves = Awaited<ReturnType<SealEnv['store']['purgedLeaves']>>

const NOTHING = { entries: 0, purged: 0, resumeAt: undefined }
const NOWHERE = { leafIndex: null, source: null, seq: null, txnId: null }

const hexTile = ({ level, tile, hashes }: Tile) => ({ level, tile, hashes: hashes.map(hexOf) })

/** Up to a page, but not over a checkpoint: its root is looked at where it ends. */
function nextStop(from: number, checkpoints: readonly Checkpoint[]): number {
  const sizes = checkpoints.map(({ size }) => size).filter((size) => size > from)
  const paged = from - (from % PAGE) + PAGE
  return Math.min(paged, ...sizes)
}

/** The tiles that the next append goes on writing. */
function openOf(before: readonly Tile[], changed: readonly Tile[], size: number): Tile[] {
  const known = new Map([...before, ...changed].map((tile) => [tileKey(tile), tile]))
  return openTiles(size).flatMap((id) => known.get(tileKey(id)) ?? [])
}

async function firstForged(
  { keyring, settings }: SealEnv,
  checkpoints: readonly Checkpoint[],
): Promise<LogDamage | undefined> {
  for (const checkpoint of checkpoints) {
    const read = await verifyCheckpoint(checkpoint, keyring.jwks(), originOf(settings.issuer))
    if (read.ok) continue
    const message = `the checkpoint of ${checkpoint.size} leaves: ${read.reason}`
    return { ...NOWHERE, kind: 'altered', message }
  }
  return undefined
}

function brokenRoot(
  checkpoints: readonly Checkpoint[],
  size: number,
  root: string,
  before: number,
): LogDamage | undefined {
  const broken = checkpoints.find((one) => one.size === size && one.rootHash !== root)
  if (broken === undefined) return undefined
  return {
    ...NOWHERE,
    kind: 'altered',
    leafIndex: before,
    message: `leaves up to ${size - 1} are not those of the checkpoint signed ${broken.timestamp}`,
  }
}

/**
 * Tiles above the leaves are kept so that proofs are short: each of their hashes must be what the
 * leaves below come to.
 */
async function brokenTile(
  { store, sha256 }: SealEnv,
  before: number,
  { changed, size }: Appended,
): Promise<LogDamage | undefined> {
  for (let level = 1, width = TILE_WIDTH; width <= size; level++, width *= TILE_WIDTH) {
    for (let node = Math.floor(before / width); node < Math.floor(size / width); node++) {
      const { tile } = tileOf({ level: level * TILE_HEIGHT, index: node })
      const due = changed.find((one) => one.level === level && one.tile === tile)
      const range = { start: node * width, end: (node + 1) * width }
      const kept = await hashOfRange(store, range, sha256)
      const hash = due?.hashes[node % TILE_WIDTH]
      if (hash !== undefined && kept !== undefined && sameBytes(hash, kept)) continue
      const message = `the hash that is kept of leaves ${range.start} to ${range.end - 1} is not theirs`
      return { ...NOWHERE, kind: 'altered', leafIndex: range.start, message }
    }
  }
  return undefined
}

/** Undefined when its tile is gone. */
async function hashOfRange(
  store: SealEnv['store'],
  range: LeafRange,
  sha256: Sha256,
): Promise<Uint8Array | undefined> {
  try {
    return (await store.rangeHashes([range], sha256))[0]
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Leaves beyond the newest checkpoint: sealing writes both or neither. */
async function unsignedLeaves({ store }: SealEnv, size: number): Promise<LogDamage | undefined> {
  const [beyond] = (await store.leaves(size, 1)).leaves
  // Read after the leaves: a service that seals meanwhile has signed them.
  const newest = await store.newestCheckpoint()
  if (beyond === undefined || (newest?.size ?? 0) > beyond.leafIndex) return undefined
  const { leafIndex, source, seq, txnId } = beyond
  const message = 'no checkpoint is there of this leaf, or of any after it'
  return { kind: 'truncated', leafIndex, source, seq, txnId, message }
}

/** What follows from the log, where it stands once more for the service to look at. */
async function wrongState({ store }: SealEnv): Promise<LogDamage | undefined> {
  for (const what of DERIVED_STATES) {
    const wrong = await store.stateDifference(what)
    if (wrong !== undefined) return { ...NOWHERE, kind: 'altered', ...wrong }
  }
  return undefined
}

function firstDamage(
  env: SealEnv,
  { leaves, strays }: LeafPage,
  due: LeafRange,
  purged: PurgedLeaves,
  { receipts = false }: VerifyOptions,
): LogDamage | undefined {
  const [stray] = strays
  if (stray !== undefined) {
    const message = 'a row stands among sealed ones and was never sealed'
    return { ...stray, kind: 'inserted', leafIndex: null, message }
  }
  for (const [at, leaf] of leaves.entries()) {
    if (leaf.leafIndex !== due.start + at) return noLeaf(due.start + at, leaves[at - 1])
    const wrong = wrongLeaf(env, leaf, purged) ?? (receipts ? forgedReceipt(env, leaf) : undefined)
    if (wrong !== undefined) return wrong
  }
  const next = due.start + leaves.length
  return next === due.end ? undefined : noLeaf(next, leaves.at(-1))
}

function noLeaf(leafIndex: number, last: LoggedLeaf | undefined): LogDamage {
  const message = `the checkpoint has a leaf that is not there; before it stands ${last?.txnId ?? 'none'}`
  return { ...NOWHERE, kind: 'truncated', leafIndex, message }
}

function wrongLeaf(
  { sha256 }: SealEnv,
  { leafIndex, leafHash, hashVersion, source, seq, txnId, entry, left, state }: LoggedLeaf,
  purged: PurgedLeaves,
): LogDamage | undefined {
  const at = { leafIndex, source, seq, txnId }
  if (state === 'missing') return { ...at, kind: 'missing', message: 'the row is gone' }
  if (hashVersion !== HASH_VERSION) {
    return { ...at, kind: 'altered', message: `nobody here hashes in version ${hashVersion}` }
  }
  if (entry === undefined) {
    if (!purged.has(leafIndex)) {
      return { ...at, kind: 'missing', message: 'the texts are gone and no purge took them' }
    }
    const due = purged.get(leafIndex)
    if (due === undefined || due === left) return undefined
    return { ...at, kind: 'altered', message: 'what is left of it is not what the purge left' }
  }
  if (sameBytes(entryHash(entry, sha256), leafHash)) return undefined
  return { ...at, kind: 'altered', message: 'the row is not what was sealed' }
}

/** A record that somebody wrote past the service has no receipt of ours. */
function forgedReceipt({ keyring }: SealEnv, leaf: LoggedLeaf): LogDamage | undefined {
  if (leaf.entry?.kind !== 'screen') return undefined
  const { receipt } = JSON.parse(leaf.entry.record) as { receipt: string }
  const jws = readCompactJws(receipt)
  const good = jws.ok && keyring.verify(jws.value.kid, jws.value.signingInput, jws.value.signature)
  if (good) return undefined
  const { leafIndex, source, seq, txnId } = leaf
  const message = 'its receipt is not signed with a key of this service'
  return { kind: 'inserted', leafIndex, source, seq, txnId, message }
}

/** An altered row that was sealed at another place was moved, and not rewritten. */
async function nameReordered(env: SealEnv, damage: LogDamage, size: number): Promise<LogDamage> {
  const { leafIndex, kind } = damage
  if (kind !== 'altered' || leafIndex === null) return damage
  const [moved] = (await env.store.leaves(leafIndex, 1)).leaves
  if (moved?.entry === undefined) return damage
  const hash = entryHash(moved.entry, env.sha256)
  for (let from = 0; from < size; from += PAGE) {
    const { leaves } = await env.store.leaves(from, Math.min(PAGE, size - from))
    const home = leaves.find((leaf) => sameBytes(leaf.leafHash, hash))
    if (home === undefined) continue
    return { ...damage, kind: 'reordered', message: `the row belongs to leaf ${home.leafIndex}` }
  }
  return damage
}
