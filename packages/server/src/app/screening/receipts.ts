/** Whether a receipt is ours and unaltered (spec: POST /v1/receipts/verify). */
import {
  readReceipt,
  SIGNATURE_DOES_NOT_VERIFY,
  type VerifyReceiptResponse,
} from '@portcullis/protocol'
import type { Env } from '../env.ts'

export function verifyReceipt(
  { keyring, settings }: Pick<Env, 'keyring' | 'settings'>,
  receipt: string,
): VerifyReceiptResponse {
  const read = readReceipt(receipt, settings.issuer)
  if (!read.ok) return { valid: false, reason: `not a receipt of this service: ${read.reason}` }
  const { jws, claims } = read.value
  if (!keyring.verify(jws.kid, jws.signingInput, jws.signature)) {
    return { valid: false, reason: SIGNATURE_DOES_NOT_VERIFY }
  }
  const { iss, txnId, verdict, riskScore, screenedAt } = claims
  return { valid: true, kid: jws.kid, claims: { iss, txnId, verdict, riskScore, screenedAt } }
}
