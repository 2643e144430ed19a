/**
 * What the policies of a delegation chain come to. A delegate inherits its parent's policy and can
 * only narrow it, live: the effective policy is the intersection from the agent at the root down to
 * the delegate, taken anew at every screen, so narrowing a parent reaches its children at once.
 */
import { type MicroUsd, microUsd } from './money.ts'
import { hoursWithin, type OperatingHours } from './operating-hours.ts'
import type { PolicyField, SpendPolicy } from './spend-policy.ts'

/** Undefined allows all; an empty list, the intersection of strangers, allows nothing. */
export type Allowed = readonly string[] | undefined

/** Daily limits and whitelists stay with their holders: each of them has to be kept. */
export interface EffectivePolicy {
  readonly maxSingleTx: MicroUsd | undefined
  readonly allowedChains: Allowed
  readonly allowedRails: Allowed
  readonly allowedCounterpartyTypes: Allowed
  /** Letters and digits only, lower case. */
  readonly allowedProtocols: Allowed
  readonly mixersAllowed: boolean
  readonly maxScreensPerMinute: number | undefined
  /** Every one of them must be kept. */
  readonly operatingHours: readonly OperatingHours[]
  /** The counterparty must be on every one of them. */
  readonly whitelists: readonly (readonly string[])[]
}

/** `chain` from the agent at the root to the delegate. */
export function effectivePolicy(chain: readonly SpendPolicy[]): EffectivePolicy {
  return {
    maxSingleTx: least(chain.map(({ maxSingleTxUSDC }) => spendLimit(maxSingleTxUSDC))),
    allowedChains: common(chain.map(({ allowedChains }) => choice(allowedChains))),
    allowedRails: common(chain.map(({ allowedRails }) => choice(allowedRails))),
    allowedCounterpartyTypes: common(
      chain.map(({ allowedCounterpartyTypes }) => choice(allowedCounterpartyTypes)),
    ),
    allowedProtocols: common(
      chain.map(({ allowedProtocols }) => choice(allowedProtocols?.map(protocolKey))),
    ),
    mixersAllowed: mixersAllowed(chain),
    maxScreensPerMinute: least(chain.map(({ maxScreensPerMinute }) => maxScreensPerMinute)),
    operatingHours: chain.flatMap(({ operatingHours }) => operatingHours ?? []),
    whitelists: chain.flatMap(({ counterpartyWhitelist }) => {
      const list = choice(counterpartyWhitelist)
      return list === undefined ? [] : [list]
    }),
  }
}

/** A stored limit was checked when it was set; one that cannot be read must not read as "none". */
export function spendLimit(usd: number | undefined): MicroUsd | undefined {
  if (usd === undefined) return undefined
  const limit = microUsd(usd)
  if (limit === undefined) throw new RangeError('a stored spend limit is not an amount of money')
  return limit
}

/** Letters and digits, lower case: `Uniswap v3` and `uniswap-V3` are one protocol. */
export const protocolKey = (protocol: string): string => {
  const key = protocol
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    // What stood apart may now make one sign: Hangul syllables of halfwidth letters.
    .normalize('NFKC')
  return key === '' ? protocol.trim() : key
}

/** An empty selection allows all (spec: What the service does, 10). */
const choice = (values: readonly string[] | undefined): Allowed =>
  values === undefined || values.length === 0 ? undefined : values

function least<T extends bigint | number>(values: readonly (T | undefined)[]): T | undefined {
  return values.reduce((a, b) => (a === undefined || (b !== undefined && b < a) ? b : a), undefined)
}

function common(lists: readonly Allowed[]): Allowed {
  return lists.reduce(
    (a, b) => (a === undefined ? b : b === undefined ? a : a.filter((value) => b.includes(value))),
    undefined,
  )
}

/** The root must allow them in so many words, and no delegate may forbid them again. */
function mixersAllowed([root, ...delegates]: readonly SpendPolicy[]): boolean {
  return (
    root?.noMixerProtocols === false &&
    delegates.every(({ noMixerProtocols }) => noMixerProtocols !== true)
  )
}

/** How whitelist items are compared: names and wallets are the caller's to normalise. */
export type ItemKey = (item: string) => string

/**
 * The fields in which `child` allows more than its chain of parents does (root first). A field that
 * the child leaves out is inherited, and so never wider.
 */
export function wideningFields(
  parents: readonly SpendPolicy[],
  child: SpendPolicy,
  itemKey: ItemKey,
): PolicyField[] {
  const outer = effectivePolicy(parents)
  const given = (field: PolicyField, wider: boolean): PolicyField[] => (wider ? [field] : [])
  return [
    ...given('maxSingleTxUSDC', above(spendLimit(child.maxSingleTxUSDC), outer.maxSingleTx)),
    ...given('dailyLimitUSDC', above(spendLimit(child.dailyLimitUSDC), dailyLimit(parents))),
    ...given('allowedChains', beyond(child.allowedChains, outer.allowedChains)),
    ...given('allowedRails', beyond(child.allowedRails, outer.allowedRails)),
    ...given(
      'allowedCounterpartyTypes',
      beyond(child.allowedCounterpartyTypes, outer.allowedCounterpartyTypes),
    ),
    ...given(
      'allowedProtocols',
      beyond(child.allowedProtocols?.map(protocolKey), outer.allowedProtocols),
    ),
    ...given(
      'counterpartyWhitelist',
      outer.whitelists.some((list) =>
        beyond(child.counterpartyWhitelist?.map(itemKey), list.map(itemKey)),
      ),
    ),
    ...given('noMixerProtocols', child.noMixerProtocols === false && !outer.mixersAllowed),
    ...given('counterpartyScreening', looserScreening(parents, child)),
    ...given('maxScreensPerMinute', above(child.maxScreensPerMinute, outer.maxScreensPerMinute)),
    ...given('operatingHours', hoursBeyond(child.operatingHours, outer.operatingHours)),
  ]
}

const dailyLimit = (chain: readonly SpendPolicy[]): MicroUsd | undefined =>
  least(chain.map(({ dailyLimitUSDC }) => spendLimit(dailyLimitUSDC)))

const above = <T extends bigint | number>(inner: T | undefined, outer: T | undefined): boolean =>
  inner !== undefined && outer !== undefined && inner > outer

/** An empty list, given in so many words, allows all: wider than any limit. */
function beyond(inner: readonly string[] | undefined, outer: Allowed): boolean {
  if (inner === undefined || outer === undefined) return false
  return inner.length === 0 || inner.some((value) => !outer.includes(value))
}

const looserScreening = (parents: readonly SpendPolicy[], child: SpendPolicy): boolean =>
  child.counterpartyScreening === 'OFAC' &&
  parents.some(({ counterpartyScreening }) => counterpartyScreening === 'OFAC+CONS')

const hoursBeyond = (
  inner: OperatingHours | undefined,
  outer: readonly OperatingHours[],
): boolean => inner !== undefined && outer.some((hours) => !hoursWithin(inner, hours))
