import { latinLook, skeletonOf, textsForDigits, withoutMasks } from '../text/confusables.ts'
import {
  isBareFiller,
  isFiller,
  isMisspeltForm,
  isOrganisationForm,
  isShortBareFiller,
} from '../words/filler-words.ts'
import type { EvidenceRow } from './evidence-row.ts'
import { hashText, mixHash } from '../words/int-multimap.ts'
import { normalise, signsOf, wordsOf, writtenWordsOf } from '../text/normalize.ts'
import { ALIGNED_FILLER_WEIGHT, MEMO_TEXT_LIMIT, SIMILAR_WORD_LIMIT } from '../thresholds.ts'
import { soundsAbroad } from '../text/sounds-abroad.ts'
import { nameInAddress, partsWithin } from '../text/text-parts.ts'
import { isForeign, isUnvocalised } from '../text/transliterate.ts'
import { unescapeName } from '../lists/unescape.ts'
import { runsOf } from '../words/word-runs.ts'
import type { WordRun } from '../words/word-runs.ts'
import { traitsOf } from '../words/word-traits.ts'
import type { WordTraits } from '../words/word-traits.ts'
import { alignedWeight, listedTraits } from '../words/word-table.ts'
import type { WordTable } from '../words/word-table.ts'

/**
 * A name that is asked for, read against the words of the lists. Arrays run parallel to `words`.
 */
export interface NameQuery {
  readonly words: readonly string[]
  /** Number of the word in the table, or -1. */
  readonly ids: Int32Array
  readonly skeletonHash: Uint32Array
  /** What the word weighs in an alignment. */
  readonly alignWeight: Float32Array
  /** Of the first `similarWords` words. */
  readonly traits: readonly WordTraits[]
  /** Written in a script without vowels. */
  readonly unvocalised: boolean
  /** Written in characters of which many share a reading. */
  readonly homophonous: boolean
  /**
   * The text itself when it is written in signs for syllables, which romanisation tells apart
   * badly; else undefined.
   */
  readonly signs: string | undefined
  /** Of such a text: which written word each word is a syllable of. */
  readonly syllableOf: readonly number[] | undefined
  /** Written in another script: the same sound may be spelt in many ways. */
  readonly romanised: boolean
  /** Holds a word that only an organisation's name holds. */
  readonly organisation: boolean
  /** The text read backwards: only whole names are looked for. */
  readonly reversed: boolean
  /** A part of the text that stands for a name by itself. */
  readonly part: boolean
  /** What signs for syllables sound like, in another language than they are read in. */
  readonly heard: boolean
  /** Numbers are read as letters on no other ground: only whole names are looked for. */
  readonly guessed: boolean
  /** Letters of other scripts make words that look otherwise than they read. */
  readonly foreign: boolean
  /** Words mix letters of several alphabets, which only a disguise does. */
  readonly mixed: boolean
  /** One of them writes a number. */
  readonly numeral: boolean
  /** Words of `traits` that follow each other, two or three at a time. */
  readonly runs: readonly WordRun[]
  /** Evidence found so far for the words of the query and a listed word; see `evidenceRow`. */
  readonly rows: Map<number, EvidenceRow>
  /** The words without filler at both ends: `words[coreStart .. coreEnd]`. */
  readonly coreStart: number
  readonly coreEnd: number
  /** Written letter by letter, with spaces between. */
  readonly speltOut: boolean
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
  const look = latinLook(plain, form)
  const words = wordsOf(form)
  const lookWords = wordsOf(look)
  const disguised = look !== form || /[a-z][0-9]|[0-9][a-z]/.test(form)
  const script = {
    reversed: false,
    part: false,
    heard: false,
    guessed: false,
    disguised,
    foreign: look !== form && FOREIGN.test(plain),
    mixed: MIXED.test(plain),
    unvocalised: isUnvocalised(plain),
    homophonous: HAN.test(plain),
    romanised: isForeign(plain),
    signs: SYLLABIC.test(plain) ? signsOf(plain) : undefined,
    syllableOf: undefined,
  }
  const sameWords = words.length === lookWords.length
  const syllableOf = syllablesOf(plain)
  const readings = [
    readWords(table, words, sameWords ? lookWords : words, { ...script, syllableOf }),
  ]
  if (!sameWords)
    readings.push(readWords(table, lookWords, lookWords, { ...script, disguised: true }))
  // Where digits stand for letters, a word may be all digits: `BL3ND3R.10`.
  if (lookWords.some(isNumber) && plain.length <= MEMO_TEXT_LIMIT)
    for (const spelt of textsForDigits(plain)) {
      // By their looks: what is read out of digits is never the name itself.
      const letters = wordsOf(latinLook(spelt, normalise(spelt))).map(skeletonOf)
      const guessed = !disguised
      readings.push(readWords(table, letters, letters, { ...script, disguised, guessed }))
    }
  for (const letters of withoutDigits(words))
    readings.push(readWords(table, letters, letters, { ...script, guessed: true }))
  for (const heard of soundsAbroad(plain).map(wordsOf)) {
    const sounds = { ...script, heard: true, homophonous: false, signs: signsOf(plain) }
    readings.push(readWords(table, heard, heard, sounds))
  }
  const unmasked = withoutMasks(plain.slice(0, MEMO_TEXT_LIMIT))
  if (unmasked !== undefined) {
    const letters = wordsOf(normalise(unmasked))
    readings.push(readWords(table, letters, letters, { ...script, disguised: true }))
  }
  const addressed = nameInAddress(plain.slice(0, MEMO_TEXT_LIMIT))
  const parts = addressed === undefined ? [] : [wordsOf(normalise(addressed))]
  for (const part of [...parts, ...partsWithin(words)])
    readings.push(readWords(table, part, part, { ...script, part: true }))
  const backwards = readBackwards(table, plain)
  if (backwards !== undefined)
    readings.push(readWords(table, backwards, backwards, { ...script, reversed: true }))
  return readings
}

