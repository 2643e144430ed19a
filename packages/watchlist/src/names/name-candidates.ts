import { editDistance } from '../words/edit-distance.ts'
import { isBareFiller } from '../words/filler-words.ts'
import { eachValue, hashText } from '../words/int-multimap.ts'
import type { NameIndex } from './name-index.ts'
import type { NameQuery } from './name-query.ts'
import { VARIANT_GROUPS } from '../words/name-variants.ts'
import { bareOf } from '../words/sound.ts'
import {
  ALIGNMENT_LIMIT,
  NAME_REVIEW_SCORE,
  POSTING_LIMIT,
  toleratedEdits,
  VARIANT_SIMILARITY,
} from '../thresholds.ts'
import { wordEvidence } from '../words/word-evidence.ts'
import {
  CONSONANT_KEY_LENGTH,
  consonantHashOf,
  eachDeletion,
  listedTraits,
  toleratesEdits,
} from '../words/word-table.ts'
import type { WordTraits } from '../words/word-traits.ts'

/** Scratch for one index: a sum per name, and which names were touched. Look-ups do not overlap. */
export interface CandidateScratch {
  readonly sum: Float32Array
  readonly touched: Int32Array
  /** What is expected of each of the names touched. */
  readonly promise: Float32Array
  /**
   * The last word of the query counted for a name, so that two spellings of one word count once.
   */
  readonly lastWord: Int32Array
}

/** Scratch that fits an index. */
export function candidateScratch(index: NameIndex): CandidateScratch {
  const names = index.nameText.length
  return {
    sum: new Float32Array(names),
    touched: new Int32Array(names),
    promise: new Float32Array(names),
    lastWord: new Int32Array(names),
  }
}

/** One word of the query with a listed word that it may stand for. */
interface Lead {
  readonly asked: number
  readonly word: number
  readonly names: number
  /** How well the listed word stands for the one asked for. */
  readonly similarity: number
}

/**
 * Names worth aligning with the query: those that share its rarest words, or words one letter away,
 * or words that look alike. Rare words come first, so that the bound on names visited costs only
 * what says little.
 */
export function findCandidates(
  index: NameIndex,
  query: NameQuery,
  scratch: CandidateScratch,
): number[] {
  const leads = findLeads(index, query)
  const { sum, touched, lastWord } = scratch
  let count = 0
  let visited = 0
  let passedOver = 0
  for (const lead of leads) {
    if (visited + lead.names > POSTING_LIMIT) {
      passedOver += index.table.alignWeight[lead.word]!
      continue
    }
    visited += lead.names
    const weight = index.table.alignWeight[lead.word]!
    const end = index.postingStart[lead.word + 1]!
    for (let at = index.postingStart[lead.word]!; at < end; at++) {
      const name = index.postings[at]!
      if (sum[name] === 0) {
        touched[count++] = name
        lastWord[name] = -1
      }
      if (lastWord[name] === lead.asked) continue
      lastWord[name] = lead.asked
      sum[name] = sum[name]! + weight * lead.similarity
    }
  }
  return addSameConsonants(index, query, choose(index, query, scratch, count, passedOver))
}

/**
 * Keeps the names that could still reach a near match if everything not counted agreed, the most
 * promising first.
 */
function choose(
  index: NameIndex,
  query: NameQuery,
  scratch: CandidateScratch,
  count: number,
  passedOver: number,
): number[] {
  const { sum, touched, promise } = scratch
  let asked = 0
  for (let at = 0; at < query.similarWords; at++) asked += query.alignWeight[at]!
  steps.fill(0)
  let kept = 0
  for (let at = 0; at < count; at++) {
    const name = touched[at]!
    const shared = sum[name]! + passedOver
    sum[name] = 0
    const listed = index.nameAlignWeight[name]!
    if (asked - listed > listed * LONGER_FACTOR + LONGER_WEIGHT) continue
    const expected = (Math.min(1, shared / listed) + Math.min(1, shared / asked)) / 2
    if (expected < NAME_REVIEW_SCORE - PROMISE_SLACK) continue
    touched[kept] = name
    promise[kept++] = expected
    const step = Math.floor(expected * STEPS)
    steps[step] = steps[step]! + 1
  }
  return mostPromising(scratch, kept)
}

