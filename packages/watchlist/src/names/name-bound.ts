import { evidenceRow } from './name-evidence.ts'
import { hasMergedRun } from '../words/merged-words.ts'
import type { NameIndex } from './name-index.ts'
import type { NameQuery } from './name-query.ts'
import { BELOW, conflictWeight } from './name-score.ts'
import * as limits from '../thresholds.ts'
import { profileIsNumeral, profileIsPatronymic } from '../words/word-profile.ts'
import type { WordProfiles } from '../words/word-profile.ts'
import type { WordContext } from '../words/word-evidence.ts'

/** More than the rounding errors of a sum of weights, and of one that is kept in 32 bits. */
const ROUNDING = 1e-6
const SPARE_ROUNDING = 1e-3

/**
 * False when a listed name cannot score `least`, however its words are paired with those of the
 * query. Most candidates end here, before anything is paired.
 *
 * The bound is above every score that `scoreAlignment` gives: it takes the best evidence of each
 * listed word, whether or not another word needs the same one, and says nothing of a name of which
 * words in a row are one word of the query. So it changes what a look-up costs and never what it
 * finds.
 */
export function mayReach(
  index: NameIndex,
  query: NameQuery,
  name: number,
  context: WordContext,
  least: number,
): boolean {
  const start = index.nameStart[name]!
  const end = index.nameStart[name + 1]!
  if (mayAlign(index, query, name, context, least)) return true
  return end - start > 1 && hasMergedRun(query.traits, index, start, end, context)
}

/** The same for alignments in which each listed word stands for itself. */
function mayAlign(
  index: NameIndex,
  query: NameQuery,
  name: number,
  context: WordContext,
  least: number,
): boolean {
  const { table, nameWords } = index
  const end = index.nameStart[name + 1]!
  const spare = spareWeight(index, query, name, context, least)
  let missing = 0
  let asked = 0
  let matched = 0
  let whole = 0
  let openListed = 0
  let numbers = false
  let paired = end - index.nameStart[name]! === query.similarWords
  for (let at = index.nameStart[name]!; at < end; at++) {
    const id = nameWords[at]!
    const row = evidenceRow(index, query, id, context)
    const weight = table.alignWeight[id]!
    asked |= row.asked
    matched += weight * row.best
    whole += weight
    missing += weight * (1 - row.best)
    paired &&= row.best > 0
    if (query.numeral) numbers ||= profileIsNumeral(table.profiles, id, context.person)
    if (row.best === 0)
      openListed = Math.max(openListed, profileConflict(table.profiles, id, weight))
    const alone = !context.person && openListed <= limits.DISTINCTIVE_WEIGHT
    if (missing > spare && !paired && !alone) return false
  }
  // Names that differ in a number are scored without it.
  if (numbers && query.numeral) return true
  const open = openAsked(query, asked)
  // A letter wrong in a name that is all there is worth a look, whatever the word weighs.
  if (paired && open.weight === 0) return true
  // Common words beside the one distinctive word of an organisation cost it nothing.
  const shortened =
    matched + ROUNDING >= limits.DISTINCTIVE_WEIGHT && isAlone(openListed, open.conflict)
  if (!context.person && limits.SHORTENED_SCORE >= least && shortened) return true
  const conflict = Math.min(open.conflict, openListed) > limits.CONFLICT_WEIGHT
  if (conflict) return limits.NAME_REVIEW_SCORE - BELOW >= least
  const enough = Math.min(limits.ALIGNED_NATS, whole * table.nats * limits.ALIGNED_SHARE)
  if ((matched + ROUNDING) * table.nats < enough) return false
  const ofName = matched / whole
  const ofQuery = matched / (matched + open.weight)
  const lean = context.person ? limits.PERSON_LEAN : limits.OMISSION_LEAN
  const most = lean * Math.max(ofName, ofQuery) + (1 - lean) * Math.min(ofName, ofQuery)
  return most + ROUNDING >= least
}

/** What is left over on one side says little, and on the other nothing that is distinctive. */
const isAlone = (listed: number, asked: number): boolean =>
  listed <= limits.TELLING_WEIGHT
    ? asked <= limits.DISTINCTIVE_WEIGHT
    : listed <= limits.DISTINCTIVE_WEIGHT && asked <= limits.TELLING_WEIGHT

/**
 * The weight of a listed name that may be missing before nothing but merged words could still bring
 * it to `least`, even if every word of the query stood for one of its words. Infinite where other
 * rules than coverage may do so.
 */
function spareWeight(
  index: NameIndex,
  query: NameQuery,
  name: number,
  { person }: WordContext,
  least: number,
): number {
  if (query.numeral || least <= limits.NAME_REVIEW_SCORE - BELOW) return Infinity
  const lean = person ? limits.PERSON_LEAN : limits.OMISSION_LEAN
  return (index.nameAlignWeight[name]! * (1 - least)) / (1 - lean) + SPARE_ROUNDING
}

/** See `conflictWeight`. */
function profileConflict(profiles: WordProfiles, id: number, weight: number): number {
  if (profileIsNumeral(profiles, id, false)) return 0
  return profileIsPatronymic(profiles, id) ? Math.max(weight, 2 * limits.CONFLICT_WEIGHT) : weight
}

/** The words of the query for which no listed word stands. */
function openAsked(query: NameQuery, asked: number): { weight: number; conflict: number } {
  let weight = 0
  let conflict = 0
  for (let at = 0; at < query.similarWords; at++) {
    if ((asked >>> at) & 1) continue
    weight += query.alignWeight[at]!
    conflict = Math.max(conflict, conflictWeight(query.traits[at]!, query.alignWeight[at]!))
  }
  return { weight, conflict }
}
