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

/** Differences are known from what was set earlier to what was set later, unless it `forgets`. */
export function swappedWatchlists({ forgets } = { forgets: false }): SwappedWatchlists {
  let current = watchlistOf([])
  const past = [{ version: current.version, listed: [] as readonly WatchlistEntry[] }]
  return {
    current: () => current,
    difference(from, to) {
      const before = past.findIndex(({ version }) => version === from)
      const after = past.findLastIndex(({ version }) => version === to)
      if (before < 0 || after < before || forgets) return Promise.resolve(undefined)
      const listedAt = (at: number) => past[at]?.listed ?? []
      const { added, removed, changed } = diffLists(listedAt(before), listedAt(after))
      const entries = [...added, ...removed, ...changed]
      return Promise.resolve(entries.map(({ entryId }) => ({ list: 'OFAC_SDN', entryId })))
    },
    set(listed) {
      current = watchlistOf(listed)
      past.push({ version: current.version, listed })
    },
  }
}
