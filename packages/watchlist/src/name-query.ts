import { latinLook, lettersForDigits, skeletonOf } from './confusables.ts'
import { isFiller } from './filler-words.ts'
import { hashText, mixHash } from './int-multimap.ts'
import { normalise, wordsOf } from './normalize.ts'
import { SIMILAR_WORD_LIMIT } from './thresholds.ts'
import { unescapeName } from './unescape.ts'
import { wordWeight } from './word-table.ts'
import type { WordTable } from './word-table.ts'

/**
 * A name that is asked for, read against the words of the lists. Arrays run parallel to `words`.
 */
export interface NameQuery {
  readonly words: readonly string[]
  /** Number of the word in the table, or -1. */
  readonly ids: Int32Array
  readonly weight: Float32Array
  readonly skeletonHash: Uint32Array
  /** The words without filler at both ends: `words[coreStart .. coreEnd]`. */
  readonly coreStart: number
  readonly coreEnd: number
  /**
   * Written with letters of another script or digits inside words: a look-alike is then no
   * accident.
   */
  readonly disguised: boolean
  /** How many words, from the first, are compared by similarity. */
  readonly similarWords: number
}

/**
 * The readings of a name: its normal form, and, when signs inside words stand for letters (`S@m`),
 * the form with letters in their place. Empty when there is nothing to compare.
 */
export function readNameQuery(table: WordTable, text: string): NameQuery[] {
  const plain = unescapeName(text)
  const form = normalise(plain)
  if (form === '') return []
  const look = latinLook(plain)
  const words = wordsOf(form)
  const lookWords = wordsOf(look)
  const disguised = look !== form || /[a-z][0-9]|[0-9][a-z]/.test(form)
  const sameWords = words.length === lookWords.length
  const readings = [readWords(table, words, sameWords ? lookWords : words, disguised)]
  if (!sameWords) readings.push(readWords(table, lookWords, lookWords, true))
  // Where digits stand for letters, a word may be all digits: `BL3ND3R.10`.
  if (disguised && lookWords.some(isNumber)) {
    const letters = lookWords.map((word) => (isNumber(word) ? lettersForDigits(word) : word))
    readings.push(readWords(table, letters, letters, true))
  }
  return readings
}

function isNumber(word: string): boolean {
  return /^[0-9]{1,12}$/.test(word)
}

function readWords(
  table: WordTable,
  words: readonly string[],
  looks: readonly string[],
  disguised: boolean,
): NameQuery {
  const ids = new Int32Array(words.length)
  const weight = new Float32Array(words.length)
  const skeletonHash = new Uint32Array(words.length)
  words.forEach((word, at) => {
    const id = table.ids.get(word) ?? -1
    ids[at] = id
    weight[at] = id < 0 ? wordWeight(word, 1, table.nats) : table.weight[id]!
    skeletonHash[at] = mixHash(hashText(skeletonOf(looks[at]!)))
  })
  let coreStart = 0
  let coreEnd = words.length
  while (coreStart < coreEnd && isFiller(words[coreStart]!)) coreStart++
  while (coreEnd > coreStart && isFiller(words[coreEnd - 1]!)) coreEnd--
  if (coreStart === coreEnd) {
    coreStart = 0
    coreEnd = words.length
  }
  const similarWords = Math.min(words.length, SIMILAR_WORD_LIMIT)
  return { words, ids, weight, skeletonHash, coreStart, coreEnd, disguised, similarWords }
}
