/** Rows of the log as the entries that are hashed. What is said here is hashed: never change it. */
import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import {
  type Checkpoint,
  entryHash,
  type EntryKind,
  HASH_VERSION,
  isoTime,
  type LoggedEntry,
  sameBytes,
  type Sha256,
} from '@portcullis/protocol'
import type { EntrySource, LoggedLeaf } from '../../app/audit/audit-store.ts'
import type { CheckpointRow, DecidedRow, EntryRow, EventRow } from './audit-log-statements.ts'

/** A row of any source: what it is about, and its entry unless it was purged. */
export interface SourceRow {
  readonly source: EntrySource
  readonly seq: number
  readonly txnId: string | null
  readonly entry: LoggedEntry | undefined
  /** Digest of what a purge left of the row; undefined while it has its texts. */
  readonly left: string | undefined
}

/** Of everything that stands in a purged row, beside its number: the purge writes this down. */
const leftOf = (
  purgedAt: bigint | null,
  ...columns: readonly (string | bigint | null)[]
): string | undefined =>
  purgedAt === null
    ? undefined
    : hash('sha256', JSON.stringify([...columns, purgedAt].map(inJson)), 'base64')

const inJson = (value: string | bigint | null) => (value === null ? null : String(value))

/** Under load several entries share a millisecond. */
let latest = { ms: -1n, text: '' }

function time(ms: bigint): string {
  if (ms !== latest.ms) latest = { ms, text: isoTime(Number(ms)) }
  return latest.text
}

export const screenRow = (row: EntryRow): SourceRow => ({
  source: 'screen',
  seq: Number(row.seq),
  txnId: row.txn_id,
  entry: row.purged_at_ms !== null ? undefined : screenEntry(row),
  left: leftOf(
    row.purged_at_ms,
    ...[row.txn_id, row.operator_id, row.agent_id, row.verdict, row.screened_at_ms],
    ...[row.spend_micro_usd, row.charge, row.agent_ordinal, row.leaf, row.record, row.facts],
  ),
})

/** What of a screen's row is hashed. */
type ScreenColumns = Omit<EntryRow, 'seq' | 'purged_at_ms' | 'leaf' | 'agent_ordinal'>

const screenEntry = (row: ScreenColumns): LoggedEntry => ({
  hashVersion: HASH_VERSION,
  kind: 'screen',
  txnId: row.txn_id,
  operatorId: row.operator_id,
  at: time(row.screened_at_ms),
  record: row.record,
  facts: row.facts,
  agentId: row.agent_id,
  verdict: row.verdict,
  spendMicroUsd: row.spend_micro_usd.toString(),
  charge: Number(row.charge),
})

const LEAF_OF_THIS_VERSION = `${HASH_VERSION} `

/** The leaf of a row that is written now, taken while its texts are at hand. */
export const leafOfScreen = (row: ScreenColumns): string =>
  LEAF_OF_THIS_VERSION + Buffer.from(entryHash(screenEntry(row), sha256)).toString('base64')

/** Undefined for a row of before, whose leaf must be worked out. */
export const keptLeaf = (leaf: string | null): Uint8Array | undefined =>
  leaf?.startsWith(LEAF_OF_THIS_VERSION) === true
    ? Buffer.from(leaf.slice(LEAF_OF_THIS_VERSION.length), 'base64')
    : undefined

const sha256: Sha256 = (data) => hash('sha256', data, 'buffer')

/** Whether the row is still what the tree holds of it. */
export const isAsSealed = ({ entry, leafHash }: Pick<LoggedLeaf, 'entry' | 'leafHash'>): boolean =>
  entry !== undefined && sameBytes(entryHash(entry, sha256), leafHash)

export const decidedRow = (row: DecidedRow): SourceRow => ({
  source: 'disposition',
  seq: Number(row.seq),
  txnId: row.txn_id,
  entry:
    row.purged_at_ms !== null
      ? undefined
      : {
          hashVersion: HASH_VERSION,
          kind: 'disposition',
          txnId: row.txn_id,
          operatorId: row.operator_id,
          at: time(row.reviewed_at_ms),
          record: JSON.stringify({
            disposition: row.disposition,
            reviewedBy: row.reviewed_by,
            notes: row.notes,
            reviewedAt: time(row.reviewed_at_ms),
            utcDate: row.utc_date,
          }),
          spendMicroUsd: row.spend_micro_usd.toString(),
        },
  left: leftOf(
    row.purged_at_ms,
    ...[row.txn_id, row.disposition, row.reviewed_by, row.notes, row.reviewed_at_ms],
    ...[row.utc_date, row.spend_micro_usd],
  ),
})

export const eventRow = (row: EventRow): SourceRow => ({
  source: 'event',
  seq: Number(row.seq),
  txnId: row.txn_id,
  entry:
    row.purged_at_ms !== null
      ? undefined
      : {
          hashVersion: HASH_VERSION,
          kind: row.kind as EntryKind,
          txnId: row.txn_id,
          operatorId: row.operator_id,
          at: time(row.at_ms),
          record: row.body,
        },
  left: leftOf(row.purged_at_ms, ...[row.kind, row.txn_id, row.operator_id, row.at_ms, row.body]),
})

const HOUR_MS = 3_600_000n

export const checkpointRow = (checkpoint: Checkpoint, nowMs: number): CheckpointRow => ({
  utc_hour: BigInt(nowMs) / HOUR_MS,
  origin: checkpoint.origin,
  size: BigInt(checkpoint.size),
  root_hash: checkpoint.rootHash,
  signed_at: checkpoint.timestamp,
  signature: checkpoint.signature,
})

export const checkpointOf = (row: CheckpointRow): Checkpoint => ({
  origin: row.origin,
  size: Number(row.size),
  rootHash: row.root_hash,
  timestamp: row.signed_at,
  signature: row.signature,
})
