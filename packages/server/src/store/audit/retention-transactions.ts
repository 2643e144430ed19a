/** Legal holds, and the purge of what has expired: texts go, rows and leaf hashes stay. */
import {
  addToRuns,
  type EntryKind,
  type EpochMs,
  type LeafRun,
  leavesOfRuns,
  type OperatorId,
  type TxnId,
} from '@portcullis/protocol'
import type {
  AuditEvent,
  EventsPurged,
  ExpiredPage,
  ExpiredQuery,
  LoggedLeaf,
} from '../../app/audit/audit-store.ts'
import { alertIdOf } from '../history/alert-entries.ts'
import { eventRow, isAsSealed } from './audit-log-rows.ts'
import { holdOn, isHoldOrRelease } from './held-records.ts'
import { leafOf, leavesAbout, rowsOf, sealedThrough } from './audit-log-transactions.ts'
import type { EventRow } from './audit-log-statements.ts'
import { all, first, type Script } from '../script.ts'
import type { Statements } from '../statements.ts'

export const retentionTransactions = (sql: Statements) => ({
  ...holdTransactions(sql),
  ...purgeTransactions(sql),
})

function holdTransactions(sql: Statements) {
  return {
    *addAuditEvent(event: AuditEvent): Script<boolean> {
      const screen = yield* first(sql.entryOf({ txnId: event.txnId }))
      if (screen?.operator_id !== event.operatorId || screen.purged_at_ms !== null) return false
      yield* all(
        sql.insertEvent({
          kind: event.kind,
          txn_id: event.txnId,
          operator_id: event.operatorId,
          at_ms: BigInt(event.at),
          body: event.body,
        }),
      )
      return true
    },
    *holdOf(txnId: TxnId): Script<AuditEvent | undefined> {
      const newest = (yield* all(sql.eventsOf({ txnId }))).findLast(isHoldOrRelease)
      return newest === undefined ? undefined : eventOf(newest)
    },
  }
}

function purgeTransactions(sql: Statements) {
  return {
    *purgedLeaves(): Script<ReadonlyMap<number, string | undefined>> {
      const taken = new Map<number, string | undefined>()
      for (const { body } of yield* all(sql.purges({}))) {
        for (const [leafIndex, left] of leavesTaken(body)) taken.set(leafIndex, left)
      }
      return taken
    },
    *expiredScreens({ before, after, limit }: ExpiredQuery): Script<ExpiredPage> {
      const rows = yield* all(
        sql.expiredEntries({
          after: BigInt(after),
          through: yield* sealedThrough(sql, 'screen'),
          before: BigInt(before),
          limit: BigInt(limit),
        }),
      )
      const txnIds: TxnId[] = []
      for (const { txn_id: txnId } of rows) {
        if ((yield* purgeable(sql, txnId, before)).length > 0) txnIds.push(txnId as TxnId)
      }
      const last = rows.at(-1)
      const next = rows.length < limit || last === undefined ? undefined : Number(last.seq)
      return { txnIds, next }
    },
    *purgeScreens(txnIds: readonly TxnId[], before: EpochMs, now: EpochMs): Script<number> {
      const leaves: LoggedLeaf[] = []
      for (const txnId of txnIds) leaves.push(...(yield* purgeable(sql, txnId, before)))
      if (leaves.length > 0) yield* blank(sql, leaves, before, now)
      return leaves.filter(({ source }) => source === 'screen').length
    },
    *purgeEvents({ before, after, limit }: ExpiredQuery, now: EpochMs): Script<EventsPurged> {
      const span = { after: BigInt(after), before: BigInt(before), limit: BigInt(limit) }
      const rows = yield* all(sql.expiredEvents(span))
      const leaves: LoggedLeaf[] = []
      for (const row of rows) {
        const leaf = yield* leafOf(sql, eventRow(row))
        if (leaf === undefined || !isAsSealed(leaf)) continue
        leaves.push(leaf)
        const alertId = row.kind === RAISED ? alertIdOf(row) : undefined
        if (alertId !== undefined) yield* all(sql.deleteAlert({ alertId }))
      }
      if (leaves.length > 0) yield* blank(sql, leaves, before, now)
      const last = rows.at(-1)
      const next = rows.length < limit || last === undefined ? undefined : Number(last.seq)
      return { purged: leaves.length, next }
    },
  }
}

