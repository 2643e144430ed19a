/** Legal holds: what is held is never purged, whatever its age. Each change is logged. */
import {
  type HoldRequest,
  type HoldView,
  invalidField,
  isoTime,
  parseTxnId,
} from '@portcullis/protocol'
import { noSuchRecord } from './audit.ts'
import type { AuditEvent } from './audit-store.ts'
import type { Caller, Env } from '../env.ts'
import { keptText } from '../parties/registration.ts'
import { namesSomebody } from '../reviews/reviewers.ts'

/** Asking for what is already so changes nothing and answers it. */
export async function holdRecord(
  { store }: Pick<Env, 'store'>,
  txnId: string,
  { legalHold, by, reason }: HoldRequest,
  { operator, now }: Pick<Caller, 'operator' | 'now'>,
): Promise<HoldView> {
  const known = parseTxnId(txnId)
  if (known === undefined || !(await store.hasScreen(operator.operatorId, known))) {
    throw noSuchRecord()
  }
  const who = namesSomebody(by) ? keptText(by) : null
  if (who === null) throw invalidField('by', 'must name somebody')
  const before = await store.holdOf(known)
  if ((before?.kind === 'hold') === legalHold) return viewOf(txnId, before)
  const event: AuditEvent = {
    kind: legalHold ? 'hold' : 'release',
    txnId: known,
    operatorId: operator.operatorId,
    at: now,
    body: JSON.stringify({ by: who, reason: keptText(reason) }),
  }
  if (!(await store.addAuditEvent(event))) throw noSuchRecord()
  return viewOf(txnId, event)
}

function viewOf(txnId: string, event: AuditEvent | undefined): HoldView {
  if (event === undefined) return { txnId, legalHold: false, by: null, reason: null, at: null }
  const { by, reason } = JSON.parse(event.body) as { by: string; reason: string | null }
  return { txnId, legalHold: event.kind === 'hold', by, reason, at: isoTime(event.at) }
}
