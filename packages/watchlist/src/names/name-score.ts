import { editDistance, EDIT_WORD_LIMIT } from '../words/edit-distance.ts'
import type { AlignedPart, Alignment } from './alignment.ts'
import type { NameIndex } from './name-index.ts'
import type { NameMethod } from './name-method.ts'
import type { NameQuery } from './name-query.ts'
import { slipScore } from './name-slip.ts'
import { wordsOfName } from './name-windows.ts'
import * as limits from '../thresholds.ts'
import { isDescriptive } from '../words/descriptive-words.ts'
import { listedTraits } from '../words/word-table.ts'
import type { WordTraits } from '../words/word-traits.ts'

/** Just below a threshold: evidence that must not reach it by itself. */
export const BELOW = 0.01

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
  /** Weight of the numbers left over on each side. */
  readonly numberAsked: number
  readonly numberListed: number
  /** The name says who the father is and the query does not: `Sergei Ivanov` is a common name. */
  readonly fatherLeft: boolean
  /** Telling words that are matched. */
  readonly telling: number
  /** Distinctive words that are matched, and how well the best of them is. */
  readonly distinctive: number
  readonly bestDistinctive: number
  /**
   * Of the telling words that are matched: the least similarity, and how many letters they have.
   */
  readonly leastSimilarity: number
  readonly letters: number
  /** The same as listed, where `letters` is the shorter of listed and asked. */
  readonly listedLetters: number
  /** Consonants are all the evidence there is for one of them. */
  readonly bare: boolean
  /** Sound is all the evidence there is for one of them. */
  readonly sounded: boolean
  /** One of them stands on many names at large. */
  readonly common: boolean
  /**
   * Whether the rest, such as the organisation form, is the same, is on one side only, or differs.
   */
  readonly otherwise: 'same' | 'one-sided' | 'differs'
  /** Edits, up to two, between the telling words that are matched. */
  readonly edits: number
}

/**
 * The score of an alignment, 0 to 1: how much of the name and of the query is matched, by weight,
 * held below a threshold where the evidence is of a kind that must not reach it. 0 when they share
 * too little to say anything.
 */
export function scoreAlignment(index: NameIndex, query: NameQuery, alignment: Alignment): number {
  const score = scoreOfSums(index, query, alignment, addUp(index, query, alignment))
  return score < limits.NAME_BLOCK_SCORE
    ? Math.max(score, slipScore(index, query, alignment))
    : score
}

function scoreOfSums(index: NameIndex, query: NameQuery, alignment: Alignment, sums: Sums): number {
  const nats = index.table.nats
  if (isShortened(index, query, alignment, sums)) return limits.SHORTENED_SCORE
  if (sums.matched * nats < Math.min(limits.ALIGNED_NATS, sums.name * nats * limits.ALIGNED_SHARE))
    return 0
  const series = isSeries(sums)
  const name = series ? sums.name - sums.numberListed : sums.name
  const ofName = sums.matched / name
  const unmatched = series ? sums.unmatchedAsked - sums.numberAsked : sums.unmatchedAsked
  const ofQuery = sums.matched / (sums.paired + unmatched)
  const entityLean =
    sums.leftAsked < limits.TELLING_WEIGHT ? limits.OMISSION_LEAN : limits.ENTITY_LEAN
  const lean = alignment.person ? limits.PERSON_LEAN : entityLean
  const score = lean * Math.max(ofName, ofQuery) + (1 - lean) * Math.min(ofName, ofQuery)
  return Math.min(score, ceilingOf(index, query, alignment, sums)) - mismatchOf(query, alignment)
}

const addUp = (index: NameIndex, query: NameQuery, alignment: Alignment): Sums => ({
  ...sumsOfParts(index, query, alignment),
  ...sumsOfListed(index, alignment),
  ...sumsOfAsked(query, alignment),
  otherwise: otherwiseOf(alignment),
})

/** What the words that stand for each other come to. */
function sumsOfParts(index: NameIndex, query: NameQuery, alignment: Alignment) {
  const words = wordsOfName(index, alignment.name)
  let matched = 0
  let paired = 0
  let telling = 0
  let distinctive = 0
  let bestDistinctive = 0
  let leastSimilarity = 1
  let letters = 0
  let listedLetters = 0
  let bare = false
  let sounded = false
  let common = false
  let edits = 0
  for (const { asked, listed, kind, similarity } of alignment.parts) {
    const lengths = asked.reduce((sum, at) => sum + query.words[at]!.length, 0)
    for (const at of listed) {
      const weight = index.table.alignWeight[words[at]!]!
      matched += weight * similarity
      paired += weight
      if (weight > limits.TELLING_WEIGHT) {
        telling++
        if (kind !== 'variant') leastSimilarity = Math.min(leastSimilarity, similarity)
        const word = index.table.words[words[at]!]!
        letters += Math.min(word.length, lengths)
        listedLetters += word.length
        bare ||= kind === 'consonants'
        sounded ||= kind === 'sound'
        common ||= listedTraits(index.table, words[at]!).atLarge > 0
        if (similarity < 1 && asked.length === 1 && listed.length === 1)
          edits += editsBetween(query.words[asked[0]!]!, word)
      }
      if (weight > limits.DISTINCTIVE_WEIGHT) {
        distinctive++
        bestDistinctive = Math.max(bestDistinctive, similarity)
      }
    }
  }
  const letterSums = { leastSimilarity, letters, listedLetters, bare, sounded, common, edits }
  return { matched, paired, telling, distinctive, bestDistinctive, ...letterSums }
}

