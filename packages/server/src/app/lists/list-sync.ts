/**
 * Keeps the sanctions lists current: looks at the source, has what is new read and judged, and
 * swaps the snapshot whole. Whatever goes wrong, the last good lists stay in force, and no list
 * costs another its coverage.
 */
import { isoTime } from '@portcullis/protocol'
import { LIST_IDS, type ListId } from '@portcullis/watchlist'
import { buildOnce, settled } from './list-builds.ts'
import { differenceBetween } from './list-differences.ts'
import { GONE, lookAt, noticeShelf } from './list-looks.ts'
import type {
  Edition,
  ListOrder,
  ListSource,
  ListStatus,
  Look,
  Shelved,
  SyncProgress,
} from './list-ports.ts'
import {
  type Lists,
  type ListSyncParts,
  newLists,
  refusalOf,
  statusesOf,
  usable,
} from './list-state.ts'
import type { Watchlists } from '../ports.ts'

/** The lists in force, and what keeps them so. */
export interface ListSync extends Watchlists {
  readonly status: () => readonly ListStatus[]
  /** Once, at the start: what the folder or the shelf holds, or the embedded set. */
  load(): Promise<void>
  /** Looks at the source from now on, until `stop`. */
  run(): void
  /** Looks once, now; resolves when everything that came is in force or refused. Never throws. */
  syncNow(only?: readonly ListId[], told?: (progress: SyncProgress) => void): Promise<void>
  /** Takes over what another process put on the shelf, or what was accepted. Never throws. */
  noticeNow(id: ListId): Promise<void>
  stop(): Promise<void>
}

/** How soon another process's `lists sync` or `lists accept` is noticed. */
const NOTICE_MS = 5_000
const FIRST_RETRY_MS = 30_000
/** Instances that start together must not ask together. */
const JITTER = 0.2

/** Nothing is loaded before `load`, nothing is asked before `run` or `syncNow`. */
export function createListSync(parts: ListSyncParts): ListSync {
  const lists = newLists(parts)
  const { source } = parts
  let running: Promise<unknown> = Promise.resolve()
  const syncNow: ListSync['syncNow'] = async (only = LIST_IDS, told = () => undefined) => {
    if (source === undefined) return
    await Promise.all(only.map((id) => lookAt(lists, source, id, told)))
    await settled(lists)
  }
  return {
    current: () => lists.watchlist,
    status: () => statusesOf(lists),
    difference: (from, to) => differenceBetween(lists, from, to),
    load: () => load(lists),
    run() {
      running = Promise.all([source && poll(lists, source, syncNow), notice(lists)])
    },
    syncNow,
    noticeNow: (id) => noticeShelf(lists, id),
    async stop() {
      lists.stopped.abort()
      await running
      await settled(lists)
    },
  }
}

async function poll(lists: Lists, source: ListSource, syncNow: ListSync['syncNow']): Promise<void> {
  const { pause, settings } = lists.parts
  const { signal } = lists.stopped
  const jittered = (ms: number) => Math.round(ms * (1 - JITTER / 2 + JITTER * pause.chance()))
  // A folder was read at the start; the publishers were not asked yet.
  if (!source.downloaded) await pause.wait(jittered(settings.pollMs), signal)
  for (let failures = 0; !signal.aborted;) {
    await syncNow()
    const failed = Object.values(lists.states).some(({ unreachable }) => unreachable !== undefined)
    failures = failed ? failures + 1 : 0
    const retryMs = FIRST_RETRY_MS * 2 ** (failures - 1)
    await pause.wait(
      jittered(failed ? Math.min(retryMs, settings.pollMs) : settings.pollMs),
      signal,
    )
  }
}

async function notice(lists: Lists): Promise<void> {
  const { signal } = lists.stopped
  for (;;) {
    await lists.parts.pause.wait(NOTICE_MS, signal)
    if (signal.aborted) return
    for (const id of LIST_IDS) await noticeShelf(lists, id)
  }
}

async function load(lists: Lists): Promise<void> {
  const { source, shelf, startBuilder, log } = lists.parts
  const looks = await lookAtFolder(lists)
  // An operator who points at a folder without lists has said that there are none.
  if (looks !== undefined && [...looks.values()].every(({ kind }) => kind === 'absent')) {
    for (const id of LIST_IDS) lists.states[id].expected = id === 'OFAC_SDN'
    log.error({ source: source?.source }, 'no sanctions list in the folder')
    return
  }
  const orders = new Map<ListId, ListOrder>()
  for (const id of LIST_IDS) {
    const look = looks?.get(id)
    const found = look?.kind === 'changed' ? look.edition : undefined
    orders.set(id, startOrder(lists, await shelf.read(id), id, found))
    if (look?.kind === 'absent') noteGone(lists, orders.get(id))
  }
  await buildOnce(lists, orders, startBuilder)
}

/** A list that was in the folder before the start, and is not now, is used and told of. */
function noteGone({ states, parts: { clock } }: Lists, order: ListOrder | undefined): void {
  if (order === undefined || order.lastGood.length === 0) return
  states[order.id].refused = { reason: GONE, at: isoTime(clock.now()), edition: undefined }
}

/** What the folder holds, else what the shelf holds. */
function startOrder(
  { parts: { source }, states }: Lists,
  shelved: Shelved,
  id: ListId,
  found: Edition | undefined,
): ListOrder {
  const state = states[id]
  const lastGood = usable(shelved, source)
  const refused = shelved.refused?.origin === source?.origin ? shelved.refused : undefined
  const listed = found !== undefined || lastGood.length > 0 || id === 'OFAC_SDN'
  state.expected = source?.downloaded === true || listed
  if (found === undefined) {
    state.refused = refused && refusalOf(refused)
    return { id, accepted: false, lastGood, inForce: false }
  }
  const [newest] = lastGood
  // The folder holds what the shelf holds: nothing to judge.
  if (newest?.contentHash === found.contentHash) {
    const same = { ...found, counts: newest.counts }
    return { id, accepted: false, lastGood: [same, ...lastGood], inForce: false }
  }
  const accepted = shelved.accepted === found.contentHash
  return { id, candidate: found, accepted, lastGood, inForce: false }
}

/** Undefined when there is no folder to look at. */
async function lookAtFolder(lists: Lists): Promise<ReadonlyMap<ListId, Look> | undefined> {
  const { source, log } = lists.parts
  if (source === undefined || source.downloaded) return undefined
  const looks = new Map<ListId, Look>()
  for (const id of LIST_IDS) {
    try {
      looks.set(id, await source.look(id, [], lists.stopped.signal, () => undefined))
    } catch (error) {
      lists.states[id].unreachable = 'the folder could not be read'
      log.error({ list: id, err: error }, 'sanctions list not reached')
    }
  }
  return looks
}
