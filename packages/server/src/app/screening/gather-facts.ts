/** Everything that the rules will look at, from the request, the ledger and the lists. Pure. */
import {
  type CredentialFact,
  type Facts,
  LIST_STALE_AFTER_MS,
  type Screening,
  type SpendLimit,
} from '@portcullis/engine'
import { effectivePolicy, type EpochMs, isWithinHours, spendLimit } from '@portcullis/protocol'
import type { ListSummary, Watchlist } from '@portcullis/watchlist'
import type { CredentialReading } from '../parties/credentials.ts'
import type { Settings } from '../env.ts'
import { localTime } from '../local-time.ts'
import type { FleetLedger, Ledger } from '../ports.ts'
import type { Agent, User } from '../records.ts'
import type { ScreenCase } from './screen-case.ts'
import { screenNames, screenWallets } from './screening.ts'
import { isWhitelisted } from './whitelist.ts'

export function factsOf(
  screen: ScreenCase,
  ledger: Ledger,
  user: User | undefined,
  settings: Settings,
): Facts {
  const { now, payment } = screen
  const chain = ledger.chain.map(({ agent }) => agent)
  const policies = chain.map(({ spendPolicy }) => spendPolicy).toReversed()
  const spendPolicy = effectivePolicy(policies)
  return {
    now,
    payment,
    credential: credentialFact(screen.credential, chain, ledger.fleets, now),
    agent: agentFact(chain),
    ...operatorScreenings(screen.watchlist, ledger, user),
    counterpartyWallet: screen.counterpartyWallet,
    counterpartyName: screen.counterpartyName,
    globalSanctions: screen.globalSanctions,
    publicOfficial: screen.publicOfficial,
    extended: screen.extended,
    adverseMedia: screen.adverseMedia,
    spendPolicy,
    dailyLimits: dailyLimits(ledger),
    fleetLimits: fleetLimits(ledger),
    counterpartyWhitelisted: isWhitelisted(spendPolicy.whitelists, payment),
    withinOperatingHours: hoursKept(spendPolicy.operatingHours, now),
    history: ledger.history,
    velocity: {
      perMinute: screensPerMinute(spendPolicy.maxScreensPerMinute, settings),
      markAt: ledger.velocityMarkAt,
    },
    identity: screen.identity?.signal,
    erc8004: screen.erc8004,
    lists: { stale: staleLists(screen.watchlist, now), reviewWhenStale: settings.production },
  }
}

/** The policy's own limit stands above the configured one. */
export const screensPerMinute = (ofPolicy: number | undefined, settings: Settings): number =>
  ofPolicy ?? settings.velocityPerMinute

function agentFact(chain: readonly Agent[]): Facts['agent'] {
  const [agent] = chain
  return {
    type: agent?.agentType,
    hasOperatorEin: agent !== undefined && agent.operatorEIN !== null,
    operatorWalletListedAtIssuance: agent?.operatorWallet
      ? agent.operatorWalletListedAtIssuance
      : undefined,
    ownershipTransferred: chain.find((link) => link.ownershipTransferred)?.agentId,
    model: { atIssuance: agent?.modelAtIssuance ?? null, now: agent?.underlyingModel ?? null },
    attestedAt: agent?.attestation?.attestedAt,
  }
}

function operatorScreenings(
  watchlist: Watchlist,
  { operator, chain }: Ledger,
  user: User | undefined,
): Record<'operatorWallet' | 'operatorName', Screening> {
  const agent = chain[0]?.agent
  return {
    operatorWallet: screenWallets(watchlist, [
      ['wallet', operator.wallet],
      ['operatorWallet', agent?.operatorWallet],
    ]),
    operatorName: screenNames(watchlist, [
      ['legalName', operator.legalName],
      ['operatorLegalName', agent?.operatorLegalName],
      ['userLegalName', user?.legalName],
    ]),
  }
}

const dailyLimits = ({ chain }: Ledger): SpendLimit[] =>
  chain.flatMap(({ agent, spentToday }) => {
    const limit = spendLimit(agent.spendPolicy.dailyLimitUSDC)
    return limit === undefined ? [] : [{ holder: agent.agentId, limit, spentToday }]
  })

const fleetLimits = ({ fleets }: Ledger): SpendLimit[] =>
  fleets.map(({ fleet, spentToday }) => ({
    holder: fleet.fleetId,
    limit: fleet.dailyLimit,
    spentToday,
  }))

/** Within the hours of every policy in the chain; undefined when none of them names hours. */
export function hoursKept(
  hours: Facts['spendPolicy']['operatingHours'],
  now: EpochMs,
): boolean | undefined {
  if (hours.length === 0) return undefined
  return hours.every((span) => isWithinHours(span, localTime(now, span.timeZone)))
}

export const isStale = ({ loadedAt }: ListSummary, now: EpochMs): boolean =>
  now - Date.parse(loadedAt) > LIST_STALE_AFTER_MS

export const staleLists = ({ lists }: Watchlist, now: EpochMs): string[] =>
  lists.filter((list) => isStale(list, now)).map(({ id }) => id)

/**
 * The live status of the agent, its ancestors and their fleets stands above anything that the token
 * says: suspending a parent reaches its delegates at the very next screen.
 */
function credentialFact(
  reading: CredentialReading,
  chain: readonly Agent[],
  fleets: readonly FleetLedger[],
  now: EpochMs,
): CredentialFact {
  if (reading.status !== 'VALID' && reading.status !== 'EXPIRED') return reading
  const invalid = (reason: string) => ({ status: 'INVALID', reason }) as const
  const [agent] = chain
  if (agent === undefined) return invalid('it names an agent that is not registered here')
  const fallen = fallenLink(chain, now) ?? suspendedFleet(fleets)
  if (fallen !== undefined) return fallen
  if (reading.status === 'EXPIRED') return { status: 'EXPIRED', reason: reading.reason }
  if (reading.claims.jti !== agent.credentialId) return invalid('a newer credential replaced it')
  return { status: 'ACTIVE', issuedAt: agent.issuedAt, expiresAt: agent.expiresAt }
}

function fallenLink(chain: readonly Agent[], now: EpochMs): CredentialFact | undefined {
  for (const [depth, agent] of chain.entries()) {
    const whose = depth === 0 ? '' : `parent ${agent.agentId}: `
    if (agent.status !== 'ACTIVE') {
      return { status: agent.status, reason: `${whose}${agent.statusReason ?? 'no reason given'}` }
    }
    if (agent.expiresAt <= now) return { status: 'EXPIRED', reason: `${whose}its time is over` }
  }
  return undefined
}

function suspendedFleet(fleets: readonly FleetLedger[]): CredentialFact | undefined {
  const suspended = fleets.find(({ fleet }) => fleet.status === 'SUSPENDED')
  if (suspended === undefined) return undefined
  return { status: 'SUSPENDED', reason: `fleet ${suspended.fleet.fleetId} is suspended` }
}
