/** Audit records as they are read, and the one disposition that a REVIEW may have. */
import {
  type AgentId,
  type AuditRecord,
  type Disposition,
  type EpochMs,
  isoTime,
  microUsd,
  type MicroUsd,
  NO_MONEY,
  type OperatorId,
  ServiceError,
  type TxnId,
} from '@portcullis/protocol'
import type { DispositionEntry } from '../../app/records.ts'
import { openProposal, proposalView, takesEffect } from '../proposals.ts'
import { holdOn, withHold } from './held-records.ts'
import { wholeRecord } from './record-text.ts'
import { addSpend, readHolders } from '../screen-transactions.ts'
import { all, first, type Script } from '../script.ts'
import type { DispositionRow, Statements } from '../statements.ts'

export function auditTransactions(sql: Statements) {
  return {
    *findAuditRecord(
      operatorId: OperatorId,
      txnId: TxnId,
      since: EpochMs,
    ): Script<AuditRecord | undefined> {
      const row = yield* first(sql.findAuditRecord({ operatorId, txnId, since: BigInt(since) }))
      return row && (yield* shownRecord(sql, txnId, row.record))
    },
    *recordDisposition(
      operatorId: OperatorId,
      txnId: TxnId,
      entry: DispositionEntry,
      date: string,
      since: EpochMs,
    ): Script<AuditRecord | undefined> {
      const row = yield* first(sql.findAuditRecord({ operatorId, txnId, since: BigInt(since) }))
      if (row === undefined) return undefined
      if (row.verdict !== 'REVIEW') throw notReviewable(row.verdict)
      const decided = yield* first(sql.findDisposition({ txnId }))
      if (decided !== undefined) {
        const record = yield* shownRecord(sql, txnId, row.record)
        throw new ServiceError('already_dispositioned', { extra: { record } })
      }
      if (!(yield* takesEffect(sql, operatorId, txnId, entry))) {
        return yield* shownRecord(sql, txnId, row.record)
      }
      const spend =
        entry.disposition === 'APPROVED' ? amountOf(yield* wholeRecord(sql, row.record)) : NO_MONEY
      if (row.agent_id !== null && spend > 0n) {
        const holders = yield* readHolders(sql, row.agent_id as AgentId, date)
        yield* addSpend(sql, holders, date, spend)
      }
      const disposed = dispositionRow(txnId, entry, date, spend)
      yield* all(sql.insertDisposition(disposed))
      yield* all(sql.decideReview({ txnId, at: disposed.reviewed_at_ms }))
      return yield* shownRecord(sql, txnId, row.record)
    },
  }
}

/** The stored record with its disposition, or the proposal that waits for a second reviewer. */
export function* shownRecord(sql: Statements, txnId: TxnId, record: string): Script<AuditRecord> {
  const decided = yield* first(sql.findDisposition({ txnId }))
  const proposal = yield* openProposal(sql, txnId)
  const screened = withDisposition(yield* wholeRecord(sql, record), decided)
  const shown = withHold(screened, yield* holdOn(sql, txnId))
  return proposal === undefined ? shown : { ...shown, proposal: proposalView(proposal) }
}

const notReviewable = (verdict: string): ServiceError =>
  new ServiceError('invalid_request', {
    message: `only a REVIEW takes a disposition; the verdict is ${verdict}`,
  })

/** The amount that was screened; a record without one cannot be approved into a day's spend. */
function amountOf(record: string): MicroUsd {
  const { _request } = JSON.parse(record) as AuditRecord
  const amount = _request.amount === null ? undefined : microUsd(_request.amount)
  if (amount === undefined) throw new RangeError('an audit record has no amount of money')
  return amount
}

type StoredDisposition = Omit<DispositionRow, 'seq' | 'purged_at_ms'>

const dispositionRow = (
  txnId: TxnId,
  entry: DispositionEntry,
  date: string,
  spend: MicroUsd,
): StoredDisposition => ({
  txn_id: txnId,
  disposition: entry.disposition,
  reviewed_by: entry.reviewedBy,
  notes: entry.notes,
  reviewed_at_ms: BigInt(entry.reviewedAt),
  utc_date: date,
  spend_micro_usd: spend,
})

export function withDisposition(record: string, row: StoredDisposition | undefined): AuditRecord {
  const screened = JSON.parse(record) as AuditRecord
  if (row === undefined) return screened
  return {
    ...screened,
    disposition: row.disposition as Disposition,
    reviewedBy: row.reviewed_by,
    reviewedAt: isoTime(Number(row.reviewed_at_ms)),
    notes: row.notes,
    sarEscalated: row.disposition === 'ESCALATE_SAR',
  }
}
