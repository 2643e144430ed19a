/** A compliance officer's disposition of a REVIEW (spec: POST /v1/reviews/:txnId). */
import {
  type AuditRecord,
  DISPOSITIONS,
  parseTxnId,
  type ReviewRequest,
  ServiceError,
  utcDate,
} from '@portcullis/protocol'
import { noSuchRecord } from '../audit/audit.ts'
import type { Caller, Env } from '../env.ts'
import { keptText } from '../parties/registration.ts'
import { namesSomebody } from './reviewers.ts'
import { unknownFields } from '../unknown-fields.ts'

const FIELDS = ['disposition', 'reviewedBy', 'notes']

/**
 * Exactly one disposition wins, whatever arrives together. An APPROVED payment counts as spend of
 * the UTC day of the approval.
 */
export async function review(
  { store, settings }: Env,
  txnId: string,
  request: ReviewRequest,
  { operator, now }: Caller,
): Promise<AuditRecord> {
  unknownFields(request, FIELDS)
  const disposition = DISPOSITIONS.find((known) => known === request.disposition)
  if (disposition === undefined) {
    throw new ServiceError('invalid_disposition', { field: 'disposition' })
  }
  const reviewedBy = reviewerOf(request)
  if (reviewedBy === null) throw new ServiceError('missing_reviewer', { field: 'reviewedBy' })
  const known = parseTxnId(txnId)
  if (known === undefined) throw noSuchRecord()
  const entry = { disposition, reviewedBy, notes: keptText(request.notes), reviewedAt: now }
  const since = now - settings.retentionMs
  const record = await store.recordDisposition(
    operator.operatorId,
    known,
    entry,
    utcDate(now),
    since,
  )
  if (record === undefined) throw noSuchRecord()
  return record
}

const MAX_REVIEWER_CHARACTERS = 500

function reviewerOf({ reviewedBy }: ReviewRequest): string | null {
  if (typeof reviewedBy !== 'string' || reviewedBy.length > MAX_REVIEWER_CHARACTERS) return null
  return namesSomebody(reviewedBy) ? keptText(reviewedBy) : null
}
