import { editDistance, EDIT_WORD_LIMIT } from './edit-distance.ts'
import { bitsOf, VOWELS } from '../text/letter-mask.ts'
import { areOfOtherGender } from './gendered-names.ts'
import { areShortForms } from './name-variants.ts'
import { bareOf } from './sound.ts'
import { letterDistance, soundDistance } from './sound-distance.ts'
import * as limits from '../thresholds.ts'
import { letterLimit, SLIP_LETTERS } from './word-profile.ts'
import type { WordTraits } from './word-traits.ts'

/**
 * Why two words may be one, the most direct first. `merged` is words parted elsewhere, `number` one
 * number written in two ways, `variant` one given name in two languages or spellings, `sound` and
 * `consonants` what remains of a word when spelling or vowels are set aside.
 */
export const EVIDENCE_KINDS = [
  'same',
  'lookalike',
  'merged',
  'number',
  'variant',
  'sound',
  'spelling',
  'short form',
  'consonants',
  'initial',
] as const
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number]

/** How well one word stands for another, 0 to 1, and why. */
export interface WordEvidence {
  readonly kind: EvidenceKind
  readonly similarity: number
}

/** What surrounds a pair of words and decides how it is read. */
export interface WordContext {
  /** Initials and short forms are read in names of people only. */
  readonly person: boolean
  /** One side is written in a script without vowels, or with the vowels left out. */
  readonly unvocalised: boolean
  /**
   * Written in characters of which each says a whole syllable: a letter more is another character.
   */
  readonly homophonous: boolean
}

/** The evidence that a word is for itself. */
export const SAME: WordEvidence = { kind: 'same', similarity: 1 }
const NUMBER: WordEvidence = { kind: 'number', similarity: limits.NUMBER_SIMILARITY }
const VARIANT: WordEvidence = { kind: 'variant', similarity: limits.VARIANT_SIMILARITY }
const COUNTERPART: WordEvidence = { kind: 'variant', similarity: limits.COUNTERPART_SIMILARITY }
const CONSONANTS: WordEvidence = { kind: 'consonants', similarity: limits.CONSONANTS_SIMILARITY }
const SHORT_FORM: WordEvidence = { kind: 'short form', similarity: limits.SHORT_FORM_SIMILARITY }
const OTHER_GENDER: WordEvidence = {
  kind: 'spelling',
  similarity: limits.OTHER_GENDER_SIMILARITY,
}
const SOUND: WordEvidence = { kind: 'sound', similarity: limits.SOUND_SIMILARITY }
const FAR_SOUND: WordEvidence = { kind: 'sound', similarity: limits.FAR_SOUND_SIMILARITY }
const INITIAL: WordEvidence = { kind: 'initial', similarity: limits.INITIAL_SIMILARITY }

/** The best evidence that two words are one, or undefined when there is none worth the name. */
export function wordEvidence(
  a: WordTraits,
  b: WordTraits,
  context: WordContext,
): WordEvidence | undefined {
  if (a.word === b.word) return SAME
  if (a.number >= 0 && b.number >= 0) return a.number === b.number ? NUMBER : undefined
  if (a.hasDigit || b.hasDigit) return undefined
  if (a.word.length === 1 || b.word.length === 1)
    return a.word[0] === b.word[0] ? INITIAL : undefined
  if (a.filler || b.filler) return slipEvidence(a, b)
  if (a.group >= 0 && a.group === b.group) return variantEvidence(a, b)
  if (context.person && a.hasShortForms && b.hasShortForms && areShortForms(a.word, b.word))
    return SHORT_FORM
  if (a.particle && b.particle) return undefined
  if (a.sound === b.sound && a.sound.length > 2) return soundEvidence(a, b)
  if (a.vowelless !== b.vowelless && sameButVowels(a, b) && bareOf(a.word) === bareOf(b.word))
    return CONSONANTS
  if (context.unvocalised) {
    const bare = consonantEvidence(a, b)
    if (bare !== undefined) return bare
  }
  return context.homophonous ? undefined : spellingEvidence(a, b, context)
}

/** False when the letters alone rule out that two words differ in their vowels only. */
function sameButVowels(a: WordTraits, b: WordTraits): boolean {
  return ((a.letters ^ b.letters) & ~VOWELS) === 0
}

/** A form or title with a letter wrong. */
function slipEvidence(a: WordTraits, b: WordTraits): WordEvidence | undefined {
  if (a.filler && b.filler) return undefined
  const shorter = Math.min(a.word.length, b.word.length)
  const longer = Math.max(a.word.length, b.word.length)
  if (shorter < SLIP_LETTERS || longer > 20 || editDistance(a.word, b.word, 1) > 1) return undefined
  return { kind: 'spelling', similarity: 1 - 1 / longer }
}

