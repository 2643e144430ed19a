import type { AlignedPart, Alignment } from './alignment.ts'
import type { NameIndex } from './name-index.ts'
import type { NameQuery } from './name-query.ts'
import { wordsOfName } from './name-windows.ts'
import * as limits from '../thresholds.ts'
import { editDistance, EDIT_WORD_LIMIT } from '../words/edit-distance.ts'
import { areOfOtherGender } from '../words/gendered-names.ts'
import { listedTraits } from '../words/word-table.ts'

/**
 * What a name scores at least that is the listed one word for word, but for one letter of one word:
 * worth a look, however much the word weighs, and even when it is another listed word by now. An
 * organisation with a long word in a spelling that no list has is that organisation. 0 for any
 * other alignment.
 */
export function slipScore(index: NameIndex, query: NameQuery, alignment: Alignment): number {
  const { askedTaken, listedTaken, parts, person } = alignment
  if (query.romanised || askedTaken.includes(0) || listedTaken.includes(0)) return 0
  const slip = onlyDifference(parts)
  if (slip === undefined) return 0
  const id = wordsOfName(index, alignment.name)[slip.listed[0]!]!
  const at = slip.asked[0]!
  const [asked, listed] = [query.words[at]!, index.table.words[id]!]
  if (listed.length < limits.EDIT_ONE_WORD_LETTERS || listed.length >= EDIT_WORD_LIMIT) return 0
  if (editDistance(asked, listed, 1) > 1 || (person && areOfOtherGender(asked, listed))) return 0
  if (person || isKnown(index, query, at)) return limits.NAME_REVIEW_SCORE
  const long = listed.length >= limits.BLOCK_ONE_WORD_LETTERS || isMiswritten(asked, listed)
  const blocks = long && listedTraits(index.table, id).atLarge === 0
  return blocks ? limits.NAME_BLOCK_SCORE : limits.NAME_REVIEW_SCORE
}

/** True when all that differs is a letter of a word that tells nobody apart: `LTS HODLING LTD`. */
export function isFormSlip(index: NameIndex, alignment: Alignment): boolean {
  if (alignment.askedTaken.includes(0) || alignment.listedTaken.includes(0)) return false
  const slip = onlyDifference(alignment.parts)
  if (slip === undefined) return false
  const id = wordsOfName(index, alignment.name)[slip.listed[0]!]!
  return listedTraits(index.table, id).filler
}

/** The one pair of words that are not the same; undefined when there are none or several. */
function onlyDifference(parts: readonly AlignedPart[]): AlignedPart | undefined {
  let slip: AlignedPart | undefined
  for (const part of parts) {
    if (part.kind === 'same') continue
    if (slip !== undefined || part.asked.length > 1 || part.listed.length > 1) return undefined
    slip = part
  }
  return slip
}

/** A word that a list has, or that everybody has, is rather itself. */
function isKnown({ table }: NameIndex, query: NameQuery, at: number): boolean {
  const id = query.ids[at]!
  return query.traits[at]!.atLarge > 0 || (id >= 0 && table.nameCount[id]! > 0)
}

/**
 * True for the same letters but for one doubled or a silent h. Two neighbours swapped are another
 * word too often: `Aramco` is not `ARMACO`.
 */
function isMiswritten(a: string, b: string): boolean {
  const plain = (word: string) => word.replace(/(.)\1/g, '$1').replaceAll('h', '')
  return plain(a) === plain(b)
}
