import { buildWatchlist, NAME_BLOCK_SCORE } from '../src/index.ts'
import type { ListId, LoadedList, NameMatch, Watchlist, WatchlistEntry } from '../src/index.ts'

/** An entry with what a test says of it, and the rest plain. */
export function entryOf(primaryName: string, more: Partial<WatchlistEntry> = {}): WatchlistEntry {
  return {
    list: 'OFAC_SDN',
    entryId: primaryName,
    type: 'entity',
    primaryName,
    aliases: [],
    addresses: [],
    programs: [],
    ...more,
  }
}

/** A loaded list of these entries. */
export function listOf(
  id: ListId,
  entries: readonly WatchlistEntry[],
  contentHash = 'sha256:00',
): LoadedList {
  return {
    id,
    contentHash,
    publishedAt: null,
    loadedAt: '2026-08-01T00:00:00Z',
    source: 'a test',
    entries,
  }
}

/** A watchlist with one OFAC list of these entries. */
export function watchlistOf(...entries: WatchlistEntry[]): Watchlist {
  return buildWatchlist([listOf('OFAC_SDN', entries)])
}

/** What the OFAC rules make of name matches. */
export function verdictOf(matches: readonly NameMatch[]): 'BLOCK' | 'REVIEW' | 'CLEAR' {
  if (matches.length === 0) return 'CLEAR'
  return matches.some((match) => match.score >= NAME_BLOCK_SCORE) ? 'BLOCK' : 'REVIEW'
}
