/** Bodies of the audit log: proofs, checkpoints, lists, holds (decisions page, section 9). */
import { type Static, Type } from 'typebox'
import { VERDICTS } from '../vocabulary.ts'
import {
  freeText,
  isoTimestamp,
  nameText,
  NEXT_PAGE,
  nullableText,
  optionalText,
} from './shared.ts'

const hashText = Type.String({ description: 'SHA-256, lower-case hex' })
const size = (description: string) =>
  Type.String({ pattern: '^(0|[1-9][0-9]{0,14})$', description })

export const CheckpointBody = Type.Object({
  origin: Type.String({ description: 'Which log: the issuer and `/audit`' }),
  size: Type.Integer(),
  rootHash: hashText,
  timestamp: isoTimestamp,
  signature: Type.String({
    description: 'Compact ES256 JWS, `typ` kya-checkpoint+jwt, over the other four',
  }),
})

export const ProofQuery = Type.Object(
  {
    entry: Type.Optional(
      Type.Enum(['screen', 'disposition'], { description: 'Whose proof; `screen` by default' }),
    ),
  },
  { additionalProperties: false },
)
export interface ProofParams {
  readonly entry?: 'screen' | 'disposition'
}

export const AuditProof = Type.Object({
  txnId: Type.String(),
  leafIndex: Type.Integer(),
  treeSize: Type.Integer(),
  leafHash: hashText,
  leafData: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Base64 of the RFC 8785 bytes of the entry; null once it was purged',
  }),
  hashes: Type.Array(Type.String(), { description: 'Siblings from the leaf up' }),
  checkpoint: CheckpointBody,
})
export type AuditProof = Static<typeof AuditProof>

export const ConsistencyQuery = Type.Object(
  {
    from: size('The earlier size'),
    to: Type.Optional(size('The later size; the newest when left out')),
  },
  { additionalProperties: false },
)
export interface ConsistencyParams {
  readonly from: string
  readonly to?: string
}

export const ConsistencyAnswer = Type.Object({
  from: Type.Integer(),
  to: Type.Integer(),
  fromRoot: hashText,
  toRoot: hashText,
  hashes: Type.Array(Type.String()),
  checkpoint: CheckpointBody,
})
export type ConsistencyAnswer = Static<typeof ConsistencyAnswer>

const instant = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }))

const FILTERS = {
  from: instant('ISO 8601 instant or date, inclusive'),
  to: instant('ISO 8601 instant, exclusive; a date counts whole'),
  verdict: Type.Optional(Type.Enum([...VERDICTS], { description: 'Only these' })),
  agentId: Type.Optional(Type.String({ maxLength: 64, description: 'Only this agent' })),
}

export const AuditQuery = Type.Object(
  {
    ...FILTERS,
    legalHold: Type.Optional(
      Type.Enum(['true', 'false'], {
        description: 'Only records under legal hold, or only others',
      }),
    ),
    cursor: Type.Optional(Type.String({ maxLength: 64, description: NEXT_PAGE })),
    limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$', description: '1 to 999' })),
  },
  { additionalProperties: false },
)
export interface AuditFilters {
  readonly from?: string
  readonly to?: string
  readonly verdict?: (typeof VERDICTS)[number]
  readonly agentId?: string
}
export interface AuditParams extends AuditFilters {
  readonly legalHold?: 'true' | 'false'
  readonly cursor?: string
  readonly limit?: string
}

export const EXPORT_FORMATS = ['jsonl', 'csv'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const ExportQuery = Type.Object(
  {
    ...FILTERS,
    format: Type.Optional(Type.Enum([...EXPORT_FORMATS], { description: '`jsonl` by default' })),
  },
  { additionalProperties: false },
)
export interface ExportParams extends AuditFilters {
  readonly format?: ExportFormat
}

export const HoldBody = Type.Object(
  {
    legalHold: Type.Boolean({ description: 'True keeps the record from being purged' }),
    by: nameText('Who decides: name or employee id'),
    reason: optionalText(freeText('Why')),
  },
  { additionalProperties: false },
)
export interface HoldRequest {
  readonly legalHold: boolean
  readonly by: string
  readonly reason?: string | null
}

export const HoldView = Type.Object({
  txnId: Type.String(),
  legalHold: Type.Boolean(),
  by: nullableText,
  reason: nullableText,
  at: nullableText,
})
export type HoldView = Static<typeof HoldView>
