/** Delegates and users: credentials that hang on an agent's. */
import { type Static, Type } from 'typebox'
import { type SpendPolicyChange, SpendPolicyInput } from '../spend-policy.ts'
import {
  freeText,
  isoTimestamp,
  nameText,
  openObject,
  optionalText,
  requestBody,
} from './shared.ts'

export const CreateDelegateBody = requestBody({
  parentToken: optionalText(
    Type.String({ maxLength: 65_536, description: 'Credential of the parent agent' }),
  ),
  parentAgentId: optionalText(
    Type.String({ maxLength: 64, description: 'Or its id; one of the two is required' }),
  ),
  agentName: nameText('Human-readable name'),
  purpose: freeText('What the delegate pays for, in plain language'),
  spendPolicy: Type.Optional(SpendPolicyInput),
  expiresAt: optionalText(
    Type.String({
      maxLength: 40,
      description: 'ISO 8601; at the latest, and by default, when the parent expires',
    }),
  ),
})
export interface CreateDelegateRequest {
  readonly parentToken?: string | null
  readonly parentAgentId?: string | null
  readonly agentName: string
  readonly purpose: string
  readonly spendPolicy?: SpendPolicyChange
  readonly expiresAt?: string | null
}

export const CreateDelegateResponse = Type.Object({
  agentId: Type.String(),
  parentAgentId: Type.String(),
  depth: Type.Integer(),
  token: Type.String({ description: 'Delegate credential, an ES256 JWT' }),
  credential: openObject,
})
export type CreateDelegateResponse = Static<typeof CreateDelegateResponse>

export const RegisterUserBody = requestBody({
  userLegalName: nameText('Screened at issuance and at every screen'),
  userRole: nameText('What the user may speak for'),
  agentId: Type.String({ minLength: 1, maxLength: 64, description: 'A supervised agent' }),
})
export interface RegisterUserRequest {
  readonly userLegalName: string
  readonly userRole: string
  readonly agentId: string
}

export const RegisterUserResponse = Type.Object({
  userId: Type.String(),
  token: Type.String({ description: 'User credential, an ES256 JWT, valid 30 days' }),
  credential: openObject,
  expiresAt: isoTimestamp,
})
export type RegisterUserResponse = Static<typeof RegisterUserResponse>
