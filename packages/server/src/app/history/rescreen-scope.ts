/**
 * Whom a run of the re-screening looks at: everybody, or, after a change of the lists, those whom
 * the entries that differ may concern. Who is looked at is screened against all lists.
 */
import { type EpochMs, utcDate } from '@portcullis/protocol'
import type { Sieve, Watchlist } from '@portcullis/watchlist'
import type { Env } from '../env.ts'
import type { RescreenSubject } from './history-records.ts'
import { matchId } from '../screening/listed-matches.ts'

/** From about so many entries on it costs no less than to screen everybody. */
const DIFFERENCE_LIMIT = 300

/** The run of a day. */
export const dailySlot = (now: EpochMs): string => utcDate(now)

/**
 * The run after a change of the lists: the version that came, and before it the one that was. In
 * between how often the day has seen that change: what went and came again is told of again.
 */
export function changeSlot(
  now: EpochMs,
  from: string | undefined,
  to: string,
  seen: readonly string[] = [],
): string {
  const slotOf = (times: number) =>
    [utcDate(now), from, times > 0 ? times : undefined, to]
      .filter((part) => part !== undefined)
      .join(' ')
  let times = 0
  while (from !== undefined && seen.includes(slotOf(times))) times++
  return slotOf(times)
}

/** One more run of a day, because a person asks for it. */
export const repeatedSlot = (now: EpochMs, id: string): string => `${utcDate(now)} ${AGAIN} ${id}`

const AGAIN = 'again'

/** Versions of the lists; none for a run that no change asked for. */
export interface ListChange {
  readonly from: string | undefined
  readonly to: string | undefined
}

export function changeOf(slot: string): ListChange {
  const [, ...versions] = slot.split(' ')
  if (versions[0] === AGAIN) return { from: undefined, to: undefined }
  return { from: versions.length > 1 ? versions[0] : undefined, to: versions.at(-1) }
}

export interface Scope {
  /** Of the lists that it was made for. */
  readonly version: string
  readonly everybody: boolean
  /** `known` are the list entries that the subject is known to match. */
  concerns(of: RescreenSubject, known: readonly string[]): boolean
}

/**
 * Undefined when the run is for newer lists than these: who has them is to work on it. A difference
 * that is not known, or not small, concerns everybody.
 */
export async function scopeOf(
  { watchlists }: Pick<Env, 'watchlists'>,
  slot: string,
  watchlist: Watchlist,
): Promise<Scope | undefined> {
  const { version } = watchlist
  const { from, to } = changeOf(slot)
  const between = async (one: string, other: string) => watchlists.difference?.(one, other)
  if (to !== undefined && to !== version) {
    const isOlder = (await between(version, to)) !== undefined
    if (isOlder && (await between(to, version)) === undefined) return undefined
  }
  const entries = from === undefined ? undefined : await between(from, version)
  if (entries === undefined || entries.length > DIFFERENCE_LIMIT)
    return { version, everybody: true, concerns: () => true }
  const changed = new Set(entries.map(matchId))
  const sieve = watchlist.sieve(entries)
  return {
    version,
    everybody: false,
    concerns: (of, known) => passes(sieve, of) || known.some((id) => changed.has(id)),
  }
}

/** A wallet may hide in the name. */
const passes = (sieve: Sieve, { name, wallet }: RescreenSubject): boolean =>
  (name !== null && (sieve.name(name) || sieve.wallet(name))) ||
  (wallet !== null && sieve.wallet(wallet))
