/** What one screen must answer, by a plain reading of the specification's table. */
import { ENTRIES, LAYER_OF, type Layer, type PartyId, type Text } from './catalogue.ts'
import {
  type Bearer,
  dayOf,
  hourOf,
  type Model,
  type ModelAgent,
  type ModelUser,
  type Payment,
  sameDay,
  type ScreenCase,
  type Verdict,
} from './model.ts'
import {
  allowedBy,
  insideHours,
  limitOf,
  mixersAllowed,
  protocolKeyOf,
  valuesOf,
  whitelistKeyOf,
} from './oracle-policy.ts'

export interface Expected {
  readonly verdict: Verdict
  readonly rule: string | null
  /** The rule, and which of its causes where it has several. */
  readonly reason: string
  readonly agentId: string | null
  readonly credentialStatus: string | null
}

/** An error code, or the answer. */
export function expectScreen(model: Model, screen: ScreenCase): string | Expected {
  if (model.listed === undefined) return 'lists_unavailable'
  const standing = standingOf(model, screen.bearer)
  const agent = model.agents.get(standing.agentId ?? '')
  if (agent !== undefined && agent.operatorId !== screen.operatorId) return 'forbidden'
  const user = agent === undefined ? undefined : screen.user
  if (user !== undefined && agent !== undefined) {
    if (agent.type === 'autonomous') return 'autonomous_agent'
    if (user === 'forged' || user.agentId !== agent.id) return 'invalid_request'
    if (Math.floor(user.expiresAt / 1_000) <= Math.floor(model.now / 1_000)) {
      return 'invalid_request'
    }
  }
  const rule = ruleOf(model, screen, standing, user as ModelUser | undefined)
  const verdict = verdictOf(rule)
  const used = model.usedInMonth(screen.operatorId, model.now)
  if (verdict !== 'UNKNOWN' && used >= model.settings.screensPerMonth) return 'rate_limit_exceeded'
  const { agentId, status } = standing
  return {
    verdict,
    rule: rule?.split(' ')[0] ?? null,
    reason: rule ?? 'ALL_CLEAR',
    agentId,
    credentialStatus: ['MISSING', 'MALFORMED', 'INVALID'].includes(status) ? null : status,
  }
}

const BLOCKS = /^(?:R[2-8]_|R14_|EXTENDED_SANCTIONS_MATCH block)/

function verdictOf(rule: string | null): Verdict {
  if (rule === null) return 'CLEAR'
  if (rule.startsWith('R1_')) return 'UNKNOWN'
  return BLOCKS.test(rule) ? 'BLOCK' : 'REVIEW'
}

interface Standing {
  /** The agent that the token proves, whether or not it may pay. */
  readonly agentId: string | null
  readonly status: string
}

/** Live status of the chain first, then of its fleets, then what the token itself says. */
function standingOf(model: Model, bearer: Bearer): Standing {
  if (bearer.kind !== 'agent') return { agentId: null, status: bearer.kind.toUpperCase() }
  const { token } = bearer
  const seconds = (at: number) => Math.floor(at / 1_000)
  if (seconds(token.expiresAt) <= seconds(token.issuedAt)) {
    return { agentId: null, status: 'INVALID' }
  }
  const { agentId } = token
  const chain = model.chainOf(agentId)
  for (const { status, expiresAt } of chain) {
    if (status !== 'ACTIVE') return { agentId, status }
    if (expiresAt <= model.now) return { agentId, status: 'EXPIRED' }
  }
  if (model.fleetsOf(chain).some(({ suspended }) => suspended)) {
    return { agentId, status: 'SUSPENDED' }
  }
  if (seconds(token.expiresAt) <= seconds(model.now)) return { agentId, status: 'EXPIRED' }
  return { agentId, status: chain[0]?.tokens.at(-1) === token ? 'ACTIVE' : 'INVALID' }
}

