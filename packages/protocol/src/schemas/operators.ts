/** Bodies of operator registration (spec: POST /v1/operators/register). */
import { type Static, Type } from 'typebox'
import { type SpendPolicyChange, SpendPolicyInput } from '../spend-policy.ts'
import { PLANS, type Plan } from '../vocabulary.ts'
import {
  freeText,
  isoTimestamp,
  nameText,
  nullableText,
  optionalText,
  requestBody,
  walletText,
} from './shared.ts'

export const RegisterOperatorBody = requestBody({
  legalName: nameText('Legal name; screened against the OFAC SDN list'),
  email: Type.String({
    minLength: 3,
    maxLength: 254,
    description: 'Contact address; screened too',
  }),
  wallet: optionalText(walletText('EVM, Solana, Tron or Sei address; screened too')),
  description: optionalText(freeText('What the agents are for')),
  plan: Type.Optional(Type.Enum([...PLANS], { description: 'Default `free`' })),
  spendPolicy: Type.Optional(SpendPolicyInput),
})

export interface RegisterOperatorRequest {
  readonly legalName: string
  readonly email: string
  readonly wallet?: string | null
  readonly description?: string | null
  readonly plan?: Plan
  readonly spendPolicy?: SpendPolicyChange
}

export const RegisterOperatorResponse = Type.Object({
  operatorId: Type.String(),
  agentId: Type.String({ description: 'The default agent, ready to screen' }),
  status: Type.String(),
  ofacAtIssuance: Type.String(),
  issuedAt: isoTimestamp,
  expiresAt: isoTimestamp,
  plan: Type.String(),
  operatorToken: Type.String({ description: 'For the Authorization header' }),
  agentToken: Type.Unsafe<string | null>({
    ...nullableText,
    description: 'For the `token` field of a screen; null until a paid plan is active',
  }),
  token: Type.String({ description: 'Legacy alias of `operatorToken`' }),
})
export type RegisterOperatorResponse = Static<typeof RegisterOperatorResponse>

/** The operator as it sees itself. */
export const OperatorView = Type.Object({
  operatorId: Type.String(),
  legalName: Type.String(),
  email: Type.String(),
  wallet: nullableText,
  description: nullableText,
  plan: Type.String(),
  fourEyes: Type.Boolean(),
  status: Type.String(),
  ofacAtIssuance: Type.String(),
  issuedAt: isoTimestamp,
  expiresAt: isoTimestamp,
})
export type OperatorView = Static<typeof OperatorView>

export const OperatorPatch = Type.Object(
  {
    wallet: Type.Optional(
      walletText('EVM, Solana, Tron or Sei address; screened before it is saved'),
    ),
    fourEyes: Type.Optional(
      Type.Boolean({ description: 'Whether a second reviewer must confirm each disposition' }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
)

export interface OperatorChange {
  readonly wallet?: string
  readonly fourEyes?: boolean
}
