import { isWrapping } from '../words/filler-words.ts'

/** What stands between two names of one party: `X d/b/a Y`, in normal form. */
const MARKS: readonly (readonly string[])[] = [
  ['d', 'b', 'a'],
  ['dba'],
  ['a', 'k', 'a'],
  ['aka'],
  ['f', 'k', 'a'],
  ['fka'],
  ['n', 'k', 'a'],
  ['nka'],
  ['t', 'a'],
  ['c', 'o'],
  ['trading', 'as'],
  ['doing', 'business', 'as'],
  ['also', 'known', 'as'],
  ['formerly', 'known', 'as'],
  ['on', 'behalf', 'of'],
  ['for', 'the', 'benefit', 'of'],
]

/** Text with more words than this is no name with something around it. */
const PARTED_WORDS = 40

/**
 * The stretches of a text that stand for a name by themselves: what `d/b/a` parts, and what remains
 * without titles and the words of a payment around it. Not the text as a whole.
 */
export function partsWithin(words: readonly string[]): string[][] {
  if (words.length < 2 || words.length > PARTED_WORDS) return []
  const parts: string[][] = []
  let start = 0
  for (let at = 1; at < words.length; at++) {
    const mark = MARKS.find((one) => one.every((word, step) => words[at + step] === word))
    if (mark === undefined || at + mark.length >= words.length) continue
    parts.push(...unwrapped(words.slice(start, at)))
    start = at + mark.length
    at = start
  }
  parts.push(...unwrapped(words.slice(start)))
  return parts.filter((part) => part.length > 0 && part.length < words.length)
}

/**
 * Without titles and payment words at both ends; a number goes with the word before it. With the
 * last title left too, which may be a part of the name: `Captain MS MELENIA`.
 */
function unwrapped(words: readonly string[]): string[][] {
  let start = 0
  let end = words.length
  while (start < end && isWrapping(words[start]!)) start++
  for (;;) {
    if (end > start && isWrapping(words[end - 1]!)) end--
    else if (end - 2 > start && isReference(words[end - 1]!) && isWrapping(words[end - 2]!))
      end -= 2
    else break
  }
  const bare = words.slice(start, end)
  return start > 0 && bare.length > 0 ? [bare, words.slice(start - 1, end)] : [bare]
}

function isReference(word: string): boolean {
  return /[0-9]/.test(word)
}
