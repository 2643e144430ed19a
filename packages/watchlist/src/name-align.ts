import { EDIT_WORD_LIMIT, editDistance } from './edit-distance.ts'
import { wordsOfName } from './name-windows.ts'
import type { NameIndex } from './name-index.ts'
import type { NameQuery } from './name-query.ts'
import {
  ALIGNED_NATS,
  EDIT_ONE_WORD_LETTERS,
  INITIAL_SIMILARITY,
  KNOWN_WORD_PENALTY,
  NAME_BLOCK_SCORE,
  NAME_REVIEW_SCORE,
  toleratedEdits,
} from './thresholds.ts'
import { toleratesEdits } from './word-table.ts'

/** How well a query and a listed name agree, word by word. */
export interface Alignment {
  /** 0 to 1: mean of what is matched of the name and of the query, by weight. */
  readonly score: number
  readonly method: 'substring' | 'edit_distance' | 'homoglyph'
}

/** What the steps of one alignment share. */
interface Progress {
  readonly index: NameIndex
  readonly query: NameQuery
  readonly words: Int32Array
  readonly queryTaken: Uint8Array
  readonly nameTaken: Uint8Array
  /** Weight of the name that is matched, lessened by what differs. */
  matched: number
  /** The same in full: what would be matched if nothing differed. */
  paired: number
  edited: boolean
  lookalike: boolean
}

const MERGED_SIMILARITY = 0.98
const LOOKALIKE_SIMILARITY = 0.97

/** Aligns a query with one listed name; undefined when they share too little to say anything. */
export function alignName(index: NameIndex, query: NameQuery, name: number): Alignment | undefined {
  const words = wordsOfName(index, name)
  const progress: Progress = {
    index,
    query,
    words,
    queryTaken: new Uint8Array(query.similarWords),
    nameTaken: new Uint8Array(words.length),
    matched: 0,
    paired: 0,
    edited: false,
    lookalike: false,
  }
  pairSameWords(progress)
  pairMergedWords(progress)
  pairSimilarWords(progress, index.entries[index.nameEntry[name]!]!.type === 'individual')
  if (
    progress.matched * index.table.nats <
    Math.min(ALIGNED_NATS, index.nameWeight[name]! * index.table.nats * 0.8)
  )
    return undefined
  return { score: scoreOf(progress, index.nameWeight[name]!), method: methodOf(progress) }
}

function pairSameWords(progress: Progress): void {
  const { words, query } = progress
  for (let at = 0; at < words.length; at++) {
    for (let asked = 0; asked < query.similarWords; asked++) {
      if (progress.queryTaken[asked] === 1 || query.ids[asked] !== words[at]) continue
      take(progress, at, asked, 1)
      break
    }
  }
}

/** `JOA QUIN` for `JOAQUIN`, and `BINLADIN` for `BIN LADIN`. */
function pairMergedWords(progress: Progress): void {
  const { words, query, index } = progress
  const text = (at: number) => index.table.words[words[at]!]!
  for (let asked = 0; asked < query.similarWords; asked++) {
    if (progress.queryTaken[asked] === 1) continue
    const word = query.words[asked]!
    const next =
      asked + 1 < query.similarWords && progress.queryTaken[asked + 1] === 0
        ? query.words[asked + 1]!
        : ''
    for (let at = 0; at < words.length; at++) {
      if (progress.nameTaken[at] === 1) continue
      const listed = text(at)
      if (next !== '' && listed.length === word.length + next.length && listed === word + next) {
        take(progress, at, asked, MERGED_SIMILARITY)
        progress.queryTaken[asked + 1] = 1
        progress.edited = true
        break
      }
      const open = at + 1 < words.length && progress.nameTaken[at + 1] === 0
      if (
        open &&
        word.length === listed.length + text(at + 1).length &&
        word === listed + text(at + 1)
      ) {
        take(progress, at, asked, MERGED_SIMILARITY)
        take(progress, at + 1, asked, MERGED_SIMILARITY)
        progress.edited = true
        break
      }
    }
  }
}

