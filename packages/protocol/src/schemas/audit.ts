/** The audit record (spec: Audit record) and receipt verification. */
import { type Static, Type } from 'typebox'
import { DISPOSITIONS } from '../vocabulary.ts'
import { freeText, isoTimestamp, nullableText, optionalText, requestBody } from './shared.ts'
import { RESULT_FIELDS } from './screen.ts'

export const TxnParams = Type.Object({ txnId: Type.String({ minLength: 1, maxLength: 64 }) })

/** What the record carries once a compliance officer has decided. */
const DISPOSITION_FIELDS = {
  disposition: Type.Optional(Type.Enum([...DISPOSITIONS])),
  reviewedBy: Type.Optional(Type.String()),
  reviewedAt: Type.Optional(isoTimestamp),
  notes: Type.Optional(nullableText),
  sarEscalated: Type.Optional(Type.Boolean()),
  proposal: Type.Optional(
    Type.Object(
      {
        disposition: Type.Enum([...DISPOSITIONS]),
        reviewedBy: Type.String(),
        notes: nullableText,
        proposedAt: isoTimestamp,
      },
      { description: 'With four eyes: what a first reviewer proposed' },
    ),
  ),
}

/** What the record carries for as long as it is under legal hold. */
const HOLD_FIELDS = {
  legalHold: Type.Optional(
    Type.Literal(true, { description: 'Under legal hold: never purged. Absent otherwise' }),
  ),
  hold: Type.Optional(
    Type.Object(
      { by: Type.String(), reason: nullableText, at: isoTimestamp },
      { description: 'Under legal hold: who set it, why and when' },
    ),
  ),
}

export const AuditRecord = Type.Object({
  ...RESULT_FIELDS,
  ...DISPOSITION_FIELDS,
  ...HOLD_FIELDS,
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

/** Values are judged by the use case: the specification wants 422 for them, and not 400. */
export const ReviewBody = requestBody({
  disposition: Type.Optional(Type.Unknown({ description: DISPOSITIONS.join(', ') })),
  reviewedBy: Type.Optional(Type.Unknown({ description: 'Reviewer name or employee id, text' })),
  notes: optionalText(freeText('Why')),
})
export interface ReviewRequest {
  readonly disposition?: unknown
  readonly reviewedBy?: unknown
  readonly notes?: string | null
}

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