const RAISED: EntryKind = 'alert'

interface PurgeBody {
  readonly before: number
  /** First leaf and count. */
  readonly leaves: readonly LeafRun[]
  /** Of each of these leaves, the digest of what is left; purges of before have none. */
  readonly left?: readonly string[]
}

/** None for a body that somebody damaged: then what it took is found without a purge. */
function* leavesTaken(body: string): Generator<readonly [number, string | undefined]> {
  const { leaves = [], left = [] } = purgeBody(body)
  let at = 0
  for (const leafIndex of leavesOfRuns(leaves)) yield [leafIndex, left[at++]]
}

function purgeBody(body: string): Partial<PurgeBody> {
  try {
    return JSON.parse(body) as Partial<PurgeBody>
  } catch {
    return {}
  }
}

const eventOf = (row: EventRow): AuditEvent => ({
  kind: row.kind as EntryKind,
  txnId: row.txn_id as TxnId,
  operatorId: row.operator_id as OperatorId,
  at: Number(row.at_ms),
  body: row.body,
})

/** All entries about a screen; none while it is held, or one of them is not as it was sealed. */
function* purgeable(
  sql: Statements,
  txnId: string,
  before: EpochMs,
): Script<readonly LoggedLeaf[]> {
  const screen = yield* first(sql.entryOf({ txnId }))
  if (screen?.purged_at_ms !== null || screen.screened_at_ms >= BigInt(before)) return []
  const events = yield* all(sql.eventsOf({ txnId }))
  if ((yield* holdOn(sql, txnId)) !== undefined) return []
  const decided = yield* first(sql.findDisposition({ txnId }))
  const leaves = yield* leavesAbout(sql, txnId)
  const entries = 1 + events.length + (decided === undefined ? 0 : 1)
  return leaves.length === entries && leaves.every(isAsSealed) ? leaves : []
}

/**
 * The purge says in an entry of its own which leaves it took, and what was left of each: a row that
 * is blank or different elsewhere is damage.
 */
function* blank(
  sql: Statements,
  leaves: readonly LoggedLeaf[],
  before: EpochMs,
  now: EpochMs,
): Script<void> {
  const taken: { readonly leafIndex: number; readonly left: string }[] = []
  for (const { leafIndex, source, seq, txnId } of leaves) {
    if (source === 'screen' && txnId !== null) yield* forgetReview(sql, txnId)
    const row = { seq: BigInt(seq), now: BigInt(now) }
    if (source === 'screen') yield* all(sql.purgeEntry(row))
    else if (source === 'disposition') yield* all(sql.purgeDisposition(row))
    else yield* all(sql.purgeEvent(row))
    const [is] = yield* rowsOf(sql, source, row.seq - 1n, row.seq, 1n)
    if (is?.left === undefined) throw new RangeError('a row has its texts after its purge')
    taken.push({ leafIndex, left: is.left })
  }
  taken.sort((one, other) => one.leafIndex - other.leafIndex)
  const runs: [number, number][] = []
  for (const { leafIndex } of taken) addToRuns(runs, leafIndex)
  const body: PurgeBody = { before, leaves: runs, left: taken.map(({ left }) => left) }
  const kind: EntryKind = 'purge'
  const about = { txn_id: null, operator_id: null, at_ms: BigInt(now) }
  yield* all(sql.insertEvent({ kind, ...about, body: JSON.stringify(body) }))
}

/** Out of the queue; what the log keeps of proposals is purged with it. */
function* forgetReview(sql: Statements, txnId: string): Script<void> {
  yield* all(sql.deleteProposals({ txnId }))
  yield* all(sql.deleteReview({ txnId }))
}