/** What the listed name holds, and what of it nothing stands for. */
function sumsOfListed(index: NameIndex, alignment: Alignment) {
  let name = 0
  let leftListed = 0
  let numberListed = 0
  let fatherLeft = false
  wordsOfName(index, alignment.name).forEach((id, at) => {
    const weight = index.table.alignWeight[id]!
    name += weight
    if (alignment.listedTaken[at] === 1) return
    const traits = listedTraits(index.table, id)
    leftListed = Math.max(leftListed, conflictWeight(traits, weight))
    fatherLeft ||= traits.patronymic
    if (isNumeral(traits, alignment.person)) numberListed += weight
  })
  return { name, leftListed, numberListed, fatherLeft }
}

/** What of the query stands for nothing. */
function sumsOfAsked(query: NameQuery, alignment: Alignment) {
  let unmatchedAsked = 0
  let leftAsked = 0
  let numberAsked = 0
  for (let at = 0; at < query.similarWords; at++) {
    if (alignment.askedTaken[at] === 1) continue
    unmatchedAsked += query.alignWeight[at]!
    leftAsked = Math.max(leftAsked, conflictWeight(query.traits[at]!, query.alignWeight[at]!))
    if (isNumeral(query.traits[at]!, alignment.person)) numberAsked += query.alignWeight[at]!
  }
  return { unmatchedAsked, leftAsked, numberAsked }
}

function otherwiseOf({ askedTaken, listedTaken }: Alignment): Sums['otherwise'] {
  const open = listedTaken.includes(0)
  const strange = askedTaken.includes(0)
  if (open && strange) return 'differs'
  return open || strange ? 'one-sided' : 'same'
}

/** Names that differ in their number and share enough for one series. */
function isSeries(sums: Sums): boolean {
  return sums.numberAsked > 0 && sums.numberListed > 0 && sums.telling >= limits.SERIES_WORDS
}

/** What a word left over weighs against one on the other side: fathers tell people apart. */
export function conflictWeight(traits: WordTraits, weight: number): number {
  if (traits.hasDigit || traits.number > 0) return 0
  return traits.patronymic ? Math.max(weight, 2 * limits.CONFLICT_WEIGHT) : weight
}

/** True for a word that is a number; in a person's name a numeral is rather an initial. */
export function isNumeral({ hasDigit, number }: WordTraits, person: boolean): boolean {
  return hasDigit || (number > 0 && !person)
}

function editsBetween(a: string, b: string): number {
  return Math.max(a.length, b.length) > EDIT_WORD_LIMIT ? 2 : editDistance(a, b, 1)
}

function ceilingOf(index: NameIndex, query: NameQuery, alignment: Alignment, sums: Sums): number {
  const { parts } = alignment
  let ceiling = query.homophonous ? limits.NAME_BLOCK_SCORE - BELOW : 1
  for (const part of parts) {
    const { kind, similarity } = part
    const indirect = kind === 'consonants' || kind === 'initial' || kind === 'short form'
    if (
      indirect ||
      similarity < limits.DISTANT_SIMILARITY ||
      isShortName(index, query, alignment, part)
    )
      ceiling = Math.min(ceiling, limits.NAME_BLOCK_SCORE - BELOW)
  }
  // Plant 5 is not Plant 6; a number left out is for a person to judge.
  if (sums.numberAsked > 0 && sums.numberListed > 0)
    ceiling = isSeries(sums) ? limits.SERIES_SCORE : limits.NAME_REVIEW_SCORE - BELOW
  else if (sums.numberAsked + sums.numberListed > 0)
    ceiling = Math.min(ceiling, limits.NAME_BLOCK_SCORE - BELOW)
  if (sums.fatherLeft) ceiling = Math.min(ceiling, limits.NAME_BLOCK_SCORE - BELOW)
  // Each side has a word that the other lacks: another party, however much else they share.
  if (Math.min(sums.leftAsked, sums.leftListed) > limits.CONFLICT_WEIGHT)
    return Math.min(ceiling, limits.NAME_REVIEW_SCORE - BELOW)
  return Math.min(ceiling, oneWordCeiling(query, alignment, sums))
}

/** `Jane` for `Janet`: a letter makes another given name of a short one. */
function isShortName(
  index: NameIndex,
  query: NameQuery,
  { name, person }: Alignment,
  { asked, listed, kind }: AlignedPart,
): boolean {
  if (!person || kind !== 'spelling') return false
  const word = index.table.words[wordsOfName(index, name)[listed[0]!]!]!
  return Math.min(query.words[asked[0]!]!.length, word.length) <= limits.SHORT_NAME_LETTERS
}

