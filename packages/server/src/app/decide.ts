/** Facts and ledger to a decision. Pure: what the transaction asks, as often as it has to. */
import {
  type CredentialFact,
  evaluate,
  type Evaluation,
  type Facts,
  LIST_STALE_AFTER_MS,
  type PaymentFact,
  type Screening,
  signalsOf,
} from '@portcullis/engine'
import {
  type CredentialStatus,
  type EpochMs,
  type MicroUsd,
  NO_MONEY,
  ServiceError,
  type Signals,
} from '@portcullis/protocol'
import type { ListSummary, Watchlist } from '@portcullis/watchlist'
import type { CredentialReading } from './credentials.ts'
import type { Settings } from './env.ts'
import type { Ledger } from './ports.ts'
import type { Agent } from './records.ts'
import { screenNames, screenWallets } from './screening.ts'

/** What is known of a screen before the ledger is read. */
export interface ScreenCase {
  readonly now: EpochMs
  readonly payment: PaymentFact
  readonly credential: CredentialReading
  readonly counterpartyWallet: Screening
  readonly counterpartyName: Screening
  readonly watchlist: Watchlist
  /** False for a staged payment. */
  readonly chargeable: boolean
}

export interface Decision {
  readonly facts: Facts
  readonly evaluation: Evaluation
  readonly signals: Signals
  readonly agent: Agent | undefined
  readonly credentialStatus: CredentialStatus | null
  /** What the payment adds to the agent's day. */
  readonly spend: MicroUsd
  /** What the screen adds to the operator's month. */
  readonly charge: number
}

/** Throws `forbidden` for another operator's agent and `rate_limit_exceeded` past the quota. */
export function decide(screen: ScreenCase, ledger: Ledger, settings: Settings): Decision {
  const { agent, operator } = ledger
  if (agent !== undefined && agent.operatorId !== operator.operatorId) {
    throw new ServiceError('forbidden', { message: 'the agent belongs to another operator' })
  }
  const facts = factsOf(screen, ledger, settings)
  const evaluation = evaluate(facts)
  const charge = screen.chargeable && evaluation.verdict !== 'UNKNOWN' ? 1 : 0
  refusePastQuota(ledger, charge, settings)
  return {
    facts,
    evaluation,
    signals: signalsOf(facts, evaluation.findings),
    agent,
    credentialStatus: credentialStatusOf(facts.credential),
    spend: evaluation.verdict === 'CLEAR' ? screen.payment.amount : NO_MONEY,
    charge,
  }
}

function factsOf(screen: ScreenCase, ledger: Ledger, settings: Settings): Facts {
  const { watchlist, now } = screen
  const { operator, agent } = ledger
  return {
    now,
    payment: screen.payment,
    credential: credentialFact(screen.credential, agent),
    agent: {
      type: agent?.agentType,
      operatorWalletListedAtIssuance: agent?.operatorWallet
        ? agent.operatorWalletListedAtIssuance
        : undefined,
      ownershipTransferred: agent?.ownershipTransferred ?? false,
    },
    operatorWallet: screenWallets(watchlist, [
      ['wallet', operator.wallet],
      ['operatorWallet', agent?.operatorWallet],
    ]),
    operatorName: screenNames(watchlist, [
      ['legalName', operator.legalName],
      ['operatorLegalName', agent?.operatorLegalName],
    ]),
    counterpartyWallet: screen.counterpartyWallet,
    counterpartyName: screen.counterpartyName,
    spendPolicy: agent?.spendPolicy ?? {},
    spentToday: ledger.spentToday,
    lists: { stale: staleLists(watchlist, now), reviewWhenStale: settings.production },
  }
}

export const isStale = ({ loadedAt }: ListSummary, now: EpochMs): boolean =>
  now - Date.parse(loadedAt) > LIST_STALE_AFTER_MS

const staleLists = (watchlist: Watchlist, now: EpochMs): string[] =>
  watchlist.lists.filter((list) => isStale(list, now)).map(({ id }) => id)

/** The agent's live status stands above anything that its token says. */
function credentialFact(reading: CredentialReading, agent: Agent | undefined): CredentialFact {
  if (reading.status !== 'VALID' && reading.status !== 'EXPIRED') return reading
  const invalid = (reason: string) => ({ status: 'INVALID', reason }) as const
  if (agent === undefined) return invalid('it names an agent that is not registered here')
  if (agent.status !== 'ACTIVE') {
    return { status: agent.status, reason: agent.statusReason ?? 'no reason was given' }
  }
  if (reading.status === 'EXPIRED') return { status: 'EXPIRED', reason: reading.reason }
  if (reading.claims.jti !== agent.credentialId) return invalid('a newer credential replaced it')
  return { status: 'ACTIVE' }
}

/** A credential that is missing, unreadable or forged has no status. */
function credentialStatusOf({ status }: CredentialFact): CredentialStatus | null {
  return status === 'MISSING' || status === 'MALFORMED' || status === 'INVALID' ? null : status
}

function refusePastQuota(
  { operator, screensThisMonth }: Ledger,
  charge: number,
  settings: Settings,
) {
  const limit = settings.quotas[operator.plan]
  if (charge === 0 || screensThisMonth + charge <= limit) return
  throw new ServiceError('rate_limit_exceeded', {
    message: `the ${operator.plan} plan has used ${screensThisMonth}/${limit} screens of the month`,
    extra: { upgradeUrl: `${settings.baseUrl}/v1/billing/checkout` },
  })
}
