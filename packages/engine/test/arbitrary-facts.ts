/** Facts of every kind that a screen may meet, for properties. */
import {
  ADVERSE_MEDIA_CATEGORIES,
  CHAINS,
  COUNTERPARTY_TYPES,
  DAY_MS,
  type EffectivePolicy,
  type EpochMs,
  HOUR_MS,
  IDENTITY_SIGNALS,
  type MicroUsd,
  MINUTE_MS,
  RAILS,
  utcDate,
} from '@portcullis/protocol'
import fc from 'fast-check'
import {
  type AgentHistory,
  type CredentialFact,
  type Facts,
  NOT_SCREENED,
  type Screening,
  type SpendLimit,
} from '../src/index.ts'
import { evidence } from './facts-vectors.ts'

const amount = fc.oneof(
  fc.constantFrom(0n, 1n, 1_000_000n, 10_000_000_000n, 10_000_000_001n),
  fc.bigInt({ min: 0n, max: 999_999_999_999_999n }),
) as fc.Arbitrary<MicroUsd>

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })

const screened = (listed: string, near: string): fc.Arbitrary<Screening> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant(NOT_SCREENED) },
    {
      weight: 4,
      arbitrary: fc.record({
        screened: fc.constant(true),
        listed: fc.subarray([evidence(listed)], { maxLength: 1 }),
        near: fc.subarray([evidence(near)], { maxLength: 1 }),
      }),
    },
  )

/** Some time ago, most often near one of the boundaries that the rules know. */
const ago = (...boundaries: number[]) =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom(...boundaries), fc.integer({ min: -1, max: 1 }))
      .map(([boundary, off]) => Math.max(0, boundary + off)),
    fc.nat(120 * DAY_MS),
  )

const credentialAt = (now: EpochMs): fc.Arbitrary<CredentialFact> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: ago(30 * DAY_MS, 91 * DAY_MS).map((age) => ({
        status: 'ACTIVE' as const,
        issuedAt: now - age,
        expiresAt: now + DAY_MS,
      })),
    },
    { weight: 1, arbitrary: fc.constant({ status: 'MISSING' } as const) },
    {
      weight: 2,
      arbitrary: fc.record({
        status: fc.constantFrom('MALFORMED', 'INVALID', 'REVOKED', 'EXPIRED', 'SUSPENDED'),
        reason: fc.string(),
      }),
    },
  )

const allowed = (values: readonly string[]) => maybe(fc.subarray([...values]))

const spendPolicy: fc.Arbitrary<EffectivePolicy> = fc.record({
  maxSingleTx: maybe(amount),
  allowedChains: allowed(CHAINS),
  allowedRails: allowed(RAILS),
  allowedCounterpartyTypes: allowed(COUNTERPARTY_TYPES),
  allowedProtocols: allowed(['uniswap', 'aave', 'tornadocash']),
  mixersAllowed: fc.boolean(),
  maxScreensPerMinute: maybe(fc.integer({ min: 1, max: 100 })),
  operatingHours: fc.constant([]),
  whitelists: fc.constant([]),
})

const limitsOf = (...holders: string[]): fc.Arbitrary<SpendLimit[]> =>
  fc.array(fc.record({ holder: fc.constantFrom(...holders), limit: amount, spentToday: amount }), {
    maxLength: 3,
  })

const SHARE = fc.double({ min: 0, max: 1, noNaN: true })

/** Counts that agree with each other, of an agent that began some days ago. */
export const historyAt = (now: EpochMs): fc.Arbitrary<AgentHistory> =>
  fc
    .record({
      hours: fc.array(fc.oneof(fc.constantFrom(0, 1, 200), fc.nat(20)), {
        minLength: 24,
        maxLength: 24,
      }),
      shares: fc.tuple(SHARE, SHARE),
      days: fc.oneof(fc.constantFrom(0, 6, 7, 13, 14), fc.nat(60)),
      daysSince: fc.constantFrom(0, 0, 1),
      dayShare: SHARE,
    })
    .map(({ hours, shares: [reviewed, blocked], days, daysSince, dayShare }) => {
      const screens = hours.reduce((sum, count) => sum + count, 0)
      const reviews = Math.floor(screens * reviewed)
      const blocks = Math.floor((screens - reviews) * blocked)
      return {
        ...{ screens, reviews, blocks, hours },
        firstAt: screens === 0 ? undefined : now - days * DAY_MS,
        day: screens === 0 ? '' : utcDate(now - daysSince * DAY_MS),
        dayScreens: Math.floor(screens * dayShare),
      }
    })