/** See `NameQuery`; not for what is longer than a name. */
const syllablesOf = (text: string): number[] | undefined =>
  text.length <= MEMO_TEXT_LIMIT && SYLLABIC.test(text) ? writtenWordsOf(text) : undefined

/**
 * The words without the digits that stand beside or between their letters (`Vlad7imir2`), and with
 * the words parted there (`Vladimir1952Putin`). None where too few letters remain to say a name.
 */
function withoutDigits(words: readonly string[]): string[][] {
  const text = words.join(' ')
  if (text.length > MEMO_TEXT_LIMIT || !DIGIT_IN_WORD.test(text)) return []
  const left = text.replace(/(?<=\p{L})[0-9]+|[0-9]+(?=\p{L})/gu, '')
  const parted = text.replace(/(?<=\p{L})[0-9]+(?=\p{L})/gu, ' ')
  return [...new Set([left, parted])]
    .filter((one) => one !== text && one.length >= DIGITLESS_LETTERS)
    .map(wordsOf)
}

const DIGIT_IN_WORD = /\p{L}[0-9]|[0-9]\p{L}/u
/** Fewer letters beside digits are a code: `MS13`. */
const DIGITLESS_LETTERS = 8

/** The words of the text read from its end, when the lists know them all. */
function readBackwards(table: WordTable, text: string): string[] | undefined {
  if (text.length < REVERSED_LETTERS || text.length > MEMO_TEXT_LIMIT) return undefined
  const words = wordsOf(normalise([...text].reverse().join('')))
  return words.length > 0 && words.every((word) => table.ids.has(word)) ? words : undefined
}

/**
 * A word that looks like a misspelt form and stands on more names than this is a word of its own.
 */
const SLIP_NAMES = 2

/** Shorter text reads as something else backwards too often. */
const REVERSED_LETTERS = 5

/**
 * A word that mixes Latin letters with those of another alphabet, or letters of Macedonian with
 * those of its neighbours: no language does.
 */
const LIKE_LATIN =
  '\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Armenian}\\p{Script=Cherokee}\\p{Script=Lisu}'
