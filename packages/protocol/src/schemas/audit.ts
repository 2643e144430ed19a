/** The audit record (spec: Audit record) and receipt verification. */
import { type Static, Type } from 'typebox'
import { nullableText, requestBody } from './shared.ts'
import { RESULT_FIELDS } from './screen.ts'

export const TxnParams = Type.Object({ txnId: Type.String({ minLength: 1, maxLength: 64 }) })

export const AuditRecord = Type.Object({
  ...RESULT_FIELDS,
  operatorId: Type.String(),
  requestHash: Type.String({ description: 'As in the receipt' }),
  _request: Type.Object({
    amount: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
    chain: nullableText,
    cpWallet: nullableText,
    cpName: nullableText,
    rail: nullableText,
    cpType: nullableText,
    protocol: nullableText,
  }),
})
export type AuditRecord = Static<typeof AuditRecord>

export const VerifyReceiptBody = requestBody({
  receipt: Type.String({ minLength: 1, maxLength: 65_536 }),
})

export const VerifyReceiptResponse = Type.Object({
  valid: Type.Boolean(),
  kid: Type.Optional(Type.String()),
  claims: Type.Optional(
    Type.Object({
      iss: Type.String(),
      txnId: Type.String(),
      verdict: Type.String(),
      riskScore: Type.Number(),
      screenedAt: Type.String(),
    }),
  ),
  reason: Type.Optional(Type.String()),
})
export type VerifyReceiptResponse = Static<typeof VerifyReceiptResponse>
