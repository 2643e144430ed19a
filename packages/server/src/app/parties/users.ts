/** Users: people who stand behind a supervised agent, with a credential of 30 days. */
import {
  CREDENTIAL_LIFETIME_MS,
  isoTime,
  type RegisterUserRequest,
  type RegisterUserResponse,
  ServiceError,
} from '@portcullis/protocol'
import { findOwnAgent } from './agents.ts'
import { issueUserCredential } from './credentials.ts'
import type { Answer, Caller, Env } from '../env.ts'
import { answerOnce } from '../idempotency.ts'
import type { User } from '../records.ts'
import { refuseListed, requiredText } from './registration.ts'
import { unknownFields } from '../unknown-fields.ts'

const FIELDS = ['userLegalName', 'userRole', 'agentId']

/** Throws `autonomous_agent` for an agent that has no human beside it. */
export async function registerUser(
  env: Env,
  request: RegisterUserRequest,
  caller: Caller,
): Promise<Answer<RegisterUserResponse>> {
  unknownFields(request, FIELDS)
  const agent = await findOwnAgent(env, request.agentId, caller)
  if (agent.agentType === 'autonomous') throw new ServiceError('autonomous_agent')
  const user: User = {
    userId: env.ids.user(),
    operatorId: caller.operator.operatorId,
    agentId: agent.agentId,
    legalName: requiredText('userLegalName', request.userLegalName),
    role: requiredText('userRole', request.userRole),
    status: 'ACTIVE',
    credentialId: env.ids.credential(),
    issuedAt: caller.now,
    expiresAt: caller.now + CREDENTIAL_LIFETIME_MS.user,
  }
  refuseListed(env, caller.requestId, { names: [['userLegalName', user.legalName]] })
  return answerOnce(
    env.vault,
    {
      scope: caller.operator.operatorId,
      key: caller.idempotencyKey,
      operation: 'registerUser',
      body: request,
      now: caller.now,
    },
    (registered: User) => ({ status: 201, body: issuedTo(env, registered) }),
    (once) => env.store.registerUser(user, once),
  )
}

function issuedTo({ keyring, settings }: Env, user: User): RegisterUserResponse {
  const { token, claims } = issueUserCredential(keyring, settings.issuer, user)
  return {
    userId: user.userId,
    token,
    credential: { ...claims.vc },
    expiresAt: isoTime(user.expiresAt),
  }
}