/** The names of the most promise among the first `kept` touched, at most `ALIGNMENT_LIMIT`. */
function mostPromising({ touched, promise }: CandidateScratch, kept: number): number[] {
  if (kept <= ALIGNMENT_LIMIT) return Array.from(touched.subarray(0, kept))
  // Thousands are not sorted to keep a hundred: all below a step fall away first.
  let step = STEPS
  for (let above = steps[step]!; above < ALIGNMENT_LIMIT;) above += steps[--step]!
  const chosen: number[] = []
  for (let at = 0; at < kept; at++) if (promise[at]! * STEPS >= step) chosen.push(at)
  if (chosen.length > ALIGNMENT_LIMIT)
    chosen.sort((a, b) => promise[b]! - promise[a]! || touched[a]! - touched[b]!)
  return chosen.slice(0, ALIGNMENT_LIMIT).map((at) => touched[at]!)
}

/** How many names are expected to score so much, in steps of a hundredth and a bit. */
const STEPS = 128
const steps = new Int32Array(STEPS + 1)

/**
 * A query that outweighs a listed name by this much has too many words of its own to come near it,
 * whatever agrees. Names that stand whole in a long text are found without candidates.
 */
const LONGER_FACTOR = 1.5
const LONGER_WEIGHT = 1

/**
 * Words that agree only by merging, by an initial or by two letters add to a score without being
 * counted here.
 */
const PROMISE_SLACK = 0.5

/** Adds the names that have the consonants of the query and other vowels, or none. */
function addSameConsonants(index: NameIndex, query: NameQuery, chosen: number[]): number[] {
  let sum = 0
  let bareSum = 0
  let letters = 0
  for (const traits of query.traits) {
    const { word, consonants } = traits
    sum = (sum + consonantHashOf(traits, consonants)) >>> 0
    if (!isBareFiller(word)) bareSum = (bareSum + consonantHashOf(traits, bareOf(word))) >>> 0
    letters += consonants.length
  }
  if (letters < SAME_CONSONANTS || query.similarWords < query.words.length) return chosen
  const known = new Set(chosen)
  const add = (name: number) => {
    if (known.size < 2 * ALIGNMENT_LIMIT) known.add(name)
  }
  eachValue(index.byConsonants, sum, add)
  if (bareSum !== sum) eachValue(index.byConsonants, bareSum, add)
  return [...known]
}

/** Fewer consonants than this stand in too many names. */
const SAME_CONSONANTS = 4

function findLeads(index: NameIndex, query: NameQuery): Lead[] {
  const leads: Lead[] = []
  for (let asked = 0; asked < query.similarWords; asked++) {
    const seen = new Set<number>()
    const add = (word: number, similarity: number) => {
      const names = index.table.nameCount[word]!
      if (names === 0 || seen.has(word)) return
      seen.add(word)
      leads.push({ asked, word, names, similarity })
    }
    if (query.ids[asked]! >= 0) add(query.ids[asked]!, 1)
    if (query.traits[asked]!.filler || query.traits[asked]!.particle) continue
    eachRelative(index, query, asked, add)
  }
  return leads.sort((a, b) => a.names - b.names || a.word - b.word || a.asked - b.asked)
}

/** Listed words for which a word of the query may stand. */
function eachRelative(
  index: NameIndex,
  query: NameQuery,
  asked: number,
  add: (word: number, similarity: number) => void,
): void {
  const { table } = index
  const traits = query.traits[asked]!
  eachValue(table.bySkeleton, query.skeletonHash[asked]!, (id) => add(id, 1))
  for (const variant of VARIANT_GROUPS[traits.group] ?? []) {
    const id = table.ids.get(variant)
    if (id !== undefined) add(id, VARIANT_SIMILARITY)
  }
  const context = { person: true, unvocalised: query.unvocalised, homophonous: query.homophonous }
  const weigh = (id: number) => {
    const evidence = wordEvidence(traits, listedTraits(table, id), context)
    if (evidence !== undefined) add(id, evidence.similarity)
  }
  eachNeighbour(index, traits, weigh)
  if (traits.consonants.length >= CONSONANT_KEY_LENGTH)
    eachValue(table.byConsonants, hashText(traits.consonants), weigh)
  const next = query.words[asked + 1]
  const merged = next === undefined ? undefined : table.ids.get(query.words[asked]! + next)
  if (merged !== undefined) add(merged, 1)
}

function eachNeighbour(index: NameIndex, traits: WordTraits, add: (id: number) => void): void {
  if (!toleratesEdits(traits)) return
  const { word } = traits
  const { byDeletion, words } = index.table
  eachDeletion(word, (hash) =>
    eachValue(byDeletion, hash, (id) => {
      const listed = words[id]!
      const limit = toleratedEdits(Math.min(word.length, listed.length))
      if (editDistance(word, listed, limit) <= limit) add(id)
    }),
  )
}
