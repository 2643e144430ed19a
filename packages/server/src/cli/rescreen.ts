/** `portcullis rescreen`: everybody who was screened, against the lists of now. */
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS, SECOND_MS } from '@portcullis/protocol'
import { Command } from 'commander'
import pino from 'pino'
import type { Env } from '../app/env.ts'
import type { JobProgress, JobRun } from '../app/history/history-records.ts'
import { rescreen, RESCREEN_JOB, type RescreenEnd } from '../app/history/rescreen.ts'
import { changeOf, dailySlot, repeatedSlot } from '../app/history/rescreen-scope.ts'
import { openEnv } from '../main.ts'
import { EXIT_INTERRUPTED, interruption, progressBar } from './progress.ts'
import { configOrExit } from './serve.ts'

const EXIT_NO_LISTS = 6
/** A process that was killed holds its run no longer than this. */
const WAIT_MS = MINUTE_MS

export const rescreenCommand = (): Command =>
  new Command('rescreen')
    .description('screen everybody who was screened before against the lists of now')
    .option('--again', 'also when the run of today is finished')
    .addHelpText(
      'after',
      '\nInterrupt it with Ctrl-C and run it again to go on. Exit codes: 0 done, 130 interrupted, 6 no list loaded.',
    )
    .action(async (options: { again?: true }) => {
      process.exitCode = await run(options.again === true)
    })

async function run(again: boolean): Promise<number> {
  const env = await openEnv(configOrExit(), pino({ level: 'error' }, pino.destination(2)))
  const interrupted = interruption()
  try {
    if (env.watchlists.current() === undefined) {
      process.stderr.write('No OFAC list is loaded; nobody was screened. Check LISTS_DIR.\n')
      return EXIT_NO_LISTS
    }
    const runs = await dueRuns(env, again)
    if (runs.length === 0) process.stdout.write('Done already today; --again does it once more.\n')
    for (const due of runs) {
      if ((await work(env, due, interrupted)) === 'interrupted') return EXIT_INTERRUPTED
    }
    return 0
  } finally {
    await env.store.close()
  }
}

/** The run of the day, whatever else is unfinished, and with `--again` a fresh one. */
async function dueRuns(env: Env, again: boolean): Promise<readonly JobRun[]> {
  const now = env.clock.now()
  const end = now + WAIT_MS
  await env.store.announceRun({ job: RESCREEN_JOB, slot: dailySlot(now) }, now)
  const open = await env.store.openRuns(RESCREEN_JOB, end)
  if (open.length > 0 || !again) return open
  const slot = repeatedSlot(now, env.ids.credential())
  await env.store.announceRun({ job: RESCREEN_JOB, slot }, now)
  return [{ job: RESCREEN_JOB, slot }]
}

async function work(env: Env, due: JobRun, stopping: () => boolean): Promise<RescreenEnd> {
  const total = await env.store.countSubjects()
  const holder = env.ids.credential()
  const begun = env.clock.monotonicMs()
  const drawn = progressBar('rescreening')
  let last: JobProgress = { place: '', subjects: 0, alerts: 0, unavailable: 0 }
  const onProgress = (progress: JobProgress): void => {
    last = progress
    drawn.show(progress.subjects, total, summary(progress))
  }
  for (let waited = 0; ; waited += SECOND_MS) {
    const end = await rescreen(env, due, { holder, stopping, onProgress })
    if (end === 'taken' && waited < WAIT_MS && !stopping()) {
      if (waited === 0) process.stderr.write('Another process works on it; waiting.\n')
      await sleep(SECOND_MS)
      continue
    }
    drawn.end()
    const seconds = ((env.clock.monotonicMs() - begun) / SECOND_MS).toFixed(1)
    process.stdout.write(`${nameOf(due)}: ${SENTENCES[end]}, ${summary(last)}, ${seconds} s\n`)
    return end
  }
}

/** The day, and what the run is for; versions of the lists are too long to read. */
function nameOf({ slot }: JobRun): string {
  const [day = slot] = slot.split(' ')
  return changeOf(slot).to === undefined ? day : `${day}, after a change of the lists`
}

const SENTENCES: Readonly<Record<RescreenEnd, string>> = {
  finished: 'finished',
  interrupted: 'interrupted; run it again to go on',
  taken: 'left to another process',
}

const summary = ({ subjects, alerts, unavailable }: JobProgress): string =>
  `${subjects} screened, ${alerts} new alerts` +
  (unavailable > 0 ? `, ${unavailable} without an answer of the provider` : '')
