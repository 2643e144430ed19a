import type { Alignment, Progress } from './alignment.ts'
import { evidenceRow } from './name-evidence.ts'
import type { EvidenceRow } from './evidence-row.ts'
import { wordsOfName } from './name-windows.ts'
import type { NameIndex } from './name-index.ts'
import type { NameQuery } from './name-query.ts'
import { mergedEvidence } from '../words/merged-words.ts'
import type { EvidenceKind, WordContext, WordEvidence } from '../words/word-evidence.ts'
import { runsOf } from '../words/word-runs.ts'
import type { WordRun } from '../words/word-runs.ts'
import { listedTraits } from '../words/word-table.ts'

/** Two words so alike are taken for one without looking at their neighbours. */
const DIRECT_SIMILARITY = 0.9

/**
 * Pairs the words of a query with those of one listed name, each at most once: the same words
 * first, then words parted elsewhere, then the most similar ones, the telling ones before the rest.
 */
export function alignName(index: NameIndex, query: NameQuery, name: number): Alignment {
  const words = wordsOfName(index, name)
  const context = contextOf(index, query, name)
  const progress: Progress = {
    index,
    query,
    name,
    words,
    person: context.person,
    context,
    parts: [],
    runs: undefined,
    askedTaken: new Uint8Array(query.similarWords),
    listedTaken: new Uint8Array(words.length),
  }
  pairSameWords(progress)
  pairMergedWords(progress)
  pairSimilarWords(progress)
  return progress
}

/** How the words of a listed name are read beside those of a query. */
export function contextOf(index: NameIndex, query: NameQuery, name: number): WordContext {
  return {
    person: index.nameIsPerson[name] === 1,
    unvocalised: query.unvocalised || index.nameIsUnvocalised[name] === 1,
    homophonous: query.homophonous,
  }
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
      if (!takeListedRun(progress, asked, at)) takeAskedRun(progress, asked, at)
    }
  }
}

/** One word of the query for several listed ones from `at` on. */
function takeListedRun(progress: Progress, asked: number, at: number): boolean {
  const { query, listedTaken } = progress
  for (const run of listedRuns(progress)) {
    if (run.start !== at || !isFree(listedTaken, run)) continue
    const evidence = mergedEvidence(query.traits[asked]!, run, progress.context)
    if (evidence === undefined) continue
    take(progress, [asked], positionsOf(run), evidence.kind, evidence.similarity)
    return true
  }
  return false
}

/** Several words of the query from `asked` on for one listed word. */
function takeAskedRun(progress: Progress, asked: number, at: number): void {
  const { merged } = rowOf(progress, at)
  for (const { run, evidence } of merged) {
    if (run.start !== asked || !isFree(progress.askedTaken, run)) continue
    return take(progress, positionsOf(run), [at], evidence.kind, evidence.similarity)
  }
}

function listedRuns(progress: Progress): readonly WordRun[] {
  const { index, words } = progress
  return (progress.runs ??= runsOf(Array.from(words, (id) => listedTraits(index.table, id))))
}

function isFree(taken: Uint8Array, { start, words }: WordRun): boolean {
  for (let at = start; at < start + words.length; at++) if (taken[at] === 1) return false
  return true
}

function positionsOf({ start, words }: WordRun): number[] {
  return words.map((_, at) => start + at)
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

function evidenceFor(progress: Progress, asked: number, at: number): WordEvidence | undefined {
  return rowOf(progress, at).evidence[asked]
}

function rowOf({ query, index, words, context }: Progress, at: number): EvidenceRow {
  return evidenceRow(index, query, words[at]!, context)
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
