import type { NameIndex } from './name-index.ts'
import type { NameQuery } from './name-query.ts'
import type { EvidenceKind, WordContext } from '../words/word-evidence.ts'
import type { WordRun } from '../words/word-runs.ts'

/** Words of the query beside the listed words for which they stand. */
export interface AlignedPart {
  /** Positions in the query, consecutive. */
  readonly asked: readonly number[]
  /** Positions in the listed name, consecutive. */
  readonly listed: readonly number[]
  readonly kind: EvidenceKind
  /** 0 to 1. */
  readonly similarity: number
}

/** A query and a listed name, word by word. */
export interface Alignment {
  readonly name: number
  readonly person: boolean
  readonly parts: readonly AlignedPart[]
  readonly askedTaken: Uint8Array
  readonly listedTaken: Uint8Array
}

/** An alignment in the making. */
export interface Progress extends Alignment {
  readonly index: NameIndex
  readonly query: NameQuery
  readonly words: Int32Array
  readonly context: WordContext
  readonly parts: AlignedPart[]
  /** Runs of the listed words, once they are asked for. */
  runs: readonly WordRun[] | undefined
}
