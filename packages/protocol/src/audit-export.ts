/** The export of the audit log as lines of JSON: what stands in it (docs/verifying-audit.md). */
import { hexOf } from './audit-entry.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { Sha256 } from './merkle.ts'
import type { JwksDocument } from './schemas/health.ts'

export const EXPORT_TYP = 'kya-audit-export+jwt'
export const EXPORT_NAME = 'portcullis-audit-export'

/** Leaves from the first on, and how many. */
export type LeafRun = readonly [first: number, count: number]

export interface ExportHeader {
  readonly type: 'header'
  readonly format: typeof EXPORT_NAME
  readonly version: 1
  readonly exportedAt: string
  /** Null for the whole log. */
  readonly operatorId: string | null
  readonly from: string | null
  readonly to: string | null
  /** Null for all of them; an export of some must not pass for one of all. */
  readonly verdict: string | null
  readonly agentId: string | null
  readonly checkpoint: Checkpoint
  /** For convenience; whoever checks brings keys that he trusts. */
  readonly jwks: JwksDocument
}

/** Whose entries, and which of them; null for all. What it says is signed at the end. */
export type ExportScope = Pick<ExportHeader, 'operatorId' | 'from' | 'to' | 'verdict' | 'agentId'>

export interface ExportEntry {
  readonly type: 'entry'
  readonly leafIndex: number
  readonly txnId: string | null
  readonly kind: string
  readonly leafHash: string
  /** Base64 of the RFC 8785 bytes; null for a purged entry. */
  readonly leafData: string | null
  readonly hashes: readonly string[]
  /** Of a screen that was not purged. */
  readonly receipt: string | null
}

/** What the signature at the end says: exactly these leaves, in this order. */
export interface ExportClaims {
  readonly origin: string
  readonly size: number
  readonly rootHash: string
  readonly operatorId: string | null
  /** As in the header. */
  readonly exportedAt: string
  readonly from: string | null
  readonly to: string | null
  readonly verdict: string | null
  readonly agentId: string | null
  readonly entries: number
  readonly leaves: readonly LeafRun[]
  /** Of these, those that were purged. */
  readonly purged: readonly LeafRun[]
  /** {@link purgedDigest} of them: their ids and kinds stand in no hash of the tree. */
  readonly purgedDigest: string
}

export interface ExportEnd {
  readonly type: 'end'
  readonly entries: number
  readonly manifest: string
}

/** Adds a leaf at the end of runs. */
export function addToRuns(runs: [number, number][], leafIndex: number): void {
  const last = runs.at(-1)
  if (last !== undefined && last[0] + last[1] === leafIndex) last[1]++
  else runs.push([leafIndex, 1])
}

export function* leavesOfRuns(runs: readonly LeafRun[]): Generator<number> {
  for (const [first, count] of runs) for (let i = 0; i < count; i++) yield first + i
}

/** What is said of a purged entry, chained to those before it; lower-case hex, empty at first. */
export const purgedDigest = (
  before: string,
  { leafIndex, txnId, kind }: Pick<ExportEntry, 'leafIndex' | 'txnId' | 'kind'>,
  hash: Sha256,
): string => hexOf(hash(`${before}\n${leafIndex} ${txnId ?? ''} ${kind}`))
