/** Agents of an operator: registration and the spend policy. */
import {
  CREDENTIAL_LIFETIME_MS,
  isoTime,
  parseAgentId,
  type RegisterAgentRequest,
  type RegisterAgentResponse,
  ServiceError,
  type SpendPolicyChange,
  viewSpendPolicy,
} from '@portcullis/protocol'
import { issueAgentCredential } from './credentials.ts'
import type { Answer, Caller, Env } from './env.ts'
import { answerOnce } from './idempotency.ts'
import type { Agent } from './records.ts'
import { keptText, readSpendPolicy, refuseListed, requiredText } from './registration.ts'
import { unknownFields } from './unknown-fields.ts'

const FIELDS = [
  'agentName',
  'agentFramework',
  'underlyingModel',
  'agentType',
  'operatorWallet',
  'operatorEIN',
  'operatorLegalName',
  'purpose',
  'spendPolicy',
]

export async function registerAgent(
  env: Env,
  request: RegisterAgentRequest,
  caller: Caller,
): Promise<Answer<RegisterAgentResponse>> {
  unknownFields(request, FIELDS)
  const agent = readAgent(env, request, caller)
  refuseListed(env, caller.requestId, {
    names: [['operatorLegalName', agent.operatorLegalName]],
    wallets: [['operatorWallet', agent.operatorWallet]],
  })
  return answerOnce(
    env.vault,
    {
      scope: caller.operator.operatorId,
      key: caller.idempotencyKey,
      operation: 'registerAgent',
      body: request,
      now: caller.now,
    },
    (registered: Agent) => issued(env, registered),
    (once) => env.store.registerAgent(agent, once),
  )
}

function readAgent(env: Env, request: RegisterAgentRequest, { operator, now }: Caller): Agent {
  return {
    agentId: env.ids.agent(),
    operatorId: operator.operatorId,
    agentName: requiredText('agentName', request.agentName),
    agentFramework: keptText(request.agentFramework),
    underlyingModel: keptText(request.underlyingModel),
    agentType: request.agentType,
    operatorWallet: keptText(request.operatorWallet),
    operatorEIN: keptText(request.operatorEIN),
    operatorLegalName: requiredText('operatorLegalName', request.operatorLegalName),
    purpose: requiredText('purpose', request.purpose),
    spendPolicy: readSpendPolicy(request.spendPolicy, 'spendPolicy.'),
    status: 'ACTIVE',
    statusReason: null,
    ownershipTransferred: false,
    operatorWalletListedAtIssuance: false,
    credentialId: env.ids.credential(),
    issuedAt: now,
    expiresAt: now + CREDENTIAL_LIFETIME_MS.agent,
  }
}

function issued({ keyring, settings }: Env, agent: Agent): Answer<RegisterAgentResponse> {
  const { token, claims } = issueAgentCredential(keyring, settings.issuer, agent)
  return { status: 201, body: { agentId: agent.agentId, token, credential: { ...claims.vc } } }
}

/** Omitted keeps, null clears. Another operator's agent answers as one that does not exist. */
export async function updateSpendPolicy(
  env: Env,
  agentId: string,
  change: SpendPolicyChange,
  { operator, now }: Caller,
) {
  const known = parseAgentId(agentId)
  const changed =
    known &&
    (await env.store.changeSpendPolicy(operator.operatorId, known, (policy) =>
      readSpendPolicy(change, '', policy),
    ))
  if (changed === undefined) {
    throw new ServiceError('not_found', { message: 'this operator has no such agent' })
  }
  return {
    agentId: changed.agentId,
    spendPolicy: viewSpendPolicy(changed.spendPolicy),
    updatedAt: isoTime(now),
  }
}
