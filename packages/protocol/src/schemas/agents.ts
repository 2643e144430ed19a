/** Bodies of agent registration and of the spend policy (spec: Agent, spendPolicy object). */
import { type Static, type TSchema, Type } from 'typebox'
import { type SpendPolicyChange, SpendPolicyInput, SpendPolicyView } from '../spend-policy.ts'
import { AGENT_TYPES, type AgentType, CREDENTIAL_STATUSES } from '../vocabulary.ts'
import {
  freeText,
  isoTimestamp,
  nameText,
  NEXT_PAGE,
  nullableText,
  openObject,
  optionalText,
  requestBody,
  walletText,
} from './shared.ts'

export const RegisterAgentBody = requestBody({
  agentName: nameText('Human-readable name'),
  agentFramework: optionalText(nameText('Framework, free text')),
  underlyingModel: optionalText(nameText('Model, free text')),
  agentType: Type.Enum([...AGENT_TYPES]),
  operatorWallet: optionalText(walletText('Screened at issuance and at every screen')),
  operatorEIN: optionalText(Type.String({ maxLength: 32, description: 'For bank rails' })),
  operatorLegalName: nameText('Screened at issuance and at every screen'),
  purpose: freeText('What the agent pays for, in plain language'),
  spendPolicy: Type.Optional(SpendPolicyInput),
  fleetId: optionalText(Type.String({ maxLength: 64, description: 'A fleet of the operator' })),
})

export interface RegisterAgentRequest {
  readonly agentName: string
  readonly agentFramework?: string | null
  readonly underlyingModel?: string | null
  readonly agentType: AgentType
  readonly operatorWallet?: string | null
  readonly operatorEIN?: string | null
  readonly operatorLegalName: string
  readonly purpose: string
  readonly spendPolicy?: SpendPolicyChange
  readonly fleetId?: string | null
}

export const RegisterAgentResponse = Type.Object({
  agentId: Type.String(),
  token: Type.String({ description: 'Agent credential, an ES256 JWT' }),
  credential: openObject,
})
export type RegisterAgentResponse = Static<typeof RegisterAgentResponse>

export const AgentParams = Type.Object({ agentId: Type.String({ minLength: 1, maxLength: 64 }) })

export const SpendPolicyResponse = Type.Object({
  agentId: Type.String(),
  spendPolicy: SpendPolicyView,
  updatedAt: isoTimestamp,
})

/** An agent or delegate as its operator sees it. */
export const AgentView = Type.Object({
  agentId: Type.String(),
  agentName: Type.String(),
  agentFramework: nullableText,
  underlyingModel: nullableText,
  modelAtIssuance: nullableText,
  agentType: Type.Enum([...AGENT_TYPES]),
  operatorWallet: nullableText,
  operatorEIN: nullableText,
  operatorLegalName: Type.String(),
  purpose: Type.String(),
  spendPolicy: SpendPolicyView,
  status: Type.Enum([...CREDENTIAL_STATUSES]),
  statusReason: nullableText,
  ownershipTransferred: Type.Boolean(),
  fleetId: nullableText,
  parentAgentId: nullableText,
  depth: Type.Integer({ description: '0 for an agent, 1 to 3 for its delegates' }),
  issuedAt: isoTimestamp,
  expiresAt: isoTimestamp,
  attestation: Type.Unsafe<Attestation | null>({
    type: ['object', 'null'],
    properties: {
      attestedBy: { type: 'string' },
      note: { type: ['string', 'null'] },
      attestedAt: { type: 'string' },
      validUntil: { type: 'string' },
      expiresAt: { type: 'string' },
    },
  }),
})
export type AgentView = Static<typeof AgentView>

/** The last human heartbeat: fresh for 24 hours, kept for 25. */
export interface Attestation {
  readonly attestedBy: string
  readonly note: string | null
  readonly attestedAt: string
  readonly validUntil: string
  readonly expiresAt: string
}

export const AttestBody = requestBody({
  attestedBy: nameText('Who attests: name or employee id'),
  note: optionalText(freeText('What was looked at')),
})
export interface AttestRequest {
  readonly attestedBy: string
  readonly note?: string | null
}

export const AttestResponse = Type.Object({
  agentId: Type.String(),
  attestedBy: Type.String(),
  note: nullableText,
  attestedAt: isoTimestamp,
  validUntil: isoTimestamp,
  expiresAt: isoTimestamp,
})

/** An omitted field keeps its value; null clears where null is allowed. */
export const AgentPatch = Type.Object(
  {
    status: Type.Optional(Type.Enum(['ACTIVE', 'SUSPENDED', 'REVOKED'])),
    reason: optionalText(freeText('Why the status changes')),
    underlyingModel: optionalText(nameText('A change leads to REVIEW (R15) until reissue')),
    fleetId: optionalText(Type.String({ maxLength: 64, description: 'Null takes it out' })),
    ownershipTransferred: Type.Optional(
      Type.Literal(true, { description: 'BLOCK (R8) until reissue' }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
)
export interface AgentChange {
  readonly status?: 'ACTIVE' | 'SUSPENDED' | 'REVOKED'
  readonly reason?: string | null
  readonly underlyingModel?: string | null
  readonly fleetId?: string | null
  readonly ownershipTransferred?: true
}

export const PageQuery = Type.Object(
  {
    cursor: Type.Optional(Type.String({ maxLength: 64, description: NEXT_PAGE })),
    limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$', description: '1 to 999' })),
  },
  { additionalProperties: false },
)
export interface Page {
  readonly cursor?: string
  readonly limit?: string
}

/** A page of a list; `nextCursor` is null at the end. */
export const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), nextCursor: nullableText })
