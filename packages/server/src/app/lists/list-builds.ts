/** Builds one after the other, each with everything that is new by then; and what becomes of it. */
import { isoTime } from '@portcullis/protocol'
import { LIST_IDS, type ListId } from '@portcullis/watchlist'
import type { Built, Edition, ListBuilder, ListOrder, ListOutcome } from './list-ports.ts'
import { type Lists, refusalOf } from './list-state.ts'

/** Asks for a build with this order in it; resolves when everything asked for has been settled. */
export function requestBuild(lists: Lists, order: ListOrder): Promise<void> {
  lists.pending.set(order.id, order)
  return lists.building ?? startBuilding(lists)
}

/** What has been asked for so far, settled. */
export const settled = async (lists: Lists): Promise<void> => lists.building

function startBuilding(lists: Lists): Promise<void> {
  const drain = async () => {
    // What is asked for in this turn of the event loop is built together.
    await Promise.resolve()
    while (lists.pending.size > 0 && !lists.stopped.signal.aborted) {
      const asked = new Map(lists.pending)
      lists.pending.clear()
      await buildOnce(lists, asked, lists.parts.builder)
    }
    lists.building = undefined
  }
  const building = drain()
  lists.building = building
  return building
}

/** One build with these orders; every other list as it is. Never throws. */
export async function buildOnce(
  lists: Lists,
  asked: ReadonlyMap<ListId, ListOrder>,
  builder: ListBuilder,
): Promise<void> {
  const { log, settings } = lists.parts
  const orders = LIST_IDS.map((id) => asked.get(id) ?? asItIs(lists, id))
  try {
    const order = { lists: orders, fallback: settings.fallback }
    const built = await builder.build(order, lists.stopped.signal)
    if (swap(lists, built))
      for (const outcome of built.outcomes)
        await settle(lists, outcome, asked.get(outcome.id)?.candidate)
  } catch (error) {
    if (!lists.stopped.signal.aborted) log.error({ err: error }, 'building the lists failed')
  }
}

function asItIs({ states }: Lists, id: ListId): ListOrder {
  const { inForce } = states[id]
  const lastGood = inForce === undefined ? [] : [inForce]
  return { id, accepted: false, lastGood, inForce: true }
}

/** False when the build would lose a list that is in force; then everything stays as it is. */
function swap(lists: Lists, built: Built): boolean {
  const lost = built.outcomes.filter(
    ({ id, used }) => used === undefined && lists.states[id].inForce !== undefined,
  )
  for (const { id, damage } of lost) {
    lists.states[id].damaged = true
    lists.parts.log.error({ list: id, reason: damage }, 'the last good copy is damaged on disk')
  }
  if (lost.length > 0 && lists.watchlist !== undefined) return false
  if (built.changed) lists.watchlist = built.watchlist
  return true
}

async function settle(
  lists: Lists,
  outcome: ListOutcome,
  candidate: Edition | undefined,
): Promise<void> {
  const { id, used, refusal, damage } = outcome
  const state = lists.states[id]
  if (damage !== undefined) {
    state.damaged = true
    lists.parts.log.error({ list: id, reason: damage }, 'the last good copy is damaged on disk')
  }
  if (candidate !== undefined && refusal !== undefined) await refuse(lists, candidate, refusal)
  else if (candidate !== undefined && used !== undefined) await adopt(lists, outcome)
  else if (state.inForce?.contentHash !== used?.contentHash) state.inForce = used
}

async function refuse(lists: Lists, candidate: Edition, reason: string): Promise<void> {
  const { log, shelf, clock, settings } = lists.parts
  log.error({ list: candidate.id, reason }, 'sanctions list refused')
  const refused = { ...candidate, reason, refusedAt: isoTime(clock.now()) }
  const kept = settings.writes
    ? await onShelf(lists, refused, () => shelf.refuse(refused))
    : refused
  lists.states[candidate.id].refused = refusalOf(kept)
}

async function adopt(lists: Lists, { id, used, diff, diffFrom: from }: ListOutcome): Promise<void> {
  if (used === undefined) return
  const { log, shelf, clock, settings } = lists.parts
  const state = lists.states[id]
  Object.assign(state, { inForce: used, refused: undefined, damaged: false })
  const numbers = diff && {
    added: diff.added.length,
    removed: diff.removed.length,
    changed: diff.changed.length,
  }
  log.info({ list: id, version: used.contentHash, ...used.counts, ...numbers }, 'list in force')
  if (!settings.writes) return
  state.inForce = await onShelf(lists, used, () => shelf.keep(used))
  if (diff === undefined || from === undefined) return
  const [newest] = await shelf.diffs(id)
  // Another process has noted it already.
  if (newest?.from === from && newest.to === used.contentHash) return
  const kept = { list: id, from, to: used.contentHash, at: isoTime(clock.now()), diff }
  await onShelf(lists, undefined, () => shelf.keepDiff(kept))
}

/** A full disk must not cost a designation its effect: the list is in force all the same. */
async function onShelf<T>({ parts }: Lists, otherwise: T, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    parts.log.error({ err: error }, 'a list could not be written to the shelf')
    return otherwise
  }
}
