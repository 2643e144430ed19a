import { SANCTIONS_LISTS } from '../entry.ts'
import type { WatchlistEntry } from '../entry.ts'
import { addPair, buildMultimap, hashText, mixHash, noPairs } from '../words/int-multimap.ts'
import type { IntMultimap, IntPairs } from '../words/int-multimap.ts'
import { namesWithin } from './names-within.ts'
import { normalise, wordsOf } from '../text/normalize.ts'
import { isUnvocalised } from '../text/transliterate.ts'
import { buildWordTable } from '../words/word-table.ts'
import type { WordTable } from '../words/word-table.ts'

/**
 * All names of all entries, numbered from 0, in flat arrays: per name its entry, its words and its
 * weight, and one multimap for each way to find it. Names of lists that are compared exactly are
 * found through `byWords` only.
 */
export interface NameIndex {
  readonly entries: readonly WatchlistEntry[]
  readonly table: WordTable
  readonly nameText: readonly string[]
  readonly nameEntry: Int32Array
  readonly nameIsWeak: Uint8Array
  readonly nameIsSimilar: Uint8Array
  readonly nameIsPerson: Uint8Array
  /** Written in a script without vowels. */
  readonly nameIsUnvocalised: Uint8Array
  /**
   * How many of its words a name may begin with, in the published cycle: `LAST, First` is also
   * `First LAST`.
   */
  readonly nameTurns: Uint8Array
  /** Sum of the weights of the name's words. */
  readonly nameWeight: Float32Array
  /** Sum of what its words weigh in an alignment. */
  readonly nameAlignWeight: Float32Array
  /** Words of name `n` are `nameWords[nameStart[n] .. nameStart[n + 1]]`. */
  readonly nameWords: Int32Array
  readonly nameStart: Int32Array
  readonly longestName: number
  /** Names under the sum of their words' hashes: any order. */
  readonly byWords: IntMultimap
  /** Names under the hash of their letters without spaces, once for each turn. */
  readonly byLetters: IntMultimap
  /** Names under the sum of their words' skeleton hashes. */
  readonly bySkeleton: IntMultimap
  /** Names under the sum of their words' consonant hashes. */
  readonly byConsonants: IntMultimap
  /** Names of word `w` are `postings[postingStart[w] .. postingStart[w + 1]]`. */
  readonly postings: Int32Array
  readonly postingStart: Int32Array
}

/** Hash of a numbered word, of which sums are taken. */
export function hashOfWord(id: number): number {
  return mixHash(id + 1)
}

/** Persons' names of more words than this are joined in published order only. */
const TURNED_WORDS = 12

interface Draft {
  readonly words: string[]
  readonly ids: Map<string, number>
  readonly texts: string[]
  readonly entries: number[]
  readonly weak: number[]
  readonly similar: number[]
  readonly unvocalised: number[]
  readonly turns: number[]
  readonly nameWords: number[]
  readonly starts: number[]
}

/**
 * Indexes the names of all entries, once each per entry and quality. Names that fold to nothing are
 * left out.
 */
export function buildNameIndex(entries: readonly WatchlistEntry[]): NameIndex {
  const draft = draftNames(entries)
  const { postings, postingStart, nameCount, similarNames } = post(draft)
  const table = buildWordTable(draft.words, draft.ids, nameCount, similarNames)
  const starts = Int32Array.from(draft.starts)
  const nameWords = Int32Array.from(draft.nameWords)
  const nameWeight = new Float32Array(draft.texts.length)
  const nameAlignWeight = new Float32Array(draft.texts.length)
  const maps = { words: noPairs(), letters: noPairs(), skeleton: noPairs(), consonants: noPairs() }
  let longestName = 1
  for (let name = 0; name < draft.texts.length; name++) {
    const ids = nameWords.subarray(starts[name], starts[name + 1])
    longestName = Math.max(longestName, ids.length)
    for (const id of ids) {
      nameWeight[name] = nameWeight[name]! + table.weight[id]!
      nameAlignWeight[name] = nameAlignWeight[name]! + table.alignWeight[id]!
    }
    addName(name, ids, draft.turns[name]!, draft.similar[name] === 1, table, maps)
  }
  return {
    entries,
    table,
    nameText: draft.texts,
    nameEntry: Int32Array.from(draft.entries),
    nameIsWeak: Uint8Array.from(draft.weak),
    nameIsSimilar: Uint8Array.from(draft.similar),
    nameIsPerson: Uint8Array.from(draft.entries, (at) =>
      Number(entries[at]!.type === 'individual'),
    ),
    nameTurns: Uint8Array.from(draft.turns),
    nameIsUnvocalised: Uint8Array.from(draft.unvocalised),
    nameWeight,
    nameAlignWeight,
    nameWords,
    nameStart: starts,
    longestName,
    byWords: buildMultimap(maps.words),
    byLetters: buildMultimap(maps.letters),
    bySkeleton: buildMultimap(maps.skeleton),
    byConsonants: buildMultimap(maps.consonants),
    postings,
    postingStart,
  }
}

