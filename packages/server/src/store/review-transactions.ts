/** The review queue, dispositions that wait for a second reviewer, and case files. */
import type { EntryKind, EpochMs, OperatorId, TxnId } from '@portcullis/protocol'
import type { CaseMaterial, QueuedReview, ReviewPage } from '../app/history/history-ports.ts'
import type { CounterpartyHistory, CounterpartyKeys } from '../app/history/history-records.ts'
import type { Operator } from '../app/records.ts'
import { shownRecord } from './audit/audit-transactions.ts'
import { readCounterpartyHistory } from './history/counterparty-history.ts'
import { proposalOf } from './proposals.ts'
import { operatorOf } from './rows.ts'
import { all, first, type Script } from './script.ts'

import type { Statements } from './statements.ts'

/** Before the first and after the last place of any queue. */
const EVER = 2n ** 62n
const LAST_TEXT = '~'

export function reviewTransactions(sql: Statements) {
  return {
    *setFourEyes(
      operatorId: OperatorId,
      fourEyes: boolean,
      at: EpochMs,
    ): Script<Operator | undefined> {
      const before = yield* first(sql.findOperator({ operatorId }))
      if (before === undefined || operatorOf(before).fourEyes === fourEyes) {
        return before && operatorOf(before)
      }
      const kind: EntryKind = fourEyes ? 'four-eyes-on' : 'four-eyes-off'
      const about = { txn_id: null, operator_id: operatorId, at_ms: BigInt(at) }
      yield* all(sql.insertEvent({ kind, ...about, body: '{}' }))
      yield* all(sql.setFourEyes({ operatorId, fourEyes: fourEyes ? 1n : 0n }))
      const row = yield* first(sql.findOperator({ operatorId }))
      return row && operatorOf(row)
    },
    *listReviews(operatorId: OperatorId, page: ReviewPage): Script<readonly QueuedReview[]> {
      const { status, after, limit, since } = page
      const statement = status === 'pending' ? sql.pendingReviews : sql.decidedReviews
      const start = status === 'pending' ? { at: 0n, txnId: '' } : { at: EVER, txnId: LAST_TEXT }
      const rows = yield* all(
        statement({
          operatorId,
          ...(after === undefined ? start : { at: BigInt(after.at), txnId: after.txnId }),
          since: BigInt(since),
          limit: BigInt(limit),
        }),
      )
      const queued: QueuedReview[] = []
      for (const { txn_id: txnId, at_ms, record } of rows) {
        const shown = yield* shownRecord(sql, txnId as TxnId, record)
        queued.push({ record: shown, place: { at: Number(at_ms), txnId } })
      }
      return queued
    },
    *findCase(
      operatorId: OperatorId,
      txnId: TxnId,
      since: EpochMs,
    ): Script<CaseMaterial | undefined> {
      const row = yield* first(sql.findAuditRecord({ operatorId, txnId, since: BigInt(since) }))
      if (row === undefined) return undefined
      const record = yield* shownRecord(sql, txnId, row.record)
      const kept = yield* first(sql.findFacts({ txnId }))
      const proposals = yield* all(sql.proposalsOf({ txnId }))
      return { record, facts: kept?.facts ?? '{}', proposals: proposals.map(proposalOf) }
    },
    *counterpartyHistory(keys: CounterpartyKeys): Script<CounterpartyHistory | undefined> {
      return yield* readCounterpartyHistory(sql, keys)
    },
  }
}