/** The first rule that fires: BLOCK before REVIEW, and the table's order within each. */
function ruleOf(
  model: Model,
  { operatorId, payment }: ScreenCase,
  { agentId, status }: Standing,
  user: ModelUser | undefined,
): string | null {
  if (status === 'MISSING' || status === 'MALFORMED') return 'R1_NO_CREDENTIAL'
  if (status !== 'ACTIVE') return `R2_CREDENTIAL_STATUS ${status}`
  const chain = model.chainOf(agentId ?? '')
  const agent = chain[0]!
  const operator = model.operators.get(operatorId)!
  const on = (layer: Layer, text: Text | null | undefined) => isListed(model, layer, text)
  const names = [operator.name, agent.legalName, user?.name]
  if (on('ofac', operator.wallet) || on('ofac', agent.wallet)) return 'R4_OPERATOR_WALLET_LIVE'
  if (names.some((name) => on('ofac', name))) return 'R5_OPERATOR_NAME_OFAC'
  const hidden = payment.hidden !== undefined && model.listed!.has(payment.hidden)
  if (on('ofac', payment.wallet) || hidden) return 'R6_COUNTERPARTY_WALLET_OFAC'
  if (on('ofac', payment.name)) return 'R7_COUNTERPARTY_NAME_OFAC'
  if (chain.some(({ transferred }) => transferred)) return 'R8_OWNERSHIP_TRANSFER'
  if (payment.protocol?.mixer && !mixersAllowed(chain.map(({ policy }) => policy))) {
    return 'R14_MIXER_PROTOCOL'
  }
  if (payment.extended && model.mood === 'block') return 'EXTENDED_SANCTIONS_MATCH block'
  return (
    policyRule(model, payment, chain) ??
    behaviourRule(model, chain) ??
    railRule(payment, chain) ??
    escalation(model, payment, agent, [...names, payment.name])
  )
}

/** Enough to block: a weak alias is not, even when it is exact. */
export function isListed(model: Model, layer: Layer, text: Text | null | undefined): boolean {
  return text?.weak !== true && isNamed(model, layer, text)
}

function isNamed(model: Model, layer: Layer, text: Text | null | undefined): boolean {
  const party: PartyId | undefined = text?.party
  return party !== undefined && LAYER_OF[ENTRIES[party].list] === layer && model.listed!.has(party)
}

function policyRule(model: Model, payment: Payment, chain: readonly ModelAgent[]) {
  const { amount, chain: network } = payment
  const policies = chain.map(({ policy }) => policy)
  const spent = (holder: string) => model.spentOn(holder, model.now)
  const chains = allowedBy(valuesOf(policies, 'allowedChains'))
  if (chains !== undefined && (network === undefined || !chains(network))) return 'R9_CHAIN_POLICY'
  if (valuesOf(policies, 'maxSingleTxUSDC').some((limit) => amount > limitOf(limit)!)) {
    return 'R10_SINGLE_TX_LIMIT'
  }
  const dayPassed = chain.some(({ id, policy }) => {
    const limit = limitOf(policy.dailyLimitUSDC)
    return limit !== undefined && spent(id) + amount > limit
  })
  if (dayPassed) return 'R11_DAILY_LIMIT'
  if (model.fleetsOf(chain).some(({ id, limit }) => spent(id) + amount > limit)) {
    return 'R12_FLEET_DAILY_LIMIT'
  }
  const known = [payment.name, payment.wallet].flatMap((text) =>
    text === undefined ? [] : [whitelistKeyOf(text.text)],
  )
  const lists = valuesOf(policies, 'counterpartyWhitelist')
  if (!lists.every((list) => list.some((item) => known.includes(whitelistKeyOf(item))))) {
    return 'R13_COUNTERPARTY_WHITELIST'
  }
  return null
}

function behaviourRule(model: Model, chain: readonly ModelAgent[]) {
  const { now, settings } = model
  const agent = chain[0]!
  if (agent.model !== agent.modelAtIssuance) return 'R15_MODEL_CHANGED'
  const policies = chain.map(({ policy }) => policy)
  const past = model.screensOf(agent.id)
  const perMinute = Math.min(...valuesOf(policies, 'maxScreensPerMinute'))
  const usual = Number.isFinite(perMinute) ? perMinute : settings.velocityPerMinute
  const lastMinute = past.filter(({ at }) => now - at < 60_000).length
  if (lastMinute + 1 > usual) return 'R16_VELOCITY_FLAG minute'
  const days = past[0] === undefined ? 0 : dayOf(now) - dayOf(past[0].at)
  const today = past.filter(({ at }) => sameDay(at, now)).length
  const before = past.length - today
  if (days >= 7 && before >= 50 && today + 1 > (before / days) * 5) return 'R16_VELOCITY_FLAG day'
  const hours = valuesOf(policies, 'operatingHours')
  if (hours.length > 0) {
    return hours.every((span) => insideHours(span, now)) ? null : 'R17_UNUSUAL_HOUR policy'
  }
  const atThisHour = past.filter(({ at }) => hourOf(at) === hourOf(now)).length
  const enough = days >= 14 && past.length >= 100
  return enough && atThisHour / past.length < 0.005 ? 'R17_UNUSUAL_HOUR history' : null
}

