/** Spend policies as the oracle understands them: naive, and one field at a time. */
import { ZONES } from './catalogue.ts'
import { type Hours, microOf, type Policy, type PolicyChange } from './model.ts'

const WEEK = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

/** Letters are folded as the service folds them: chains and rails up, types down. */
export function mergePolicy(policy: Policy, change: PolicyChange): Policy {
  const merged: Record<string, unknown> = { ...policy }
  for (const [name, value] of Object.entries(change)) {
    merged[name] = value
    if (name === 'allowedChains' || name === 'allowedRails') {
      merged[name] = (value as string[] | null)?.map((item) => item.toUpperCase()) ?? null
    }
    if (merged[name] === null) delete merged[name]
  }
  return merged
}

/** All the values of a field that the chain has set; an empty selection is none. */
export function valuesOf<Name extends keyof Policy>(
  chain: readonly Policy[],
  name: Name,
): NonNullable<Policy[Name]>[] {
  const values: NonNullable<Policy[Name]>[] = []
  for (const policy of chain) {
    const value = policy[name]
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    values.push(value)
  }
  return values
}

/** The texts that every list of the chain allows; undefined when nobody chose. */
export const allowedBy = (
  lists: readonly (readonly string[])[],
): ((item: string) => boolean) | undefined =>
  lists.length === 0 ? undefined : (item) => lists.every((list) => list.includes(item))

export const protocolKeyOf = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')
export const whitelistKeyOf = (text: string): string => text.toLowerCase()

/** Root last, as everywhere in the oracle. */
export function mixersAllowed(chain: readonly Policy[]): boolean {
  const root = chain.at(-1)
  return (
    root?.noMixerProtocols === false && chain.every((policy) => policy.noMixerProtocols !== true)
  )
}

export function insideHours(hours: Hours, at: number): boolean {
  const local = new Date(at + ZONES[hours.timeZone]! * 60_000)
  const minute = local.getUTCHours() * 60 + local.getUTCMinutes()
  return insideWeek(hours, local.getUTCDay(), minute)
}

/** Today's span from its start on, or yesterday's that passes midnight. */
function insideWeek({ days, start, end }: Hours, weekday: number, minute: number): boolean {
  const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
  const [from, to] = [minutes(start), minutes(end)]
  const passesMidnight = to <= from
  const today = days.includes(WEEK[weekday]!)
  const yesterday = days.includes(WEEK[(weekday + 6) % 7]!)
  if (today && minute >= from && (passesMidnight || minute < to)) return true
  return yesterday && passesMidnight && minute < to
}

/** Half hours do: the simulation knows no others. */
function hoursWithin(inner: Hours, outer: Hours): boolean {
  if (inner.timeZone !== outer.timeZone) return false
  for (let weekday = 0; weekday < 7; weekday++) {
    for (let minute = 0; minute < 1_440; minute += 30) {
      if (insideWeek(inner, weekday, minute) && !insideWeek(outer, weekday, minute)) return false
    }
  }
  return true
}

/** Whether the child would allow anything that one of its parents does not. */
export function widens(parents: readonly Policy[], child: Policy): boolean {
  if (parents.length === 0) return false
  const above = (name: 'maxSingleTxUSDC' | 'dailyLimitUSDC' | 'maxScreensPerMinute') =>
    valuesOf(parents, name).some((limit) => child[name] !== undefined && child[name] > limit)
  const beyond = (
    name: 'allowedChains' | 'allowedRails' | 'allowedCounterpartyTypes' | 'allowedProtocols',
    key: (text: string) => string = (text) => text,
  ) => listBeyond(child[name]?.map(key), keyed(valuesOf(parents, name), key))
  return (
    above('maxSingleTxUSDC') ||
    above('dailyLimitUSDC') ||
    above('maxScreensPerMinute') ||
    beyond('allowedChains') ||
    beyond('allowedRails') ||
    beyond('allowedCounterpartyTypes') ||
    beyond('allowedProtocols', protocolKeyOf) ||
    listBeyond(
      child.counterpartyWhitelist?.map(whitelistKeyOf),
      keyed(valuesOf(parents, 'counterpartyWhitelist'), whitelistKeyOf),
    ) ||
    (child.noMixerProtocols === false && !mixersAllowed(parents)) ||
    (child.counterpartyScreening === 'OFAC' &&
      valuesOf(parents, 'counterpartyScreening').includes('OFAC+CONS')) ||
    valuesOf(parents, 'operatingHours').some(
      (hours) => child.operatingHours !== undefined && !hoursWithin(child.operatingHours, hours),
    )
  )
}

const keyed = (lists: readonly string[][], key: (text: string) => string): string[][] =>
  lists.map((list) => list.map(key))

/** An empty list allows all: more than any list does. */
function listBeyond(inner: readonly string[] | undefined, outer: readonly string[][]): boolean {
  const allowed = allowedBy(outer)
  if (inner === undefined || allowed === undefined) return false
  return inner.length === 0 || !inner.every(allowed)
}

/** The limit in micro-USD, or none. */
export const limitOf = (usd: number | undefined): number | undefined =>
  usd === undefined ? undefined : microOf(usd)
