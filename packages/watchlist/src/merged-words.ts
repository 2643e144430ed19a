import type { AlignedPart, Progress } from './alignment.ts'
import { isParticle } from './filler-words.ts'
import { soundDistance } from './sound-distance.ts'
import { EDIT_WORD_LIMIT } from './edit-distance.ts'
import { consonantsOf, soundOf } from './sound.ts'
import { INITIAL_SIMILARITY, MERGED_SIMILARITY, MERGED_SOUND_SIMILARITY } from './thresholds.ts'

/** Words that may be written as one: `Abd al Aziz`. */
const MERGED_WORDS = 3
/** Consonants that must agree for words of other letters to be the same ones parted elsewhere. */
const MERGED_CONSONANTS = 4
/**
 * Letters of a joined word that may be spelt wrong besides, and by how much, in tenths of an edit.
 */
const MERGED_LETTERS = 7
const NEAR_LETTERS = 8
/** Distance of consonants, in tenths of an edit, that a script without vowels explains. */
const NEAR_CONSONANTS = 6

/**
 * The part in which one word of the query stands for several listed ones from `at` on, or several
 * from `asked` on for one listed word; undefined when neither does.
 */
export function partOfMerged(
  progress: Progress,
  asked: number,
  at: number,
): AlignedPart | undefined {
  const { query, words, index } = progress
  const word = query.words[asked]!
  const listed = index.table.words[words[at]!]!
  // Both runs begin with the same sound, which rules most pairs out at once.
  if (word[0] !== listed[0] && soundDistance(word[0]!, listed[0]!) >= 10) return undefined
  const ofListed = runFrom(at, words.length, progress.listedTaken)
  for (let count = 2; count <= ofListed; count++) {
    const texts = Array.from({ length: count }, (_, i) => index.table.words[words[at + i]!]!)
    const found = compare(progress, word, texts)
    if (found !== undefined) return { asked: [asked], listed: positions(at, count), ...found }
  }
  const ofAsked = runFrom(asked, query.similarWords, progress.askedTaken)
  for (let count = 2; count <= ofAsked; count++) {
    const found = compare(progress, listed, query.words.slice(asked, asked + count))
    if (found !== undefined) return { asked: positions(asked, count), listed: [at], ...found }
  }
  return undefined
}

function compare(
  progress: Progress,
  one: string,
  several: readonly string[],
): Pick<AlignedPart, 'kind' | 'similarity'> | undefined {
  let letters = 0
  for (const text of several) letters += text.length
  if (one.length === several.length && letters > one.length + 2) {
    if (!progress.person || several.some((text, at) => text[0] !== one[at])) return undefined
    return { kind: 'initial', similarity: INITIAL_SIMILARITY }
  }
  if (Math.abs(letters - one.length) > 4 || one.length < 4) return undefined
  const joined = several.join('')
  if (joined === one) return { kind: 'merged', similarity: MERGED_SIMILARITY }
  if (joined.length < 5) return undefined
  const long = one.length >= MERGED_LETTERS && joined.length <= EDIT_WORD_LIMIT
  if (long && one.length <= EDIT_WORD_LIMIT && soundDistance(one, joined) <= NEAR_LETTERS)
    return { kind: 'merged', similarity: MERGED_SOUND_SIMILARITY - 0.04 }
  if (!progress.person) return undefined
  if (soundOf(joined) === soundOf(one))
    return { kind: 'merged', similarity: MERGED_SOUND_SIMILARITY }
  const bare = several.filter((text, at) => at === 0 || !isParticle(text)).join('')
  const agree = sameConsonants(progress, one, joined) || sameConsonants(progress, one, bare)
  return agree ? { kind: 'merged', similarity: MERGED_SOUND_SIMILARITY - 0.02 } : undefined
}

/** The article is left out where it is assimilated: `Nasir al-Din` is `Nasiruddin`. */
function sameConsonants(progress: Progress, one: string, joined: string): boolean {
  const key = consonantsOf(one)
  const other = consonantsOf(joined)
  const least = progress.context.unvocalised ? MERGED_CONSONANTS - 1 : MERGED_CONSONANTS
  if (key.length < least || Math.abs(key.length - other.length) > 1) return false
  if (key === other) return true
  return progress.context.unvocalised && soundDistance(key, other) <= NEAR_CONSONANTS
}

function runFrom(start: number, length: number, taken: Uint8Array): number {
  let count = 0
  while (count < MERGED_WORDS && start + count < length && taken[start + count] === 0) count++
  return count
}

function positions(start: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => start + at)
}