const MIXED = new RegExp(
  '[\\u0455\\u0405]\\S*[іІыЫ]|[іІыЫ]\\S*[\\u0455\\u0405]|' +
    `[A-Za-z][${LIKE_LATIN}]|[${LIKE_LATIN}][A-Za-z]`,
  'u',
)
const FOREIGN = new RegExp(`[${LIKE_LATIN}]`, 'u')
const HAN = /\p{Script=Han}/u
const SYLLABIC = /[\p{Script=Han}\uac00-\ud7a3]/u

function isNumber(word: string): boolean {
  return /^[0-9]{1,12}$/.test(word)
}

interface Script {
  readonly reversed: boolean
  readonly part: boolean
  readonly heard: boolean
  readonly guessed: boolean
  readonly foreign: boolean
  readonly mixed: boolean
  readonly disguised: boolean
  readonly unvocalised: boolean
  readonly homophonous: boolean
  readonly romanised: boolean
  readonly signs: string | undefined
  readonly syllableOf: readonly number[] | undefined
}

function readWords(
  table: WordTable,
  words: readonly string[],
  looks: readonly string[],
  script: Script,
): NameQuery {
  const ids = new Int32Array(words.length)
  const alignWeight = new Float32Array(words.length)
  const skeletonHash = new Uint32Array(words.length)
  const similarWords = Math.min(words.length, SIMILAR_WORD_LIMIT)
  const traits: WordTraits[] = []
  words.forEach((word, at) => {
    const id = table.ids.get(word) ?? -1
    ids[at] = id
    skeletonHash[at] = mixHash(hashText(skeletonOf(looks[at]!)))
    if (at >= similarWords) return
    const own = id < 0 ? traitsOf(word) : listedTraits(table, id)
    traits.push(own)
    const weight = id < 0 || table.nameCount[id] === 0 ? 1 : table.weight[id]!
    alignWeight[at] = weightOfWord(table, own, id, weight)
  })
  if (isBare(traits))
    traits.forEach(({ word }, at) => {
      if (isShortBareFiller(word)) alignWeight[at] = ALIGNED_FILLER_WEIGHT
    })
  return {
    words,
    ids,
    alignWeight,
    skeletonHash,
    ...script,
    ...coreOf(words),
    traits,
    numeral: traits.some(({ hasDigit, number }) => hasDigit || number > 0),
    runs: runsOf(traits),
    organisation: words.some(isOrganisationForm),
    speltOut: words.every((word) => word.length === 1),
    rows: new Map(),
    similarWords,
  }
}

function weightOfWord(table: WordTable, traits: WordTraits, id: number, weight: number): number {
  const { word, vowelless } = traits
  const rare = id < 0 || table.nameCount[id]! <= SLIP_NAMES
  const slip = rare && ((vowelless && isBareFiller(word)) || isMisspeltForm(word))
  return slip ? ALIGNED_FILLER_WEIGHT : alignedWeight(traits, weight, table.nats)
}

/** Written without vowels, all of it: `TH LBRTN OF PLSTN`. */
function isBare(traits: readonly WordTraits[]): boolean {
  let bare = 0
  for (const { word, vowelless, filler, particle } of traits) {
    if (vowelless && word.length >= BARE_LETTERS) bare++
    else if (!vowelless && !filler && !particle && word.length > 1) return false
  }
  return bare >= BARE_WORDS
}

/** So many words of so many letters are no abbreviations. */
const BARE_WORDS = 2
const BARE_LETTERS = 3

/** Where the words without filler at both ends begin and end; all of them if all are filler. */
function coreOf(words: readonly string[]): Pick<NameQuery, 'coreStart' | 'coreEnd'> {
  let coreStart = 0
  let coreEnd = words.length
  while (coreStart < coreEnd && isFiller(words[coreStart]!)) coreStart++
  while (coreEnd > coreStart && isFiller(words[coreEnd - 1]!)) coreEnd--
  return coreStart < coreEnd ? { coreStart, coreEnd } : { coreStart: 0, coreEnd: words.length }
}
