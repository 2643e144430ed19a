import { walletCandidates } from '@portcullis/protocol'
import type { WatchlistEntry } from '../entry.ts'
import { candidateScratch, findCandidates } from './name-candidates.ts'
import type { NameIndex } from './name-index.ts'
import { findNames } from './name-match.ts'
import { wordsOfName } from './name-windows.ts'
import { ALIGNMENT_LIMIT, NAME_REVIEW_SCORE } from '../thresholds.ts'
import {
  addPair,
  buildMultimap,
  type IntMultimap,
  keyIn,
  noPairs,
  slotsOf,
  valueIn,
} from '../words/int-multimap.ts'

/** What names an entry. */
export type EntryRef = Pick<WatchlistEntry, 'list' | 'entryId'>

/**
 * Whom some of the entries may concern. It says yes to every name and wallet that the whole
 * watchlist finds one of them for, and to few others: who passes is then looked up on all lists.
 */
export interface Sieve {
  readonly name: (text: string) => boolean
  readonly wallet: (text: string) => boolean
}

/**
 * The sieve over these entries of a snapshot. Words weigh what they weigh on all lists, so that a
 * name scores here what it scores there.
 */
export function sieveOf(
  index: NameIndex,
  wallets: ReadonlyMap<string, readonly EntryRef[]>,
  entries: readonly EntryRef[],
): Sieve {
  const wanted = Map.groupBy(entries, ({ list }) => list)
  const ids = new Map([...wanted].map(([list, of]) => [list, new Set(of.map(idOf))]))
  const wants = ({ list, entryId }: EntryRef) => ids.get(list)?.has(entryId) === true
  const addresses = new Set<string>()
  for (const [address, matches] of wallets) if (matches.some(wants)) addresses.add(address)
  const isWanted = index.entries.map(wants)
  const names: number[] = []
  for (let name = 0; name < index.nameEntry.length; name++)
    if (isWanted[index.nameEntry[name]!]!) names.push(name)
  return {
    name: names.length === 0 ? () => false : nameSieve(index, names),
    wallet: (text) =>
      addresses.size > 0 && walletCandidates(text).some((address) => addresses.has(address)),
  }
}

const idOf = ({ entryId }: EntryRef): string => entryId

/**
 * Names that share a word with the query are all aligned: the bounds on how many names a look-up
 * visits and aligns never cut here what they leave in on the whole lists.
 */
function nameSieve(index: NameIndex, names: readonly number[]): (text: string) => boolean {
  const scratch = candidateScratch(index)
  const own = only(index, names)
  const parts: NameIndex[] = []
  for (let at = 0; at < names.length; at += ALIGNMENT_LIMIT)
    parts.push(leading(own, names.slice(at, at + ALIGNMENT_LIMIT)))
  return (text) => {
    const candidates = (query: Parameters<typeof findCandidates>[1]) =>
      parts.flatMap((part) => findCandidates(part, query, scratch))
    return findNames(own, text, candidates, NAME_REVIEW_SCORE).size > 0
  }
}

/** The index with these names alone to be found; numbers and weights stay as they are. */
function only(index: NameIndex, names: readonly number[]): NameIndex {
  const { table } = index
  const isName = new Uint8Array(index.nameText.length)
  const isWord = new Uint8Array(table.words.length)
  for (const name of names) {
    isName[name] = 1
    for (const word of wordsOfName(index, name)) isWord[word] = 1
  }
  const ofNames = (map: IntMultimap) => filtered(map, isName)
  const ofWords = (map: IntMultimap) => filtered(map, isWord)
  return {
    ...index,
    byWords: ofNames(index.byWords),
    byLetters: ofNames(index.byLetters),
    bySkeleton: ofNames(index.bySkeleton),
    byConsonants: ofNames(index.byConsonants),
    table: {
      ...table,
      bySkeleton: ofWords(table.bySkeleton),
      byConsonants: ofWords(table.byConsonants),
      byDeletion: ofWords(table.byDeletion),
    },
  }
}

/** The same for candidates: whatever word a name shares with a query, it is a candidate. */
function leading(index: NameIndex, names: readonly number[]): NameIndex {
  const part = only(index, names)
  const nameCount = new Int32Array(index.table.words.length)
  const pairs: [word: number, name: number][] = []
  for (const name of names) {
    if (index.nameIsSimilar[name] === 0) continue
    for (const word of new Set(wordsOfName(index, name))) {
      pairs.push([word, name])
      nameCount[word] = nameCount[word]! + 1
    }
  }
  pairs.sort(([a, one], [b, other]) => a - b || one - other)
  const postingStart = new Int32Array(nameCount.length + 1)
  nameCount.forEach((count, word) => (postingStart[word + 1] = postingStart[word]! + count))
  const alignWeight = new Float32Array(nameCount.length).fill(ENOUGH_ALONE)
  const postings = Int32Array.from(pairs, ([, name]) => name)
  return { ...part, postings, postingStart, table: { ...part.table, nameCount, alignWeight } }
}

/** More than any name weighs. */
const ENOUGH_ALONE = 1e6

function filtered(map: IntMultimap, kept: Uint8Array): IntMultimap {
  const pairs = noPairs()
  for (let slot = 0; slot < slotsOf(map); slot++)
    if (kept[valueIn(map, slot)] === 1) addPair(pairs, keyIn(map, slot), valueIn(map, slot))
  return buildMultimap(pairs)
}
