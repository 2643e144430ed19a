import { skeletonOf } from './confusables.ts'
import { EDIT_WORD_LIMIT } from './edit-distance.ts'
import { countAtLarge } from './common-words.ts'
import { isFiller, isParticle } from './filler-words.ts'
import { addPair, buildMultimap, hashText, mixHash, noPairs } from './int-multimap.ts'
import type { IntMultimap } from './int-multimap.ts'
import { bareOf, consonantsOf } from './sound.ts'
import {
  ALIGNED_FILLER_WEIGHT,
  ALIGNED_INITIAL_WEIGHT,
  ALIGNED_PARTICLE_WEIGHT,
  FILLER_WEIGHT,
  PATRONYMIC_FACTOR,
  REFERENCE_NAMES,
  toleratedEdits,
} from './thresholds.ts'
import { isPatronymic, traitsOf } from './word-traits.ts'
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
  words.forEach((word, id) => {
    const count = nameCount[id] ?? 0
    weight[id] = wordWeight(word, count, nats)
    alignWeight[id] = alignedWeight(word, weight[id], nats)
    const skeleton = mixHash(hashText(skeletonOf(word)))
    skeletonHash[id] = skeleton
    if (count === 0) return
    addPair(skeletons, skeleton, id)
    const key = consonantsOf(word)
    consonantHash[id] = consonantHashOf(word, key)
    bareHash[id] = consonantHashOf(word, bareOf(word))
    if (key.length >= CONSONANT_KEY_LENGTH) addPair(consonants, hashText(key), id)
    if (toleratesEdits(word)) eachDeletion(word, (hash) => addPair(deletions, hash, id))
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
export function wordWeight(word: string, count: number, nats: number): number {
  if (isFiller(word)) return FILLER_WEIGHT
  return Math.max(FILLER_WEIGHT, 1 - Math.log(Math.max(1, count)) / nats)
}

/**
 * What a word of weight `listed` weighs beside others of its name: no more than at large, and less
 * when it is of a kind that people leave out.
 */
export function alignedWeight(word: string, listed: number, nats: number): number {
  if (isFiller(word)) return ALIGNED_FILLER_WEIGHT
  if (isParticle(word)) return ALIGNED_PARTICLE_WEIGHT
  const weight = Math.min(listed, 1 - Math.log(Math.max(1, countAtLarge(word))) / nats)
  if (word.length === 1 && !/[0-9]/.test(word)) return Math.min(weight, ALIGNED_INITIAL_WEIGHT)
  return isPatronymic(word) ? weight * PATRONYMIC_FACTOR : weight
}

/** The traits of a listed word. */
export function listedTraits(table: WordTable, id: number): WordTraits {
  return (table.traits[id] ??= traitsOf(table.words[id]!))
}

/**
 * Numbers and codes are right or wrong, never nearly right; very short and very long words
 * likewise.
 */
export function toleratesEdits(word: string): boolean {
  return word.length <= EDIT_WORD_LIMIT && toleratedEdits(word.length) > 0 && !/[0-9]/.test(word)
}

/**
 * Hashes of the word and of each form of it with one letter left out: words one edit apart share
 * one.
 */
export function eachDeletion(word: string, visit: (hash: number) => void): void {
  visit(hashText(word))
  for (let at = 0; at < word.length; at++) {
    if (at > 0 && word.charCodeAt(at) === word.charCodeAt(at - 1)) continue
    visit(hashText(word.slice(at + 1), hashText(word.slice(0, at))))
  }
}

/**
 * Hash of the consonants of a word, of which sums are taken for a whole name; 0 for a word that a
 * name may leave out.
 */
export function consonantHashOf(word: string, consonants: string): number {
  const left = isFiller(word) || isParticle(word) || isFiller(consonants) || isParticle(consonants)
  return left ? 0 : mixHash(hashText(consonants))
}
