import { EDIT_WORD_LIMIT } from './edit-distance.ts'
import { bitsOf, VOWELS } from '../text/letter-mask.ts'
import { toleratedDistance, toleratedEdits } from '../thresholds.ts'
import { leastDistance } from './sound-distance.ts'
import type { WordTraits } from './word-traits.ts'

/**
 * What is needed to see at once that two words have nothing to do with each other: four numbers for
 * each listed word, side by side in one line of the processor's cache, so that hundreds of words
 * can be passed over without looking at one of them.
 */
export type WordProfiles = Int32Array

/**
 * Numbers of one profile: letters and flags; the hash of its sound; length, first letter, group and
 * more flags; the hash of its skeleton.
 */
const STRIDE = 4
const LETTERS = 0x3ffffff
/** Numbers and initials are compared in ways of their own. */
const PECULIAR = 1 << 26
const SHORT_FORM = 1 << 27
const FILLER = 1 << 28
const PARTICLE = 1 << 29
const LENGTH_BITS = 8
/** The length noted of words that are longer still. */
export const LONGEST = (1 << LENGTH_BITS) - 1
/** First letters of other scripts are 0, which sounds like every letter. */
const FIRST_BITS = 7
const GROUP_AT = LENGTH_BITS + FIRST_BITS
/** Room for 8,000 groups of names; there are some hundreds. */
const GROUP_BITS = 13
const GROUPS = (1 << GROUP_BITS) - 1
const DIGIT = 1 << (GROUP_AT + GROUP_BITS)
const NUMBER = DIGIT << 1
const PATRONYMIC = DIGIT << 2

/** Room for the profiles of so many words. */
export function profilesFor(words: number): WordProfiles {
  return new Int32Array(words * STRIDE)
}

/** Notes the profile of a word; `skeleton` is the hash of what it looks like. */
export function setProfile(
  profiles: WordProfiles,
  id: number,
  word: WordTraits,
  skeleton = 0,
): void {
  const kind = isPeculiar(word) ? PECULIAR : word.filler ? FILLER : 0
  const flags = (word.hasShortForms ? SHORT_FORM : 0) | (word.particle ? PARTICLE : 0)
  const first = word.word.charCodeAt(0)
  profiles[id * STRIDE] = word.letters | kind | flags
  profiles[id * STRIDE + 1] = word.soundHash
  profiles[id * STRIDE + 2] =
    Math.min(word.word.length, LONGEST) |
    ((first < 1 << FIRST_BITS ? first : 0) << LENGTH_BITS) |
    ((word.group + 1) << GROUP_AT) |
    (word.hasDigit ? DIGIT : 0) |
    (word.number > 0 ? NUMBER : 0) |
    (word.patronymic ? PATRONYMIC : 0)
  profiles[id * STRIDE + 3] = skeleton
}

/**
 * True when a word that is not this listed one, and does not look like it either, is no evidence
 * for it in a script that writes vowels. False says nothing: `wordEvidence` decides.
 */
export function isUnlike(profiles: WordProfiles, id: number, word: WordTraits): boolean {
  const first = profiles[id * STRIDE]!
  const last = profiles[id * STRIDE + 2]!
  if ((first & PECULIAR) !== 0 || isPeculiar(word)) return arePeculiarlyUnlike(first, last, word)
  const length = last & LONGEST
  const shorter = Math.min(length, word.word.length)
  const longer = Math.max(length, word.word.length)
  const differing = (first & LETTERS) ^ word.letters
  if (word.filler || (first & FILLER) !== 0)
    return ((first & FILLER) !== 0) === word.filler || !maySlip(shorter, longer, differing)
  if ((first & SHORT_FORM) !== 0 && word.hasShortForms) return false
  if (profiles[id * STRIDE + 1] === (word.soundHash | 0)) return false
  if (word.group >= 0 && groupOf(last) === word.group + 1) return false
  // One may be the other without its vowels.
  if ((differing & ~VOWELS) === 0) return false
  if (longer > EDIT_WORD_LIMIT || longer - shorter > 4) return true
  if (bitsOf(differing) > letterLimit(longer)) return true
  return leastDistance(first & LETTERS, word.letters) > 10 * toleratedDistance(longer)
}

/** The same when one of them is a number, a code or an initial. */
function arePeculiarlyUnlike(first: number, last: number, word: WordTraits): boolean {
  const length = last & LONGEST
  const isNumber = (first & PECULIAR) !== 0 && ((last & (DIGIT | NUMBER)) !== 0 || length > 1)
  if (isNumber && word.number >= 0) return false
  if ((last & DIGIT) !== 0 || word.hasDigit) return true
  if (length > 1 && word.word.length > 1) return false
  const letter = firstOf(last)
  return letter > 0 && letter !== word.word.charCodeAt(0)
}

function firstOf(shape: number): number {
  return (shape >> LENGTH_BITS) & ((1 << FIRST_BITS) - 1)
}

function groupOf(shape: number): number {
  return (shape >>> GROUP_AT) & GROUPS
}

/** The hash of what a listed word looks like, as a signed number. */
export function profileSkeleton(profiles: WordProfiles, id: number): number {
  return profiles[id * STRIDE + 3]!
}

/** True for a listed word that is a number; in a person's name a numeral is rather an initial. */
export function profileIsNumeral(profiles: WordProfiles, id: number, person: boolean): boolean {
  return (profiles[id * STRIDE + 2]! & (person ? DIGIT : DIGIT | NUMBER)) !== 0
}

/** True for a listed word that is a father's name. */
export function profileIsPatronymic(profiles: WordProfiles, id: number): boolean {
  return (profiles[id * STRIDE + 2]! & PATRONYMIC) !== 0
}

/** The letters of a listed word; see `letterMask`. */
export function profileLetters(profiles: WordProfiles, id: number): number {
  return profiles[id * STRIDE]! & LETTERS
}

/** True for a listed particle. */
export function profileIsParticle(profiles: WordProfiles, id: number): boolean {
  return (profiles[id * STRIDE]! & PARTICLE) !== 0
}

/** How many letters a listed word has; very long ones count as `LONGEST`. */
export function profileLength(profiles: WordProfiles, id: number): number {
  return profiles[id * STRIDE + 2]! & LONGEST
}

/** The first letter of a listed word, or 0 when it is none of ASCII. */
export function profileFirst(profiles: WordProfiles, id: number): number {
  return firstOf(profiles[id * STRIDE + 2]!)
}

/** A form or title with a letter wrong; see `slipEvidence`. */
function maySlip(shorter: number, longer: number, differing: number): boolean {
  return shorter >= SLIP_LETTERS && longer - shorter <= 1 && bitsOf(differing) <= 2
}

/** Fewer letters are too few for a form or title to be recognised by with one of them wrong. */
export const SLIP_LETTERS = 5

/** In how many letters of the alphabet two words of that length differ at most if they are one. */
export function letterLimit(longer: number): number {
  return toleratedEdits(longer) * 2 + 2
}

function isPeculiar({ word, hasDigit, number }: WordTraits): boolean {
  return hasDigit || number >= 0 || word.length === 1
}
