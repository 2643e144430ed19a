/** Facts and ledger to a decision. Pure: what the transaction asks, as often as it has to. */
import {
  addScreen,
  type AgentHistory,
  evaluate,
  type Evaluation,
  type Facts,
  signalsOf,
} from '@portcullis/engine'
import {
  type AuthorizedBy,
  type CredentialStatus,
  invalidField,
  type MicroUsd,
  NO_MONEY,
  ServiceError,
  type Signals,
} from '@portcullis/protocol'
import type { Settings } from '../env.ts'
import { factsOf } from './gather-facts.ts'
import type { Ledger } from '../ports.ts'
import { refusePastQuota } from './quota.ts'
import type { Agent, User } from '../records.ts'
import type { ScreenCase } from './screen-case.ts'

export interface Decision {
  readonly facts: Facts
  readonly evaluation: Evaluation
  readonly signals: Signals
  readonly agent: Agent | undefined
  readonly authorizedBy: AuthorizedBy | null
  readonly credentialStatus: CredentialStatus | null
  readonly history: AgentHistory | undefined
  /** What the payment adds to the day of the agent, its ancestors and their fleets. */
  readonly spend: MicroUsd
  /** What the screen adds to the operator's month. */
  readonly charge: number
}

/**
 * Throws `forbidden` for another operator's agent, `rate_limit_exceeded` past the quota, and
 * `invalid_request` for a user credential that does not stand.
 */
export function decide(screen: ScreenCase, ledger: Ledger, settings: Settings): Decision {
  const agent = ledger.chain[0]?.agent
  if (agent !== undefined && agent.operatorId !== ledger.operator.operatorId) {
    throw new ServiceError('forbidden', { message: 'the agent belongs to another operator' })
  }
  const user = authorisingUser(screen, ledger, agent)
  const facts = factsOf(screen, ledger, user, settings)
  const evaluation = evaluate(facts)
  const { verdict } = evaluation
  const charge = screen.chargeable && verdict !== 'UNKNOWN' ? 1 : 0
  refusePastQuota(settings, ledger, charge, screen.now)
  return {
    facts,
    evaluation,
    signals: signalsOf(facts, evaluation),
    agent,
    authorizedBy: user === undefined ? null : authorizedBy(user),
    credentialStatus: credentialStatusOf(facts),
    history: agent === undefined ? undefined : addScreen(ledger.history, screen.now, verdict),
    spend: verdict === 'CLEAR' ? screen.payment.amount : NO_MONEY,
    charge,
  }
}

/** A user credential that is forged, stale or another agent's is refused: nobody spoke for this. */
function authorisingUser(
  { userCredential, now }: ScreenCase,
  { user }: Ledger,
  agent: Agent | undefined,
): User | undefined {
  if (userCredential.status === 'MISSING' || agent === undefined) return undefined
  if (agent.agentType === 'autonomous') throw new ServiceError('autonomous_agent')
  const stands =
    userCredential.status === 'VALID' &&
    user?.agentId === agent.agentId &&
    user.status === 'ACTIVE' &&
    user.credentialId === userCredential.claims.jti &&
    user.expiresAt > now
  if (stands) return user
  throw invalidField('userToken', 'is no current user credential for this agent')
}

const authorizedBy = ({ userId, legalName, role }: User): AuthorizedBy => ({
  userId,
  userLegalName: legalName,
  userRole: role,
})

/** A credential that is missing, unreadable or forged has no status. */
function credentialStatusOf({ credential: { status } }: Facts): CredentialStatus | null {
  return status === 'MISSING' || status === 'MALFORMED' || status === 'INVALID' ? null : status
}
