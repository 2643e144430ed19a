/** What makes a payment worse: each lists a party or adds a violation, and mends nothing. */
import { CHAINS, type MicroUsd, RAILS } from '@portcullis/protocol'
import type { CredentialFact, Facts } from '../src/index.ts'
import { evidence } from './facts-vectors.ts'

/** One thing worse than before, and nothing better. */
export interface Worsening {
  readonly what: string
  readonly apply: (facts: Facts) => Facts
}

type Party =
  | 'operatorWallet'
  | 'operatorName'
  | 'counterpartyWallet'
  | 'counterpartyName'
  | 'globalSanctions'
  | 'publicOfficial'

const onList = (party: Party, match: string, how: 'listed' | 'near'): Worsening => ({
  what: `${how}: ${match}`,
  apply: (facts) => ({
    ...facts,
    [party]: { ...facts[party], screened: true, [how]: [...facts[party][how], evidence(match)] },
  }),
})

/** A credential can only get worse from ACTIVE; none is already the strongest verdict. */
const spoil = (credential: CredentialFact): Worsening => ({
  what: `credential: ${credential.status}`,
  apply: (facts) => (facts.credential.status === 'ACTIVE' ? { ...facts, credential } : facts),
})

const change = <Name extends 'agent' | 'payment' | 'spendPolicy' | 'velocity'>(
  what: string,
  name: Name,
  part: (facts: Facts) => Partial<Facts[Name]>,
): Worsening => ({
  what,
  apply: (facts) => ({ ...facts, [name]: { ...facts[name], ...part(facts) } }),
})

const more = (amount: MicroUsd): MicroUsd => (amount * 2n + 1n) as MicroUsd
const NOTHING = { holder: 'zero', limit: 0n as MicroUsd, spentToday: 1n as MicroUsd }

const extended = (name: string, kind: 'sanctions' | 'peps'): Worsening => ({
  what: `${kind} of the extended provider: ${name}`,
  apply: ({ extended: before, ...facts }) => {
    const answer = before.status === 'SCREENED' ? before : { sanctions: [], peps: [] }
    const found = { [kind]: [...answer[kind], evidence(name)] }
    return { ...facts, extended: { ...answer, ...found, status: 'SCREENED' } }
  },
})

const LISTED: readonly Worsening[] = [
  onList('operatorWallet', 'operator wallet', 'listed'),
  onList('operatorName', 'operator name', 'listed'),
  onList('counterpartyWallet', 'counterparty wallet', 'listed'),
  onList('counterpartyName', 'counterparty name', 'listed'),
]

/** Parties on OFAC lists: never less than BLOCK. */
export const ofacListings = LISTED

const OTHER_LISTS: readonly Worsening[] = [
  onList('operatorWallet', 'near operator', 'near'),
  onList('operatorName', 'near operator', 'near'),
  onList('counterpartyWallet', 'near name', 'near'),
  onList('counterpartyName', 'near name', 'near'),
  onList('globalSanctions', 'global', 'listed'),
  onList('publicOfficial', 'official', 'listed'),
  extended('extended 0.95', 'sanctions'),
  extended('extended 0.9', 'sanctions'),
  extended('extended 0.7', 'sanctions'),
  extended('pep', 'peps'),
  {
    what: 'adverse media',
    apply: ({ adverseMedia: before, ...facts }) => {
      const hits = before.status === 'SCREENED' ? before.hits : {}
      const terrorism = (hits['terrorism'] ?? 0) + 1
      return { ...facts, adverseMedia: { status: 'SCREENED', hits: { ...hits, terrorism } } }
    },
  },
  {
    what: 'an extended provider that was not needed fails',
    apply: (facts) =>
      facts.extended.status === 'NOT_SCREENED'
        ? { ...facts, extended: { status: 'UNAVAILABLE' } }
        : facts,
  },
  {
    what: 'stale lists in production',
    apply: (facts) => ({ ...facts, lists: { stale: ['ofac_sdn'], reviewWhenStale: true } }),
  },
]

const CREDENTIALS: readonly Worsening[] = [
  spoil({ status: 'MISSING' }),
  spoil({ status: 'MALFORMED', reason: 'x' }),
  spoil({ status: 'INVALID', reason: 'x' }),
  spoil({ status: 'REVOKED', reason: 'x' }),
  spoil({ status: 'EXPIRED', reason: 'x' }),
  spoil({ status: 'SUSPENDED', reason: 'x' }),
]

const UNATTESTED = 'no attestation of an autonomous agent'

const AGENT: readonly Worsening[] = [
  change('operator wallet listed at issuance', 'agent', () => ({
    operatorWalletListedAtIssuance: true,
  })),
  change('ownership transferred', 'agent', () => ({ ownershipTransferred: 'agt_parent' })),
  change('another model', 'agent', ({ agent: { model } }) => ({
    model: { ...model, now: 'model-3' },
  })),
  change(UNATTESTED, 'agent', () => ({ type: 'autonomous' as const, attestedAt: undefined })),
  change('no EIN', 'agent', () => ({ hasOperatorEin: false })),
  change('a screen too many in this minute', 'velocity', ({ now }) => ({ markAt: now })),
]

const POLICY: readonly Worsening[] = [
  change('a per-transaction limit of zero', 'spendPolicy', () => ({
    maxSingleTx: 0n as MicroUsd,
  })),
  change('nothing allowed', 'spendPolicy', () => ({
    allowedChains: [],
    allowedRails: [],
    allowedCounterpartyTypes: [],
    allowedProtocols: [],
  })),
  change('other chains and rails allowed', 'spendPolicy', ({ payment }) => ({
    allowedChains: CHAINS.filter((chain) => chain !== payment.chain),
    allowedRails: RAILS.filter((rail) => rail !== payment.rail),
  })),
  {
    what: 'a mixer, and none allowed',
    apply: (facts) => ({
      ...facts,
      payment: { ...facts.payment, protocol: 'tornado.cash' },
      spendPolicy: { ...facts.spendPolicy, mixersAllowed: false },
    }),
  },
  {
    what: 'a daily limit that is passed',
    apply: (facts) => ({ ...facts, dailyLimits: [...facts.dailyLimits, NOTHING] }),
  },
  {
    what: 'a fleet limit that is passed',
    apply: (facts) => ({ ...facts, fleetLimits: [...facts.fleetLimits, NOTHING] }),
  },
  { what: 'not whitelisted', apply: (facts) => ({ ...facts, counterpartyWhitelisted: false }) },
  { what: 'outside the hours', apply: (facts) => ({ ...facts, withinOperatingHours: false }) },
]

const PAYMENT: readonly Worsening[] = [
  change('a larger amount', 'payment', ({ payment: { amount } }) => ({ amount: more(amount) })),
  {
    what: 'more spent today',
    apply: (facts) => ({
      ...facts,
      dailyLimits: facts.dailyLimits.map((limit) => ({
        ...limit,
        spentToday: more(limit.spentToday),
      })),
    }),
  },
  change('a counterparty that nobody names', 'payment', () => ({
    counterpartyName: undefined,
    counterpartyWallet: undefined,
  })),
  change('a wallet of no known family', 'payment', () => ({ counterpartyWallet: 'x' })),
]

/** These need a limit, a bank rail or a large amount before anybody minds. */
export const MILD = ['a larger amount', 'more spent today', 'no EIN', UNATTESTED]

export const worsenings: readonly Worsening[] = [
  ...LISTED,
  ...OTHER_LISTS,
  ...CREDENTIALS,
  ...AGENT,
  ...POLICY,
  ...PAYMENT,
]