function draftNames(entries: readonly WatchlistEntry[]): Draft {
  const draft: Draft = {
    words: [],
    ids: new Map(),
    texts: [],
    entries: [],
    weak: [],
    similar: [],
    unvocalised: [],
    turns: [],
    nameWords: [],
    starts: [0],
  }
  entries.forEach((entry, at) => {
    const seen = new Set<string>()
    const strong = entry.aliases.filter(({ quality }) => quality === 'strong')
    const weak = entry.aliases.filter(({ quality }) => quality === 'weak')
    const names = [entry.primaryName, ...strong.map(({ name }) => name)]
    for (const name of names) addDraft(draft, entry, at, name, 0, seen)
    for (const { name } of weak) addDraft(draft, entry, at, name, 1, seen)
    if (entry.type === 'individual')
      for (const name of names.flatMap(namesWithin)) addDraft(draft, entry, at, name, 0, seen)
  })
  return draft
}

function addDraft(
  draft: Draft,
  entry: WatchlistEntry,
  at: number,
  name: string,
  weak: 0 | 1,
  seen: Set<string>,
): void {
  const form = normalise(name)
  if (form === '' || seen.has(form)) return
  seen.add(form)
  const words = wordsOf(form)
  for (const word of words) {
    let id = draft.ids.get(word)
    if (id === undefined) {
      id = draft.words.push(word) - 1
      draft.ids.set(word, id)
    }
    draft.nameWords.push(id)
  }
  draft.starts.push(draft.nameWords.length)
  draft.texts.push(name)
  draft.entries.push(at)
  draft.weak.push(weak)
  draft.similar.push(SANCTIONS_LISTS[entry.list].names === 'similar' ? 1 : 0)
  draft.unvocalised.push(isUnvocalised(name) ? 1 : 0)
  draft.turns.push(entry.type === 'individual' && words.length <= TURNED_WORDS ? words.length : 1)
}

/** Which names each word stands on, each name once. */
function post(
  draft: Draft,
): Pick<NameIndex, 'postings' | 'postingStart'> & { nameCount: Int32Array; similarNames: number } {
  const nameCount = new Int32Array(draft.words.length)
  let similarNames = 0
  eachSimilarWord(draft, (word) => (nameCount[word] = nameCount[word]! + 1))
  for (const similar of draft.similar) similarNames += similar
  const postingStart = new Int32Array(draft.words.length + 1)
  for (let word = 0; word < nameCount.length; word++)
    postingStart[word + 1] = postingStart[word]! + nameCount[word]!
  const next = postingStart.slice()
  const postings = new Int32Array(postingStart[nameCount.length]!)
  eachSimilarWord(draft, (word, name) => {
    const slot = next[word]!
    next[word] = slot + 1
    postings[slot] = name
  })
  return { postings, postingStart, nameCount, similarNames }
}

function eachSimilarWord(draft: Draft, visit: (word: number, name: number) => void): void {
  const lastName = new Int32Array(draft.words.length).fill(-1)
  for (let name = 0; name < draft.texts.length; name++) {
    if (draft.similar[name] === 0) continue
    for (let at = draft.starts[name]!; at < draft.starts[name + 1]!; at++) {
      const word = draft.nameWords[at]!
      if (lastName[word] === name) continue
      lastName[word] = name
      visit(word, name)
    }
  }
}

function addName(
  name: number,
  ids: Int32Array,
  turns: number,
  similar: boolean,
  table: WordTable,
  maps: { words: IntPairs; letters: IntPairs; skeleton: IntPairs; consonants: IntPairs },
): void {
  let sum = 0
  let skeletonSum = 0
  let consonantSum = 0
  let bareSum = 0
  for (const id of ids) {
    sum = (sum + hashOfWord(id)) >>> 0
    skeletonSum = (skeletonSum + table.skeletonHash[id]!) >>> 0
    consonantSum = (consonantSum + table.consonantHash[id]!) >>> 0
    bareSum = (bareSum + table.bareHash[id]!) >>> 0
  }
  addPair(maps.words, sum, name)
  if (!similar) return
  addPair(maps.skeleton, skeletonSum, name)
  addPair(maps.consonants, consonantSum, name)
  if (bareSum !== consonantSum) addPair(maps.consonants, bareSum, name)
  for (let turn = 0; turn < turns; turn++)
    addPair(maps.letters, hashLetters(ids, turn, table), name)
}

function hashLetters(ids: Int32Array, from: number, table: WordTable): number {
  let hash: number | undefined
  for (let at = 0; at < ids.length; at++) {
    hash = hashText(table.words[ids[(from + at) % ids.length]!]!, hash)
  }
  return hash ?? 0
}
