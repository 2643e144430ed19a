import { existsSync, readFileSync } from 'node:fs'
import { buildWatchlist, readOfacSdn } from '../packages/watchlist/src/index.ts'
import type { Watchlist, WatchlistEntry } from '../packages/watchlist/src/index.ts'

/** Public data beside the repository; nothing of it is part of the project. */
export const SHARED = new URL('../../shared/data/', import.meta.url)

/** True when the shared data is there. */
export function hasSharedData(): boolean {
  return existsSync(new URL('names/pairs.jsonl', SHARED))
}

/** The text of a shared file. */
export function sharedText(path: string): string {
  return readFileSync(new URL(path, SHARED), 'utf8')
}

/** The rows of a shared JSON-lines file. */
export function sharedRows<Row>(path: string): Row[] {
  return sharedText(path)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
}

/** One labelled pair of `names/pairs.jsonl`. */
export interface Pair {
  readonly source: string
  readonly kind: 'positive' | 'negative'
  readonly query: string
  readonly candidate: string
  readonly schema?: string
  readonly quality?: string
  readonly conflict?: boolean
}

/** The entries of the full OFAC SDN list. */
export function ofacEntries(): WatchlistEntry[] {
  return readOfacSdn({
    sdn: sharedText('lists/current/sdn.csv'),
    alt: sharedText('lists/current/alt.csv'),
    comments: sharedText('lists/current/sdn_comments.csv'),
  })
}

/** A watchlist of one list with these entries. */
export function watchlistOf(
  entries: readonly WatchlistEntry[],
  id: 'OFAC_SDN' | 'US_LEGISLATORS' = 'OFAC_SDN',
): Watchlist {
  const nothing = { publishedAt: null, loadedAt: '', source: 'measurement' }
  return buildWatchlist([{ id, contentHash: 'measured', ...nothing, entries }])
}

/** A plain entry with one name. */
export function plainEntry(
  primaryName: string,
  more: Partial<WatchlistEntry> = {},
): WatchlistEntry {
  return {
    list: 'OFAC_SDN',
    entryId: primaryName,
    type: 'individual',
    primaryName,
    aliases: [],
    addresses: [],
    programs: [],
    ...more,
  }
}

/** FNV-1a over UTF-16 units: halves and draws that are the same at every run. */
export function stableHash(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/**
 * Which half of the labelled pairs a candidate belongs to: all spellings of one candidate fall in
 * one half. The matcher was tuned looking at `tuned` alone.
 */
export function halfOf(candidate: string): 'tuned' | 'held out' {
  return ((stableHash(candidate) >>> 7) & 1) === 0 ? 'tuned' : 'held out'
}

/** Draws that are the same at every run. */
export { seeded } from '../packages/watchlist/src/index.ts'
