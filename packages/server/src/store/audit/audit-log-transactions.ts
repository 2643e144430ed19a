/** Sealing entries into the tree, and reading leaves, proofs and pages out of it. */
import {
  appendLeaves,
  type AuditRecord,
  type Checkpoint,
  entryHash,
  HASH_VERSION,
  inclusionRanges,
  type LeafRange,
  openTiles,
  type OperatorId,
  type Sha256,
  TILE_WIDTH,
  type TxnId,
} from '@portcullis/protocol'
import {
  type AuditListing,
  ENTRY_SOURCES,
  type EntrySource,
  type InclusionFound,
  type LeafPage,
  type ListedScreen,
  type LoggedLeaf,
  type Sealing,
} from '../../app/audit/audit-store.ts'
import type { EntryRow, RunRow } from './audit-log-statements.ts'
import {
  checkpointOf,
  checkpointRow,
  decidedRow,
  eventRow,
  keptLeaf,
  screenRow,
  type SourceRow,
} from './audit-log-rows.ts'
import { withDisposition } from './audit-transactions.ts'
import { heldRecords, holdOn, placeOf, withHold } from './held-records.ts'
import { hashesOfRanges, readTile, writeTile } from './audit-tree.ts'
import { wholeRecords } from './record-text.ts'
import { all, first, type Script } from '../script.ts'
import type { Statements } from '../statements.ts'

const LAST_ROW = 2n ** 63n - 1n

export const auditLogTransactions = (sql: Statements) => ({
  ...sealingTransactions(sql),
  ...leafTransactions(sql),
  ...operatorTransactions(sql),
  *listScreens(listing: AuditListing): Script<readonly ListedScreen[]> {
    const { order, limit, held } = listing
    const kept = held === false ? [] : yield* heldRecords(sql, listing)
    const rows = order === 'oldest' ? kept.slice(0, limit) : []
    if (held !== true && rows.length < limit) {
      rows.push(...(yield* unexpired(sql, listing, limit - rows.length)))
    }
    if (order === 'newest') rows.push(...kept.slice(0, limit - rows.length))
    const screens: ListedScreen[] = []
    for (const row of yield* wholeRecords(sql, rows)) {
      const decided = yield* first(sql.findDisposition({ txnId: row.txn_id }))
      const hold = yield* holdOn(sql, row.txn_id)
      const record: AuditRecord = withHold(withDisposition(row.record, decided), hold)
      screens.push({ ...placeOf(row), txnId: row.txn_id as TxnId, record })
    }
    return screens
  },
})

function* unexpired(sql: Statements, listing: AuditListing, limit: number): Script<EntryRow[]> {
  const { order, after, verdict, agentId, held, to } = listing
  const from = Math.max(listing.from, listing.since)
  const { at, seq } = after ?? { at: order === 'newest' ? to : from - 1, seq: 0 }
  const list = order === 'newest' ? sql.newestEntries : sql.oldestEntries
  return yield* all(
    list({
      operatorId: listing.operatorId,
      from: BigInt(from),
      to: BigInt(to),
      verdict: verdict ?? '',
      agentId: agentId ?? '',
      unheld: held === false ? 1n : 0n,
      at: BigInt(at),
      seq: BigInt(seq),
      limit: BigInt(limit),
    }),
  )
}

function sealingTransactions(sql: Statements) {
  return {
    *sealBatch({ hash, checkpoint, now, limit }: Sealing): Script<number> {
      const newest = yield* first(sql.newestCheckpoint({}))
      const size = Number(newest?.size ?? 0n)
      const rows = yield* unsealedLeaves(sql, limit, hash)
      if (rows.length === 0 && newest !== undefined) return 0
      const open = []
      for (const id of openTiles(size)) {
        const tile = yield* readTile(sql, id)
        if (tile === undefined) throw new RangeError('a tile of the audit log is missing')
        open.push(tile)
      }
      const leaves = rows.map(({ leaf }) => leaf)
      const appended = appendLeaves(size, open, leaves, hash)
      for (const tile of appended.changed) yield* writeTile(sql, tile)
      for (const run of runsOf(rows, size)) yield* all(sql.insertRun(run))
      const signed = checkpoint(appended.size, appended.root)
      yield* all(sql.putCheckpoint(checkpointRow(signed, now)))
      return rows.length
    },
    *hasUnsealed(): Script<boolean> {
      for (const source of ENTRY_SOURCES) {
        const after = yield* sealedThrough(sql, source)
        if ((yield* rowsOf(sql, source, after, LAST_ROW, 1n)).length > 0) return true
      }
      return false
    },
    *newestCheckpoint(): Script<Checkpoint | undefined> {
      const row = yield* first(sql.newestCheckpoint({}))
      return row === undefined ? undefined : checkpointOf(row)
    },
    *checkpoints(): Script<readonly Checkpoint[]> {
      return (yield* all(sql.checkpoints({}))).map(checkpointOf)
    },
  }
}

