/** Reads what a build orders, judges it, and prepares the snapshot: the work, wherever it runs. */
import { createHash } from 'node:crypto'
import { isoTime } from '@portcullis/protocol'
import {
  countList,
  diffLists,
  FALLBACK_ENTRIES,
  implausible,
  ListRefused,
  type LoadedList,
  prepareWatchlist,
  type PreparedWatchlist,
  PUBLISHED_LISTS,
  shrunk,
  type WatchlistEntry,
} from '@portcullis/watchlist'
import type {
  BuildOrder,
  Edition,
  GoodEdition,
  ListOrder,
  ListOutcome,
} from '../../app/lists/list-ports.ts'
import { readEdition } from './edition-files.ts'

export const FALLBACK_SOURCE = 'embedded fallback'
/** Date of the facts in the embedded fallback. */
const FALLBACK_DATE = '2026-08-01T00:00:00.000Z'

/** What a build comes to, as plain data. */
export interface PreparedLists {
  readonly outcomes: readonly ListOutcome[]
  readonly changed: boolean
  /** Undefined when nothing changed, or when there is no OFAC list. */
  readonly prepared: PreparedWatchlist | undefined
}

interface ReadList {
  readonly outcome: ListOutcome
  readonly loaded: LoadedList | undefined
  /** True when what is used is in force already. */
  readonly same: boolean
}

/** Reads and judges every list, and indexes those that are used. */
export function buildLists(order: BuildOrder): PreparedLists {
  const lists = order.lists.map(readList)
  const outcomes = lists.map(({ outcome }) => outcome)
  if (lists.length > 0 && lists.every(({ same }) => same))
    return { outcomes, changed: false, prepared: undefined }
  const loaded = lists.flatMap(({ loaded }) => (loaded === undefined ? [] : [loaded]))
  if (order.fallback && loaded.every(({ id }) => id !== 'OFAC_SDN')) loaded.push(fallbackList())
  const ofac = loaded.some(({ id }) => id === 'OFAC_SDN')
  return { outcomes, changed: true, prepared: ofac ? prepareWatchlist(loaded) : undefined }
}

function fallbackList(): LoadedList {
  return {
    id: 'OFAC_SDN',
    contentHash: createHash('sha256').update(JSON.stringify(FALLBACK_ENTRIES)).digest('hex'),
    publishedAt: FALLBACK_DATE,
    loadedAt: FALLBACK_DATE,
    source: FALLBACK_SOURCE,
    entries: FALLBACK_ENTRIES,
  }
}

interface Reading {
  readonly edition: Edition
  readonly entries: readonly WatchlistEntry[]
  readonly publishedAt: string | null
}

function readList(order: ListOrder): ReadList {
  const { id } = order
  const good = readLastGood(order)
  const judged = order.candidate === undefined ? undefined : judge(order, order.candidate)
  const refusal = judged === undefined || 'entries' in judged ? undefined : judged.refusal
  const notes = {
    ...(refusal !== undefined && { refusal }),
    ...(good.damage !== undefined && { damage: good.damage }),
  }
  const used = judged !== undefined && 'entries' in judged ? judged : good.reading
  if (used === undefined) {
    return { outcome: { id, used: undefined, ...notes }, loaded: undefined, same: order.inForce }
  }
  const before = used === judged ? good.reading : undefined
  const difference = before && {
    diff: diffLists(before.entries, used.entries),
    diffFrom: before.edition.contentHash,
  }
  const edition: GoodEdition = { ...used.edition, counts: countList(used.entries) }
  return {
    outcome: { id, used: edition, ...notes, ...difference },
    loaded: loadedList(used),
    same: order.inForce && used !== judged && good.damage === undefined,
  }
}

/** The first of the last good editions that still reads whole. */
function readLastGood({ lastGood }: ListOrder): { reading?: Reading; damage?: string } {
  let damage: string | undefined
  for (const edition of lastGood) {
    const reading = attempt(edition)
    if (!('refusal' in reading)) return { reading, ...(damage !== undefined && { damage }) }
    damage ??= reading.refusal
  }
  return damage === undefined ? {} : { damage }
}

/** Whole parsing and the gates. */
function judge(order: ListOrder, candidate: Edition): Reading | { refusal: string } {
  const reading = attempt(candidate)
  if ('refusal' in reading || order.accepted) return reading
  const counts = countList(reading.entries)
  const [lastGood] = order.lastGood
  const refusal =
    (candidate.downloaded ? implausible(order.id, reading.entries, counts) : undefined) ??
    (lastGood === undefined ? undefined : shrunk(counts, lastGood.counts))
  return refusal === undefined ? reading : { refusal }
}

function attempt(edition: Edition): Reading | { refusal: string } {
  const { read, publishedAt } = PUBLISHED_LISTS[edition.id]
  try {
    const files = readEdition(edition)
    return { edition, entries: read(files), publishedAt: publishedAt(files) }
  } catch (error) {
    if (error instanceof ListRefused) return { refusal: error.reason }
    throw error
  }
}

/**
 * The parties of an edition, for whoever needs more than a snapshot keeps of them.
 *
 * @throws ListRefused when it does not read whole any more.
 */
export const partiesOf = (edition: Edition): readonly WatchlistEntry[] =>
  PUBLISHED_LISTS[edition.id].read(readEdition(edition))

function loadedList({ edition, entries, publishedAt }: Reading): LoadedList {
  const { id, contentHash, loadedAt, source } = edition
  const date = publishedAt === null ? Number.NaN : Date.parse(publishedAt)
  const published = Number.isNaN(date) ? null : isoTime(date)
  return { id, contentHash, publishedAt: published, loadedAt, source, entries }
}
