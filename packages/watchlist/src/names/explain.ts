import type { EntryType } from '../entry.ts'
import { alignName } from './name-align.ts'
import type { Alignment } from './alignment.ts'
import type { NameIndex } from './name-index.ts'
import { readNameQuery } from './name-query.ts'
import type { NameQuery } from './name-query.ts'
import { scoreAlignment } from './name-score.ts'
import { wordsOfName } from './name-windows.ts'
import { indexOfOne } from './score-pair.ts'
import type { EvidenceKind } from '../words/word-evidence.ts'

/** Words of a query beside the listed words they stand for, in normal form. */
export interface ExplainedPart {
  /** Words of the query, parted by spaces. */
  readonly query: string
  /** Words of the listed name, parted by spaces. */
  readonly listed: string
  readonly evidence: EvidenceKind
  /** 0 to 1: how well the one stands for the other. */
  readonly score: number
  /** 0 to 1: how telling the listed words are at large. */
  readonly weight: number
}

/** Why a query and a listed name agree, and where they do not. */
export interface Explanation {
  /** In the order of the listed name. */
  readonly parts: readonly ExplainedPart[]
  /** Words of the query that stand for nothing listed. */
  readonly queryOnly: readonly string[]
  /** Words of the listed name that nothing in the query stands for. */
  readonly listedOnly: readonly string[]
  /** The query was compared backwards. */
  readonly reversed: boolean
}

/** What an explanation needs of a match; a `NameMatch` has it. */
export interface Explainable {
  readonly matchedName: string
  readonly entryType: EntryType
}

/**
 * The alignment behind a match, word by word, for a person to read. Weights are those of words at
 * large, so that a listed name explains itself without its list. Never throws.
 */
export function explainMatch(query: string, match: Explainable): Explanation {
  const index = indexOfOne(match.matchedName, match.entryType)
  let best: { alignment: Alignment; reading: NameQuery } | undefined
  let bestScore = -1
  if (index.nameText.length > 0) {
    for (const reading of readNameQuery(index.table, query)) {
      const alignment = alignName(index, reading, 0)
      const score = scoreAlignment(index, reading, alignment) + sharedOf(alignment)
      if (score <= bestScore) continue
      best = { alignment, reading }
      bestScore = score
    }
  }
  if (best === undefined) return { parts: [], queryOnly: [], listedOnly: [], reversed: false }
  return describe(index, best.reading, best.alignment)
}

/** Tells alignments of equal score apart by how much they pair. */
function sharedOf({ parts }: Alignment): number {
  let shared = 0
  for (const { similarity } of parts) shared += similarity
  return shared / 1000
}

function describe(index: NameIndex, reading: NameQuery, alignment: Alignment): Explanation {
  const ids = wordsOfName(index, alignment.name)
  const listedWord = (at: number) => index.table.words[ids[at]!]!
  const parts = alignment.parts
    .toSorted((a, b) => a.listed[0]! - b.listed[0]!)
    .map(({ asked, listed, kind, similarity }) => ({
      query: asked.map((at) => reading.words[at]!).join(' '),
      listed: listed.map(listedWord).join(' '),
      evidence: kind,
      score: rounded(similarity),
      weight: rounded(Math.max(...listed.map((at) => index.table.alignWeight[ids[at]!]!))),
    }))
  return {
    parts,
    queryOnly: reading.words.filter((_, at) => alignment.askedTaken[at] !== 1),
    listedOnly: Array.from(ids, (_, at) => at)
      .filter((at) => alignment.listedTaken[at] !== 1)
      .map(listedWord),
    reversed: reading.reversed,
  }
}

function rounded(share: number): number {
  return Math.round(share * 1000) / 1000
}
