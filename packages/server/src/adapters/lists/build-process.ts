/**
 * The process that builds, and what it says. A process and not a thread: what it used, several
 * times what it hands over, goes back to the system whole when it ends.
 */
import { fileURLToPath } from 'node:url'
import type { BuildOrder } from '../../app/lists/list-ports.ts'
import { buildLists, type PreparedLists } from './build-lists.ts'
import { pack, type Parcel, type Skeleton } from './parcels.ts'
import { type ListContent, writeSnapshot } from './snapshots.ts'

/** This file, to start a process from. */
export const BUILD_PROCESS = fileURLToPath(import.meta.url)

/** What the process says: the outcome, parcels one by one as they are asked for, the end. */
export type BuilderSays =
  | {
      readonly say: 'outcome'
      readonly lists: Omit<PreparedLists, 'prepared'>
      readonly skeleton: Skeleton | undefined
      /** The lists of the snapshot that was kept, if one was. */
      readonly kept?: readonly ListContent[] | undefined
    }
  | { readonly say: 'parcel'; readonly parcel: Parcel }
  | { readonly say: 'end' }
  | { readonly say: 'failed'; readonly reason: string }

/** What it is told: first the order, then that it may go on. */
export type BuilderHears = BuildOrder | 'more'

if (import.meta.main) process.once('message', build)

function say(words: BuilderSays): void {
  process.send?.(words)
}

function build(order: BuildOrder): void {
  try {
    const { prepared, ...lists } = buildLists(order)
    if (prepared === undefined) {
      say({ say: 'outcome', lists, skeleton: undefined })
      process.disconnect?.()
      return
    }
    const [, , snapshots] = process.argv
    const isKept = snapshots !== undefined && writeSnapshot(snapshots, prepared)
    const { skeleton, parcels } = pack(prepared)
    const kept = isKept
      ? prepared.lists.map(({ id, contentHash }) => ({ id, contentHash }))
      : undefined
    say({ say: 'outcome', lists, skeleton, kept })
    handOver(parcels())
  } catch (error) {
    say({ say: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : '' })
    process.disconnect?.()
  }
}

function handOver(parcels: Iterator<Parcel, undefined>): void {
  process.on('message', () => {
    const next = parcels.next()
    if (next.done !== true) say({ say: 'parcel', parcel: next.value })
    else {
      say({ say: 'end' })
      process.disconnect?.()
    }
  })
}
