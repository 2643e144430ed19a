/** The thread that builds, and what it says. It ends when it has said everything. */
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import type { BuildOrder } from '../../app/list-ports.ts'
import { buildLists, type PreparedLists } from './build-lists.ts'
import { pack, type Parcel, type Skeleton } from './parcels.ts'

/** This file, to start a thread from. */
export const BUILD_WORKER = new URL(import.meta.url)

/** Marks the data of a thread that was started for this. */
export interface BuildWorkerData {
  readonly portcullisBuild: BuildOrder
}

/** What the thread says: the outcome, then parcels one by one as they are asked for, then the end. */
export type WorkerSays =
  | {
      readonly say: 'outcome'
      readonly lists: Omit<PreparedLists, 'prepared'>
      readonly skeleton: Skeleton | undefined
    }
  | { readonly say: 'parcel'; readonly parcel: Parcel }
  | { readonly say: 'end' }

const given = workerData as Partial<BuildWorkerData> | null
if (!isMainThread && parentPort !== null && given?.portcullisBuild !== undefined)
  run(parentPort, given.portcullisBuild)

function run(port: NonNullable<typeof parentPort>, order: BuildOrder): void {
  const { prepared, ...lists } = buildLists(order)
  const say = (words: WorkerSays, transfer: readonly ArrayBuffer[] = []) => {
    port.postMessage(words, [...transfer])
  }
  if (prepared === undefined) {
    say({ say: 'outcome', lists, skeleton: undefined })
    return
  }
  const { skeleton, parcels, transfer } = pack(prepared)
  say({ say: 'outcome', lists, skeleton }, transfer)
  const rest = parcels()
  port.on('message', () => {
    const { done, value } = rest.next()
    if (done !== true) say({ say: 'parcel', parcel: value })
    else {
      say({ say: 'end' })
      port.close()
    }
  })
}