function leafTransactions(sql: Statements) {
  return {
    *proveEntry(
      operatorId: OperatorId,
      txnId: TxnId,
      kind: 'screen' | 'disposition',
      hash: Sha256,
    ): Script<InclusionFound | undefined> {
      const screen = yield* first(sql.entryOf({ txnId }))
      const newest = yield* first(sql.newestCheckpoint({}))
      if (screen?.operator_id !== operatorId || newest === undefined) return undefined
      const leaf = (yield* leavesAbout(sql, txnId)).find(({ source }) => source === kind)
      if (leaf === undefined) return undefined
      const checkpoint = checkpointOf(newest)
      const ranges = inclusionRanges(leaf.leafIndex, checkpoint.size)
      return { checkpoint, leaf, hashes: yield* hashesOfRanges(sql, ranges, hash) }
    },
    *hasScreen(operatorId: OperatorId, txnId: TxnId): Script<boolean> {
      return (yield* first(sql.entryOf({ txnId })))?.operator_id === operatorId
    },
    *rangeHashes(ranges: readonly LeafRange[], hash: Sha256): Script<readonly Uint8Array[]> {
      return yield* hashesOfRanges(sql, ranges, hash)
    },
    *leaves(from: number, limit: number): Script<LeafPage> {
      const runs = yield* all(sql.runsFrom({ leaf: BigInt(from), limit: BigInt(limit) }))
      const page = { leaves: [] as LoggedLeaf[], strays: [] as LeafPage['strays'][number][] }
      const end = from + limit
      for (const run of runs) {
        const start = Math.max(from, Number(run.first_leaf))
        const stop = Math.min(end, Number(run.first_leaf + run.entries))
        if (start >= end) break
        if (start >= stop) continue
        const rows = yield* rowsWithGap(sql, run, start === Number(run.first_leaf), stop)
        const found = yield* leavesIn(sql, run, start, stop, rows)
        page.leaves.push(...found)
        page.strays.push(...rows.filter(({ seq }) => seq < Number(run.first_seq)))
      }
      return page
    },
    *leavesOf(txnIds: readonly TxnId[]): Script<readonly LoggedLeaf[]> {
      const leaves: LoggedLeaf[] = []
      for (const txnId of txnIds) leaves.push(...(yield* leavesAbout(sql, txnId)))
      return leaves
    },
  }
}

type OperatorWanted = Pick<AuditListing, 'operatorId' | 'from' | 'to' | 'since'>

function operatorTransactions(sql: Statements) {
  return {
    *operatorLeaves(
      { operatorId, from, to, since }: OperatorWanted,
      after: number,
      limit: number,
    ): Script<readonly LoggedLeaf[]> {
      const rows = yield* all(
        sql.operatorEvents({
          operatorId,
          from: BigInt(from),
          to: BigInt(to),
          since: BigInt(since),
          after: BigInt(after),
          limit: BigInt(limit),
        }),
      )
      return yield* sealedOf(sql, rows.map(eventRow))
    },
  }
}

/** Rows of a source from a number on. */
export function* rowsOf(
  sql: Statements,
  source: EntrySource,
  after: bigint,
  through: bigint,
  limit: bigint,
): Script<readonly SourceRow[]> {
  const span = { after, through, limit }
  if (source === 'screen') {
    const rows = yield* all(sql.entriesBetween(span))
    return (yield* wholeRecords(sql, rows)).map(screenRow)
  }
  if (source === 'event') return (yield* all(sql.eventsBetween(span))).map(eventRow)
  return (yield* all(sql.dispositionsBetween(span))).map(decidedRow)
}

/** The number of the last row of a source that is sealed. */
export function* sealedThrough(sql: Statements, source: EntrySource): Script<bigint> {
  const run = yield* first(sql.lastRunOf({ source }))
  return run === undefined ? 0n : run.first_seq + run.entries - 1n
}

interface UnsealedLeaf {
  readonly source: EntrySource
  readonly seq: number
  readonly leaf: Uint8Array
}

/** A screen stands before its disposition: the sources are taken in this order. */
function* unsealedLeaves(
  sql: Statements,
  limit: number,
  hash: Sha256,
): Script<readonly UnsealedLeaf[]> {
  const leaves: UnsealedLeaf[] = []
  for (const source of ENTRY_SOURCES) {
    const left = BigInt(limit - leaves.length)
    if (left === 0n) break
    const after = yield* sealedThrough(sql, source)
    const kept = source === 'screen' ? yield* keptLeaves(sql, after, left) : undefined
    leaves.push(...(kept ?? (yield* workedOutLeaves(sql, source, after, left, hash))))
  }
  return leaves
}

/** The leaves of screens, as they were taken at once; undefined when one of them was not. */
function* keptLeaves(
  sql: Statements,
  after: bigint,
  limit: bigint,
): Script<readonly UnsealedLeaf[] | undefined> {
  const rows = yield* all(sql.leavesBetween({ after, through: LAST_ROW, limit }))
  const leaves = rows.map((row) => ({ seq: Number(row.seq), leaf: keptLeaf(row.leaf) }))
  return leaves.every(isKept) ? leaves.map((row) => ({ ...row, source: 'screen' })) : undefined
}

