import { editDistance } from '../words/edit-distance.ts'
import { isBareFiller } from '../words/filler-words.ts'
import { eachValue, hashText, slotOf, valueIn } from '../words/int-multimap.ts'
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
import type { WordContext } from '../words/word-evidence.ts'
import {
  CONSONANT_KEY_LENGTH,
  consonantHashOf,
  eachDeletion,
  listedTraits,
  toleratesEdits,
} from '../words/word-table.ts'
import { isUnlike } from '../words/word-profile.ts'
import type { WordTraits } from '../words/word-traits.ts'

/** Scratch for one index, by name. Look-ups do not overlap. */
export interface CandidateScratch {
  /** `STRIDE` numbers for each name, side by side, because they are needed at once. */
  readonly sums: Float32Array
  /** Which names were touched, and what is expected of each of them. */
  readonly touched: Int32Array
  readonly promise: Float32Array
}

/**
 * Of each name: the sum of what it shares with the query; the last word of the query that was
 * counted, so that two spellings of one word count once; and its own weight.
 */
const STRIDE = 4
const LAST_WORD = 1
const WEIGHT = 2

/** Scratch that fits an index. */
export function candidateScratch(index: NameIndex): CandidateScratch {
  const names = index.nameText.length
  const sums = new Float32Array(names * STRIDE)
  for (let name = 0; name < names; name++)
    sums[name * STRIDE + WEIGHT] = index.nameAlignWeight[name]!
  return { sums, touched: new Int32Array(names), promise: new Float32Array(names) }
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
  const { sums, touched } = scratch
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
    const shared = weight * lead.similarity
    const end = index.postingStart[lead.word + 1]!
    for (let at = index.postingStart[lead.word]!; at < end; at++) {
      const row = index.postings[at]! * STRIDE
      if (sums[row] === 0) touched[count++] = row
      else if (sums[row + LAST_WORD] === lead.asked) continue
      sums[row + LAST_WORD] = lead.asked
      sums[row] = sums[row]! + shared
    }
  }
  return addSameConsonants(index, query, choose(query, scratch, count, passedOver))
}

/**
 * Keeps the names that could still reach a near match if everything not counted agreed, the most
 * promising first.
 */
function choose(
  query: NameQuery,
  scratch: CandidateScratch,
  count: number,
  passedOver: number,
): number[] {
  const { sums, touched, promise } = scratch
  let asked = 0
  for (let at = 0; at < query.similarWords; at++) asked += query.alignWeight[at]!
  steps.fill(0)
  let kept = 0
  for (let at = 0; at < count; at++) {
    const row = touched[at]!
    const shared = sums[row]! + passedOver
    sums[row] = 0
    const listed = sums[row + WEIGHT]!
    if (asked - listed > listed * LONGER_FACTOR + LONGER_WEIGHT) continue
    const expected = (Math.min(1, shared / listed) + Math.min(1, shared / asked)) / 2
    if (expected < NAME_REVIEW_SCORE - PROMISE_SLACK) continue
    touched[kept] = row / STRIDE
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
    const found: Finding = { index, query, asked, leads, words: [] }
    const own = query.ids[asked]!
    if (own >= 0) addLead(found, own, 1)
    if (query.traits[asked]!.filler || query.traits[asked]!.particle) continue
    addRelatives(found)
  }
  return leads.sort((a, b) => a.names - b.names || a.word - b.word || a.asked - b.asked)
}

/** The leads of one word of the query in the making. */
interface Finding {
  readonly index: NameIndex
  readonly query: NameQuery
  readonly asked: number
  readonly leads: Lead[]
  /** The listed words of the leads. */
  readonly words: number[]
}

/** Adds a listed word, unless it was added before. */
function addLead({ index, asked, leads, words }: Finding, word: number, similarity: number): void {
  const names = index.table.nameCount[word]!
  if (names === 0 || words.includes(word)) return
  words.push(word)
  leads.push({ asked, word, names, similarity })
}

/** Adds the listed words for which the word of the query may stand. */
function addRelatives(found: Finding): void {
  const { query, asked } = found
  const { table } = found.index
  const traits = query.traits[asked]!
  eachValue(table.bySkeleton, query.skeletonHash[asked]!, (id) => {
    addLead(found, id, 1)
  })
  for (const variant of VARIANT_GROUPS[traits.group] ?? []) {
    const id = table.ids.get(variant)
    if (id !== undefined) addLead(found, id, VARIANT_SIMILARITY)
  }
  const context = { person: true, unvocalised: query.unvocalised, homophonous: query.homophonous }
  if (toleratesEdits(traits)) addNeighbours(found, traits, context)
  if (traits.consonants.length >= CONSONANT_KEY_LENGTH)
    eachValue(table.byConsonants, hashText(traits.consonants), (id) => {
      addAlike(found, traits, id, context)
    })
  const next = query.words[asked + 1]
  const merged = next === undefined ? undefined : table.ids.get(query.words[asked]! + next)
  if (merged !== undefined) addLead(found, merged, 1)
}

/** Adds a listed word as far as there is evidence that it is the one of the query. */
function addAlike(found: Finding, traits: WordTraits, id: number, context: WordContext): void {
  if (found.words.includes(id)) return
  const { table } = found.index
  if (!context.unvocalised && isUnlike(table.profiles, id, traits)) return
  const evidence = wordEvidence(traits, listedTraits(table, id), context)
  if (evidence !== undefined) addLead(found, id, evidence.similarity)
}

/** Adds the words an edit or two away. Most are met under several of their forms. */
function addNeighbours(found: Finding, traits: WordTraits, context: WordContext): void {
  const { word } = traits
  const { byDeletion, words } = found.index.table
  const met: number[] = []
  eachDeletion(word, (hash) => {
    for (
      let slot = slotOf(byDeletion, hash);
      slot >= 0;
      slot = slotOf(byDeletion, hash, slot + 1)
    ) {
      const id = valueIn(byDeletion, slot)
      if (found.words.includes(id) || met.includes(id)) continue
      met.push(id)
      const listed = words[id]!
      const limit = toleratedEdits(Math.min(word.length, listed.length))
      if (editDistance(word, listed, limit) <= limit) addAlike(found, traits, id, context)
    }
  })
}
