/** Lists that a test swaps while the service runs. */
import { createHash } from 'node:crypto'
import {
  buildWatchlist,
  diffLists,
  type Watchlist,
  type WatchlistEntry,
} from '@portcullis/watchlist'
import type { Watchlists } from '../../packages/server/src/app/ports.ts'

let entries = 0

/** One designation of OFAC. */
export const designated = (
  primaryName: string,
  addresses: readonly string[] = [],
): WatchlistEntry => ({
  list: 'OFAC_SDN',
  entryId: `test-${++entries}`,
  type: 'entity',
  primaryName,
  aliases: [],
  addresses: addresses.map((address) => ({ ticker: 'ETH', address })),
  programs: ['TEST'],
})

/** Somebody is always listed: without an OFAC list nothing is screened. */
const ALWAYS = designated('ALWAYS LISTED HOLDINGS')

export const watchlistOf = (
  listed: readonly WatchlistEntry[],
  at = '2026-11-20T00:00:00.000Z',
): Watchlist =>
  buildWatchlist([
    {
      id: 'OFAC_SDN',
      contentHash: createHash('sha256').update(JSON.stringify(listed)).digest('hex'),
      publishedAt: null,
      loadedAt: at,
      source: 'test',
      entries: [ALWAYS, ...listed],
    },
  ])

export interface SwappedWatchlists extends Watchlists {
  set(listed: readonly WatchlistEntry[]): void
}

/** The differences between all that was set are known, but for those with `forgets`. */
export function swappedWatchlists({ forgets } = { forgets: false }): SwappedWatchlists {
  let current = watchlistOf([])
  const listedIn = new Map<string, readonly WatchlistEntry[]>([[current.version, []]])
  return {
    current: () => current,
    difference(from, to) {
      const [before, after] = [listedIn.get(from), listedIn.get(to)]
      if (before === undefined || after === undefined || forgets) return Promise.resolve(undefined)
      const { added, removed, changed } = diffLists(before, after)
      const entries = [...added, ...removed, ...changed]
      return Promise.resolve(entries.map(({ entryId }) => ({ list: 'OFAC_SDN', entryId })))
    },
    set(listed) {
      current = watchlistOf(listed)
      listedIn.set(current.version, listed)
    },
  }
}
