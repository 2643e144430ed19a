/** Looks at the source, and makes of what it finds a build, a confirmation or a note. */
import { isoTime } from '@portcullis/protocol'
import { confirmWatchlist, type ListId } from '@portcullis/watchlist'
import { requestBuild } from './list-builds.ts'
import {
  type Edition,
  type GoodEdition,
  type ListOrder,
  type ListSource,
  ListUnreachable,
  type Look,
  type SyncProgress,
} from './list-ports.ts'
import { editionsAtHand, type Lists } from './list-state.ts'

/** Why a last good list is in force that its source does not hold any more. */
export const GONE = 'the files of the list are gone'

/** Looks at one list; resolves when what came is in force or refused. Never throws. */
export async function lookAt(
  lists: Lists,
  source: ListSource,
  id: ListId,
  told: (progress: SyncProgress) => void,
): Promise<void> {
  const state = lists.states[id]
  const { signal } = lists.stopped
  try {
    const look = await source.look(id, editionsAtHand(state), signal, (done, total) => {
      told({ what: 'fetch', id, done, total })
    })
    state.unreachable = undefined
    told({ what: 'read', id })
    await act(lists, source, id, look)
  } catch (error) {
    if (signal.aborted) return
    const known = error instanceof ListUnreachable
    state.unreachable = known ? error.message : 'the source could not be read'
    const fields = { list: id, reason: state.unreachable, ...(!known && { err: error }) }
    lists.parts.log.warn(fields, 'sanctions list not reached')
  }
}

async function act(lists: Lists, source: ListSource, id: ListId, look: Look): Promise<void> {
  const state = lists.states[id]
  const { clock, log } = lists.parts
  if (look.kind === 'absent') {
    if (state.inForce === undefined) return
    if (state.refused === undefined) log.error({ list: id, reason: GONE }, 'sanctions list refused')
    state.refused ??= { reason: GONE, at: isoTime(clock.now()), edition: undefined }
    return
  }
  const refused = state.refused?.edition
  const found = look.kind === 'changed' ? look.edition : (refused ?? state.inForce)
  if (found === undefined) return
  state.expected = true
  if (found.contentHash === state.inForce?.contentHash && !state.damaged) {
    const { loadedAt } = look.kind === 'changed' ? look.edition : state.inForce
    await confirm(lists, id, source, source.downloaded ? isoTime(clock.now()) : loadedAt)
    return
  }
  const accepted = await isAccepted(lists, found)
  if (found.contentHash === refused?.contentHash && !accepted) return
  await requestBuild(lists, candidateOrder(lists, found, accepted))
}

/** An order to judge this edition. */
export function candidateOrder(lists: Lists, candidate: Edition, accepted: boolean): ListOrder {
  const { inForce } = lists.states[candidate.id]
  const lastGood = inForce === undefined ? [] : [inForce]
  return { id: candidate.id, candidate, accepted, lastGood, inForce: true }
}

async function isAccepted({ parts }: Lists, { id, contentHash }: Edition): Promise<boolean> {
  return (await parts.shelf.read(id)).accepted === contentHash
}

/** What is in force is what is published: its date is now, or the date of the folder's files. */
async function confirm(
  lists: Lists,
  id: ListId,
  { source, downloaded }: ListSource,
  loadedAt: string,
): Promise<void> {
  const { shelf, settings } = lists.parts
  const state = lists.states[id]
  const { inForce } = state
  state.refused = undefined
  if (inForce === undefined) return
  if (!downloaded && inForce.loadedAt === loadedAt && inForce.source === source) return
  state.inForce = { ...inForce, loadedAt, source }
  if (lists.watchlist !== undefined) {
    lists.watchlist = confirmWatchlist(lists.watchlist, (list) =>
      list.id === id && list.contentHash === inForce.contentHash ? { loadedAt, source } : list,
    )
  }
  if (settings.writes) await shelf.confirm(id, inForce.contentHash, loadedAt)
}

/** What another process put on the shelf or accepted. Never throws. */
export async function noticeShelf(lists: Lists, id: ListId): Promise<void> {
  const { shelf, source, log } = lists.parts
  const { inForce, refused } = lists.states[id]
  try {
    const shelved = await shelf.read(id)
    const { current } = shelved
    if (refused?.edition !== undefined && shelved.accepted === refused.edition.contentHash) {
      await requestBuild(lists, candidateOrder(lists, refused.edition, true))
    } else if (source?.downloaded !== false && isNewer(current, inForce)) {
      await requestBuild(lists, candidateOrder(lists, current, true))
    }
  } catch (error) {
    log.error({ err: error, list: id }, 'the shelf could not be read')
  }
}

/** What is on the shelf may also be older than what is in force: the disk may have been full. */
function isNewer(
  current: GoodEdition | undefined,
  inForce: GoodEdition | undefined,
): current is GoodEdition {
  if (current === undefined || current.contentHash === inForce?.contentHash) return false
  return inForce === undefined || Date.parse(current.loadedAt) > Date.parse(inForce.loadedAt)
}