/**
 * One telling word shared is enough only when there is no other on either side, and it is spelt as
 * listed or long.
 */
function oneWordCeiling({ romanised }: NameQuery, alignment: Alignment, sums: Sums): number {
  const clear = limits.NAME_REVIEW_SCORE - BELOW
  if (sums.telling <= 1) {
    if (Math.max(sums.leftAsked, sums.leftListed) > limits.CONFLICT_WEIGHT) return clear
    // `Trading` or `Bank` between other forms: a word of many names is no name.
    if (sums.distinctive === 0 && sums.common && sums.otherwise !== 'same')
      return sums.otherwise === 'differs' ? clear : limits.NEAR_MATCH_SCORE
    // An abbreviation with another organisation form is another organisation.
    if (sums.leastSimilarity === 1)
      return sums.letters < 4 && sums.otherwise === 'differs' ? clear : 1
    if (sums.numberListed + sums.numberAsked > 0) return clear
    if (sums.bare)
      return sums.letters >= limits.BARE_ONE_WORD_LETTERS ? limits.NEAR_MATCH_SCORE : clear
    if (sums.sounded && sums.letters >= limits.SOUNDED_ONE_WORD_LETTERS)
      if (romanised || sums.otherwise === 'same') return limits.NEAR_MATCH_SCORE
    if (sums.edits > 1 && isNearlySpelt(sums)) return limits.NEAR_MATCH_SCORE
    if (sums.edits > 1 || sums.letters < limits.EDIT_ONE_WORD_LETTERS - 1) return clear
    if (sums.letters >= limits.BLOCK_ONE_WORD_LETTERS) return 1
    const whole = sums.otherwise === 'same' && sums.listedLetters >= limits.EDIT_ONE_WORD_LETTERS
    return whole ? limits.NEAR_MATCH_SCORE : clear
  }
  const least = alignment.person ? limits.ONE_FAMILY_NAME_SIMILARITY : limits.ONE_WORD_SIMILARITY
  return sums.distinctive === 1 && sums.bestDistinctive < least ? clear : 1
}

/** True for a word that may be added to an organisation's name or left out. */
const describes = ({ word, filler, particle }: WordTraits): boolean =>
  filler || particle || isDescriptive(word)

/**
 * `Sberbank of Russia` for `PJSC SBERBANK`: the one word of an organisation, and common ones beside
 * it. Ships are called by words of the dictionary, which stand in many names.
 */
function isShortened(
  index: NameIndex,
  query: NameQuery,
  { name, askedTaken, listedTaken }: Alignment,
  sums: Sums,
): boolean {
  if (index.entries[index.nameEntry[name]!]!.type !== 'entity') return false
  if (sums.distinctive !== 1 || sums.common) return false
  if (!askedTaken.includes(0) && isAbridged(sums)) return isBeginning(index, name, listedTaken)
  if (sums.matched < sums.paired || sums.telling !== 1 || sums.letters < limits.SHORTENED_LETTERS)
    return false
  if (sums.numberAsked + sums.numberListed > 0 || sums.leftListed > limits.TELLING_WEIGHT)
    return false
  if (sums.leftAsked <= limits.CONFLICT_WEIGHT) return false
  return askedTaken.every((taken, at) => taken === 1 || describes(query.traits[at]!))
}

/** True when what is left over of a name stands behind a word that is not, but for forms. */
function isBeginning(index: NameIndex, name: number, taken: Uint8Array): boolean {
  const weights = Array.from(wordsOfName(index, name), (id) => index.table.alignWeight[id]!)
  const telling = (at: number) => weights[at]! > limits.TELLING_WEIGHT
  const first = taken.findIndex((one, at) => one === 1 && telling(at))
  return taken.every((one, at) => one === 1 || at > first || !telling(at))
}

/**
 * `Celestite Inc` for `CELESTITE MARITIME INC.`: the distinctive word and nothing else, where the
 * list has words of many names behind it.
 */
function isAbridged(sums: Sums): boolean {
  if (sums.leftAsked > limits.TELLING_WEIGHT || sums.leftListed > limits.DISTINCTIVE_WEIGHT)
    return false
  if (sums.leastSimilarity < (sums.sounded ? limits.SOUND_SIMILARITY : 1)) return false
  return sums.letters >= limits.ABRIDGED_LETTERS && sums.numberAsked + sums.numberListed === 0
}

/** `Hezbollah` for `Hizballah`: a long word, and only letters that are taken for others differ. */
function isNearlySpelt({ letters, otherwise, leastSimilarity }: Sums): boolean {
  const enough = leastSimilarity >= limits.NEARLY_SPELT_SIMILARITY
  return enough && otherwise === 'same' && letters >= limits.BLOCK_ONE_WORD_LETTERS
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
