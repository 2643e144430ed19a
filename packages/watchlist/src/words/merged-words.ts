import { EDIT_WORD_LIMIT } from './edit-distance.ts'
import { bitsOf, letterMask } from '../text/letter-mask.ts'
import type { NameIndex } from '../names/name-index.ts'
import { LEAST_DROP, leastDistance, soundDistance, soundsAlike } from './sound-distance.ts'
import { INITIAL_SIMILARITY, MERGED_SIMILARITY, MERGED_SOUND_SIMILARITY } from '../thresholds.ts'
import type { WordContext, WordEvidence } from './word-evidence.ts'
import {
  LONGEST,
  profileFirst,
  profileIsParticle,
  profileLength,
  profileLetters,
} from './word-profile.ts'
import type { WordProfiles } from './word-profile.ts'
import { joinedOf, MERGED_WORDS, runOf } from './word-runs.ts'
import type { WordRun } from './word-runs.ts'
import { listedTraits } from './word-table.ts'
import type { WordTraits } from './word-traits.ts'

/** Consonants that must agree for words of other letters to be the same ones parted elsewhere. */
const MERGED_CONSONANTS = 4
/** Letters by which the parts together may be longer or shorter than the one word. */
const MERGED_SLACK = 4
/**
 * Letters of a joined word that may be spelt wrong besides, by how much, in tenths of an edit, and
 * in how many letters of the alphabet two words so near differ at most.
 */
const MERGED_LETTERS = 7
const NEAR_LETTERS = 8
const NEAR_MASK_BITS = 4
/** Distance of consonants, in tenths of an edit, that a script without vowels explains. */
const NEAR_CONSONANTS = 6
/** Letters that stay as they are in every key of sounds and consonants. */
const FIRM = letterMask('mnrl')
const NASALS = letterMask('mn')
const LABIALS = letterMask('bpf')

const MERGED: WordEvidence = { kind: 'merged', similarity: MERGED_SIMILARITY }
const NEAR: WordEvidence = { kind: 'merged', similarity: MERGED_SOUND_SIMILARITY - 0.04 }
const SOUND: WordEvidence = { kind: 'merged', similarity: MERGED_SOUND_SIMILARITY }
const BARE: WordEvidence = { kind: 'merged', similarity: MERGED_SOUND_SIMILARITY - 0.02 }
const INITIALS: WordEvidence = { kind: 'initial', similarity: INITIAL_SIMILARITY }

/** The evidence that one word is what a run of words on the other side is; undefined for none. */
export function mergedEvidence(
  one: WordTraits,
  run: WordRun,
  context: WordContext,
): WordEvidence | undefined {
  const { word, letters } = one
  if (!soundsAlike(word.charCodeAt(0), run.first)) return undefined
  if (!mayMerge(word.length, letters, run.words.length, run, context)) return undefined
  if (word.length === run.words.length && run.letters > word.length + 2)
    return run.words.every((part, at) => part.word[0] === word[at]) ? INITIALS : undefined
  const joined = joinedOf(run)
  if (joined.text === word) return MERGED
  if (joined.text.length < 5) return undefined
  const long = word.length >= MERGED_LETTERS && joined.text.length <= EDIT_WORD_LIMIT
  const near = bitsOf(one.letters ^ run.mask) <= NEAR_MASK_BITS
  if (long && near && word.length <= EDIT_WORD_LIMIT)
    if (soundDistance(word, joined.text, NEAR_LETTERS) <= NEAR_LETTERS) return NEAR
  if (!context.person) return undefined
  if (joined.sound === one.sound) return SOUND
  const agree =
    sameConsonants(one.consonants, joined.consonants, context) ||
    sameConsonants(one.consonants, joined.bareConsonants, context)
  return agree ? BARE : undefined
}

/**
 * False when what is noted of a listed word rules out that it is a run of words; never wrongly
 * false.
 */
export function mayBeRun(
  profiles: WordProfiles,
  id: number,
  run: WordRun,
  context: WordContext,
): boolean {
  const first = profileFirst(profiles, id)
  if (first > 0 && !soundsAlike(first, run.first)) return false
  const length = profileLength(profiles, id)
  if (length === LONGEST) return true
  return mayMerge(length, profileLetters(profiles, id), run.words.length, run, context)
}

