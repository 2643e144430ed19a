import { LIST_IDS } from '../entry.ts'
import type { EntryType, ListId, NameQuality } from '../entry.ts'
import { isDictionaryWord } from '../words/dictionary-words.ts'
import { isFiller, isLimitedCompany } from '../words/filler-words.ts'
import type { Alignment } from './alignment.ts'
import { alignName, contextOf } from './name-align.ts'
import { mayReach } from './name-bound.ts'
import { candidateScratch, findCandidates } from './name-candidates.ts'
import type { NameIndex } from './name-index.ts'
import { NAME_METHODS, type NameMethod } from './name-method.ts'
import { readNameQuery } from './name-query.ts'
import type { NameQuery } from './name-query.ts'
import { methodOf, scoreAlignment } from './name-score.ts'
import { isFormSlip } from './name-slip.ts'
import {
  eachNameInLetters,
  eachNameInSkeletons,
  eachNameInWords,
  inPublishedOrder,
  wordsOfName,
} from './name-windows.ts'
import { signsOf } from '../text/normalize.ts'
import * as limits from '../thresholds.ts'
import { listedTraits } from '../words/word-table.ts'

/** A listed party that a name may belong to, with the evidence. */
export interface NameMatch {
  readonly list: ListId
  readonly entryId: string
  readonly entryType: EntryType
  readonly primaryName: string
  /** The primary name or alias that matched, as published. */
  readonly matchedName: string
  /** Quality of `matchedName`; a primary name is strong. */
  readonly quality: NameQuality
  readonly method: NameMethod
  /** 0 to 1, three decimals. See `NAME_BLOCK_SCORE` and `NAME_REVIEW_SCORE`. */
  readonly score: number
}

/** A name found, by its number in the index. */
export interface Found {
  readonly name: number
  readonly method: NameMethod
  readonly score: number
}

/**
 * A matcher over one index: returns the matches of a name, strongest first, one for each listed
 * party.
 */
export function createNameMatcher(index: NameIndex): (text: string) => NameMatch[] {
  const scratch = candidateScratch(index)
  return (text) => {
    const candidates = (query: NameQuery) => findCandidates(index, query, scratch)
    return rank(index, [...findNames(index, text, candidates, limits.NAME_REVIEW_SCORE).values()])
  }
}

/**
 * The best found for each entry, at `least` or above: names that stand whole in the text, and the
 * candidates that align with it.
 */
export function findNames(
  index: NameIndex,
  text: string,
  candidates: (query: NameQuery) => readonly number[],
  least: number,
): Map<number, Found> {
  const best = new Map<number, Found>()
  const readings = readNameQuery(index.table, text)
  for (const query of readings) {
    const keep = (name: number, method: NameMethod, score: number) => {
      if (index.nameIsSimilar[name] === 0) {
        if (!query.part) keepBest(index, best, { name, method, score }, least)
        return
      }
      const part = query.part && method === 'exact'
      const most = mostFor(index, query, name)
      const held = Math.min(score, part ? limits.SURROUNDED_SCORE : 1, most)
      keepBest(index, best, { name, method: part ? 'substring' : method, score: held }, least)
    }
    if (query.reversed) {
      findReversed(index, query, keep)
      continue
    }
    findWhole(index, query, keep)
    if (query.guessed) continue
    for (const name of candidates(query)) {
      if (least > 0 && !mayReach(index, query, name, contextOf(index, query, name), least)) continue
      const alignment = alignName(index, query, name)
      if (halvesWrittenName(query, alignment)) continue
      const score = scoreAlignment(index, query, alignment)
      if (score < least) continue
      const firm = tells(index, name) || isFormSlip(index, alignment)
      const ceiling = firm ? 1 : limits.NEAR_MATCH_SCORE
      keep(name, methodOf(alignment), Math.min(score, ceiling, limits.ALIGNED_SCORE))
    }
  }
  return best
}

/** Many signs share a romanisation: the same letters are not yet the same name. */
function mostFor(index: NameIndex, query: NameQuery, name: number): number {
  const { signs, guessed } = query
  if (guessed) return limits.NEAR_MATCH_SCORE
  const same = signs === undefined || signs === signsOf(index.nameText[name]!)
  return same ? 1 : limits.NEAR_MATCH_SCORE
}

/** Written from right to left: a trick that a person should see. */
function findReversed(index: NameIndex, query: NameQuery, keep: Keep): void {
  const count = query.words.length
  eachNameInWords(index, query, (name, start, end) => {
    if (start === 0 && end === count) keep(name, 'edit_distance', limits.NEAR_MATCH_SCORE)
  })
}

type Keep = (name: number, method: NameMethod, score: number) => void

/**
 * Names that stand whole in the query, or are the query: word for word, letter for letter, or by
 * their looks.
 */
