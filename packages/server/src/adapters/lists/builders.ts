/**
 * Ways to build: at once, before anything is served; from the snapshot of the last time; and in a
 * process of its own.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { type ListSummary, openWatchlist, type PreparedWatchlist } from '@portcullis/watchlist'
import type { BuildOrder, Built, GoodEdition, ListBuilder } from '../../app/lists/list-ports.ts'
import { buildLists } from './build-lists.ts'
import { BUILD_PROCESS, type BuilderHears, type BuilderSays } from './build-process.ts'
import { Unpacking } from './parcels.ts'
import { readSnapshot } from './snapshots.ts'

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

/** How a process hands over what it built. */
export interface HandOver {
  /** With a folder, the snapshot is kept there. */
  readonly snapshots?: string | undefined
  /** Takes the snapshot from that folder at once: for a start, when nobody has to be answered. */
  readonly atOnce?: boolean
}

/**
 * Builds in a process of its own. The result comes over in parcels, one in each turn of the event
 * loop, so that requests are answered in between.
 */
export const processBuilder = ({ snapshots, atOnce = false }: HandOver = {}): ListBuilder => ({
  async build(order, signal) {
    const child = fork(BUILD_PROCESS, snapshots === undefined ? [] : [snapshots], {
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
        atOnce ? snapshots : undefined,
      )
    } finally {
      child.kill('SIGKILL')
    }
  },
})

/** With a folder, what the process kept there is taken; parcels only when it cannot be read. */
function receive(
  child: ChildProcess,
  order: BuildOrder,
  signal: AbortSignal,
  snapshots: string | undefined,
): Promise<Built> {
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
        const kept = snapshots && words.kept && readSnapshot(snapshots, words.kept)
        if (kept) {
          resolve({ ...outcome, watchlist: openWatchlist(kept) })
          return
        }
        unpacking = new Unpacking(words.skeleton)
      }
      more()
    })
    tell(order)
  })
}

/** What a start builds with. */
export interface StartBuilding {
  /** Where snapshots are looked for. */
  readonly snapshots: string
  /** Below this a build is over before a process would have started. */
  readonly isSmall: (order: BuildOrder) => boolean
  /** Whether a new snapshot may be kept there. */
  readonly writes: boolean
}

/** Small builds at once, lists that were indexed before from their snapshot. For a start. */
export function startBuilder({ snapshots, isSmall, writes }: StartBuilding): ListBuilder {
  const builder = processBuilder(writes ? { snapshots, atOnce: true } : {})
  return {
    build(order, signal) {
      if (isSmall(order)) return inlineBuilder.build(order, signal)
      const built = fromSnapshot(order, snapshots)
      return built === undefined ? builder.build(order, signal) : Promise.resolve(built)
    },
  }
}

/** Undefined when anything is to be judged, or these lists were not indexed by this code before. */
function fromSnapshot({ lists }: BuildOrder, folder: string): Built | undefined {
  if (lists.some(({ candidate }) => candidate !== undefined)) return undefined
  const editions = lists.flatMap(({ lastGood }) => lastGood[0] ?? [])
  const prepared = readSnapshot(folder, editions)
  if (prepared === undefined) return undefined
  const outcomes = lists.map(({ id, lastGood }) => ({ id, used: lastGood[0] }))
  const summaries = prepared.lists.map((list) => ({ ...list, ...whenOf(list, editions) }))
  const watchlist = openWatchlist({ ...prepared, lists: summaries })
  return { outcomes, changed: true, watchlist }
}

/** The same content may have been confirmed since, or come from another place. */
function whenOf({ id }: ListSummary, editions: readonly GoodEdition[]) {
  const edition = editions.find((one) => one.id === id)
  return edition && { loadedAt: edition.loadedAt, source: edition.source }
}
