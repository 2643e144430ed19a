/** When the re-screening runs: once a UTC day, and whenever a list gains entries. */
import { type EpochMs, utcDate } from '@portcullis/protocol'
import type { Env } from '../env.ts'
import type { ListsListener } from './history-ports.ts'
import { rescreen, RESCREEN_JOB } from './rescreen.ts'

export interface Rescreening extends ListsListener {
  /** Announces the slot of the day when it is new, then works on everything that is due. */
  tick(): Promise<void>
  /** Leaves a run that is going on to whoever takes it next. */
  stop(): Promise<void>
}

export function rescreening(env: Env): Rescreening {
  const holder = env.ids.credential()
  let stopping = false
  let working: Promise<void> | undefined
  const work = (): Promise<void> => {
    // Somebody who waited for the announcement may come when the store is closed already.
    if (stopping) return Promise.resolve()
    working ??= workOn(env, holder, () => stopping)
      .catch((error: unknown) => {
        env.log.error({ err: error }, 'the re-screening failed; it goes on at the next tick')
      })
      .finally(() => {
        working = undefined
      })
    return working
  }
  return {
    async tick() {
      if (stopping || env.watchlists.current() === undefined) return
      const now = env.clock.now()
      await env.store.announceRun({ job: RESCREEN_JOB, slot: dailySlot(now) }, now)
      await work()
    },
    async listsChanged(added) {
      const watchlist = env.watchlists.current()
      if (added?.length === 0 || watchlist === undefined || stopping) return
      const now = env.clock.now()
      const slot = `${utcDate(now)} ${watchlist.version}`
      await env.store.announceRun({ job: RESCREEN_JOB, slot }, now)
      // A run that is under way may have passed some subjects already: this one comes after it.
      void (working ?? Promise.resolve()).then(work)
    },
    async stop() {
      stopping = true
      await working
    },
  }
}

export const dailySlot = (now: EpochMs): string => utcDate(now)

/** Every run that is due and that nobody works on, one after the other. */
async function workOn(env: Env, holder: string, stopping: () => boolean): Promise<void> {
  const [run] = await env.store.openRuns(RESCREEN_JOB, env.clock.now())
  if (run === undefined || stopping()) return
  const end = await rescreen(env, run, { holder, stopping })
  env.log.info({ slot: run.slot, end }, 're-screening')
  if (end !== 'finished') return
  await workOn(env, holder, stopping)
}