/** True when consecutive words of a listed name, `words[start .. end]`, are one of the query. */
export function hasMergedRun(
  asked: readonly WordTraits[],
  { table, nameWords }: NameIndex,
  start: number,
  end: number,
  context: WordContext,
): boolean {
  const { profiles } = table
  for (let from = start; from + 1 < end; from++) {
    const first = profileFirst(profiles, nameWords[from]!)
    const run = {
      letters: profileLength(profiles, nameWords[from]!),
      mask: profileLetters(profiles, nameWords[from]!),
      bareMask: profileLetters(profiles, nameWords[from]!),
    }
    const last = Math.min(end, from + MERGED_WORDS)
    for (let to = from + 1; to < last; to++) {
      const id = nameWords[to]!
      run.letters += profileLength(profiles, id)
      run.mask |= profileLetters(profiles, id)
      if (!profileIsParticle(profiles, id)) run.bareMask |= profileLetters(profiles, id)
      for (const one of asked) {
        if (first > 0 && !soundsAlike(one.word.charCodeAt(0), first)) continue
        if (!mayMerge(one.word.length, one.letters, to + 1 - from, run, context)) continue
        if (isUnlikeRun(profiles, nameWords.subarray(from, to + 1), run, one, context)) continue
        const ids = nameWords.subarray(from, to + 1)
        const listed = Array.from(ids, (id) => listedTraits(table, id))
        if (mergedEvidence(one, runOf(listed, 0, listed.length), context) !== undefined) return true
      }
    }
  }
  return false
}

/**
 * True when initials or letters rule out that a word is these listed ones, of which `mayMerge` did
 * not. In a person's name their sounds decide.
 */
function isUnlikeRun(
  profiles: WordProfiles,
  ids: Int32Array,
  run: Pick<WordRun, 'letters' | 'mask'>,
  { word, letters }: WordTraits,
  { person }: WordContext,
): boolean {
  if (word.length === ids.length && run.letters > word.length + 2) {
    for (let at = 0; at < ids.length; at++) {
      const first = profileFirst(profiles, ids[at]!)
      if (first > 0 && first !== word.charCodeAt(at)) return true
    }
    return false
  }
  if (person || word.length > EDIT_WORD_LIMIT) return false
  if (Math.abs(run.letters - word.length) * LEAST_DROP > NEAR_LETTERS) return true
  return leastDistance(letters, run.mask) > NEAR_LETTERS
}

/**
 * False when the letters alone rule out that a word is so many words. Most pairs end here, before
 * anything is joined; never wrongly false.
 */
function mayMerge(
  length: number,
  letters: number,
  words: number,
  run: Pick<WordRun, 'letters' | 'mask' | 'bareMask'>,
  { person, unvocalised }: WordContext,
): boolean {
  if (length === words && run.letters > length + 2) return person
  if (length < 4 || Math.abs(run.letters - length) > MERGED_SLACK) return false
  const differing = bitsOf(letters ^ run.mask)
  if (differing === 0 || (length >= MERGED_LETTERS && differing <= NEAR_MASK_BITS)) return true
  if (!person) return false
  const firm = firmOf(letters, unvocalised)
  return firm === firmOf(run.mask, unvocalised) || firm === firmOf(run.bareMask, unvocalised)
}

/**
 * The firm letters of a mask, of which one stands for all that are taken for each other: labials
 * that are written; and nasals, where vowels are not written and spelling is less certain.
 */
function firmOf(letters: number, unvocalised: boolean): number {
  const firm = letters & FIRM
  if (unvocalised) return (firm & NASALS) !== 0 ? firm | NASALS : firm
  return (letters & LABIALS) !== 0 ? firm | LABIALS : firm
}

function sameConsonants(key: string, other: string, { unvocalised }: WordContext): boolean {
  const least = unvocalised ? MERGED_CONSONANTS - 1 : MERGED_CONSONANTS
  if (key.length < least || Math.abs(key.length - other.length) > 1) return false
  if (key === other) return true
  return unvocalised && soundDistance(key, other) <= NEAR_CONSONANTS
}
