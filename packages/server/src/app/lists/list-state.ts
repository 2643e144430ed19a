/** What one service knows of its lists. */
import { LIST_IDS, type ListId, type Watchlist } from '@portcullis/watchlist'
import type {
  Edition,
  GoodEdition,
  ListBuilder,
  ListOrder,
  ListShelf,
  ListSource,
  ListStatus,
  Pause,
  RefusedEdition,
  Refusal,
  Shelved,
  SyncSettings,
} from './list-ports.ts'
import type { Clock, Log } from '../ports.ts'

/** What keeping lists needs. */
export interface ListSyncParts {
  /** Undefined: nothing is asked, the last good lists are used. */
  readonly source: ListSource | undefined
  readonly shelf: ListShelf
  /** For the start, when nobody is served yet. */
  readonly startBuilder: ListBuilder
  readonly builder: ListBuilder
  readonly clock: Clock
  readonly pause: Pause
  readonly log: Log
  readonly settings: SyncSettings
}

/** One list. */
export interface ListState {
  inForce: GoodEdition | undefined
  refused: Refusal | undefined
  unreachable: string | undefined
  /** The copy on disk does not read any more: it has to be fetched again, whole. */
  damaged: boolean
  expected: boolean
}

/** All lists, the snapshot over them, and what is to be built next. */
export interface Lists {
  readonly parts: ListSyncParts
  readonly states: Readonly<Record<ListId, ListState>>
  readonly pending: Map<ListId, ListOrder>
  readonly stopped: AbortController
  watchlist: Watchlist | undefined
  building: Promise<void> | undefined
}

/** Nothing is known yet. */
export function newLists(parts: ListSyncParts): Lists {
  const state = (): ListState => ({
    inForce: undefined,
    refused: undefined,
    unreachable: undefined,
    damaged: false,
    expected: true,
  })
  return {
    parts,
    states: Object.fromEntries(LIST_IDS.map((id) => [id, state()])) as Lists['states'],
    pending: new Map(),
    stopped: new AbortController(),
    watchlist: undefined,
    building: undefined,
  }
}

/** How a list is named whose source has not been heard since the start. */
export const LAST_GOOD = 'last good'

/**
 * The editions of a shelf that a service may use: a folder's own only, since another folder is
 * another choice of the operator; without a folder, whatever is there.
 */
export function usable(
  { current, previous }: Shelved,
  source: ListSource | undefined,
): GoodEdition[] {
  return [current, previous]
    .filter((edition) => edition !== undefined)
    .filter(({ origin }) => source === undefined || source.downloaded || origin === source.origin)
    .map((edition) => ({ ...edition, source: LAST_GOOD }))
}

/** The editions at hand that an answer may be compared with, newest first. */
export function editionsAtHand({ inForce, refused, damaged }: ListState): Edition[] {
  if (damaged) return []
  return [refused?.edition, inForce].filter((edition) => edition !== undefined)
}

/** A refused edition as a state tells of it. */
export const refusalOf = (edition: RefusedEdition): Refusal => ({
  reason: edition.reason,
  at: edition.refusedAt,
  edition,
})

/** What health and the command line are told. */
export function statusesOf({ states }: Lists): ListStatus[] {
  return LIST_IDS.map((id) => {
    const { expected, inForce, refused, unreachable } = states[id]
    return { id, expected, inForce, refused, unreachable }
  })
}
