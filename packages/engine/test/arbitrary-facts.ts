/** Facts of every kind that a screen may meet, for properties. */
import { CHAINS, type MicroUsd, RAILS } from '@portcullis/protocol'
import fc from 'fast-check'
import type { CredentialFact, Facts } from '../src/index.ts'
import { evidence } from './facts-vectors.ts'

const amount = fc.oneof(
  fc.constantFrom(0n, 1n, 1_000_000n, 100_000_000n),
  fc.bigInt({ min: 0n, max: 999_999_999_999_999n }),
) as fc.Arbitrary<MicroUsd>

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })

const screening = (listed: string, near: string) =>
  fc.record({
    screened: fc.constant(true),
    listed: fc.subarray([evidence(listed)]),
    near: fc.subarray([evidence(near)]),
  })
const screened = (listed: string, near: string) =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant({ screened: false, listed: [], near: [] }) },
    { weight: 4, arbitrary: screening(listed, near) },
  )

const credential: fc.Arbitrary<CredentialFact> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ status: 'ACTIVE' } as const) },
  { weight: 1, arbitrary: fc.constant({ status: 'MISSING' } as const) },
  {
    weight: 3,
    arbitrary: fc.record({
      status: fc.constantFrom('MALFORMED', 'INVALID', 'REVOKED', 'EXPIRED', 'SUSPENDED'),
      reason: fc.string(),
    }),
  },
)

const limit = fc.oneof(
  fc.constantFrom(0, 1, 100, 1_000.5, 999_999_999.999999),
  fc.nat(1_000_000_000).map((micro) => micro / 1_000_000),
)

const spendPolicy = fc
  .record(
    {
      maxSingleTxUSDC: limit,
      dailyLimitUSDC: limit,
      allowedChains: fc.subarray([...CHAINS]),
      allowedRails: fc.subarray([...RAILS]),
      noMixerProtocols: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  .map((policy) => ({ ...policy }))

export const anyFacts: fc.Arbitrary<Facts> = fc.record({
  now: fc.nat(2_000_000_000_000),
  payment: fc.record({
    amount,
    chain: maybe(fc.constantFrom(...CHAINS)),
    rail: maybe(fc.constantFrom(...RAILS)),
    counterpartyWallet: maybe(fc.string()),
    counterpartyName: maybe(fc.string()),
    counterpartyType: maybe(fc.constantFrom('individual', 'business', 'exchange')),
    protocol: maybe(fc.oneof(fc.constantFrom('tornado.cash', 'Uniswap'), fc.string())),
  }),
  credential,
  agent: fc.record({
    type: maybe(fc.constantFrom('autonomous' as const, 'supervised' as const)),
    operatorWalletListedAtIssuance: maybe(fc.boolean()),
    ownershipTransferred: fc.boolean(),
  }),
  operatorWallet: screened('operator wallet', 'near operator'),
  operatorName: screened('operator name', 'near operator'),
  counterpartyWallet: screened('counterparty wallet', 'near name'),
  counterpartyName: screened('counterparty name', 'near name'),
  spendPolicy,
  spentToday: amount,
  lists: fc.record({
    stale: fc.subarray(['ofac_sdn', 'ofac_cons']),
    reviewWhenStale: fc.boolean(),
  }),
})

/** One thing worse than before, and nothing better. */
export interface Worsening {
  readonly what: string
  readonly apply: (facts: Facts) => Facts
}

const list = (
  party: 'operatorWallet' | 'operatorName' | 'counterpartyWallet' | 'counterpartyName',
  match: string,
) => ({
  what: `list: ${match}`,
  apply: (facts: Facts): Facts => ({
    ...facts,
    [party]: {
      screened: true,
      listed: [...facts[party].listed, evidence(match)],
      near: facts[party].near,
    },
  }),
})

const near = (party: 'operatorName' | 'counterpartyName', match: string) => ({
  what: `near: ${match}`,
  apply: (facts: Facts): Facts => ({
    ...facts,
    [party]: {
      screened: true,
      listed: facts[party].listed,
      near: [...facts[party].near, evidence(match)],
    },
  }),
})

/** A credential can only get worse from ACTIVE; none is already the strongest verdict. */
const spoil = (credential: CredentialFact) => ({
  what: `credential: ${credential.status}`,
  apply: (facts: Facts): Facts =>
    facts.credential.status === 'ACTIVE' ? { ...facts, credential } : facts,
})

export const worsenings: readonly Worsening[] = [
  list('operatorWallet', 'operator wallet'),
  list('operatorName', 'operator name'),
  list('counterpartyWallet', 'counterparty wallet'),
  list('counterpartyName', 'counterparty name'),
  near('operatorName', 'near operator'),
  near('counterpartyName', 'near name'),
  spoil({ status: 'MISSING' }),
  spoil({ status: 'MALFORMED', reason: 'x' }),
  spoil({ status: 'INVALID', reason: 'x' }),
  spoil({ status: 'REVOKED', reason: 'x' }),
  spoil({ status: 'EXPIRED', reason: 'x' }),
  spoil({ status: 'SUSPENDED', reason: 'x' }),
  {
    what: 'operator wallet listed at issuance',
    apply: (facts) => ({
      ...facts,
      agent: { ...facts.agent, operatorWalletListedAtIssuance: true },
    }),
  },
  {
    what: 'ownership transferred',
    apply: (facts) => ({ ...facts, agent: { ...facts.agent, ownershipTransferred: true } }),
  },
  {
    what: 'a larger amount',
    apply: (facts) => ({
      ...facts,
      payment: { ...facts.payment, amount: (facts.payment.amount * 2n + 1n) as MicroUsd },
    }),
  },
  {
    what: 'more spent today',
    apply: (facts) => ({ ...facts, spentToday: (facts.spentToday * 2n + 1n) as MicroUsd }),
  },
  {
    what: 'limits of zero',
    apply: (facts) => ({
      ...facts,
      spendPolicy: { ...facts.spendPolicy, maxSingleTxUSDC: 0, dailyLimitUSDC: 0 },
    }),
  },
  {
    what: 'other chains and rails allowed',
    apply: (facts) => ({
      ...facts,
      spendPolicy: {
        ...facts.spendPolicy,
        allowedChains: CHAINS.filter((chain) => chain !== facts.payment.chain).slice(0, 1),
        allowedRails: RAILS.filter((rail) => rail !== facts.payment.rail).slice(0, 1),
      },
    }),
  },
  {
    what: 'a mixer, and none allowed',
    apply: (facts) => ({
      ...facts,
      payment: { ...facts.payment, protocol: 'tornado.cash' },
      spendPolicy: { ...facts.spendPolicy, noMixerProtocols: true },
    }),
  },
  {
    what: 'stale lists in production',
    apply: (facts) => ({ ...facts, lists: { stale: ['ofac_sdn'], reviewWhenStale: true } }),
  },
]
