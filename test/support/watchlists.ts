/** Lists that a test swaps while the service runs. */
import { buildWatchlist, type Watchlist, type WatchlistEntry } from '@portcullis/watchlist'
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
      contentHash: listed.map(({ entryId }) => entryId).join('-') || 'none',
      publishedAt: null,
      loadedAt: at,
      source: 'test',
      entries: [ALWAYS, ...listed],
    },
  ])

export interface SwappedWatchlists extends Watchlists {
  set(listed: readonly WatchlistEntry[]): void
}

export function swappedWatchlists(): SwappedWatchlists {
  let current = watchlistOf([])
  return {
    current: () => current,
    set(listed) {
      current = watchlistOf(listed)
    },
  }
}