function findWhole(index: NameIndex, query: NameQuery, keep: Keep): void {
  const count = query.words.length
  eachNameInWords(index, query, (name, start, end) => {
    if (start > 0 || end < count)
      return keep(name, 'substring', insideScore(index, query, name, start, end))
    // What digits are taken out of, or is only heard, is not the name itself.
    const method = query.guessed || query.heard ? 'edit_distance' : 'exact'
    keep(name, method, inPublishedOrder(index, query, name, start) ? 1 : limits.REORDERED_SCORE)
  })
  const least = query.speltOut ? limits.DISGUISED_LETTERS : limits.LOOKALIKE_LETTERS
  eachNameInLetters(index, query, (name, start, end) => {
    const whole = start === 0 && end === count
    const blocks = lettersSuffice(index, name, whole, least)
    const ceiling = blocks ? limits.REJOINED_SCORE : limits.NEAR_MATCH_SCORE
    const inside = whole ? 1 : insideScore(index, query, name, start, end)
    keep(name, 'edit_distance', Math.min(ceiling, inside))
  })
  const disguise = query.foreign ? limits.FOREIGN_LETTERS : limits.DISGUISED_LETTERS
  eachNameInSkeletons(index, query, (name, start, end) => {
    const whole = start === 0 && end === count
    // Letters of several alphabets in one word: in a whole name two of them are enough.
    const mixed = query.mixed && (whole || lettersOf(index, name) >= limits.MIXED_LETTERS)
    const blocks = mixed || (query.disguised && lettersSuffice(index, name, whole, disguise))
    const ceiling = blocks ? limits.LOOKALIKE_SCORE : limits.NEAR_MATCH_SCORE
    const inside = whole ? 1 : insideScore(index, query, name, start, end)
    keep(name, 'homoglyph', Math.min(ceiling, inside))
  })
}

/** Score of a listed name that is only a part of the query. */
function insideScore(
  index: NameIndex,
  query: NameQuery,
  name: number,
  start: number,
  end: number,
): number {
  if (cutsWrittenName(query, start) || cutsWrittenName(query, end)) return 0
  const { type } = index.entries[index.nameEntry[name]!]!
  const nats = index.nameWeight[name]! * index.table.nats
  const words = tellingWords(index, name)
  if (hasFormsOnly(index, query, name, start, end)) return limits.SURROUNDED_SCORE
  if (start <= query.coreStart && end >= query.coreEnd) {
    if (tells(index, name)) return limits.SURROUNDED_SCORE
    return nats >= limits.SURROUNDED_NATS ? limits.NEAR_MATCH_SCORE : 0
  }
  if (words > 1 && nats >= limits.SUBSTRING_BLOCK_NATS) {
    // Two names of a person stand in many longer names of others; in a sentence they are meant.
    const personal = type === 'individual' && words === 2 && !isSentence(query, start, end)
    return personal ? limits.NEAR_MATCH_SCORE : limits.SUBSTRING_SCORE
  }
  if (words > 1 && nats >= limits.SUBSTRING_REVIEW_NATS) return limits.NEAR_MATCH_SCORE
  if (isGivenName(index, name)) return 0
  const alone = words === 1 && type === 'entity' && nats >= limits.SUBSTRING_WORD_NATS
  return alone && lettersOf(index, name) >= limits.SUBSTRING_WORD_LETTERS
    ? limits.NEAR_MATCH_SCORE
    : 0
}

/** Two or three signs written together are one name: `陳志宏` holds no `陳志`. */
function cutsWrittenName({ syllableOf, words }: NameQuery, at: number): boolean {
  if (syllableOf === undefined || at === 0 || at === words.length) return false
  return syllableOf[at - 1] === syllableOf[at] && isWrittenName(syllableOf, at)
}

/** Likewise a listed `CHEN, Zhi` is no `志宏 陳`, of whose given name it has one half. */
function halvesWrittenName({ syllableOf }: NameQuery, { askedTaken }: Alignment): boolean {
  return (
    syllableOf?.some(
      (written, at) =>
        askedTaken[at] === 0 &&
        isWrittenName(syllableOf, at) &&
        syllableOf.some((other, beside) => other === written && askedTaken[beside] === 1),
    ) ?? false
  )
}

const isWrittenName = (syllableOf: readonly number[], at: number): boolean =>
  syllableOf.filter((one) => one === syllableOf[at]).length <= limits.WRITTEN_NAME_SIGNS

/** A listed name, however short, with nothing more than the form of a small company: `ABC LLC`. */
function hasFormsOnly(
  index: NameIndex,
  query: NameQuery,
  name: number,
  start: number,
  end: number,
): boolean {
  const named = end - start >= limits.FORMS_ONLY_WORDS || tellingWords(index, name) > 0
  const inside = (at: number) => at >= start && at < end
  // `Phoenix GmbH` may be anybody; so may `Phoenix LLC`, but that is how a name is disguised.
  const form = isOfMany(index, name) ? (word: string) => word === 'llc' : isLimitedCompany
  return named && query.words.every((word, at) => inside(at) || form(word))
}