const isKept = (row: { seq: number; leaf: Uint8Array | undefined }): row is UnsealedLeaf =>
  row.leaf !== undefined

function* workedOutLeaves(
  sql: Statements,
  source: EntrySource,
  after: bigint,
  limit: bigint,
  hash: Sha256,
): Script<readonly UnsealedLeaf[]> {
  const rows = yield* rowsOf(sql, source, after, LAST_ROW, limit)
  return rows.map(({ seq, entry }) => {
    if (entry === undefined) throw new RangeError('an entry was purged before it was sealed')
    return { source, seq, leaf: entryHash(entry, hash) }
  })
}

/** Rows that follow each other in one table are one run. */
function runsOf(rows: readonly UnsealedLeaf[], size: number): RunRow[] {
  const runs: RunRow[] = []
  for (const [index, { source, seq }] of rows.entries()) {
    const last = runs.at(-1)
    if (last?.source === source && last.first_seq + last.entries === BigInt(seq)) {
      runs[runs.length - 1] = { ...last, entries: last.entries + 1n }
    } else {
      runs.push({
        first_leaf: BigInt(size + index),
        source,
        first_seq: BigInt(seq),
        entries: 1n,
        hash_version: BigInt(HASH_VERSION),
      })
    }
  }
  return runs
}

/** The rows of a run up to a leaf, with those that stand between it and the run before. */
function* rowsWithGap(
  sql: Statements,
  run: RunRow,
  withGap: boolean,
  stop: number,
): Script<readonly SourceRow[]> {
  const source = run.source as EntrySource
  const before = withGap
    ? yield* first(sql.runHolding({ source, seq: run.first_seq - 1n }))
    : undefined
  const gapStart = before === undefined ? -LAST_ROW : before.first_seq + before.entries - 1n
  const after = withGap ? gapStart : run.first_seq - 1n
  const through = run.first_seq + BigInt(stop) - run.first_leaf - 1n
  return yield* rowsOf(sql, source, after, through, LAST_ROW)
}

/** Leaves `[start, stop)` of one run. */
function* leavesIn(
  sql: Statements,
  run: RunRow,
  start: number,
  stop: number,
  rows: readonly SourceRow[],
): Script<LoggedLeaf[]> {
  const source = run.source as EntrySource
  const hashVersion = Number(run.hash_version)
  const bySeq = new Map(rows.map((row) => [row.seq, row]))
  const leaves: LoggedLeaf[] = []
  let tile = yield* tileAt(sql, start)
  for (let leafIndex = start; leafIndex < stop; leafIndex++) {
    if (leafIndex % TILE_WIDTH === 0) tile = yield* tileAt(sql, leafIndex)
    const seq = Number(run.first_seq) + leafIndex - Number(run.first_leaf)
    const row = bySeq.get(seq)
    const { entry, left, txnId = null } = row ?? {}
    const state = row === undefined ? 'missing' : entry === undefined ? 'purged' : 'kept'
    const leafHash = tile?.hashes[leafIndex % TILE_WIDTH] ?? new Uint8Array()
    leaves.push({ leafIndex, leafHash, hashVersion, source, seq, txnId, entry, left, state })
  }
  return leaves
}

const tileAt = (sql: Statements, leafIndex: number) =>
  readTile(sql, { level: 0, tile: Math.floor(leafIndex / TILE_WIDTH) })

/** The sealed leaf of one row, if it is sealed. */
export function* leafOf(sql: Statements, row: SourceRow): Script<LoggedLeaf | undefined> {
  const run = yield* first(sql.runHolding({ source: row.source, seq: BigInt(row.seq) }))
  if (run === undefined || BigInt(row.seq) >= run.first_seq + run.entries) return undefined
  const leafIndex = Number(run.first_leaf) + row.seq - Number(run.first_seq)
  const [leaf] = yield* leavesIn(sql, run, leafIndex, leafIndex + 1, [row])
  return leaf
}

/** Every sealed entry about a screen: itself, its disposition, its events. */
export function* leavesAbout(sql: Statements, txnId: string): Script<readonly LoggedLeaf[]> {
  const screen = yield* first(sql.entryOf({ txnId }))
  const decided = yield* first(sql.findDisposition({ txnId }))
  const events = yield* all(sql.eventsOf({ txnId }))
  const rows = [
    ...(yield* wholeRecords(sql, screen === undefined ? [] : [screen])).map(screenRow),
    ...(decided === undefined
      ? []
      : [decidedRow({ ...decided, operator_id: screen?.operator_id ?? null })]),
    ...events.map(eventRow),
  ]
  return yield* sealedOf(sql, rows)
}

function* sealedOf(sql: Statements, rows: readonly SourceRow[]): Script<readonly LoggedLeaf[]> {
  const leaves: LoggedLeaf[] = []
  for (const row of rows) {
    const leaf = yield* leafOf(sql, row)
    if (leaf !== undefined) leaves.push(leaf)
  }
  return leaves
}
