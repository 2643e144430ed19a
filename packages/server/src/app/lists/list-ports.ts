/** What keeping the sanctions lists current needs from the world. */
import type { ListCounts, ListDiff, ListId, Watchlist } from '@portcullis/watchlist'

/** A file of an edition, where the builder can read it. */
export interface EditionFile {
  /** Upstream name, in lower case. */
  readonly name: string
  readonly path: string
  /** Lower-case hex; whoever reads the file MUST check it. */
  readonly sha256: string
}

/** The files of one list at one moment: not yet read, so not yet believed. */
export interface Edition {
  readonly id: ListId
  /** Lower-case hex over names and contents. */
  readonly contentHash: string
  readonly files: readonly EditionFile[]
  /** Which place it came from; a last good list belongs to the place it came from. */
  readonly origin: string
  /** How health names the place. */
  readonly source: string
  /** Canaries and plausible counts judge downloads only. */
  readonly downloaded: boolean
  /** When it was known to be what is published. ISO 8601. */
  readonly loadedAt: string
}

/** An edition that was read whole and stands on the shelf. */
export interface GoodEdition extends Edition {
  readonly counts: ListCounts
}

/** An edition that was not believed. */
export interface RefusedEdition extends Edition {
  /** One lower-case sentence that names no path. */
  readonly reason: string
  /** ISO 8601. */
  readonly refusedAt: string
}

/** What looking at a source can find. */
export type Look =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed'; readonly edition: Edition }

/** Where lists come from: the publishers, a mirror of theirs, or a folder. */
export interface ListSource {
  readonly origin: string
  readonly source: string
  readonly downloaded: boolean
  /**
   * Looks what is published now. `known` are the editions at hand, newest first: what is equal to
   * the first of them is unchanged.
   *
   * MUST be bounded in time and size, and throw `ListUnreachable` when it cannot tell.
   */
  look(
    id: ListId,
    known: readonly Edition[],
    signal: AbortSignal,
    progress: (done: number, total: number | undefined) => void,
  ): Promise<Look>
}

/** A source that does not answer, or not with a list. The message names no path. */
export class ListUnreachable extends Error {
  override readonly name = 'ListUnreachable'
}

/** What the shelf holds of one list. */
export interface Shelved {
  readonly current: GoodEdition | undefined
  /** The one before, for when the current one is damaged on disk. */
  readonly previous: GoodEdition | undefined
  readonly refused: RefusedEdition | undefined
  /** Content that the operator accepts although a gate refuses it. */
  readonly accepted: string | undefined
}

/** A difference as it is kept. */
export interface KeptDiff {
  readonly list: ListId
  readonly from: string
  readonly to: string
  /** ISO 8601. */
  readonly at: string
  readonly diff: ListDiff
}

/**
 * The last good lists on disk.
 *
 * Every change MUST be atomic: a process that dies at any moment leaves the old state or the new
 * one.
 */
export interface ListShelf {
  read(id: ListId): Promise<Shelved>
  /** The edition is the last good one from now on; answers where it stands. */
  keep(edition: GoodEdition): Promise<GoodEdition>
  refuse(edition: RefusedEdition): Promise<RefusedEdition>
  /** What stands on the shelf was found to be what is published. */
  confirm(id: ListId, contentHash: string, loadedAt: string): Promise<void>
  /** The refused edition of that content passes the gates at the next look. */
  accept(id: ListId, contentHash: string): Promise<void>
  keepDiff(diff: KeptDiff): Promise<void>
  /** Newest first. */
  diffs(id: ListId): Promise<readonly KeptDiff[]>
}

/** One list in a build. */
export interface ListOrder {
  readonly id: ListId
  /** To be judged; used when it passes. */
  readonly candidate?: Edition
  /** The candidate passes without gates; it still has to read whole. */
  readonly accepted: boolean
  /** Used when the candidate does not pass, the first one that reads whole. */
  readonly lastGood: readonly GoodEdition[]
  /** True when the last good edition is in force already. */
  readonly inForce: boolean
}

/** What became of one list. */
export interface ListOutcome {
  readonly id: ListId
  /** The edition that was used; undefined when there is none. */
  readonly used: GoodEdition | undefined
  /** Why the candidate is refused. */
  readonly refusal?: string
  /** Why the current edition on the shelf was passed over. */
  readonly damage?: string
  /** Candidate against the last good edition, when the candidate is used. */
  readonly diff?: ListDiff
  /** Content hash of that last good edition. */
  readonly diffFrom?: string
}

export interface BuildOrder {
  readonly lists: readonly ListOrder[]
  /** Put the embedded set in the place of a missing OFAC list. */
  readonly fallback: boolean
}

export interface Built {
  readonly outcomes: readonly ListOutcome[]
  /** Undefined when what is in force stays, or when there is no OFAC list. */
  readonly watchlist: Watchlist | undefined
  /** False when every list that is used is in force already. */
  readonly changed: boolean
}

/** Reads editions and builds the snapshot over them. */
export interface ListBuilder {
  /** MUST NOT stop the event loop for more than 20 ms while the service serves. */
  build(order: BuildOrder, signal: AbortSignal): Promise<Built>
}

/** Time that passes, and the chance that keeps instances from asking all at once. */
export interface Pause {
  /** Resolves early when `signal` is aborted. MUST NOT keep the process alive. */
  wait(ms: number, signal: AbortSignal): Promise<void>
  /** 0 to 1. */
  chance(): number
}

/** What is told of one list. */
export interface ListStatus {
  readonly id: ListId
  /** Whether this service is to have the list. */
  readonly expected: boolean
  readonly inForce: GoodEdition | undefined
  readonly refused: Refusal | undefined
  /** Why the source could not be asked the last time. */
  readonly unreachable: string | undefined
}

/** Why what is published now is not in use. */
export interface Refusal {
  readonly reason: string
  /** ISO 8601. */
  readonly at: string
  /** Undefined when there is nothing that could be accepted. */
  readonly edition: RefusedEdition | undefined
}

/** What a person who waits may see. */
export type SyncProgress =
  | {
      readonly what: 'fetch'
      readonly id: ListId
      readonly done: number
      readonly total: number | undefined
    }
  | { readonly what: 'read'; readonly id: ListId }

/** How a service keeps its lists. */
export interface SyncSettings {
  /** How often the source is asked. */
  readonly pollMs: number
  /** Whether the embedded set may stand in for a missing OFAC list. */
  readonly fallback: boolean
  /** False: nothing is written to the shelf. */
  readonly writes: boolean
}
