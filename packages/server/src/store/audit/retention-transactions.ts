/** Legal holds, and the purge of what has expired: texts go, rows and leaf hashes stay. */
import {
  addToRuns,
  type EntryKind,
  type EpochMs,
  type OperatorId,
  type TxnId,
} from '@portcullis/protocol'
import type {
  AuditEvent,
  ExpiredPage,
  ExpiredQuery,
  LoggedLeaf,
} from '../../app/audit/audit-store.ts'
import { leavesAbout, sealedThrough } from './audit-log-transactions.ts'
import type { EventRow } from './audit-log-statements.ts'
import { all, first, type Script } from '../script.ts'
import type { Statements } from '../statements.ts'

export function retentionTransactions(sql: Statements) {
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
    *purgedRuns(): Script<readonly (readonly [number, number])[]> {
      const rows = yield* all(sql.purges({}))
      return rows.flatMap(({ body }) => leavesTaken(body))
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
  }
}

interface PurgeBody {
  readonly before: number
  /** First leaf and count. */
  readonly leaves: readonly (readonly [number, number])[]
}

/** None for a body that somebody damaged: then what it took is found without a purge. */
function leavesTaken(body: string): PurgeBody['leaves'] {
  try {
    return (JSON.parse(body) as Partial<PurgeBody>).leaves ?? []
  } catch {
    return []
  }
}

const isHoldOrRelease = ({ kind }: EventRow): boolean => kind === 'hold' || kind === 'release'

const eventOf = (row: EventRow): AuditEvent => ({
  kind: row.kind as EntryKind,
  txnId: row.txn_id as TxnId,
  operatorId: row.operator_id as OperatorId,
  at: Number(row.at_ms),
  body: row.body,
})

/** All entries about a screen, or none while it is held or one of them is not sealed yet. */
function* purgeable(
  sql: Statements,
  txnId: string,
  before: EpochMs,
): Script<readonly LoggedLeaf[]> {
  const screen = yield* first(sql.entryOf({ txnId }))
  if (screen?.purged_at_ms !== null || screen.screened_at_ms >= BigInt(before)) return []
  const events = yield* all(sql.eventsOf({ txnId }))
  if (events.findLast(isHoldOrRelease)?.kind === 'hold') return []
  const decided = yield* first(sql.findDisposition({ txnId }))
  const leaves = yield* leavesAbout(sql, txnId)
  const entries = 1 + events.length + (decided === undefined ? 0 : 1)
  return leaves.length === entries ? leaves : []
}

/** The purge says in an entry of its own which leaves it took: a blank row elsewhere is damage. */
function* blank(
  sql: Statements,
  leaves: readonly LoggedLeaf[],
  before: EpochMs,
  now: EpochMs,
): Script<void> {
  for (const { source, seq, txnId } of leaves) {
    if (source === 'screen' && txnId !== null) yield* forgetReview(sql, txnId)
    const row = { seq: BigInt(seq), now: BigInt(now) }
    if (source === 'screen') yield* all(sql.purgeEntry(row))
    else if (source === 'disposition') yield* all(sql.purgeDisposition(row))
    else yield* all(sql.purgeEvent(row))
  }
  const body: PurgeBody = { before, leaves: runsOf(leaves.map(({ leafIndex }) => leafIndex)) }
  yield* all(
    sql.insertEvent({
      kind: 'purge',
      txn_id: null,
      operator_id: null,
      at_ms: BigInt(now),
      body: JSON.stringify(body),
    }),
  )
}

/** Out of the queue; what the log keeps of proposals is purged with it. */
function* forgetReview(sql: Statements, txnId: string): Script<void> {
  yield* all(sql.deleteProposals({ txnId }))
  yield* all(sql.deleteReview({ txnId }))
}

function runsOf(indexes: readonly number[]): [number, number][] {
  const runs: [number, number][] = []
  for (const index of indexes.toSorted((a, b) => a - b)) addToRuns(runs, index)
  return runs
}
