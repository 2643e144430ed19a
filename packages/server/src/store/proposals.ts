/** Dispositions that wait for a second reviewer (four eyes). */
import {
  type AuditRecord,
  type Disposition,
  isoTime,
  type OperatorId,
  ServiceError,
  type TxnId,
} from '@portcullis/protocol'
import type { Proposal } from '../app/history/history-records.ts'
import type { DispositionEntry } from '../app/records.ts'
import { isSameReviewer } from '../app/reviews/reviewers.ts'
import type { ProposalRow } from './history/history-statements.ts'
import { all, first, type Script } from './script.ts'
import type { Statements } from './statements.ts'

/** The proposal that counts: the last one. */
export function* openProposal(sql: Statements, txnId: TxnId): Script<Proposal | undefined> {
  const rows = yield* all(sql.proposalsOf({ txnId }))
  const last = rows.at(-1)
  return last && proposalOf(last)
}

/**
 * Whether the entry takes effect now. With four eyes it does when another reviewer has proposed the
 * same; otherwise it is written down as the new proposal. Nobody answers their own.
 */
export function* takesEffect(
  sql: Statements,
  operatorId: OperatorId,
  txnId: TxnId,
  entry: DispositionEntry,
): Script<boolean> {
  const operator = yield* first(sql.findOperator({ operatorId }))
  if (operator?.four_eyes !== 1n) return true
  const proposal = yield* openProposal(sql, txnId)
  if (proposal !== undefined && isSameReviewer(proposal.reviewedBy, entry.reviewedBy)) {
    throw new ServiceError('second_reviewer_needed', {
      field: 'reviewedBy',
      extra: { proposal: proposalView(proposal) },
    })
  }
  if (proposal?.disposition === entry.disposition) return true
  const { disposition, reviewedBy, notes, reviewedAt } = entry
  const at = BigInt(reviewedAt)
  yield* all(sql.insertProposal({ txnId, disposition, reviewedBy, notes, at }))
  const row = { disposition, reviewed_by: reviewedBy, notes, proposed_at_ms: at }
  const about = { txn_id: txnId, operator_id: operatorId, at_ms: at }
  yield* all(sql.insertEvent({ kind: 'proposal', ...about, body: proposalBody(row) }))
  return false
}

/** The proposal as the log has it: what is said here is hashed. */
export const proposalBody = (row: Omit<ProposalRow, 'seq' | 'txn_id'>): string =>
  JSON.stringify({
    disposition: row.disposition,
    reviewedBy: row.reviewed_by,
    notes: row.notes,
    proposedAt: isoTime(Number(row.proposed_at_ms)),
  })

export const proposalOf = (row: ProposalRow): Proposal => ({
  disposition: row.disposition as Disposition,
  reviewedBy: row.reviewed_by,
  notes: row.notes,
  proposedAt: Number(row.proposed_at_ms),
})

export const proposalView = (proposal: Proposal): NonNullable<AuditRecord['proposal']> => ({
  disposition: proposal.disposition,
  reviewedBy: proposal.reviewedBy,
  notes: proposal.notes,
  proposedAt: isoTime(proposal.proposedAt),
})
