import { readWallet, walletCandidates } from '@portcullis/protocol'
import { LIST_IDS } from './entry.ts'
import type { ListId, WatchlistEntry } from './entry.ts'
import { countList } from './lists/list-gates.ts'
import { addressesByTicker } from './lists/ofac-addresses.ts'
import { buildNameIndex } from './names/name-index.ts'
import type { NameIndex } from './names/name-index.ts'
import { createNameMatcher } from './names/name-match.ts'
import type { NameMatch } from './names/name-match.ts'
import { type EntryRef, type Sieve, sieveOf } from './names/name-sieve.ts'
import { MEMO_LIMIT, MEMO_TEXT_LIMIT } from './thresholds.ts'

/** One list as read, and where it came from. The caller hashes and tells the time. */
export interface LoadedList {
  readonly id: ListId
  /**
   * Hash of the published bytes, such as `sha256:...` or bare hex. Equal content MUST have an equal
   * hash.
   */
  readonly contentHash: string
  /** ISO 8601, or null when the publisher does not say. */
  readonly publishedAt: string | null
  /** ISO 8601. */
  readonly loadedAt: string
  /** Where it was read: a URL, a folder, `last good` or `embedded fallback`. */
  readonly source: string
  readonly entries: readonly WatchlistEntry[]
}

/** What a watchlist says of one of its lists: counts instead of entries. */
export interface ListSummary extends Omit<LoadedList, 'entries'> {
  readonly entries: number
  /** Primary names and aliases, weak ones included. */
  readonly names: number
  /** Different addresses. */
  readonly addresses: number
}

/** A listed address that a text denotes. */
export interface WalletMatch {
  readonly list: ListId
  readonly entryId: string
  readonly primaryName: string
  /** As published. */
  readonly matchedAddress: string
  /** Every ticker under which the entry lists the address, as published. */
  readonly tickers: readonly string[]
}

/** All sanctions lists at one moment: immutable, so that a screen sees one version whole. */
export interface Watchlist {
  /**
   * `OFAC_SDN@3f2a...+UN_SC@...`: which lists with which content, whatever order they were given
   * in.
   */
  readonly version: string
  readonly lists: readonly ListSummary[]
  /**
   * Different addresses of the OFAC lists under each ticker, lower case; six are always present.
   */
  readonly addressesByTicker: Readonly<Record<string, number>>
  /**
   * Listed parties that the name may belong to, strongest first. Never throws; bounded for any
   * text.
   */
  readonly screenName: (name: string) => readonly NameMatch[]
  /**
   * Listed addresses that the text denotes, on any list and under any ticker. Never throws; bounded
   * for any text.
   */
  readonly screenWallet: (text: string) => readonly WalletMatch[]
  /** Whom these entries may concern; what is no entry of this watchlist concerns nobody. */
  readonly sieve: (entries: readonly EntryRef[]) => Sieve
}

/**
 * Characters of each content hash in a version: 64 bits tell versions apart, and a log line stays
 * readable.
 */
const VERSION_HASH_LENGTH = 16

/**
 * A watchlist as plain data, without functions: what a worker can build and hand over in pieces.
 */
export interface PreparedWatchlist {
  readonly version: string
  readonly lists: readonly ListSummary[]
  readonly addressesByTicker: Readonly<Record<string, number>>
  readonly index: NameIndex
  readonly wallets: ReadonlyMap<string, readonly WalletMatch[]>
}

/**
 * Does all the work of a snapshot. A list MUST appear once. Takes time in the order of a second for
 * all names of all lists.
 */
export function prepareWatchlist(loaded: readonly LoadedList[]): PreparedWatchlist {
  const ordered = loaded.toSorted((a, b) => LIST_IDS.indexOf(a.id) - LIST_IDS.indexOf(b.id))
  if (new Set(ordered.map(({ id }) => id)).size !== ordered.length)
    throw new Error('a list is given twice')
  const entries = ordered.flatMap((list) => list.entries)
  const ofac = entries.filter((entry) => entry.list === 'OFAC_SDN' || entry.list === 'OFAC_CONS')
  return {
    version: ordered.map((list) => `${list.id}@${shortHash(list.contentHash)}`).join('+'),
    lists: ordered.map(summarise),
    addressesByTicker: addressesByTicker(ofac),
    index: { ...buildNameIndex(entries), entries: entries.map(withoutNames) },
    wallets: indexWallets(entries),
  }
}

