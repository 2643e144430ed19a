/** The audit log as its owner reads it. */
import { type AuditRecord, parseTxnId, ServiceError } from '@portcullis/protocol'
import type { Caller, Env } from '../env.ts'

export const noSuchRecord = (): ServiceError =>
  new ServiceError('not_found', { message: 'the audit record does not exist or has expired' })

/** Throws `not_found` for an id that is unknown, expired, or another operator's. */
export async function readAuditRecord(
  { store, settings }: Env,
  txnId: string,
  { operator, now }: Caller,
): Promise<AuditRecord> {
  const known = parseTxnId(txnId)
  const since = now - settings.retentionMs
  const record = known && (await store.findAuditRecord(operator.operatorId, known, since))
  if (record === undefined) throw noSuchRecord()
  return record
}
