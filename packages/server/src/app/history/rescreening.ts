/** When the re-screening runs: once a UTC day, and whenever a list changes. */
import type { Env } from '../env.ts'
import type { JobRun } from './history-records.ts'
import type { ListsListener } from './history-ports.ts'
import { rescreen, RESCREEN_JOB } from './rescreen.ts'
import { changeOf, changeSlot, dailySlot } from './rescreen-scope.ts'

export interface Rescreening extends ListsListener {
  /** Announces the slot of the day when it is new, then works on everything that is due. */
  tick(): Promise<void>
  /** Leaves a run that is going on to whoever takes it next. */
  stop(): Promise<void>
}

/** What interrupts the work. */
interface Interruption {
  stopping: boolean
  /** A change of the lists waits, which does not wait for a run over everybody to end. */
  changed: boolean
}

export function rescreening(env: Env): Rescreening {
  const holder = env.ids.credential()
  const interruption: Interruption = { stopping: false, changed: false }
  let working: Promise<void> | undefined
  const work = (): Promise<void> => {
    // Somebody who waited for the announcement may come when the store is closed already.
    if (interruption.stopping) return Promise.resolve()
    working ??= workOn(env, holder, interruption)
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
      if (interruption.stopping || env.watchlists.current() === undefined) return
      const now = env.clock.now()
      await env.store.announceRun({ job: RESCREEN_JOB, slot: dailySlot(now) }, now)
      await work()
    },
    async listsChanged(added) {
      const watchlist = env.watchlists.current()
      if (added?.length === 0 || watchlist === undefined || interruption.stopping) return
      await announceChange(env, watchlist.version)
      interruption.changed = true
      // A run that is under way may have passed some subjects already: this one comes after it.
      void (working ?? Promise.resolve()).then(work)
    },
    async stop() {
      interruption.stopping = true
      await working
    },
  }
}

/** The difference to the version announced last, whoever announced it, so that none is left out. */
async function announceChange({ store, clock }: Env, version: string): Promise<void> {
  const announced = (await store.recentRuns(RESCREEN_JOB)).map(({ slot }) => slot)
  const last = announced.map((slot) => changeOf(slot).to).find((to) => to !== undefined)
  if (last === version) return
  const now = clock.now()
  const slot = changeSlot(now, last, version, announced)
  await store.announceRun({ job: RESCREEN_JOB, slot }, now)
}

/** Every run that is due and that nobody works on, one after the other. */
async function workOn(env: Env, holder: string, interruption: Interruption): Promise<void> {
  const left = new Set<string>()
  while (!interruption.stopping) {
    interruption.changed = false
    const open = await env.store.openRuns(RESCREEN_JOB, env.clock.now())
    const run = nextRun(open.filter(({ slot }) => !left.has(slot)))
    if (run === undefined) return
    const isChange = afterChange(run)
    const isPassed = () => interruption.changed && !isChange
    const stopping = () => interruption.stopping || isPassed()
    const end = await rescreen(env, run, { holder, stopping })
    env.log.info({ slot: run.slot, end }, 're-screening')
    if (end === 'taken' || (end === 'interrupted' && !isPassed())) left.add(run.slot)
  }
}

/** A designation is told of before everybody is looked at. */
const nextRun = (runs: readonly JobRun[]): JobRun | undefined => runs.find(afterChange) ?? runs[0]

const afterChange = ({ slot }: JobRun): boolean => changeOf(slot).to !== undefined
