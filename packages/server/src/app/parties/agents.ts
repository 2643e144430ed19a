/** Agents of an operator: registration, reading, and the spend policy. */
import {
  type AgentId,
  type AgentView,
  CREDENTIAL_LIFETIME_MS,
  type FleetId,
  invalidField,
  isoTime,
  type Page,
  parseAgentId,
  parseFleetId,
  type RegisterAgentRequest,
  type RegisterAgentResponse,
  ServiceError,
  type SpendPolicy,
  type SpendPolicyChange,
  viewSpendPolicy,
} from '@portcullis/protocol'
import { issueAgentCredential } from './credentials.ts'
import type { Answer, Caller, Env } from '../env.ts'
import { answerOnce } from '../idempotency.ts'
import { viewAgent } from './agent-view.ts'
import { refuseWidening } from './narrowing.ts'
import { readPage, toPage } from '../pages.ts'
import type { Agent } from '../records.ts'
import {
  keptText,
  readOperatorWallet,
  readSpendPolicy,
  refuseListed,
  requiredText,
} from './registration.ts'
import { unknownFields } from '../unknown-fields.ts'

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
  'fleetId',
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
    (registered: Agent) => ({ status: 201, body: issued(env, registered) }),
    (once) => env.store.registerAgent(agent, once),
  )
}

function readAgent(env: Env, request: RegisterAgentRequest, { operator, now }: Caller): Agent {
  const model = keptText(request.underlyingModel)
  return {
    agentId: env.ids.agent(),
    operatorId: operator.operatorId,
    agentName: requiredText('agentName', request.agentName),
    agentFramework: keptText(request.agentFramework),
    underlyingModel: model,
    agentType: request.agentType,
    operatorWallet: readOperatorWallet('operatorWallet', request.operatorWallet),
    operatorEIN: keptText(request.operatorEIN),
    operatorLegalName: requiredText('operatorLegalName', request.operatorLegalName),
    purpose: requiredText('purpose', request.purpose),
    spendPolicy: readSpendPolicy(request.spendPolicy, 'spendPolicy.'),
    fleetId: readFleetId(request.fleetId),
    modelAtIssuance: model,
    ...freshAgent(env),
    issuedAt: now,
    expiresAt: now + CREDENTIAL_LIFETIME_MS.agent,
  }
}

/** What every new agent starts with. */
export const freshAgent = (env: Env) => ({
  status: 'ACTIVE' as const,
  statusReason: null,
  ownershipTransferred: false,
  operatorWalletListedAtIssuance: false,
  parentAgentId: null,
  depth: 0,
  attestation: null,
  credentialId: env.ids.credential(),
})

export function readFleetId(text: string | null | undefined): FleetId | null {
  const given = keptText(text)
  if (given === null) return null
  const fleetId = parseFleetId(given)
  if (fleetId === undefined) throw invalidField('fleetId', 'names no fleet of this operator')
  return fleetId
}

export function issued({ keyring, settings }: Env, agent: Agent): RegisterAgentResponse {
  const { token, claims } = issueAgentCredential(keyring, settings.issuer, agent)
  return { agentId: agent.agentId, token, credential: { ...claims.vc } }
}

export const noSuchAgent = (): ServiceError =>
  new ServiceError('not_found', { message: 'this operator has no such agent' })

export function knownAgentId(text: string): AgentId {
  const agentId = parseAgentId(text)
  if (agentId === undefined) throw noSuchAgent()
  return agentId
}

/** Throws `not_found` for another operator's agent, as for one that does not exist. */
export async function findOwnAgent(env: Env, text: string, { operator }: Caller): Promise<Agent> {
  const agent = await env.store.findAgent(operator.operatorId, knownAgentId(text))
  if (agent === undefined) throw noSuchAgent()
  return agent
}

export const readOwnAgent = async (env: Env, agentId: string, caller: Caller): Promise<AgentView> =>
  viewAgent(await findOwnAgent(env, agentId, caller), caller.now)

export async function listAgents(env: Env, page: Page, { operator, now }: Caller) {
  const { after, limit } = readPage(page)
  const agents = await env.store.listAgents(operator.operatorId, { after, limit: limit + 1 })
  return toPage(
    agents,
    limit,
    ({ agentId }) => agentId,
    (agent) => viewAgent(agent, now),
  )
}

/** Applies a change in one transaction; throws `not_found` as {@link findOwnAgent} does. */
export async function changeOwnAgent(
  env: Env,
  agentId: string,
  { operator }: Caller,
  change: (agent: Agent, ancestors: readonly Agent[]) => Agent,
): Promise<Agent> {
  const { operatorId } = operator
  const changed = await env.store.changeAgent(operatorId, knownAgentId(agentId), change)
  if (changed === undefined || changed.replayed) throw noSuchAgent()
  return changed.value
}

/** Omitted keeps, null clears. A delegate cannot be widened beyond its parents. */
export async function updateSpendPolicy(
  env: Env,
  agentId: string,
  request: SpendPolicyChange,
  caller: Caller,
) {
  const agent = await changeOwnAgent(env, agentId, caller, (current, ancestors) => {
    const spendPolicy: SpendPolicy = readSpendPolicy(request, '', current.spendPolicy)
    refuseWidening(ancestors, spendPolicy, '')
    return { ...current, spendPolicy }
  })
  return {
    agentId: agent.agentId,
    spendPolicy: viewSpendPolicy(agent.spendPolicy),
    updatedAt: isoTime(caller.now),
  }
}
