/** Delegates: child credentials that can only narrow (spec: Delegate). */
import {
  type AgentId,
  type CreateDelegateRequest,
  type CreateDelegateResponse,
  type EpochMs,
  invalidField,
  isoTime,
  MAX_DELEGATION_DEPTH,
  parseAgentId,
  ServiceError,
  type SpendPolicy,
} from '@portcullis/protocol'
import { freshAgent, issued } from './agents.ts'
import type { Answer, Caller, Env } from '../env.ts'
import { answerOnce } from '../idempotency.ts'
import { refuseFallen, refuseWidening } from './narrowing.ts'
import type { Agent } from '../records.ts'
import { keptText, readSpendPolicy, requiredText } from './registration.ts'
import { unknownFields } from '../unknown-fields.ts'

const FIELDS = ['parentToken', 'parentAgentId', 'agentName', 'purpose', 'spendPolicy', 'expiresAt']

export async function createDelegate(
  env: Env,
  request: CreateDelegateRequest,
  caller: Caller,
): Promise<Answer<CreateDelegateResponse>> {
  unknownFields(request, FIELDS)
  const parent = readParent(env, request, caller)
  const draft = {
    agentId: env.ids.agent(),
    agentName: requiredText('agentName', request.agentName),
    purpose: requiredText('purpose', request.purpose),
    spendPolicy: readSpendPolicy(request.spendPolicy, 'spendPolicy.'),
    ...freshAgent(env),
  }
  const expiresAt = readExpiry(request.expiresAt, caller.now)
  return answerOnce(
    env.vault,
    {
      scope: caller.operator.operatorId,
      key: caller.idempotencyKey,
      operation: 'createDelegate',
      body: request,
      now: caller.now,
    },
    (delegate: Agent) => ({ status: 201, body: minted(env, delegate) }),
    async (once) => {
      const mint = (chain: readonly Agent[]) => {
        refuseReplaced(parent, chain[0])
        return { ...draft, ...inherited(chain, caller.now, expiresAt, draft.spendPolicy) }
      }
      const { operatorId } = caller.operator
      const done = await env.store.mintDelegate(operatorId, parent.agentId, mint, once)
      if (done !== undefined) return done
      throw parent.credentialId === undefined ? noSuchParent() : notOurs()
    },
  )
}

/** The parent as the request names it; `credentialId` when it does so by a credential. */
interface NamedParent {
  readonly agentId: AgentId
  readonly credentialId: string | undefined
}

/** By id, or by a credential that is ours and current. */
function readParent(env: Env, request: CreateDelegateRequest, { now }: Caller): NamedParent {
  const token = keptText(request.parentToken)
  const id = keptText(request.parentAgentId)
  if (token === null) {
    if (id === null) throw invalidField('parentAgentId', 'or `parentToken` is required')
    const agentId = parseAgentId(id)
    if (agentId === undefined) throw noSuchParent()
    return { agentId, credentialId: undefined }
  }
  const reading = env.credentials.read(token, ['agent', 'delegate'], now)
  const agentId = reading.status === 'VALID' ? parseAgentId(reading.claims.sub) : undefined
  if (reading.status !== 'VALID' || agentId === undefined) throw noCurrentCredential()
  if (id !== null && id !== agentId)
    throw invalidField('parentAgentId', 'is not that of `parentToken`')
  return { agentId, credentialId: reading.claims.jti }
}

/** A credential that a reissue replaced speaks for nobody, here as at a screen. */
function refuseReplaced({ credentialId }: NamedParent, parent: Agent | undefined): void {
  if (credentialId === undefined || credentialId === parent?.credentialId) return
  throw noCurrentCredential()
}

const noCurrentCredential = () => invalidField('parentToken', 'is no current agent credential')

const noSuchParent = () =>
  new ServiceError('not_found', { message: 'this operator has no such parent agent' })

/** Who holds the token knows that the agent exists: there is nothing left to hide. */
const notOurs = () =>
  new ServiceError('forbidden', { message: 'the parent agent belongs to another operator' })

/** With its time zone: without one it would be the machine's. */
const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/

function readExpiry(text: string | null | undefined, now: EpochMs): EpochMs | undefined {
  const given = keptText(text)
  if (given === null) return undefined
  const time = ISO_TIME.test(given) ? Date.parse(given) : Number.NaN
  if (Number.isNaN(time)) throw invalidField('expiresAt', 'is not an ISO 8601 time')
  if (time <= now) throw invalidField('expiresAt', 'is in the past')
  return time
}

/** What a delegate has from its parent; throws where the parent cannot or may not pass it on. */
function inherited(
  chain: readonly Agent[],
  now: EpochMs,
  wantedExpiry: EpochMs | undefined,
  spendPolicy: SpendPolicy,
) {
  const [parent] = chain
  if (parent === undefined) throw new RangeError('a delegation without a parent')
  refuseFallen(chain, now, 'it mints no delegates')
  if (parent.depth >= MAX_DELEGATION_DEPTH) throw new ServiceError('delegation_depth_exceeded')
  const latest = Math.min(...chain.map(({ expiresAt }) => expiresAt))
  if (wantedExpiry !== undefined && wantedExpiry > latest) {
    throw invalidField('expiresAt', `is after the parent expires at ${isoTime(latest)}`)
  }
  refuseWidening(chain, spendPolicy, 'spendPolicy.')
  return {
    operatorId: parent.operatorId,
    agentFramework: parent.agentFramework,
    underlyingModel: parent.underlyingModel,
    // Not the parent's present model: minting must not launder a change of it (R15).
    modelAtIssuance: parent.modelAtIssuance,
    agentType: parent.agentType,
    operatorWallet: parent.operatorWallet,
    operatorEIN: parent.operatorEIN,
    operatorLegalName: parent.operatorLegalName,
    fleetId: parent.fleetId,
    parentAgentId: parent.agentId,
    depth: parent.depth + 1,
    issuedAt: now,
    expiresAt: wantedExpiry ?? latest,
  }
}

function minted(env: Env, delegate: Agent): CreateDelegateResponse {
  const { agentId, token, credential } = issued(env, delegate)
  const { parentAgentId, depth } = delegate
  return { agentId, parentAgentId: parentAgentId ?? '', depth, token, credential }
}
