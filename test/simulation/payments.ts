/** Payments and policies drawn from the seed: mostly in order, and wrong one thing at a time. */
import {
  DOUBTFUL_NAMES,
  DOUBTFUL_WALLETS,
  EVM_WALLETS,
  HIDDEN_PARTY,
  HIDING_NAME,
  HONEST_NAMES,
  OTHER_WALLETS,
  PROTOCOLS,
  type Text,
  type WalletText,
  ZONES,
} from './catalogue.ts'
import {
  type Bearer,
  type Hours,
  type Micro,
  microOf,
  type ModelAgent,
  type Payment,
  type PolicyChange,
  type ScreenCase,
} from './model.ts'
import type { Random } from './random.ts'
import type { Simulation } from './simulation.ts'

const CHAINS = ['ETH', 'BASE', 'SOL', 'POLYGON', 'TRON', 'SEI', 'BTC', 'ACH', 'WIRE', 'SWIFT']
const RAILS = ['USDC', 'ACH', 'WIRE', 'SWIFT', 'IBAN', 'RTP', 'FEDNOW', 'SAME_DAY_ACH']
const TYPES = ['individual', 'business', 'exchange']

export function drawPayment(sim: Simulation, agent: ModelAgent): Payment {
  const { random } = sim
  const bank = random.chance(0.1)
  const odd = (probability = 0.04) => random.chance(probability)
  const hides = odd(0.02)
  const honest = random.chance(0.8) ? random.pick(HONEST_NAMES) : undefined
  const name = hides
    ? HIDING_NAME
    : odd(0.08)
      ? random.pick(DOUBTFUL_NAMES)
      : bank
        ? HONEST_NAMES[0]
        : honest
  const wallet = bank ? undefined : random.pick(EVM_WALLETS)
  return {
    amount: drawAmount(sim, agent),
    chain: odd() ? random.pick([...CHAINS, undefined]) : bank ? 'ACH' : 'BASE',
    rail: odd() ? random.pick([...RAILS, undefined]) : bank ? 'ACH' : 'USDC',
    name: odd(0.03) ? undefined : name,
    wallet: odd(0.03) ? undefined : odd(0.08) ? oddWallet(random) : wallet,
    type: odd() ? random.pick([...TYPES, undefined]) : 'business',
    protocol: random.chance(0.15) ? random.pick(PROTOCOLS) : undefined,
    extended: odd(),
    hidden: undefined,
    ...(hides && { name: HIDING_NAME, hidden: HIDDEN_PARTY }),
  }
}

const oddWallet = (random: Random): WalletText =>
  random.pick([...DOUBTFUL_WALLETS, ...OTHER_WALLETS])

/** Often exactly at a limit, or a cent or a micro-dollar beside it. */
function drawAmount({ random, model, watched }: Simulation, agent: ModelAgent): Micro {
  const cents = random.int(0, 40_000) * 10_000
  if (watched !== undefined && random.chance(0.4)) return 10_000e6 + random.int(0, 2) * 10_000
  if (random.chance(0.5)) return cents
  const chain = model.chainOf(agent.id)
  const limits: Micro[] = [10_000e6]
  for (const { id, policy } of chain) {
    if (policy.maxSingleTxUSDC !== undefined) limits.push(microOf(policy.maxSingleTxUSDC))
    if (policy.dailyLimitUSDC !== undefined) {
      const left = microOf(policy.dailyLimitUSDC) - model.spentOn(id, model.now)
      limits.push(left, left, Math.floor(left / 2))
    }
  }
  for (const { id, limit } of model.fleetsOf(chain)) {
    const left = limit - model.spentOn(id, model.now)
    limits.push(left, left, Math.floor(left / 3))
  }
  if (random.chance(0.05)) limits.push(100_000e6, 1_000_000e6, 10_000_000e6)
  const beside = random.pick([0, 0, 0, 10_000, -10_000, 1, -1])
  return Math.max(0, random.pick(limits) + beside)
}

export function drawBearer(sim: Simulation, agent: ModelAgent): Bearer {
  const { random, model } = sim
  const kind = random.weighted({ newest: 92, older: 4, missing: 1, malformed: 2, invalid: 3 })
  const newest = agent.tokens.at(-1)!
  switch (kind) {
    case 'newest':
      return { kind: 'agent', token: newest }
    case 'older':
      return { kind: 'agent', token: random.pick(agent.tokens) }
    case 'missing':
      return { kind, text: random.pick([undefined, '', '  ']) }
    case 'malformed':
      return { kind, text: random.pick(['nonsense', newest.text.split('.').slice(0, 2).join('.')]) }
    case 'invalid': {
      const user = model.users[0]
      return { kind, text: user && random.chance(0.3) ? user.token : forged(newest.text) }
    }
  }
}

