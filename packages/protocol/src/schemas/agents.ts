/** Bodies of agent registration and of the spend policy (spec: Agent, spendPolicy object). */
import { type Static, Type } from 'typebox'
import { type SpendPolicyChange, SpendPolicyInput, SpendPolicyView } from '../spend-policy.ts'
import { AGENT_TYPES, type AgentType } from '../vocabulary.ts'
import {
  freeText,
  isoTimestamp,
  nameText,
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
