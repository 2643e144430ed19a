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

/** What is put before or behind a name to say that it is meant: `the real X`. */
const ASSURANCES: readonly (readonly string[])[] = [
  ['the', 'real'],
  ['the', 'official'],
  ['the', 'one', 'and', 'only'],
  ['official'],
  ['verified'],
]

/** Text with more words than this is no name with something around it. */
const PARTED_WORDS = 40

/**
 * The stretches of a text that stand for a name by themselves: what `d/b/a` parts, and what remains
 * without titles and the words of a payment around it. Not the text as a whole.
 */
export function partsWithin(words: readonly string[]): string[][] {
  if (words.length < 2 || words.length > PARTED_WORDS) return []
  const parts: string[][] = assuredParts(words)
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

function assuredParts(words: readonly string[]): string[][] {
  return ASSURANCES.flatMap((assurance) => {
    const isHere = (from: number) => assurance.every((word, at) => words[from + at] === word)
    const before = isHere(0) ? [words.slice(assurance.length)] : []
    const end = words.length - assurance.length
    return isHere(end) ? [...before, words.slice(0, end)] : before
  })
}

/** The part of an e-mail address that may be a name; undefined for any other text. */
export function nameInAddress(text: string): string | undefined {
  if (!text.includes('@')) return undefined
  return /^\s*([^\s@]+)@[\p{L}\p{N}.-]+\.\p{L}{2,}\s*$/u.exec(text)?.[1]
}

/**
 * Without titles and payment words at both ends; a number goes with the word before it. With up to
 * two of them left too, on either side, which may be a part of the name: `Captain MS MELENIA`,
 * `B K SALES`, `LADY D`.
 */
function unwrapped(words: readonly string[]): string[][] {
  let start = 0
  const ends = [words.length]
  while (start < words.length && isWrapping(words[start]!)) start++
  for (let end = words.length; ; ends.unshift(end)) {
    if (end > start && isWrapping(words[end - 1]!)) end--
    else if (end - 2 > start && isReference(words[end - 1]!) && isWrapping(words[end - 2]!))
      end -= 2
    else break
  }
  const [end = words.length, ...later] = ends
  if (start >= end) return [[]]
  const starts = [start - 1, start - 2].filter((from) => from >= 0)
  return [
    words.slice(start, end),
    ...starts.map((from) => words.slice(from, end)),
    ...later.slice(0, 2).map((to) => words.slice(start, to)),
  ]
}

function isReference(word: string): boolean {
  return /[0-9]/.test(word)
}
