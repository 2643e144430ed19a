import { evidenceRow } from './name-evidence.ts'
import { hasMergedRun } from '../words/merged-words.ts'
import type { NameIndex } from './name-index.ts'
import type { NameQuery } from './name-query.ts'
import { BELOW, conflictWeight, isNumeral } from './name-score.ts'
import * as limits from '../thresholds.ts'
import { listedTraits } from '../words/word-table.ts'
import type { WordContext } from '../words/word-evidence.ts'

/** More than the rounding errors of a sum of weights. */
const ROUNDING = 1e-6

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
  const { table, nameWords } = index
  const start = index.nameStart[name]!
  const end = index.nameStart[name + 1]!
  let asked = 0
  let matched = 0
  let whole = 0
  let openListed = 0
  let numbers = false
  let paired = end - start === query.similarWords
  for (let at = start; at < end; at++) {
    const id = nameWords[at]!
    const row = evidenceRow(index, query, id, context)
    const weight = table.alignWeight[id]!
    asked |= row.asked
    matched += weight * row.best
    whole += weight
    paired &&= row.best > 0
    if (row.best > 0 && !query.numeral) continue
    const word = listedTraits(table, id)
    numbers ||= isNumeral(word, context.person)
    if (row.best === 0) openListed = Math.max(openListed, conflictWeight(word, weight))
  }
  const open = openAsked(query, asked)
  // Names that differ in a number are scored without it.
  if (numbers && query.numeral) return true
  // A letter wrong in a name that is all there is worth a look, whatever the word weighs.
  if (paired && open.weight === 0) return true
  // Common words beside the one distinctive word of an organisation cost it nothing.
  if (!context.person && limits.SHORTENED_SCORE >= least && mayBeShortened()) return true
  const conflict = Math.min(open.conflict, openListed) > limits.CONFLICT_WEIGHT
  if (conflict ? limits.NAME_REVIEW_SCORE - BELOW >= least : reaches()) return true
  return end - start > 1 && hasMergedRun(query.traits, index, start, end, context)

  function mayBeShortened(): boolean {
    if (matched + ROUNDING < limits.DISTINCTIVE_WEIGHT) return false
    if (openListed <= limits.TELLING_WEIGHT) return open.conflict <= limits.DISTINCTIVE_WEIGHT
    return openListed <= limits.DISTINCTIVE_WEIGHT && open.conflict <= limits.TELLING_WEIGHT
  }

  function reaches(): boolean {
    const { nats } = index.table
    const enough = Math.min(limits.ALIGNED_NATS, whole * nats * limits.ALIGNED_SHARE)
    if ((matched + ROUNDING) * nats < enough) return false
    const ofName = matched / whole
    const ofQuery = matched / (matched + open.weight)
    const lean = context.person ? limits.PERSON_LEAN : limits.OMISSION_LEAN
    const most = lean * Math.max(ofName, ofQuery) + (1 - lean) * Math.min(ofName, ofQuery)
    return most + ROUNDING >= least
  }
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
