/** Two ways to build: at once, before anything is served; and in a thread, beside the service. */
import { setImmediate } from 'node:timers'
import { Worker } from 'node:worker_threads'
import { openWatchlist, type PreparedWatchlist } from '@portcullis/watchlist'
import type { BuildOrder, Built, ListBuilder } from '../../app/list-ports.ts'
import { buildLists } from './build-lists.ts'
import { BUILD_WORKER, type BuildWorkerData, type WorkerSays } from './build-worker.ts'
import { Unpacking } from './parcels.ts'

/** A thread that is not done by then never will be; all lists take some seconds. */
const BUILD_TIMEOUT_MS = 5 * 60_000

/** Builds here and now. For a process that serves nobody yet. */
export const inlineBuilder: ListBuilder = {
  build(order) {
    const { prepared, ...rest } = buildLists(order)
    const watchlist = prepared === undefined ? undefined : openWatchlist(prepared)
    return Promise.resolve({ ...rest, watchlist })
  },
}

/**
 * Builds in a thread of its own. The result comes over in parcels, one in each turn of the event
 * loop, so that requests are answered in between.
 */
export const workerBuilder: ListBuilder = {
  build(order, signal) {
    const worker = new Worker(BUILD_WORKER, {
      workerData: { portcullisBuild: order } satisfies BuildWorkerData,
      execArgv: [],
    })
    return new Promise<Built>((resolve, reject) => {
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(BUILD_TIMEOUT_MS)])
      const fail = (error: Error) => {
        reject(error)
        void worker.terminate()
      }
      bounded.addEventListener('abort', () => {
        fail(new Error('the build was stopped'))
      })
      worker.on('error', fail)
      worker.on('exit', (code) => {
        reject(new Error(`the building thread ended with ${code}`))
      })
      receive(worker, resolve)
    })
  },
}

function receive(worker: Worker, resolve: (built: Built) => void): void {
  let outcome: Omit<Built, 'watchlist'> | undefined
  let unpacking: Unpacking | undefined
  const finish = () => {
    if (outcome === undefined) return
    const prepared = unpacking?.finish() as PreparedWatchlist | undefined
    resolve({ ...outcome, watchlist: prepared === undefined ? undefined : openWatchlist(prepared) })
  }
  const more = () => {
    setImmediate(() => {
      worker.postMessage('more')
    })
  }
  worker.on('message', (words: WorkerSays) => {
    if (words.say === 'end') finish()
    else if (words.say === 'parcel') {
      unpacking?.add(words.parcel)
      more()
    } else {
      outcome = words.lists
      if (words.skeleton === undefined) finish()
      else {
        unpacking = new Unpacking(words.skeleton)
        more()
      }
    }
  })
}

/** Small builds at once, large ones in a thread. For a start. */
export function startBuilder(isSmall: (order: BuildOrder) => boolean): ListBuilder {
  return {
    build: (order, signal) => (isSmall(order) ? inlineBuilder : workerBuilder).build(order, signal),
  }
}
