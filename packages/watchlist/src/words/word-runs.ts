import { consonantsOf, soundOf } from './sound.ts'
import type { WordTraits } from './word-traits.ts'

/** Words that may be written as one: `Abd al Aziz`. */
export const MERGED_WORDS = 3

/** Consecutive words taken together: two or three. */
export interface WordRun {
  /** Where it begins. */
  readonly start: number
  readonly words: readonly WordTraits[]
  /** The first letter of the first word, as a UTF-16 unit. */
  readonly first: number
  /** Letters of all of them. */
  readonly letters: number
  readonly mask: number
  /** The mask without the particles behind the first word, which may be left out. */
  readonly bareMask: number
  /** What the words are when they are joined; see `joinedOf`. */
  joined: JoinedRun | undefined
}

/** A run written as one word. */
export interface JoinedRun {
  readonly text: string
  readonly sound: string
  readonly consonants: string
  /** Those of the run without its particles. */
  readonly bareConsonants: string
}

/** Every run of consecutive words. */
export function runsOf(traits: readonly WordTraits[]): WordRun[] {
  const runs: WordRun[] = []
  for (let start = 0; start < traits.length; start++) {
    const last = Math.min(MERGED_WORDS, traits.length - start)
    for (let count = 2; count <= last; count++) runs.push(runOf(traits, start, count))
  }
  return runs
}

/** The run of `count` words from `start` on. */
export function runOf(traits: readonly WordTraits[], start: number, count: number): WordRun {
  const words = traits.slice(start, start + count)
  let letters = 0
  let mask = 0
  let bareMask = 0
  words.forEach(({ word, letters: bits, particle }, at) => {
    letters += word.length
    mask |= bits
    if (at === 0 || !particle) bareMask |= bits
  })
  const first = words[0]!.word.charCodeAt(0)
  return { start, words, first, letters, mask, bareMask, joined: undefined }
}

/** The run written as one word; worked out when it is first asked for. */
export function joinedOf(run: WordRun): JoinedRun {
  if (run.joined !== undefined) return run.joined
  const text = run.words.map(({ word }) => word).join('')
  // The article is left out where it is assimilated: `Nasir al-Din` is `Nasiruddin`.
  const bare = run.words.filter(({ particle }, at) => at === 0 || !particle)
  const sound = soundOf(text)
  const consonants = consonantsOf(text, sound)
  const bareConsonants =
    bare.length === run.words.length
      ? consonants
      : consonantsOf(bare.map(({ word }) => word).join(''))
  return (run.joined = { text, sound, consonants, bareConsonants })
}
