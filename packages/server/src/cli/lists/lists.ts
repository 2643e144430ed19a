/** `portcullis lists`: what is loaded, how fresh it is, and what to do when a list is refused. */
import { LIST_IDS, type ListId } from '@portcullis/watchlist'
import { Argument, Command } from 'commander'
import { shelfFolder } from '../../adapters/lists/open-lists.ts'
import { openShelf } from '../../adapters/lists/shelf.ts'
import { systemClock } from '../../adapters/system.ts'
import { ageText } from '../../app/health.ts'
import type { KeptDiff, ListStatus } from '../../app/lists/list-ports.ts'
import type { ListSync } from '../../app/lists/list-sync.ts'
import type { Config } from '../../config.ts'
import { loadedLists } from './loaded-lists.ts'
import { EXIT_USAGE } from '../failure.ts'
import { positiveNumber } from '../option-values.ts'
import { progressBar } from '../progress.ts'
import { scoreCommand } from './score-pairs.ts'
import { searchCommand } from './search-lists.ts'
import { configOrExit } from '../serve.ts'
import { testCommand } from './test-lists.ts'

const EXIT_REFUSED = 1
const SHOWN = 20

interface Options {
  readonly json?: true
}

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const printJson = (value: unknown): void => {
  print(JSON.stringify(value, null, 2))
}

const listArgument = (): Argument => new Argument('<list>', 'which list').choices([...LIST_IDS])

export const listsCommand = (): Command =>
  new Command('lists')
    .description('the sanctions lists: status, sync, differences, refusals, search, score, test')
    .addCommand(statusCommand())
    .addCommand(syncCommand())
    .addCommand(diffCommand())
    .addCommand(acceptCommand())
    .addCommand(searchCommand())
    .addCommand(scoreCommand())
    .addCommand(testCommand())

const statusCommand = (): Command =>
  new Command('status')
    .description('each list in use: version, counts, age, and why a newer one was refused')
    .option('--json', 'print JSON')
    .action(async ({ json }: Options) => {
      const lists = await loadedLists(configOrExit(), { writes: false })
      report(lists, json === true)
      await lists.stop()
    })

const syncCommand = (): Command =>
  new Command('sync')
    .description('ask the publishers (or look at LISTS_DIR) now; a running service takes it over')
    .option('--json', 'print JSON')
    .action(async ({ json }: Options) => {
      const config = configOrExit()
      if (config.listsDir === undefined && !config.listsSync) {
        process.stderr.write('LISTS_SYNC is off: nothing is downloaded.\n')
        process.exitCode = EXIT_USAGE
        return
      }
      await syncAndReport(config, json === true)
    })

async function syncAndReport(config: Config, json: boolean): Promise<void> {
  const lists = await loadedLists(config, { writes: true })
  const fetching = progressBar('syncing')
  await lists.syncNow(LIST_IDS, (told) => {
    if (told.what === 'fetch') fetching.show(told.done, told.total, `fetching ${told.id}`)
    else fetching.show(1, 1, `reading ${told.id}`)
  })
  fetching.end()
  report(lists, json)
  if (lists.status().some(isTrouble)) process.exitCode = EXIT_REFUSED
  await lists.stop()
}

const isTrouble = ({ expected, inForce, refused, unreachable }: ListStatus): boolean =>
  refused !== undefined || unreachable !== undefined || (expected && inForce === undefined)

function report(lists: ListSync, json: boolean): void {
  const loaded = lists.current()?.lists ?? []
  const statuses = lists.status().map(({ id, expected, refused, unreachable }) => {
    const list = loaded.find((one) => one.id === id)
    const trouble = { refused: refused?.reason, refusedAt: refused?.at, unreachable }
    return { list: id, expected, ...list, id: undefined, ...trouble }
  })
  if (json) printJson(statuses)
  else for (const status of statuses) print(statusLine(status))
}

interface StatusLine {
  readonly list: ListId
  readonly contentHash?: string
  readonly entries?: number
  readonly names?: number
  readonly addresses?: number
  readonly loadedAt?: string
  readonly source?: string
  readonly refused: string | undefined
  readonly unreachable: string | undefined
}

function statusLine(status: StatusLine): string {
  const { contentHash, entries, names, addresses, loadedAt, source } = status
  const counts = `${entries ?? 0} entries, ${names ?? 0} names, ${addresses ?? 0} wallets`
  const age = loadedAt === undefined ? '' : ageText(systemClock.now() - Date.parse(loadedAt))
  const what = contentHash === undefined ? 'not loaded' : `${contentHash.slice(0, 12)}  ${counts}`
  const where = contentHash === undefined ? '' : `, ${age} old (${source ?? ''})`
  const notes = [
    status.refused === undefined ? [] : `  refused: ${status.refused}`,
    status.unreachable === undefined ? [] : `  not reached: ${status.unreachable}`,
  ].flat()
  return [`${status.list.padEnd(15)} ${what}${where}`, ...notes].join('\n')
}

const diffCommand = (): Command =>
  new Command('diff')
    .description('what the last version of a list added, removed and changed')
    .addArgument(listArgument())
    .option('--last <count>', 'how many versions back', positiveNumber, 1)
    .option('--json', 'print JSON')
    .action(async (id: ListId, { last, json }: Options & { last: number }) => {
      const shelf = openShelf(shelfFolder(configOrExit()), systemClock)
      const diffs = (await shelf.diffs(id)).slice(0, last)
      if (json === true) printJson(diffs)
      else if (diffs.length === 0) print(`no difference of ${id} is kept`)
      else for (const diff of diffs) print(diffText(diff))
    })

function diffText({ list, from, to, at, diff: { added, removed, changed } }: KeptDiff): string {
  const section = (sign: string, entries: readonly { entryId: string; primaryName: string }[]) => [
    ...entries.slice(0, SHOWN).map((one) => `  ${sign} ${one.entryId}  ${one.primaryName}`),
    ...(entries.length > SHOWN ? [`  ${sign} and ${entries.length - SHOWN} more (--json)`] : []),
  ]
  const named = changed.map((one) => ({
    ...one,
    primaryName: `${one.primaryName} (${one.what.join(', ')})`,
  }))
  const numbers = `${added.length} added, ${removed.length} removed, ${changed.length} changed`
  return [
    `${list} ${from.slice(0, 12)} -> ${to.slice(0, 12)}, ${at}: ${numbers}`,
    ...section('+', added),
    ...section('-', removed),
    ...section('~', named),
  ].join('\n')
}

const acceptCommand = (): Command =>
  new Command('accept')
    .description('use the refused version of a list although a gate holds it back')
    .addArgument(listArgument())
    .action(async (id: ListId) => {
      const config = configOrExit()
      const shelf = openShelf(shelfFolder(config), systemClock)
      const { refused } = await shelf.read(id)
      if (refused === undefined) {
        process.stderr.write(`No version of ${id} is refused.\n`)
        process.exitCode = EXIT_USAGE
        return
      }
      await shelf.accept(id, refused.contentHash)
      const lists = await loadedLists(config, { writes: true })
      await lists.noticeNow(id)
      const status = lists.status().find((one) => one.id === id)
      const taken = status?.inForce?.contentHash === refused.contentHash
      const why = status?.refused?.reason ?? 'it does not read whole'
      const version = `${id} ${refused.contentHash.slice(0, 12)}`
      print(
        taken
          ? `${version} is accepted (it was refused: ${refused.reason})`
          : `${version} cannot be accepted: ${why}`,
      )
      if (!taken) process.exitCode = EXIT_REFUSED
      await lists.stop()
    })