const NONE: readonly never[] = Object.freeze([])

/** What a match tells of its entry. The index has the names and the wallets by itself. */
function withoutNames({ list, entryId, type, primaryName }: WatchlistEntry): WatchlistEntry {
  return { list, entryId, type, primaryName, aliases: NONE, addresses: NONE, programs: NONE }
}

/** The snapshot over prepared data. Takes no time to speak of. */
export function openWatchlist(prepared: PreparedWatchlist): Watchlist {
  const { version, lists, addressesByTicker, index, wallets } = prepared
  return Object.freeze({
    version,
    lists: Object.freeze(lists.map((list) => Object.freeze(list))),
    addressesByTicker: Object.freeze(addressesByTicker),
    screenName: remember(createNameMatcher(index)),
    screenWallet: rememberLast((text: string) =>
      walletCandidates(text).flatMap((address) => wallets.get(address) ?? []),
    ),
    sieve: (entries: readonly EntryRef[]) => sieveOf(index, wallets, entries),
  })
}

/** Builds the snapshot in one go. */
export function buildWatchlist(loaded: readonly LoadedList[]): Watchlist {
  return openWatchlist(prepareWatchlist(loaded))
}

/** The same lists, known to be current at other times. The names and wallets are shared. */
export function confirmWatchlist(
  watchlist: Watchlist,
  confirm: (list: ListSummary) => Pick<ListSummary, 'loadedAt' | 'source'>,
): Watchlist {
  const lists = watchlist.lists.map((list) => Object.freeze({ ...list, ...confirm(list) }))
  return Object.freeze({ ...watchlist, lists: Object.freeze(lists) })
}

function shortHash(contentHash: string): string {
  return contentHash.slice(contentHash.indexOf(':') + 1).slice(0, VERSION_HASH_LENGTH)
}

function summarise({ entries, ...list }: LoadedList): ListSummary {
  const { names, addresses } = countList(entries)
  return { ...list, entries: entries.length, names, addresses }
}

function indexWallets(
  entries: readonly WatchlistEntry[],
): ReadonlyMap<string, readonly WalletMatch[]> {
  const byAddress = new Map<string, WalletMatch[]>()
  for (const entry of entries) {
    const ofEntry = new Map<string, { matchedAddress: string; tickers: string[] }>()
    for (const { ticker, address } of entry.addresses) {
      const canonical = readWallet(address).canonical
      const listed = ofEntry.get(canonical) ?? { matchedAddress: address, tickers: [] }
      if (!listed.tickers.includes(ticker)) listed.tickers.push(ticker)
      ofEntry.set(canonical, listed)
    }
    for (const [canonical, listed] of ofEntry) {
      const { list, entryId, primaryName } = entry
      const match = Object.freeze({ list, entryId, primaryName, ...listed })
      byAddress.set(canonical, [...(byAddress.get(canonical) ?? []), match])
    }
  }
  return byAddress
}

/**
 * Keeps the answers for the names asked last; the oldest leaves first. An answer depends on the
 * name alone.
 */
function remember(
  match: (name: string) => readonly NameMatch[],
): (name: string) => readonly NameMatch[] {
  const memo = new Map<string, readonly NameMatch[]>()
  return (name) => {
    const known = memo.get(name)
    if (known !== undefined) return known
    const matches = Object.freeze(match(name))
    if (name.length > MEMO_TEXT_LIMIT) return matches
    if (memo.size >= MEMO_LIMIT)
      for (const oldest of memo.keys()) {
        memo.delete(oldest)
        break
      }
    memo.set(name, matches)
    return matches
  }
}

/** Keeps the last answer: one wallet is asked for in each layer of lists in turn. */
function rememberLast(
  find: (text: string) => readonly WalletMatch[],
): (text: string) => readonly WalletMatch[] {
  let last: string | undefined
  let matches: readonly WalletMatch[] = NONE
  return (text) => {
    if (text === last) return matches
    matches = Object.freeze(find(text))
    last = text
    return matches
  }
}
