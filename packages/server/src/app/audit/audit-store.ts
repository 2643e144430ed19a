/** What the audit log needs from the store: entries in, leaves, proofs and pages out. */
import type {
  AgentId,
  AuditRecord,
  Checkpoint,
  EntryKind,
  EpochMs,
  LeafRange,
  LoggedEntry,
  OperatorId,
  Sha256,
  TxnId,
  Verdict,
} from '@portcullis/protocol'

/** The tables that feed the log. */
export const ENTRY_SOURCES = ['screen', 'disposition', 'event'] as const
export type EntrySource = (typeof ENTRY_SOURCES)[number]

/** How a batch is hashed and its checkpoint signed. */
export interface Sealing {
  readonly hash: Sha256
  readonly checkpoint: (size: number, root: Uint8Array) => Checkpoint
  readonly now: EpochMs
  readonly limit: number
}

/** A leaf of the tree and, when it is still there, the entry behind it. */
export interface LoggedLeaf {
  readonly leafIndex: number
  readonly leafHash: Uint8Array
  /** Which hash function and form made it. */
  readonly hashVersion: number
  readonly source: EntrySource
  readonly seq: number
  readonly txnId: string | null
  /** Undefined when the row is gone, or was purged. */
  readonly entry: LoggedEntry | undefined
  /** Digest of what a purge left of the row. */
  readonly left: string | undefined
  readonly state: 'kept' | 'purged' | 'missing'
}

/** Leaves in order, and rows that stand among them without being in the tree. */
export interface LeafPage {
  readonly leaves: readonly LoggedLeaf[]
  readonly strays: readonly { source: EntrySource; seq: number; txnId: string | null }[]
}

export interface InclusionFound {
  readonly checkpoint: Checkpoint
  readonly leaf: LoggedLeaf
  readonly hashes: readonly Uint8Array[]
}

/** Own screens by time; `after` is the place where the page before ended. */
export interface AuditListing {
  readonly operatorId: OperatorId
  readonly from: EpochMs
  readonly to: EpochMs
  /** Records that are older have expired, unless they are under legal hold. */
  readonly since: EpochMs
  readonly verdict: Verdict | undefined
  readonly agentId: AgentId | undefined
  /** Under legal hold or not; undefined for both. */
  readonly held: boolean | undefined
  readonly order: 'newest' | 'oldest'
  readonly after: Place | undefined
  readonly limit: number
}

export interface Place {
  readonly at: EpochMs
  readonly seq: number
}

export interface ListedScreen extends Place {
  readonly txnId: TxnId
  readonly record: AuditRecord
}

/** A new entry of the log about a screen. */
export interface AuditEvent {
  readonly kind: EntryKind
  readonly txnId: TxnId
  readonly operatorId: OperatorId
  readonly at: EpochMs
  /** JSON text. */
  readonly body: string
}

export interface ExpiredQuery {
  readonly before: EpochMs
  /** Goes on after this row. */
  readonly after: number
  readonly limit: number
}

export interface ExpiredPage {
  /** Expired screens that may go: neither held nor purged, and sealed with all about them. */
  readonly txnIds: readonly TxnId[]
  /** Undefined when there is nothing more to look at. */
  readonly next: number | undefined
}

/** What stands beside the tree, drives decisions, and follows from the log. */
export const DERIVED_STATES = [
  'reviews',
  'proposals',
  'four-eyes',
  'alerts',
  'spend',
  'usage',
  'baselines',
] as const
export type DerivedState = (typeof DERIVED_STATES)[number]

/** A row that is not what the log comes to; the message names it when it is about no screen. */
export interface StateDifference {
  readonly txnId: string | null
  readonly message: string
}

export interface EventsPurged {
  readonly purged: number
  /** Undefined when there is nothing more to look at. */
  readonly next: number | undefined
}

export interface AuditStore {
  /**
   * Appends up to `limit` entries to the tree with a checkpoint, in one transaction; answers how
   * many. MUST seal every committed entry exactly once, in the order of its table.
   */
  sealBatch(sealing: Sealing): Promise<number>
  /** Whether {@link sealBatch} would find anything. Costs three index look-ups and no write. */
  hasUnsealed(): Promise<boolean>
  newestCheckpoint(): Promise<Checkpoint | undefined>
  /** The newest checkpoint of every hour, by size. */
  checkpoints(): Promise<readonly Checkpoint[]>
  /** Undefined for another operator's screen, as for an unknown one; and while it is not sealed. */
  proveEntry(
    operatorId: OperatorId,
    txnId: TxnId,
    kind: 'screen' | 'disposition',
    hash: Sha256,
  ): Promise<InclusionFound | undefined>
  /** Whether the operator has such a screen, purged ones included. */
  hasScreen(operatorId: OperatorId, txnId: TxnId): Promise<boolean>
  /** Hashes of ranges; throws RangeError for what is not in the tree. */
  rangeHashes(ranges: readonly LeafRange[], hash: Sha256): Promise<readonly Uint8Array[]>
  /** Leaves from `first` on. */
  leaves(first: number, limit: number): Promise<LeafPage>
  /** All sealed leaves about screens, in their order: screen, disposition, events. */
  leavesOf(txnIds: readonly TxnId[]): Promise<readonly LoggedLeaf[]>
  /** Sealed leaves about an operator and no screen, in their order; `after` is a row number. */
  operatorLeaves(
    wanted: Pick<AuditListing, 'operatorId' | 'from' | 'to' | 'since'>,
    after: number,
    limit: number,
  ): Promise<readonly LoggedLeaf[]>
  listScreens(listing: AuditListing): Promise<readonly ListedScreen[]>
  /** MUST refuse a record that the operator does not have or that was purged: answers false. */
  addAuditEvent(event: AuditEvent): Promise<boolean>
  /** The newest hold or release, if any. */
  holdOf(txnId: TxnId): Promise<AuditEvent | undefined>
  /**
   * Leaves that purges said they took, with the digest of what each left of the row; undefined for
   * a purge of before digests were written down.
   */
  purgedLeaves(): Promise<ReadonlyMap<number, string | undefined>>
  expiredScreens(query: ExpiredQuery): Promise<ExpiredPage>
  /**
   * Takes the texts of these screens and of all entries about them, and says so in a new entry.
   * MUST keep whatever is under legal hold, is younger than `before`, is not sealed whole, or is
   * not what was sealed: a purge would hide the damage. Answers how many screens were purged.
   */
  purgeScreens(txnIds: readonly TxnId[], before: EpochMs, now: EpochMs): Promise<number>
  /** The same for entries that expire by their own time; what they are about goes with them. */
  purgeEvents(query: ExpiredQuery, now: EpochMs): Promise<EventsPurged>
  /** The first row that the log does not come to. MUST look at one moment of the store. */
  stateDifference(what: DerivedState): Promise<StateDifference | undefined>
  /** MUST leave nothing of what was purged or deleted in any file of the store. */
  dropTraces(): Promise<void>
}