/** The same claims under another signature. */
function forged(token: string): string {
  const [header = '', claims = ''] = token.split('.')
  return `${header}.${claims}.${'A'.repeat(86)}`
}

export function drawScreen(sim: Simulation): ScreenCase {
  const { random, model } = sim
  const agent = sim.anyAgent()
  const bearer = drawBearer(sim, agent)
  const users = model.users.filter(({ agentId }) => agentId === agent.id)
  const someUser = users.length > 0 && random.chance(0.5) ? random.pick(users) : undefined
  const oddUser = model.users.length > 0 ? random.pick(model.users) : ('forged' as const)
  return {
    operatorId: sim.operatorFor(agent),
    bearer,
    payment: drawPayment(sim, agent),
    user: random.chance(0.008) ? oddUser : random.chance(0.004) ? 'forged' : someUser,
  }
}

/** The body of the request, as a client would send it. */
export function wireOf({ bearer, payment, user }: ScreenCase) {
  const { amount, chain, rail, name, wallet, type, protocol, extended } = payment
  const token = bearer.kind === 'agent' ? bearer.token.text : bearer.text
  return {
    ...(token !== undefined && { token }),
    amount: amount / 1_000_000,
    ...(chain !== undefined && { chain: amount % 2 === 0 ? chain : chain.toLowerCase() }),
    ...(rail !== undefined && { rail }),
    ...(name !== undefined && { cpName: name.text }),
    ...(wallet !== undefined && { cpWallet: wallet.text }),
    ...(type !== undefined && { cpType: type }),
    ...(protocol !== undefined && { protocol: protocol.text }),
    ...(extended && { lists: 'all' }),
    ...(user !== undefined && { userToken: user === 'forged' ? 'a.b.c' : user.token }),
  }
}

export function drawHours(random: Random): Hours {
  const clock = () => `${String(random.int(0, 23)).padStart(2, '0')}:${random.pick(['00', '30'])}`
  const all = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
  const days = random.chance(0.6) ? [...all] : all.slice(0, random.int(1, 6))
  const [start, end] = random.chance(0.3) ? ['06:00', '05:30'] : [clock(), clock()]
  return { timeZone: random.pick(Object.keys(ZONES)), days, start, end }
}

const usd = (random: Random, limits: readonly number[]): number =>
  random.pick(limits) + random.pick([0, 0, 0.01, 0.5, 0.000001])

const some = (random: Random, usual: string, others: readonly string[]): string[] => {
  if (random.chance(0.08)) return []
  const chosen = others.filter(() => random.chance(0.3))
  return random.chance(0.85) ? [usual, ...chosen] : chosen
}

const WHITELISTED: readonly Text[] = [...HONEST_NAMES, ...EVM_WALLETS, OTHER_WALLETS[0]!]

/** Each field now and then: a value, or (in a change) null. */
export function drawPolicy(random: Random, often: number, clears: boolean): PolicyChange {
  const change: Record<string, unknown> = {}
  const field = (name: keyof PolicyChange, probability: number, draw: () => unknown) => {
    if (!random.chance(probability)) return
    change[name] = clears && random.chance(0.3) ? null : draw()
  }
  field('maxSingleTxUSDC', often, () => usd(random, [250, 400, 1_000, 20_000]))
  field('dailyLimitUSDC', 1.5 * often, () => usd(random, [0, 600, 2_000, 5_000, 50_000]))
  field('allowedChains', often / 3, () => some(random, random.pick(['BASE', 'base']), CHAINS))
  field('allowedRails', often / 3, () => some(random, 'USDC', RAILS))
  field('allowedCounterpartyTypes', often / 3, () => some(random, 'business', TYPES))
  field('allowedProtocols', often / 3, () => some(random, 'uniswap v3', ['AAVE', 'Railgun']))
  field('counterpartyWhitelist', often / 4, () =>
    WHITELISTED.filter(() => random.chance(0.7)).map(({ text }) => text),
  )
  field('counterpartyScreening', often / 4, () => random.pick(['OFAC', 'OFAC+CONS']))
  field('noMixerProtocols', often / 2, () => random.chance(0.4))
  field('maxScreensPerMinute', often / 2, () => random.int(1, 12))
  field('operatingHours', often / 4, () => drawHours(random))
  return change
}
