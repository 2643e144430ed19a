/** Facts of every kind that a screen may meet, from a seeded source; many at little cost. */
import type { CredentialFact, Facts, Screening, SpendLimit } from '@portcullis/engine'
import { CHAINS, type MatchEvidence, type MicroUsd, RAILS } from '@portcullis/protocol'

const HOUR_MS = 3_600_000

export function randomFacts(next: () => number): Facts {
  const upTo = (limit: number): number => Math.floor(next() * limit)
  const chance = (share: number): boolean => next() < share
  const pick = <T>(values: readonly T[]): T => values[upTo(values.length)] as T
  const maybe = <T>(share: number, value: () => T): T | undefined =>
    chance(share) ? value() : undefined
  const money = (): MicroUsd => BigInt(pick([0, upTo(50_000_000), upTo(1e13)])) as MicroUsd
  const evidence = (field: string): MatchEvidence => ({
    field,
    list: 'OFAC_SDN',
    entryId: String(upTo(99_999)),
    primaryName: 'LISTED PARTY',
    matched: 'LISTED PARTY',
    score: 0.8 + next() / 5,
    method: pick(['exact', 'substring', 'edit_distance', 'homoglyph', 'address']),
  })
  const screening = (field: string): Screening => ({
    screened: chance(0.9),
    listed: chance(0.02) ? [evidence(field)] : [],
    near: chance(0.04) ? [evidence(field)] : [],
  })
  const limits = (): SpendLimit[] =>
    Array.from({ length: upTo(3) }, (_, index) => ({
      holder: `agt_${index}`,
      limit: money(),
      spentToday: money(),
    }))
  const now = 1_795_000_000_000 + upTo(1e10)
  const credential = (): CredentialFact => {
    const status = pick(['MISSING', 'MALFORMED', 'INVALID', 'REVOKED', 'EXPIRED', 'SUSPENDED'])
    if (status === 'MISSING') return { status }
    return { status, reason: `because of ${upTo(9)}` } as CredentialFact
  }
  return {
    now,
    payment: {
      amount: money(),
      chain: maybe(0.8, () => pick(CHAINS)),
      rail: maybe(0.3, () => pick(RAILS)),
      counterpartyWallet: maybe(0.7, () => '0x52908400098527886E0F7030069857D2E4169EE7'),
      counterpartyName: maybe(0.9, () => `Payee "${upTo(999)}" Žofie\u2028`),
      counterpartyType: maybe(0.4, () => pick(['individual', 'business', 'exchange'])),
      protocol: maybe(0.2, () => pick(['tornado.cash', 'Uniswap', 'x402'])),
    },
    credential: chance(0.1)
      ? credential()
      : { status: 'ACTIVE', issuedAt: now - HOUR_MS, expiresAt: now + HOUR_MS },
    agent: {
      type: maybe(0.9, () => pick(['autonomous', 'supervised'] as const)),
      hasOperatorEin: chance(0.8),
      operatorWalletListedAtIssuance: maybe(0.3, () => chance(0.05)),
      ownershipTransferred: maybe(0.01, () => 'agt_1'),
      model: { atIssuance: 'model-1', now: chance(0.95) ? 'model-1' : 'model-2' },
      attestedAt: maybe(0.8, () => now - upTo(30 * HOUR_MS)),
    },
    operatorWallet: screening('operatorWallet'),
    operatorName: screening('operatorLegalName'),
    counterpartyWallet: screening('cpWallet'),
    counterpartyName: screening('cpName'),
    globalSanctions: screening('cpName'),
    publicOfficial: screening('cpName'),
    extended: chance(0.8)
      ? { status: 'NOT_SCREENED' }
      : chance(0.2)
        ? { status: 'UNAVAILABLE' }
        : { status: 'SCREENED', sanctions: chance(0.2) ? [evidence('cpName')] : [], peps: [] },
    adverseMedia: chance(0.8)
      ? { status: 'NOT_SCREENED' }
      : { status: 'SCREENED', hits: { terrorism: upTo(2), political: upTo(3) } },
    spendPolicy: {
      maxSingleTx: maybe(0.5, money),
      allowedChains: maybe(0.3, () => CHAINS.filter(() => chance(0.8))),
      allowedRails: maybe(0.2, () => RAILS.filter(() => chance(0.8))),
      allowedCounterpartyTypes: maybe(0.1, () => ['business']),
      allowedProtocols: maybe(0.1, () => ['uniswap']),
      mixersAllowed: chance(0.05),
      maxScreensPerMinute: maybe(0.2, () => 1 + upTo(100)),
      operatingHours: [],
      whitelists: [],
    },
    dailyLimits: limits(),
    fleetLimits: limits(),
    counterpartyWhitelisted: maybe(0.1, () => chance(0.7)),
    withinOperatingHours: maybe(0.1, () => chance(0.8)),
    history: {
      screens: upTo(400),
      reviews: upTo(40),
      blocks: upTo(10),
      firstAt: maybe(0.9, () => now - upTo(40 * 24 * HOUR_MS)),
      day: '2026-11-20',
      dayScreens: upTo(90),
      hours: Array.from({ length: 24 }, () => upTo(30)),
    },
    velocity: { perMinute: 60, markAt: maybe(0.2, () => now - upTo(90_000)) },
    identity: maybe(0.1, () => pick(['VERIFIED', 'UNRECOGNIZED_ISSUER', 'EXPIRED', 'INVALID'])),
    erc8004: 'PENDING',
    lists: { stale: chance(0.05) ? ['OFAC_SDN'] : [], reviewWhenStale: chance(0.5) },
  }
}
