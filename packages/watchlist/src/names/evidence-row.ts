import type { WordEvidence } from '../words/word-evidence.ts'
import type { WordRun } from '../words/word-runs.ts'

/** What the words of a query make of one listed word. */
export interface EvidenceRow {
  /** By position in the query, as far as the query is compared by similarity. */
  readonly evidence: readonly (WordEvidence | undefined)[]
  /** One bit for each of those positions that has evidence, alone or merged with others. */
  readonly asked: number
  /** The best similarity among them and among `merged`, or 0. */
  readonly best: number
  /** Evidence that words of the query in a row are this word, in the order of `NameQuery.runs`. */
  readonly merged: readonly MergedRun[]
}

/** A run of the query and how well it stands for a listed word. */
export interface MergedRun {
  readonly run: WordRun
  readonly evidence: WordEvidence
}