/** `Mohamed` for `Muhammad`, which sound alike; `Joseph` for `Yusuf`, which only mean one name. */
function variantEvidence(a: WordTraits, b: WordTraits): WordEvidence {
  const longer = Math.max(a.sound.length, b.sound.length)
  const alike = longer <= EDIT_WORD_LIMIT && soundDistance(a.sound, b.sound) <= 3 * longer
  return alike ? VARIANT : COUNTERPART
}

/** `Nikolai` for `Nikolay`; less for `Cimatron` and `Symmetron`, which are spelt far apart. */
function soundEvidence(a: WordTraits, b: WordTraits): WordEvidence {
  const longer = Math.max(a.word.length, b.word.length)
  const near = longer <= EDIT_WORD_LIMIT
  return near && soundDistance(a.word, b.word) <= limits.soundSlack(longer) ? SOUND : FAR_SOUND
}

function consonantEvidence(a: WordTraits, b: WordTraits): WordEvidence | undefined {
  const longer = Math.max(a.consonants.length, b.consonants.length)
  if (longer < 2 || longer > EDIT_WORD_LIMIT) return undefined
  if (Math.abs(a.consonants.length - b.consonants.length) > 2) return undefined
  const tolerated = (limits.CONSONANTS_SIMILARITY - limits.LEAST_SIMILARITY) * Math.max(longer, 3)
  const distance = soundDistance(a.consonants, b.consonants, 10 * tolerated + 1) / 10
  // `Hamidi` is not `Hamid`: a final i is written in every script.
  const nisba = /[iy]$/.test(a.word) === /[iy]$/.test(b.word) ? 0 : limits.NISBA_PENALTY
  const short = longer < 3 ? limits.FEW_CONSONANTS_PENALTY : 0
  const similarity = limits.CONSONANTS_SIMILARITY - distance / Math.max(longer, 3) - nisba - short
  return similarity >= limits.LEAST_SIMILARITY ? { kind: 'consonants', similarity } : undefined
}

function spellingEvidence(
  a: WordTraits,
  b: WordTraits,
  context: WordContext,
): WordEvidence | undefined {
  const shorter = Math.min(a.word.length, b.word.length)
  const longer = Math.max(a.word.length, b.word.length)
  if (longer > EDIT_WORD_LIMIT || longer - shorter > 4) return undefined
  if (bitsOf(a.letters ^ b.letters) > letterLimit(longer)) return undefined
  // An abbreviation is right or wrong.
  if (shorter < 4 && !(hasVowel(a) && hasVowel(b))) return undefined
  if (context.person && areOfOtherGender(a.word, b.word)) return OTHER_GENDER
  if (isPlural(a.word, b.word) || isPlural(b.word, a.word)) return SOUND
  // Two words that are both known, and not as one, are two words, however alike.
  if (a.atLarge > 0 && b.atLarge > 0) return undefined
  if (a.group >= 0 && b.group >= 0) return undefined
  const onset = beginsOtherwise(a, b) ? limits.ONSET_PENALTY : 0
  const most = limits.toleratedDistance(longer)
  const spelt = soundDistance(a.word, b.word, 10 * (most - onset)) / 10 + onset
  if (spelt > most) return undefined
  const sounded = soundDistance(a.sound, b.sound) / 10 + onset
  const ending = context.person ? sharedEnding(a.word, b.word) : 0
  const similarity = Math.max(
    1 - spelt / (longer - ending),
    Math.min(
      limits.SOUND_SIMILARITY,
      1 - sounded / Math.max(a.sound.length - ending, b.sound.length - ending, 3),
    ),
  )
  if (similarity < limits.LEAST_SIMILARITY) return undefined
  return { kind: 'spelling', similarity }
}

/** Letters of a family-name ending that both words have: it tells nobody from another. */
function sharedEnding(a: string, b: string): number {
  const ending = FAMILY_ENDING.exec(a)?.[0]
  return ending !== undefined && b.endsWith(ending) ? ending.length : 0
}

const FAMILY_ENDING =
  /(?<=...)(?:dottir|shvili|sson|enko|[oe]vich|[oe]vna|yan|zadeh|oglu|poulos|wicz)$/

function beginsOtherwise(a: WordTraits, b: WordTraits): boolean {
  if (a.word[0] === b.word[1] && a.word[1] === b.word[0]) return false
  return letterDistance(a.sound, b.sound) >= 10
}

function hasVowel({ letters }: WordTraits): boolean {
  return (letters & VOWELS) !== 0
}

function isPlural(one: string, many: string): boolean {
  if (one.length < 4 || !many.endsWith('s')) return false
  if (many.length === one.length + 1) return many.startsWith(one)
  return many.length === one.length + 2 && one.endsWith('y') && many === `${one.slice(0, -1)}ies`
}
