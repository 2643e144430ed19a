import type { Alignment, Progress } from './alignment.ts'
import { wordsOfName } from './name-windows.ts'
import type { NameIndex } from './name-index.ts'
import type { NameQuery } from './name-query.ts'
import { partOfMerged } from './merged-words.ts'
import {
  KNOWN_WORD_PENALTY,
  LEAST_SIMILARITY,
  LOOKALIKE_SIMILARITY,
  PLAIN_LOOKALIKE_SIMILARITY,
} from './thresholds.ts'
import { wordEvidence } from './word-evidence.ts'
import type { EvidenceKind, WordEvidence } from './word-evidence.ts'
import { listedTraits } from './word-table.ts'

const PLAIN_LOOKALIKE: WordEvidence = { kind: 'lookalike', similarity: PLAIN_LOOKALIKE_SIMILARITY }
/** Two words so alike are taken for one without looking at their neighbours. */
const DIRECT_SIMILARITY = 0.9
const LOOKALIKE: WordEvidence = { kind: 'lookalike', similarity: LOOKALIKE_SIMILARITY }

/**
 * Pairs the words of a query with those of one listed name, each at most once: the same words
 * first, then words parted elsewhere, then the most similar ones, the telling ones before the rest.
 */
export function alignName(index: NameIndex, query: NameQuery, name: number): Alignment {
  const words = wordsOfName(index, name)
  const person = index.entries[index.nameEntry[name]!]!.type === 'individual'
  const progress: Progress = {
    index,
    query,
    name,
    words,
    person,
    context: {
      person,
      unvocalised: query.unvocalised || index.nameIsUnvocalised[name] === 1,
      homophonous: query.homophonous,
    },
    parts: [],
    askedTaken: new Uint8Array(query.similarWords),
    listedTaken: new Uint8Array(words.length),
  }
  pairSameWords(progress)
  pairMergedWords(progress)
  pairSimilarWords(progress)
  return progress
}

function pairSameWords(progress: Progress): void {
  const { words, query, askedTaken } = progress
  for (let at = 0; at < words.length; at++) {
    for (let asked = 0; asked < query.similarWords; asked++) {
      if (askedTaken[asked] === 1 || query.ids[asked] !== words[at]) continue
      take(progress, [asked], [at], 'same', 1)
      break
    }
  }
}

/** `JOA QUIN` for `JOAQUIN`, `BINLADIN` for `BIN LADIN`, `JC` for `Jean Claude`. */
function pairMergedWords(progress: Progress): void {
  const { words, query, askedTaken, listedTaken } = progress
  for (let asked = 0; asked < query.similarWords; asked++) {
    for (let at = 0; at < words.length; at++) {
      if (askedTaken[asked] === 1 || listedTaken[at] === 1) continue
      if ((evidenceFor(progress, asked, at)?.similarity ?? 0) > DIRECT_SIMILARITY) continue
      const part = partOfMerged(progress, asked, at)
      if (part !== undefined) take(progress, part.asked, part.listed, part.kind, part.similarity)
    }
  }
}

interface Pairing {
  readonly asked: number
  readonly at: number
  readonly evidence: WordEvidence
  readonly gain: number
}

function pairSimilarWords(progress: Progress): void {
  const { words, query, askedTaken, listedTaken, index } = progress
  const pairings: Pairing[] = []
  for (let at = 0; at < words.length; at++) {
    if (listedTaken[at] === 1) continue
    for (let asked = 0; asked < query.similarWords; asked++) {
      if (askedTaken[asked] === 1) continue
      const evidence = evidenceFor(progress, asked, at)
      if (evidence === undefined) continue
      // A company is shortened to an initial at its beginning only, if at all.
      if (evidence.kind === 'initial' && !progress.person && !isShortened(progress, asked, at))
        continue
      const gain = evidence.similarity * (0.5 + index.table.alignWeight[words[at]!]!)
      pairings.push({ asked, at, evidence, gain })
    }
  }
  if (pairings.length > 1)
    pairings.sort((a, b) => b.gain - a.gain || a.at - b.at || a.asked - b.asked)
  for (const { asked, at, evidence } of pairings) {
    if (askedTaken[asked] === 1 || listedTaken[at] === 1) continue
    take(progress, [asked], [at], evidence.kind, evidence.similarity)
  }
}

function isShortened({ query }: Progress, asked: number, at: number): boolean {
  return asked === 0 && at === 0 && query.words[0]!.length === 1
}

/** Evidence for one pair of words; remembered, because candidates share their words. */
function evidenceFor(progress: Progress, asked: number, at: number): WordEvidence | undefined {
  const { query, index, words, context } = progress
  const id = words[at]!
  const key =
    ((asked * 2 + (context.person ? 1 : 0)) * 2 + (context.unvocalised ? 1 : 0)) *
      index.table.words.length +
    id
  const known = query.evidence.get(key)
  if (known !== undefined) return known ?? undefined
  const found = readEvidence(progress, asked, id)
  query.evidence.set(key, found ?? null)
  return found
}

function readEvidence(progress: Progress, asked: number, id: number): WordEvidence | undefined {
  const { query, index, context } = progress
  const { table } = index
  // Without a foreign letter or digit, i for l may be a slip like any other.
  if (table.skeletonHash[id] === query.skeletonHash[asked] && query.ids[asked] !== id)
    return query.disguised ? LOOKALIKE : PLAIN_LOOKALIKE
  const evidence = wordEvidence(query.traits[asked]!, listedTraits(table, id), context)
  if (evidence === undefined || evidence.kind !== 'spelling') return evidence
  // A word that is itself listed, more than once, is another name and no slip.
  const known = query.ids[asked]!
  if (known < 0 || table.nameCount[known]! <= 1) return evidence
  const similarity = evidence.similarity - KNOWN_WORD_PENALTY
  return similarity < LEAST_SIMILARITY ? undefined : { kind: 'spelling', similarity }
}

function take(
  progress: Progress,
  asked: readonly number[],
  listed: readonly number[],
  kind: EvidenceKind,
  similarity: number,
): void {
  for (const at of asked) progress.askedTaken[at] = 1
  for (const at of listed) progress.listedTaken[at] = 1
  progress.parts.push({ asked, listed, kind, similarity })
}
