/** Re-screening alerts: read, raised and decided once; the last two are entries of the log. */
import {
  type AlertId,
  type AlertStatus,
  type EpochMs,
  type MatchEvidence,
  type OperatorId,
  ServiceError,
} from '@portcullis/protocol'
import type { AlertDecision, AlertQuery } from '../../app/history/history-ports.ts'
import type { Alert, SubjectType } from '../../app/history/history-records.ts'
import { decidedEvent, raisedEvent, type RaisedAlert } from './alert-entries.ts'
import type { AlertRow } from './rescreen-statements.ts'
import { all, first, type Script } from '../script.ts'
import type { Statements } from '../statements.ts'

export function alertTransactions(sql: Statements) {
  return {
    *listAlerts(operatorId: OperatorId, { since, status }: AlertQuery): Script<readonly Alert[]> {
      const rows = yield* all(sql.alertsSince({ operatorId, since: BigInt(since) }))
      const wanted = status === undefined ? rows : rows.filter((row) => row.status === status)
      return wanted.map(alertOf)
    },
    *alertsOf(operatorId: OperatorId, subject: string, since: EpochMs): Script<readonly Alert[]> {
      const rows = yield* all(sql.alertsOf({ operatorId, subject, since: BigInt(since) }))
      return rows.map(alertOf)
    },
    *decideAlert(
      operatorId: OperatorId,
      alertId: AlertId,
      decision: AlertDecision,
      since: EpochMs,
    ): Script<Alert | undefined> {
      const row = yield* first(sql.findAlert({ operatorId, alertId, since: BigInt(since) }))
      if (row === undefined) return undefined
      if (row.status !== 'PENDING_REVIEW') {
        throw new ServiceError('invalid_transition', {
          message: `the alert is ${row.status} already`,
        })
      }
      const { status, reviewedBy, notes, reviewedAt } = decision
      const at = BigInt(reviewedAt)
      yield* all(sql.decideAlert({ alertId, status, reviewedBy, notes, at }))
      const decided = { status, reviewed_by: reviewedBy, notes, reviewed_at_ms: at }
      yield* all(sql.insertEvent(decidedEvent({ ...row, ...decided })))
      return { ...alertOf(row), ...decision }
    },
  }
}

/** Once for each revision of what the subject matches; the log has an entry of each. */
export function* raiseAlert(sql: Statements, row: RaisedAlert): Script<void> {
  yield* all(sql.insertAlert(row))
  const { operator_id: operatorId, alert_id: alertId } = row
  const raised = yield* first(sql.findAlert({ operatorId, alertId, since: row.detected_at_ms }))
  if (raised !== undefined) yield* all(sql.insertEvent(raisedEvent(row)))
}

const alertOf = (row: AlertRow): Alert => ({
  alertId: row.alert_id as AlertId,
  subject: row.subject,
  subjectType: row.subject_type as SubjectType,
  subjectId: row.subject_id,
  name: row.name,
  wallet: row.wallet,
  previousResult: row.previous_result,
  evidence: JSON.parse(row.evidence) as MatchEvidence[],
  detectedAt: Number(row.detected_at_ms),
  status: row.status as AlertStatus,
  reviewedBy: row.reviewed_by,
  notes: row.notes,
  reviewedAt: row.reviewed_at_ms === null ? null : Number(row.reviewed_at_ms),
})
