/** Alerts as entries of the log: that one was raised, and what was decided of it. */
import { type EntryKind, isoTime, type MatchEvidence } from '@portcullis/protocol'
import type { AlertRow } from './rescreen-statements.ts'
import type { NewEvent } from '../audit/audit-log-statements.ts'

/** An alert as it is raised. */
export type RaisedAlert = Omit<AlertRow, 'seq'>
type Decided = Pick<
  AlertRow,
  'alert_id' | 'operator_id' | 'status' | 'reviewed_by' | 'notes' | 'reviewed_at_ms'
>

const event = (kind: EntryKind, operatorId: string, at: bigint, body: object): NewEvent => ({
  kind,
  txn_id: null,
  operator_id: operatorId,
  at_ms: at,
  body: JSON.stringify(body),
})

/** What is said here is hashed, and compared with the row: a member that goes makes both differ. */
export const raisedEvent = (row: RaisedAlert): NewEvent =>
  event('alert', row.operator_id, row.detected_at_ms, {
    alertId: row.alert_id,
    subject: row.subject,
    revision: Number(row.revision),
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    name: row.name,
    wallet: row.wallet,
    previousResult: row.previous_result,
    matches: matchesOf(row.evidence),
  })

export const decidedEvent = (row: Decided): NewEvent =>
  event('alert-decided', row.operator_id, row.reviewed_at_ms ?? 0n, {
    alertId: row.alert_id,
    status: row.status,
    reviewedBy: row.reviewed_by,
    notes: row.notes,
    reviewedAt: isoTime(Number(row.reviewed_at_ms ?? 0n)),
  })

/** Text that somebody damaged is compared as it is. */
function matchesOf(evidence: string): readonly MatchEvidence[] | string {
  try {
    return JSON.parse(evidence) as MatchEvidence[]
  } catch {
    return evidence
  }
}

/** The alert that an entry is about; undefined for a body that was purged. */
export function alertIdOf({ body }: { readonly body: string }): string | undefined {
  try {
    return (JSON.parse(body) as { alertId?: string }).alertId
  } catch {
    return undefined
  }
}
