/** `portcullis lists test`: how well the loaded lists are screened; an examiner can repeat it. */
import { writeFileSync } from 'node:fs'
import { isoTime } from '@portcullis/protocol'
import {
  DEFAULT_SAMPLE,
  FALLBACK_ENTRIES,
  type ListParties,
  testLists,
  type Watchlist,
} from '@portcullis/watchlist'
import { Command } from 'commander'
import { FALLBACK_SOURCE, partiesOf } from '../../adapters/lists/build-lists.ts'
import { systemClock } from '../../adapters/system.ts'
import type { ListSync } from '../../app/lists/list-sync.ts'
import { VERSION } from '../../main.ts'
import { loadedLists } from './loaded-lists.ts'
import { positiveNumber, wholeNumber } from '../option-values.ts'
import { EXIT_INTERRUPTED, interruption, progressBar } from '../progress.ts'
import { configOrExit } from '../serve.ts'
import { type DatedReport, reportTable } from './test-lists-table.ts'

const EXIT_BELOW = 1
const EXIT_USAGE = 2
const EXIT_NO_LISTS = 6
/** Questions between two looks at whether somebody wants to stop. */
const TURN = 256

interface Flags {
  readonly sample: number | 'all'
  readonly seed: number
  readonly json?: true
  readonly out?: string
  readonly assert?: true
}

export const testCommand = (): Command =>
  new Command('test')
    .description(
      'an effectiveness report: listed names as published and manipulated, wallets, clean names',
    )
    .option(
      '--sample <count>',
      'parties drawn from each list, or `all` for every published name',
      sampleOf,
      DEFAULT_SAMPLE,
    )
    .option('--seed <number>', 'the same seed asks the same', wholeNumber, 1)
    .option('--json', 'print JSON, every miss included')
    .option('--out <file>', 'write the JSON report to a file as well')
    .option('--assert', 'fail when a test is below its floor')
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 below a floor (--assert), 2 --out cannot be written, 6 no list loaded, 130 interrupted.',
    )
    .action(run)

const sampleOf = (text: string): number | 'all' => (text === 'all' ? text : positiveNumber(text))

async function run({ sample, seed, json, out, assert }: Flags): Promise<void> {
  const lists = await loadedLists(configOrExit(), { writes: false })
  const watchlist = lists.current()
  await lists.stop()
  if (watchlist === undefined) {
    process.stderr.write('No OFAC list is loaded. Check LISTS_DIR.\n')
    process.exitCode = EXIT_NO_LISTS
    return
  }
  const at = isoTime(systemClock.now())
  const parties = partiesIn(lists, watchlist)
  const result = await workThrough(testLists({ watchlist, parties, seed, sample }))
  if (result === undefined) {
    process.stderr.write('interrupted\n')
    process.exitCode = EXIT_INTERRUPTED
    return
  }
  const report: DatedReport = { product: 'portcullis', version: VERSION, at, ...result }
  const text = `${JSON.stringify(report, null, 2)}\n`
  if (out !== undefined && !isWritten(out, text)) process.exitCode = EXIT_USAGE
  process.stdout.write(json === true ? text : reportTable(report))
  if (assert === true && !report.met) process.exitCode = EXIT_BELOW
}

/** The report is printed all the same: minutes of work must not be lost with a path. */
function isWritten(file: string, text: string): boolean {
  try {
    writeFileSync(file, text)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    process.stderr.write(`${file} cannot be written (${code ?? 'unknown fault'})\n`)
    return false
  }
}

/** The parties behind a snapshot, read once more from the same files. */
const partiesIn = (lists: ListSync, watchlist: Watchlist): ListParties[] =>
  watchlist.lists.map(({ id, source }) => {
    const inForce = lists.status().find((one) => one.id === id)?.inForce
    const embedded = source === FALLBACK_SOURCE || inForce === undefined
    return { id, entries: embedded ? FALLBACK_ENTRIES : partiesOf(inForce) }
  })

/** Undefined when it was interrupted. */
async function workThrough(work: ReturnType<typeof testLists>) {
  const stopped = interruption()
  const bar = progressBar('testing')
  try {
    for (let turn = 1; ; turn++) {
      const step = work.next()
      if (step.done === true) return step.value
      const { what, done, of } = step.value
      bar.show(done, of, what)
      if (turn % TURN === 0) await new Promise(setImmediate)
      if (stopped()) return undefined
    }
  } finally {
    bar.end()
  }
}