/** A name whose one telling word is one that businesses everywhere are called by. */
function isOfMany(index: NameIndex, name: number): boolean {
  const telling = tellingIds(index, name)
  return telling.length === 1 && isDictionaryWord(index.table.words[telling[0]!]!)
}

/** One word that people are called by: it stands in many names of others. */
function isGivenName(index: NameIndex, name: number): boolean {
  return [...wordsOfName(index, name)].every((id) => {
    const { group, atLarge, filler } = listedTraits(index.table, id)
    return filler || group >= 0 || atLarge > 0
  })
}

function isSentence(query: NameQuery, start: number, end: number): boolean {
  return query.words.some(
    (word, at) => (at < start || at >= end) && (isFiller(word) || /[0-9]/.test(word)),
  )
}

/**
 * True when a name says enough to block with filler around it: several telling words, or one of a
 * party and not short.
 */
function tells(index: NameIndex, name: number): boolean {
  if (tellingWords(index, name) > 1) return true
  if (isOfMany(index, name)) return false
  const { type } = index.entries[index.nameEntry[name]!]!
  if (type === 'vessel' || type === 'aircraft') return false
  const nats = index.nameWeight[name]! * index.table.nats
  return nats >= limits.SURROUNDED_NATS && lettersOf(index, name) >= limits.SURROUNDED_LETTERS
}

function tellingWords(index: NameIndex, name: number): number {
  return tellingIds(index, name).length
}

function tellingIds(index: NameIndex, name: number): number[] {
  return [...wordsOfName(index, name)].filter(
    (id) => index.table.weight[id]! > limits.FILLER_WEIGHT,
  )
}

function lettersOf(index: NameIndex, name: number): number {
  let letters = 0
  for (const id of wordsOfName(index, name)) {
    if (index.table.weight[id]! > limits.FILLER_WEIGHT) letters += index.table.words[id]!.length
  }
  return letters
}

/**
 * True when a name is too long for its letters to stand in a text by chance. A name that is all of
 * the text counts with its filler, and needs `least` letters only.
 */
function lettersSuffice(index: NameIndex, name: number, whole: boolean, least: number): boolean {
  const words = wordsOfName(index, name)
  const telling = lettersOf(index, name)
  if (whole) {
    let letters = 0
    for (const id of words) letters += index.table.words[id]!.length
    if (letters >= least) return true
  }
  const several = words.length > 1
  return telling >= (several ? limits.LOOKALIKE_LETTERS_IN_WORDS : limits.LOOKALIKE_LETTERS)
}

function keepBest(
  index: NameIndex,
  best: Map<number, Found>,
  { name, method, score: raw }: Found,
  least: number,
): void {
  if (method !== 'exact' && index.nameIsSimilar[name] === 0) return
  const score =
    Math.round((index.nameIsWeak[name] === 1 ? raw * limits.WEAK_ALIAS_FACTOR : raw) * 1000) / 1000
  if (score < least) return
  const entry = index.nameEntry[name]!
  const before = best.get(entry)
  if (before !== undefined && !isBetter({ name, method, score }, before)) return
  best.set(entry, { name, method, score })
}

function isBetter(found: Found, before: Found): boolean {
  if (found.score !== before.score) return found.score > before.score
  const order = NAME_METHODS.indexOf(found.method) - NAME_METHODS.indexOf(before.method)
  return order === 0 ? found.name < before.name : order < 0
}

function rank(index: NameIndex, found: readonly Found[]): NameMatch[] {
  const matches = found.map((one) => toMatch(index, one)).sort(compareMatches)
  const exact = matches.filter((match) => match.method === 'exact').length
  let others = limits.SIMILAR_MATCH_LIMIT
  if (matches.length <= exact + others) return matches
  return matches.filter((match) => match.method === 'exact' || others-- > 0)
}

function toMatch(index: NameIndex, { name, method, score }: Found): NameMatch {
  const entry = index.entries[index.nameEntry[name]!]!
  return Object.freeze({
    list: entry.list,
    entryId: entry.entryId,
    entryType: entry.type,
    primaryName: entry.primaryName,
    matchedName: index.nameText[name]!,
    quality: index.nameIsWeak[name] === 1 ? 'weak' : 'strong',
    method,
    score,
  })
}

function compareMatches(a: NameMatch, b: NameMatch): number {
  if (a.score !== b.score) return b.score - a.score
  if (a.list !== b.list) return LIST_IDS.indexOf(a.list) - LIST_IDS.indexOf(b.list)
  if (a.entryId !== b.entryId) return a.entryId < b.entryId ? -1 : 1
  return a.matchedName < b.matchedName ? -1 : 1
}
