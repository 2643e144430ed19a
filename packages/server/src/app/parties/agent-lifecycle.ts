/** What happens to an agent after registration: status, model, fleet, reissue, human heartbeat. */
import {
  type AgentChange,
  type AgentView,
  type AttestRequest,
  CREDENTIAL_LIFETIME_MS,
  type EpochMs,
  invalidField,
  type RegisterAgentResponse,
  ServiceError,
} from '@portcullis/protocol'
import { viewAgent, viewAttestation } from './agent-view.ts'
import { changeOwnAgent, findOwnAgent, issued, noSuchAgent, readFleetId } from './agents.ts'
import type { Answer, Caller, Env } from '../env.ts'
import { answerOnce } from '../idempotency.ts'
import { refuseFallen } from './narrowing.ts'
import type { Agent, HumanAttestation } from '../records.ts'
import { keptText, refuseListed, requiredText } from './registration.ts'
import { unknownFields } from '../unknown-fields.ts'

/** Throws `invalid_transition` for a revoked agent: REVOKED is final. */
export async function updateAgent(
  env: Env,
  agentId: string,
  request: AgentChange,
  caller: Caller,
): Promise<AgentView> {
  const agent = await changeOwnAgent(env, agentId, caller, (current) => ({
    ...current,
    ...newStatus(current, request),
    ...(request.underlyingModel !== undefined && {
      underlyingModel: keptText(request.underlyingModel),
    }),
    ...(request.fleetId !== undefined && { fleetId: readFleetId(request.fleetId) }),
    ...(request.ownershipTransferred === true && { ownershipTransferred: true }),
  }))
  return viewAgent(agent, caller.now)
}

function newStatus(
  { status }: Agent,
  { status: wanted, reason }: AgentChange,
): Pick<Agent, 'status' | 'statusReason'> | object {
  if (wanted === undefined) {
    if (reason === undefined || reason === null) return {}
    throw invalidField('reason', 'goes with `status`')
  }
  if (status === 'REVOKED' && wanted !== 'REVOKED') {
    throw new ServiceError('invalid_transition', { message: 'a revoked agent stays revoked' })
  }
  return { status: wanted, statusReason: wanted === 'ACTIVE' ? null : keptText(reason) }
}

/**
 * A new credential; the old one stops working. Clears a transfer of ownership and takes the present
 * model as the one of issuance. The operator is screened as at registration.
 */
export async function reissueAgent(
  env: Env,
  agentId: string,
  caller: Caller,
): Promise<Answer<RegisterAgentResponse>> {
  const agent = await findOwnAgent(env, agentId, caller)
  refuseListed(env, caller.requestId, {
    names: [['operatorLegalName', agent.operatorLegalName]],
    wallets: [['operatorWallet', agent.operatorWallet]],
  })
  return answerOnce(
    env.vault,
    {
      scope: caller.operator.operatorId,
      key: caller.idempotencyKey,
      operation: `reissueAgent ${agent.agentId}`,
      body: {},
      now: caller.now,
    },
    (fresh: Agent) => ({ status: 200, body: issued(env, fresh) }),
    async (once) => {
      const change = (current: Agent, ancestors: readonly Agent[]) =>
        reissue(env, current, ancestors, caller.now)
      const done = await env.store.changeAgent(
        caller.operator.operatorId,
        agent.agentId,
        change,
        once,
      )
      if (done === undefined) throw noSuchAgent()
      return done
    },
  )
}

/** A delegate never outlives its parents, and gets nothing while one of them has fallen. */
function reissue(env: Env, agent: Agent, ancestors: readonly Agent[], now: EpochMs): Agent {
  if (agent.status !== 'ACTIVE') {
    const message = `an agent that is ${agent.status} gets no new credential`
    throw new ServiceError('invalid_transition', { message })
  }
  refuseFallen(ancestors, now, 'its delegates get no new credential')
  const latest = ancestors.map(({ expiresAt }) => expiresAt)
  return {
    ...agent,
    credentialId: env.ids.credential(),
    ownershipTransferred: false,
    modelAtIssuance: agent.underlyingModel,
    issuedAt: now,
    expiresAt: Math.min(now + CREDENTIAL_LIFETIME_MS.agent, ...latest),
  }
}

export async function attestAgent(
  env: Env,
  agentId: string,
  request: AttestRequest,
  caller: Caller,
) {
  unknownFields(request, ['attestedBy', 'note'])
  const attestation: HumanAttestation = {
    attestedBy: requiredText('attestedBy', request.attestedBy),
    note: keptText(request.note),
    attestedAt: caller.now,
  }
  const agent = await changeOwnAgent(env, agentId, caller, (current) => {
    if (current.agentType !== 'autonomous') throw new ServiceError('supervised_agent')
    return { ...current, attestation }
  })
  return { agentId: agent.agentId, ...viewAttestation(attestation) }
}
