/** Two ways to build: at once, before anything is served; and in a process of its own. */
import { type ChildProcess, fork } from 'node:child_process'
import { openWatchlist, type PreparedWatchlist } from '@portcullis/watchlist'
import type { BuildOrder, Built, ListBuilder } from '../../app/list-ports.ts'
import { buildLists } from './build-lists.ts'
import { BUILD_PROCESS, type BuilderHears, type BuilderSays } from './build-process.ts'
import { Unpacking } from './parcels.ts'

/** A build that is not done by then never will be; all lists take some seconds. */
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
 * Builds in a process of its own. The result comes over in parcels, one in each turn of the event
 * loop, so that requests are answered in between.
 */
export const processBuilder: ListBuilder = {
  async build(order, signal) {
    const child = fork(BUILD_PROCESS, {
      serialization: 'advanced',
      execArgv: [],
      // It reads files and needs no secret.
      env: {},
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    try {
      return await receive(
        child,
        order,
        AbortSignal.any([signal, AbortSignal.timeout(BUILD_TIMEOUT_MS)]),
      )
    } finally {
      child.kill('SIGKILL')
    }
  },
}

function receive(child: ChildProcess, order: BuildOrder, signal: AbortSignal): Promise<Built> {
  return new Promise((resolve, reject) => {
    let outcome: Omit<Built, 'watchlist'> | undefined
    let unpacking: Unpacking | undefined
    const tell = (words: BuilderHears) => {
      child.send(words, (error) => {
        if (error !== null) reject(error)
      })
    }
    const more = () => setImmediate(tell, 'more')
    const finish = () => {
      if (outcome === undefined) return
      const prepared = unpacking?.finish() as PreparedWatchlist | undefined
      const watchlist = prepared === undefined ? undefined : openWatchlist(prepared)
      resolve({ ...outcome, watchlist })
    }
    signal.addEventListener('abort', () => {
      reject(new Error('the build was stopped'))
    })
    child.on('error', reject)
    child.on('exit', (code, by) => {
      reject(new Error(`the building process ended with ${String(code ?? by)}`))
    })
    child.on('message', (words: BuilderSays) => {
      if (words.say === 'end') return finish()
      if (words.say === 'failed') return reject(new Error(words.reason))
      if (words.say === 'parcel') unpacking?.add(words.parcel)
      else {
        outcome = words.lists
        if (words.skeleton === undefined) return finish()
        unpacking = new Unpacking(words.skeleton)
      }
      more()
    })
    tell(order)
  })
}

/** Small builds at once, large ones in a process of their own. For a start. */
export function startBuilder(isSmall: (order: BuildOrder) => boolean): ListBuilder {
  return {
    build: (order, signal) =>
      (isSmall(order) ? inlineBuilder : processBuilder).build(order, signal),
  }
}
