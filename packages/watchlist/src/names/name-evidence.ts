import type { EvidenceRow, MergedRun } from './evidence-row.ts'
import { mayBeRun, mergedEvidence } from '../words/merged-words.ts'
import type { NameIndex } from './name-index.ts'
import type { NameQuery } from './name-query.ts'
import {
  KNOWN_WORD_PENALTY,
  LEAST_SIMILARITY,
  LOOKALIKE_SIMILARITY,
  PLAIN_LOOKALIKE_SIMILARITY,
} from '../thresholds.ts'
import { SAME, wordEvidence } from '../words/word-evidence.ts'
import type { WordContext, WordEvidence } from '../words/word-evidence.ts'
import { isUnlike, profileSkeleton } from '../words/word-profile.ts'
import { listedTraits } from '../words/word-table.ts'

const PLAIN_LOOKALIKE: WordEvidence = { kind: 'lookalike', similarity: PLAIN_LOOKALIKE_SIMILARITY }
const LOOKALIKE: WordEvidence = { kind: 'lookalike', similarity: LOOKALIKE_SIMILARITY }

const NONE: readonly never[] = []
const NOTHING: EvidenceRow = { evidence: NONE, asked: 0, best: 0, merged: NONE }

/** The row of one listed word; remembered, because candidates share their words. */
export function evidenceRow(
  index: NameIndex,
  query: NameQuery,
  id: number,
  context: WordContext,
): EvidenceRow {
  const key = id * 4 + (context.person ? 2 : 0) + (context.unvocalised ? 1 : 0)
  let row = query.rows.get(key)
  if (row === undefined) {
    row = readRow(index, query, id, context)
    query.rows.set(key, row)
  }
  return row
}

function readRow(
  index: NameIndex,
  query: NameQuery,
  id: number,
  context: WordContext,
): EvidenceRow {
  let evidence: (WordEvidence | undefined)[] | undefined
  let asked = 0
  let best = 0
  for (let at = 0; at < query.similarWords; at++) {
    const found = readEvidence(index, query, at, id, context)
    if (found === undefined) continue
    evidence ??= new Array<WordEvidence | undefined>(query.similarWords)
    evidence[at] = found
    asked |= 1 << at
    if (found.similarity > best) best = found.similarity
  }
  let merged: MergedRun[] | undefined
  for (const run of query.runs) {
    if (!mayBeRun(index.table.profiles, id, run, context)) continue
    const found = mergedEvidence(listedTraits(index.table, id), run, context)
    if (found === undefined) continue
    merged ??= []
    merged.push({ run, evidence: found })
    asked |= ((1 << run.words.length) - 1) << run.start
    if (found.similarity > best) best = found.similarity
  }
  if (asked === 0) return NOTHING
  return { evidence: evidence ?? NONE, asked, best, merged: merged ?? NONE }
}

function readEvidence(
  { table }: NameIndex,
  query: NameQuery,
  asked: number,
  id: number,
  context: WordContext,
): WordEvidence | undefined {
  if (query.ids[asked] === id) return SAME
  // Without a foreign letter or digit, i for l may be a slip like any other.
  if (profileSkeleton(table.profiles, id) === (query.skeletonHash[asked]! | 0))
    return query.disguised ? LOOKALIKE : PLAIN_LOOKALIKE
  if (!context.unvocalised && isUnlike(table.profiles, id, query.traits[asked]!)) return undefined
  const evidence = wordEvidence(query.traits[asked]!, listedTraits(table, id), context)
  if (evidence === undefined || evidence.kind !== 'spelling') return evidence
  // A word that is itself listed, more than once, is another name and no slip.
  const known = query.ids[asked]!
  if (known < 0 || table.nameCount[known]! <= 1) return evidence
  const similarity = evidence.similarity - KNOWN_WORD_PENALTY
  return similarity < LEAST_SIMILARITY ? undefined : { kind: 'spelling', similarity }
}