const agentAt = (now: EpochMs): fc.Arbitrary<Facts['agent']> =>
  fc.record({
    type: maybe(fc.constantFrom('autonomous' as const, 'supervised' as const)),
    hasOperatorEin: fc.boolean(),
    operatorWalletListedAtIssuance: maybe(fc.boolean()),
    ownershipTransferred: fc.constantFrom(undefined, undefined, undefined, 'agt_parent'),
    model: fc.record({
      atIssuance: fc.constantFrom(null, 'model-1'),
      now: fc.constantFrom(null, 'model-1', 'model-2'),
    }),
    attestedAt: maybe(ago(DAY_MS, 2 * DAY_MS, HOUR_MS).map((age) => now - age)),
  })

const WALLETS = [
  '0x00000000000000000000000000000000000000aa',
  'Fc1EwQUZyTEagaDvA1utHXCcZNyG1x2PLt2DfNu1cJdH',
]
const payment: fc.Arbitrary<Facts['payment']> = fc.record({
  amount,
  chain: maybe(fc.constantFrom(...CHAINS)),
  rail: maybe(fc.constantFrom(...RAILS)),
  counterpartyWallet: maybe(fc.oneof(fc.constantFrom(...WALLETS), fc.string())),
  counterpartyName: maybe(fc.string({ minLength: 1 })),
  counterpartyType: maybe(fc.constantFrom(...COUNTERPARTY_TYPES)),
  protocol: maybe(fc.oneof(fc.constantFrom('tornado.cash', 'Uniswap', 'Aave'), fc.string())),
})

const unanswered = [
  { weight: 1, arbitrary: fc.constant({ status: 'NOT_SCREENED' } as const) },
  { weight: 1, arbitrary: fc.constant({ status: 'UNAVAILABLE' } as const) },
]
const extended: fc.Arbitrary<Facts['extended']> = fc.oneof(...unanswered, {
  weight: 3,
  arbitrary: fc.record({
    status: fc.constant('SCREENED' as const),
    sanctions: fc.subarray(['extended 0.95', 'extended 0.9', 'extended 0.7'].map(evidence)),
    peps: fc.subarray([evidence('pep')], { maxLength: 1 }),
  }),
})
const adverseMedia: fc.Arbitrary<Facts['adverseMedia']> = fc.oneof(...unanswered, {
  weight: 3,
  arbitrary: fc.record({
    status: fc.constant('SCREENED' as const),
    hits: fc.dictionary(fc.constantFrom(...ADVERSE_MEDIA_CATEGORIES), fc.nat(3), {
      noNullPrototype: true,
    }),
  }),
})

const factsAt = (now: EpochMs): fc.Arbitrary<Facts> =>
  fc.record({
    now: fc.constant(now),
    payment,
    credential: credentialAt(now),
    agent: agentAt(now),
    operatorWallet: screened('operator wallet', 'near operator'),
    operatorName: screened('operator name', 'near operator'),
    counterpartyWallet: screened('counterparty wallet', 'near name'),
    counterpartyName: screened('counterparty name', 'near name'),
    globalSanctions: screened('global', 'global'),
    publicOfficial: screened('official', 'official'),
    extended,
    adverseMedia,
    spendPolicy,
    dailyLimits: limitsOf('agt_self', 'agt_parent'),
    fleetLimits: limitsOf('flt_one', 'flt_two'),
    counterpartyWhitelisted: maybe(fc.boolean()),
    withinOperatingHours: maybe(fc.boolean()),
    history: historyAt(now),
    velocity: fc.record({
      perMinute: fc.integer({ min: 1, max: 100 }),
      markAt: maybe(ago(MINUTE_MS, 0).map((age) => now - age)),
    }),
    identity: maybe(fc.constantFrom(...IDENTITY_SIGNALS)),
    erc8004: fc.constant('PENDING' as const),
    lists: fc.record({
      stale: fc.subarray(['ofac_sdn', 'ofac_cons']),
      reviewWhenStale: fc.boolean(),
    }),
  })

/** Any moment from 2020 to 2060, among them the turns of days and hours. */
const now = fc
  .tuple(fc.integer({ min: 438_288, max: 788_928 }), fc.constantFrom(0, 1, HOUR_MS - 1))
  .map(([hours, off]) => hours * HOUR_MS + off)

export const anyFacts: fc.Arbitrary<Facts> = now.chain(factsAt)