const EVM_CHAINS = ['ETH', 'BASE', 'POLYGON', 'BSC', 'ARC']
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(EVM_CHAINS.map((chain) => [chain, ['EVM']])),
  SOL: ['SOLANA'],
  RIALO: ['SOLANA'],
  TRON: ['TRON'],
  SEI: ['SEI', 'EVM'],
  BTC: ['BITCOIN'],
}
const CEILINGS: Readonly<Record<string, number>> = {
  RTP: 10_000_000e6,
  FEDNOW: 100_000e6,
  SAME_DAY_ACH: 1_000_000e6,
}
/** Bank rails and the chain values that go with them. */
const BANK_CHAINS: Readonly<Record<string, readonly string[]>> = {
  ACH: ['ACH'],
  SAME_DAY_ACH: ['ACH'],
  WIRE: ['WIRE', 'SWIFT'],
  SWIFT: ['WIRE', 'SWIFT'],
  IBAN: ['WIRE', 'SWIFT'],
  RTP: [],
  FEDNOW: [],
}

function railRule(payment: Payment, chain: readonly ModelAgent[]) {
  const { amount, chain: network, rail, type, protocol, name, wallet } = payment
  const policies = chain.map((agent) => agent.policy)
  const rails = allowedBy(valuesOf(policies, 'allowedRails'))
  if (rail !== undefined && rails?.(rail) === false) return 'R18_RAIL_POLICY'
  if (rail !== undefined && amount > (CEILINGS[rail] ?? Infinity)) return 'R19_RAIL_NETWORK_CEILING'
  const crypto = network !== undefined && network in FAMILIES
  if (network !== undefined && rail !== undefined) {
    const fits =
      rail === 'USDC' ? crypto && network !== 'BTC' : BANK_CHAINS[rail]!.includes(network)
    if (!fits) return 'R20_CHAIN_RAIL_MISMATCH'
  }
  const types = allowedBy(valuesOf(policies, 'allowedCounterpartyTypes'))
  if (types !== undefined && (type === undefined || !types(type))) {
    return 'R21_COUNTERPARTY_TYPE_POLICY'
  }
  const lists = valuesOf(policies, 'allowedProtocols').map((list) => list.map(protocolKeyOf))
  const protocols = allowedBy(lists)
  if (protocol !== undefined && protocols?.(protocolKeyOf(protocol.text)) === false) {
    return 'R22_PROTOCOL_POLICY'
  }
  const bank = (network !== undefined && !crypto) || (rail !== undefined && rail !== 'USDC')
  const nobody = name === undefined && wallet === undefined
  const noWallet = (crypto || rail === 'USDC') && wallet === undefined
  if (nobody || noWallet || (bank && name === undefined)) return 'R23_COUNTERPARTY_UNIDENTIFIED'
  if (wallet !== undefined) {
    const families = network === undefined ? undefined : FAMILIES[network]
    const fits = families?.includes(wallet.family) ?? true
    if (!wallet.wellFormed || !fits) return 'R24_WALLET_CHAIN_MISMATCH'
  }
  return bank && !chain[0]!.hasEin ? 'R25_OPERATOR_EIN_MISSING' : null
}

function escalation(
  model: Model,
  { amount, name, wallet, extended }: Payment,
  { type, attestedAt }: ModelAgent,
  everybody: readonly (Text | undefined)[],
) {
  const unattested = attestedAt === undefined || model.now - attestedAt > 24 * 3_600_000
  if (type === 'autonomous' && amount > 10_000e6 && unattested) return 'ATTESTATION_STALE'
  if ([name, wallet].some((text) => isNamed(model, 'global', text))) return 'GLOBAL_SANCTIONS_MATCH'
  if (isNamed(model, 'officials', name)) return 'PUBLIC_OFFICIAL_MATCH'
  if (everybody.some((text) => text?.weak === true && isNamed(model, 'ofac', text))) {
    return 'OFAC_NEAR_MATCH'
  }
  if (extended) {
    if (model.mood === 'review') return 'EXTENDED_SANCTIONS_MATCH'
    if (model.mood === 'pep') return 'PEP_MATCH'
    if (model.mood === 'media') return 'ADVERSE_MEDIA_FLAG'
    if (model.mood === 'down') return 'EXTENDED_SCREENING_UNAVAILABLE'
  }
  const stale = model.now - model.listsLoadedAt > 36 * 3_600_000
  return stale && model.settings.production ? 'LISTS_STALE' : null
}
