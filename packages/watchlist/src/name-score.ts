import type { Alignment } from './name-align.ts'
import type { NameIndex } from './name-index.ts'
import type { NameMethod } from './name-match.ts'
import type { NameQuery } from './name-query.ts'
import { wordsOfName } from './name-windows.ts'
import * as limits from './thresholds.ts'
import { listedTraits } from './word-table.ts'

/** Just below a threshold: evidence that must not reach it by itself. */
const BELOW = 0.01

/** What an alignment comes to. */
interface Sums {
  /** Weight of the name that is matched, lessened by what differs. */
  readonly matched: number
  /** The same in full: what would be matched if nothing differed. */
  readonly paired: number
  readonly name: number
  readonly unmatchedAsked: number
  /** Weight of the most telling word left over on each side. */
  readonly leftAsked: number
  readonly leftListed: number
  readonly numberAsked: boolean
  readonly numberListed: boolean
  /** Telling words that are matched. */
  readonly telling: number
  /** Distinctive words that are matched, and how well the best of them is. */
  readonly distinctive: number
  readonly bestDistinctive: number
}

/**
 * The score of an alignment, 0 to 1: how much of the name and of the query is matched, by weight,
 * held below a threshold where the evidence is of a kind that must not reach it. 0 when they share
 * too little to say anything.
 */
export function scoreAlignment(index: NameIndex, query: NameQuery, alignment: Alignment): number {
  const sums = addUp(index, query, alignment)
  const nats = index.table.nats
  if (sums.matched * nats < Math.min(limits.ALIGNED_NATS, sums.name * nats * 0.8)) return 0
  const ofName = sums.matched / sums.name
  const ofQuery = sums.matched / (sums.paired + sums.unmatchedAsked)
  const lean = alignment.person ? limits.PERSON_LEAN : limits.ENTITY_LEAN
  const score = lean * Math.max(ofName, ofQuery) + (1 - lean) * Math.min(ofName, ofQuery)
  return Math.min(score, ceilingOf(query, alignment, sums)) - mismatchOf(query, alignment)
}

function addUp(index: NameIndex, query: NameQuery, alignment: Alignment): Sums {
  const words = wordsOfName(index, alignment.name)
  const weightOf = (at: number) => index.table.alignWeight[words[at]!]!
  let matched = 0
  let paired = 0
  let telling = 0
  let distinctive = 0
  let bestDistinctive = 0
  for (const { listed, similarity } of alignment.parts) {
    for (const at of listed) {
      matched += weightOf(at) * similarity
      paired += weightOf(at)
      if (weightOf(at) > limits.TELLING_WEIGHT) telling++
      if (weightOf(at) > limits.DISTINCTIVE_WEIGHT) {
        distinctive++
        bestDistinctive = Math.max(bestDistinctive, similarity)
      }
    }
  }
  let name = 0
  let leftListed = 0
  let numberListed = false
  words.forEach((id, at) => {
    name += weightOf(at)
    if (alignment.listedTaken[at] === 1) return
    leftListed = Math.max(leftListed, weightOf(at))
    numberListed ||= listedTraits(index.table, id).hasDigit || (!alignment.person && listedTraits(index.table, id).number > 0)
  })
  let unmatchedAsked = 0
  let leftAsked = 0
  let numberAsked = false
  for (let at = 0; at < query.similarWords; at++) {
    if (alignment.askedTaken[at] === 1) continue
    unmatchedAsked += query.alignWeight[at]!
    leftAsked = Math.max(leftAsked, query.alignWeight[at]!)
    numberAsked ||= query.traits[at]!.hasDigit || (!alignment.person && query.traits[at]!.number > 0)
  }
  return { matched, paired, name, unmatchedAsked, leftAsked, leftListed, numberAsked, numberListed, telling, distinctive, bestDistinctive }
}

function ceilingOf(query: NameQuery, alignment: Alignment, sums: Sums): number {
  const { parts } = alignment
  let ceiling = query.homophonous ? limits.NAME_BLOCK_SCORE - BELOW : 1
  for (const { kind, similarity } of parts) {
    const indirect = kind === 'consonants' || kind === 'initial' || kind === 'short form'
    if (indirect || similarity < limits.DISTANT_SIMILARITY)
      ceiling = Math.min(ceiling, limits.NAME_BLOCK_SCORE - BELOW)
  }
  // Plant 5 is not Plant 6; a number left out is for a person to judge.
  if (sums.numberAsked && sums.numberListed) {
    const sibling = sums.telling >= limits.SERIES_WORDS
    return Math.min(ceiling, sibling ? limits.SERIES_SCORE : limits.NAME_REVIEW_SCORE - BELOW)
  }
  if (sums.numberAsked || sums.numberListed) ceiling = Math.min(ceiling, limits.NAME_BLOCK_SCORE - BELOW)
  // Each side has a word that the other lacks: another party, however much else they share.
  if (Math.min(sums.leftAsked, sums.leftListed) > limits.CONFLICT_WEIGHT)
    return Math.min(ceiling, limits.NAME_REVIEW_SCORE - BELOW)
  if (sums.distinctive === 1 && sums.bestDistinctive < limits.ONE_WORD_SIMILARITY)
    return Math.min(ceiling, limits.NAME_REVIEW_SCORE - BELOW)
  return ceiling
}

/** A company asked for is hardly the person listed. */
function mismatchOf(query: NameQuery, alignment: Alignment): number {
  return alignment.person && query.organisation ? limits.TYPE_MISMATCH : 0
}

/** The method of the specification under which an alignment is reported. */
export function methodOf({ parts, askedTaken, listedTaken }: Alignment): NameMethod {
  if (parts.some(({ kind }) => kind !== 'same' && kind !== 'lookalike')) return 'edit_distance'
  if (parts.some(({ kind }) => kind === 'lookalike')) return 'homoglyph'
  const whole = (taken: number) => taken === 1
  return askedTaken.every(whole) || listedTaken.every(whole) ? 'substring' : 'edit_distance'
}