function pairSimilarWords(progress: Progress, person: boolean): void {
  const { words, query } = progress
  for (let at = 0; at < words.length; at++) {
    if (progress.nameTaken[at] === 1) continue
    let best = 0
    let bestAsked = -1
    for (let asked = 0; asked < query.similarWords; asked++) {
      if (progress.queryTaken[asked] === 1) continue
      const similarity = similarityOf(progress, at, asked, person)
      if (similarity > best) {
        best = similarity
        bestAsked = asked
      }
    }
    if (bestAsked < 0) continue
    take(progress, at, bestAsked, best)
    if (best === LOOKALIKE_SIMILARITY) progress.lookalike = true
    else progress.edited = true
  }
}

function similarityOf(progress: Progress, at: number, asked: number, person: boolean): number {
  const { table } = progress.index
  const id = progress.words[at]!
  const listed = table.words[id]!
  const word = progress.query.words[asked]!
  // Without a foreign letter or digit, i for l is a slip like any other.
  const { disguised, skeletonHash } = progress.query
  if (disguised && table.skeletonHash[id] === skeletonHash[asked]) return LOOKALIKE_SIMILARITY
  if (person && (word.length === 1 || listed.length === 1)) {
    return word.charCodeAt(0) === listed.charCodeAt(0) ? INITIAL_SIMILARITY : 0
  }
  const longer = Math.max(word.length, listed.length)
  const limit = toleratedEdits(Math.min(word.length, listed.length))
  if (limit === 0 || longer > EDIT_WORD_LIMIT || Math.abs(word.length - listed.length) > limit)
    return 0
  const alone = progress.words.length === 1
  if ((alone && longer < EDIT_ONE_WORD_LETTERS) || !toleratesEdits(word) || !toleratesEdits(listed))
    return 0
  const distance = editDistance(word, listed, limit)
  if (distance > limit) return 0
  const known = progress.query.ids[asked]!
  const penalty = known >= 0 && table.nameCount[known]! > 1 ? KNOWN_WORD_PENALTY : 0
  return Math.max(0, 1 - distance / longer - penalty)
}

function take(progress: Progress, at: number, asked: number, similarity: number): void {
  const weight = progress.index.table.weight[progress.words[at]!]!
  progress.nameTaken[at] = 1
  progress.queryTaken[asked] = 1
  progress.matched += weight * similarity
  progress.paired += weight
}

/** A word that is spelt wrong weighs what the word weighs that it stands for. */
function scoreOf(progress: Progress, nameWeight: number): number {
  const { query, words } = progress
  let unmatched = 0
  let strayNumber = false
  for (let asked = 0; asked < query.similarWords; asked++) {
    if (progress.queryTaken[asked] === 1) continue
    unmatched += query.weight[asked]!
    strayNumber ||= isNumber(query.words[asked]!)
  }
  let missingNumber = false
  for (let at = 0; at < words.length; at++) {
    if (progress.nameTaken[at] === 0)
      missingNumber ||= isNumber(progress.index.table.words[words[at]!]!)
  }
  const score =
    (progress.matched / nameWeight + progress.matched / (progress.paired + unmatched)) / 2
  // Plant 5 is not Plant 6; a number left out is for a person to judge.
  if (missingNumber && strayNumber) return Math.min(score, NAME_REVIEW_SCORE - 0.01)
  return missingNumber ? Math.min(score, NAME_BLOCK_SCORE - 0.01) : score
}

function isNumber(word: string): boolean {
  return /[0-9]/.test(word)
}

function methodOf(progress: Progress): Alignment['method'] {
  if (progress.edited) return 'edit_distance'
  if (progress.lookalike) return 'homoglyph'
  const whole = (taken: number) => taken === 1
  return progress.queryTaken.every(whole) || progress.nameTaken.every(whole)
    ? 'substring'
    : 'edit_distance'
}
