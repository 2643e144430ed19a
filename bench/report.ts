/** The results as a person reads them. */
import { type Budget, holds } from './budgets.ts'
import type { LoadSummary, Results } from './run.ts'
import type { Rounds } from './stats.ts'

const NAME_COLUMN = 30
const COLUMN = 26
const MB = 1e6

export function report(results: Results, budgets: readonly Budget[]): string {
  return [
    ...circumstances(results),
    ...loadTable(results, 1),
    ...loadTable(results, 32),
    ...startAndMemory(results),
    ...inProcess(results),
    ...budgetTable(budgets),
  ].join('\n')
}

function circumstances({ machine, lists, names, rounds, secondsEach, verdicts }: Results) {
  const seen = Object.entries(verdicts).map(([verdict, count]) => `${count} ${verdict}`)
  return [
    `${machine.cores} cores, Node ${machine.node}, load average ${machine.loadAverage.toFixed(1)}; ` +
      `lists: ${lists}; names: ${names}`,
    `${rounds} rounds of ${secondsEach} s for each server and number of connections, in turns; ` +
      'median (quartiles)',
    `verdicts among the first payments: ${seen.join(', ')}`,
  ]
}

function loadTable({ service, floor, ratios }: Results, connections: 1 | 32): string[] {
  const columns = [service.load[connections], floor.each[connections], floor.group[connections]]
  const line = (name: string, pick: (of: LoadSummary) => Rounds, digits: number) =>
    row(name, ...columns.map((column) => rounds(pick(column), digits)))
  return [
    '',
    row(
      connections === 1 ? '1 connection' : `${connections} connections`,
      'service',
      'floor, commit each',
      'floor, group commit',
    ),
    line('requests/s', ({ perSecond }) => perSecond, 0),
    line('latency p50, ms', ({ p50 }) => p50, 2),
    line('latency p95, ms', ({ p95 }) => p95, 2),
    line('latency p99, ms', ({ p99 }) => p99, 2),
    line('latency max, ms', ({ max }) => max, 1),
    line('processor, us/request', ({ processorUs }) => processorUs, 0),
    row(
      'service / floor',
      '',
      rounds(ratios.each[connections], 2),
      rounds(ratios.group[connections], 2),
    ),
  ]
}

function startAndMemory({ service: { startMs, residentBytes } }: Results): string[] {
  const { afterStart, afterLoad, peak } = residentBytes
  return [
    '',
    row('spawn to healthy, ms', rounds(startMs, 0)),
    row('resident after start, MB', megabytes(afterStart)),
    row('resident after load, MB', megabytes(afterLoad)),
    row('resident at most, MB', megabytes(peak)),
  ]
}

function inProcess({
  inProcess: { lists, listsReadyMs, listsBytes, lookUps, evaluateUs },
}: Results) {
  return [
    '',
    row('lists', `${lists.entries} entries, ${lists.names} names (${lists.source})`),
    row('read and index, ms', listsReadyMs.toFixed(0)),
    row('kept in memory, MB', megabytes(listsBytes)),
    ...Object.entries(lookUps).map(([texts, { p50, p99, max }]) =>
      row(
        `look-up of ${texts}, us`,
        `p50 ${p50.toFixed(0)}`,
        `p99 ${p99.toFixed(0)}`,
        `max ${max.toFixed(0)}`,
      ),
    ),
    row('evaluate all rules, us', evaluateUs.toFixed(2)),
  ]
}

function budgetTable(budgets: readonly Budget[]): string[] {
  const rows = budgets.map((budget) => {
    const { what, value, target, better, unit } = budget
    const shown = value === null ? 'not measured' : `${value.toFixed(2)} ${unit}`
    const sign = better === 'higher' ? '>=' : '<='
    return `${what.padEnd(COLUMN * 2)} ${shown.padEnd(COLUMN)} target ${sign} ${target}  ${
      holds(budget, target) ? 'met' : 'MISSED'
    }`
  })
  return ['', ...rows]
}

const row = (name: string, ...cells: readonly string[]): string =>
  name.padEnd(NAME_COLUMN) + cells.map((cell) => cell.padStart(COLUMN)).join('')

const rounds = ({ median, lowerQuartile, upperQuartile }: Rounds, digits: number): string =>
  `${median.toFixed(digits)} (${lowerQuartile.toFixed(digits)} to ${upperQuartile.toFixed(digits)})`

const megabytes = (bytes: number | null): string =>
  bytes === null ? 'not measured' : (bytes / MB).toFixed(0)
