/** The review queue, its case files, and re-screening alerts. */
import { type Static, Type } from 'typebox'
import { ALERT_STATUSES, DISPOSITIONS } from '../vocabulary.ts'
import { AuditRecord } from './audit.ts'
import { AuditProof } from './audit-log.ts'
import { PriorScreenings } from './prior-screenings.ts'
import { MatchEvidence } from './screen.ts'
import {
  freeText,
  isoTimestamp,
  nameText,
  NEXT_PAGE,
  nullableText,
  openObject,
  optionalText,
} from './shared.ts'

const limit = Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$', description: '1 to 999' }))
const cursor = Type.Optional(Type.String({ maxLength: 64, description: NEXT_PAGE }))

export const ReviewsQuery = Type.Object(
  {
    status: Type.Optional(
      Type.Enum(['pending', 'decided'], {
        description: '`pending` (default): the oldest first; `decided`: the newest first',
      }),
    ),
    cursor,
    limit,
  },
  { additionalProperties: false },
)
export interface ReviewsRequest {
  readonly status?: 'pending' | 'decided'
  readonly cursor?: string
  readonly limit?: string
}

export const ReviewsPage = Type.Object({
  items: Type.Array(AuditRecord),
  nextCursor: nullableText,
})
export type ReviewsPage = Static<typeof ReviewsPage>

const ProposalStep = Type.Object({
  disposition: Type.Enum([...DISPOSITIONS]),
  reviewedBy: Type.String(),
  notes: nullableText,
  proposedAt: isoTimestamp,
})

export const AlertParams = Type.Object({ alertId: Type.String({ minLength: 1, maxLength: 64 }) })

const Hits = Type.Array(
  Type.Object({ list: Type.String(), score: Type.Number({ description: '0 to 1' }) }),
)

export const Alert = Type.Object({
  alertId: Type.String(),
  counterparty: Type.Unsafe<string | null>({ ...nullableText, description: 'Name' }),
  wallet: nullableText,
  previousResult: Type.String({ description: 'The last verdict before it was listed' }),
  newResult: Type.Object({
    pepHits: Hits,
    sanctionHits: Hits,
    adverseMediaHits: Type.Array(Type.Object({ category: Type.String(), score: Type.Number() })),
  }),
  detectedAt: isoTimestamp,
  status: Type.Enum([...ALERT_STATUSES]),
  subjectType: Type.Enum(['counterparty', 'operator', 'agent', 'user'], {
    description: 'Who is listed: a counterparty, or somebody of your own',
  }),
  subjectId: Type.Unsafe<string | null>({
    ...nullableText,
    description: 'Id of the operator, agent or user; null for a counterparty',
  }),
  matches: Type.Array(MatchEvidence, { description: 'Every match that is new' }),
  reviewedBy: nullableText,
  reviewedAt: nullableText,
  notes: nullableText,
})
export type Alert = Static<typeof Alert>

export const AlertsQuery = Type.Object(
  { status: Type.Optional(Type.Enum([...ALERT_STATUSES])) },
  { additionalProperties: false },
)
export interface AlertsRequest {
  readonly status?: Alert['status']
}

export const AlertsResponse = Type.Object({
  count: Type.Integer({ description: 'How many `alerts` holds' }),
  alerts: Type.Array(Alert, { description: 'The newest first' }),
})
export type AlertsResponse = Static<typeof AlertsResponse>

export const AlertPatch = Type.Object(
  {
    status: Type.Enum(['CONFIRMED', 'DISMISSED']),
    reviewedBy: optionalText(nameText('Reviewer name or employee id')),
    notes: optionalText(freeText('Why')),
  },
  { additionalProperties: false },
)
export interface AlertChange {
  readonly status: 'CONFIRMED' | 'DISMISSED'
  readonly reviewedBy?: string | null
  readonly notes?: string | null
}

export const CaseFile = Type.Object({
  format: Type.Literal('portcullis-case/2'),
  txnId: Type.String(),
  exportedAt: isoTimestamp,
  record: AuditRecord,
  facts: Type.Unsafe<object>({
    ...openObject,
    description: 'Everything that the rules looked at, as recorded',
  }),
  evidence: Type.Array(MatchEvidence),
  history: Type.Object({
    atScreen: Type.Optional(PriorScreenings),
    now: Type.Optional(PriorScreenings),
    proposals: Type.Array(ProposalStep),
    alerts: Type.Array(Alert),
  }),
  receipt: Type.Object({
    jws: Type.String(),
    keys: Type.Array(openObject, { description: 'The key set that verifies it' }),
  }),
  proof: Type.Unsafe<AuditProof>({
    ...AuditProof,
    description: 'That record and facts stand in the log, as `GET /v1/audit/:txnId/proof`',
  }),
  furtherProofs: Type.Array(AuditProof, {
    description: 'That its proposals, disposition and holds stand in the log, in its order',
  }),
  manifest: Type.String({
    description: 'Compact ES256 JWS, `typ` kya-case-file+jwt, with the digest of all the rest',
  }),
})
export type CaseFile = Static<typeof CaseFile>
