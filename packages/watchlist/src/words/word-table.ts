import { skeletonOf } from '../text/confusables.ts'
import { EDIT_WORD_LIMIT } from './edit-distance.ts'
import { isFiller, isParticle } from './filler-words.ts'
import {
  addPair,
  buildMultimap,
  HASH_SEED,
  hashFrom,
  hashText,
  hashUnit,
  mixHash,
  noPairs,
} from './int-multimap.ts'
import type { IntMultimap } from './int-multimap.ts'
import { bareOf } from './sound.ts'
import {
  ALIGNED_FILLER_WEIGHT,
  ALIGNED_INITIAL_WEIGHT,
  ALIGNED_PARTICLE_WEIGHT,
  FILLER_WEIGHT,
  PATRONYMIC_FACTOR,
  REFERENCE_NAMES,
  toleratedEdits,
} from '../thresholds.ts'
import { profilesFor, setProfile } from './word-profile.ts'
import type { WordProfiles } from './word-profile.ts'
import { traitsOf } from './word-traits.ts'
import type { WordTraits } from './word-traits.ts'

/** Fewer consonants stand in too many words to lead anywhere. */
export const CONSONANT_KEY_LENGTH = 3

/**
 * Every different word of the listed names, numbered from 0, and the ways to find one that is not
 * spelt right.
 */
export interface WordTable {
  readonly words: readonly string[]
  readonly ids: ReadonlyMap<string, number>
  /** On how many names that are compared by similarity the word stands. */
  readonly nameCount: Int32Array
  /**
   * How telling the word is: 1 on one name only, near 0 on thousands; `FILLER_WEIGHT` for filler.
   */
  readonly weight: Float32Array
  /**
   * What weight 1 is in nats: the logarithm of the number of names, or of `REFERENCE_NAMES` if that
   * is more.
   */
  readonly nats: number
  /**
   * What the word weighs in an alignment: less than `weight` for particles, patronymics, initials.
   */
  readonly alignWeight: Float32Array
  /** See `consonantHashOf`. */
  readonly consonantHash: Uint32Array
  /** The same of `bareOf`. */
  readonly bareHash: Uint32Array
  /** Words under the hash of their consonants. */
  readonly byConsonants: IntMultimap
  /** See `isUnlike`. */
  readonly profiles: WordProfiles
  /** Filled as words are asked for; see `listedTraits`. */
  readonly traits: (WordTraits | undefined)[]
  readonly skeletonHash: Uint32Array
  readonly bySkeleton: IntMultimap
  /** Words under the hash of themselves and of every form with one letter left out. */
  readonly byDeletion: IntMultimap
}

/** The table of `words`, of which word `i` stands on `nameCount[i]` of `names` names. */
export function buildWordTable(
  words: readonly string[],
  ids: ReadonlyMap<string, number>,
  nameCount: Int32Array,
  names: number,
): WordTable {
  const nats = Math.log(Math.max(names, REFERENCE_NAMES))
  const weight = new Float32Array(words.length)
  const skeletonHash = new Uint32Array(words.length)
  const skeletons = noPairs(words.length + 1)
  const deletions = noPairs(words.length * 8 + 1)
  const consonants = noPairs(words.length + 1)
  const alignWeight = new Float32Array(words.length)
  const bareHash = new Uint32Array(words.length)
  const consonantHash = new Uint32Array(words.length)
  const profiles = profilesFor(words.length)
  words.forEach((word, id) => {
    const count = nameCount[id]!
    const skeleton = mixHash(hashText(skeletonOf(word)))
    skeletonHash[id] = skeleton
    if (count === 0) return
    const traits = traitsOf(word)
    weight[id] = wordWeight(traits, count, nats)
    alignWeight[id] = alignedWeight(traits, weight[id], nats)
    setProfile(profiles, id, traits, skeleton)
    addPair(skeletons, skeleton, id)
    consonantHash[id] = consonantHashOf(traits, traits.consonants)
    bareHash[id] = consonantHashOf(traits, bareOf(word))
    if (traits.consonants.length >= CONSONANT_KEY_LENGTH)
      addPair(consonants, hashText(traits.consonants), id)
    if (toleratesEdits(traits)) eachDeletion(word, (hash) => addPair(deletions, hash, id))
  })
  const bySkeleton = buildMultimap(skeletons)
  return {
    words,
    ids,
    nameCount,
    weight,
    nats,
    alignWeight,
    consonantHash,
    bareHash,
    byConsonants: buildMultimap(consonants),
    profiles,
    traits: new Array<WordTraits | undefined>(words.length),
    skeletonHash,
    bySkeleton,
    byDeletion: buildMultimap(deletions),
  }
}

/**
 * Weight of a word that stands on `count` names; an unlisted word is as telling as one on a single
 * name.
 */
export function wordWeight({ filler }: WordTraits, count: number, nats: number): number {
  if (filler) return FILLER_WEIGHT
  return Math.max(FILLER_WEIGHT, 1 - Math.log(Math.max(1, count)) / nats)
}

/**
 * What a word of weight `listed` weighs beside others of its name: no more than at large, and less
 * when it is of a kind that people leave out.
 */
export function alignedWeight(traits: WordTraits, listed: number, nats: number): number {
  if (traits.filler) return ALIGNED_FILLER_WEIGHT
  if (traits.particle) return ALIGNED_PARTICLE_WEIGHT
  const weight = Math.min(listed, 1 - Math.log(Math.max(1, traits.atLarge)) / nats)
  if (traits.word.length === 1 && !traits.hasDigit) return Math.min(weight, ALIGNED_INITIAL_WEIGHT)
  return traits.patronymic ? weight * PATRONYMIC_FACTOR : weight
}

/** The traits of a listed word. */
export function listedTraits(table: WordTable, id: number): WordTraits {
  return (table.traits[id] ??= traitsOf(table.words[id]!))
}

/**
 * Numbers and codes are right or wrong, never nearly right; very short and very long words
 * likewise.
 */
export function toleratesEdits({ word, hasDigit }: WordTraits): boolean {
  return word.length <= EDIT_WORD_LIMIT && toleratedEdits(word.length) > 0 && !hasDigit
}

/**
 * Hashes of the word and of each form of it with one letter left out: words one edit apart share
 * one.
 */
export function eachDeletion(word: string, visit: (hash: number) => void): void {
  visit(hashText(word))
  let before = HASH_SEED
  for (let at = 0; at < word.length; at++) {
    const letter = word.charCodeAt(at)
    if (at === 0 || letter !== word.charCodeAt(at - 1)) visit(hashFrom(word, at + 1, before))
    before = hashUnit(before, letter)
  }
}

/**
 * Hash of the consonants of a word, of which sums are taken for a whole name; 0 for a word that a
 * name may leave out.
 */
export function consonantHashOf({ filler, particle }: WordTraits, consonants: string): number {
  const left = filler || particle || isFiller(consonants) || isParticle(consonants)
  return left ? 0 : mixHash(hashText(consonants))
}
