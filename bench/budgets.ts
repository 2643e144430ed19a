/** What must hold: the targets, and the margins that `--assert` allows a busy machine. */
import type { Results } from './run.ts'

export interface Budget {
  readonly what: string
  readonly value: number | null
  readonly target: number
  /** What `--assert` fails at: the target with a margin for noise. */
  readonly limit: number
  readonly better: 'higher' | 'lower'
  readonly unit: string
}

const MARGIN = 2
const MB = 1e6

const atMost = (what: string, value: number | null, target: number, unit: string): Budget => ({
  what,
  value,
  target,
  limit: target * MARGIN,
  better: 'lower',
  unit,
})

const atLeast = (what: string, value: number, target: number): Budget => ({
  what,
  value,
  target,
  limit: target / MARGIN,
  better: 'higher',
  unit: 'of the floor',
})

/** Memory hardly depends on what else the machine does, so its margin is small. */
const memoryAtMost = (what: string, bytes: number | null, target: number): Budget => ({
  ...atMost(what, bytes === null ? null : bytes / MB, target, 'MB'),
  limit: target * 1.2,
})

export function budgetsOf({ service, ratios, inProcess }: Results): Budget[] {
  return [
    atLeast('screens/s at 32 connections, group commit', ratios.group[32].median, 0.5),
    atLeast('screens/s at 1 connection, one commit each', ratios.each[1].median, 0.5),
    atMost('p99 at 1 connection', service.load[1].p99.median, 5, 'ms'),
    atMost('spawn to healthy', service.startMs.median, 3_000, 'ms'),
    memoryAtMost('resident memory after load', service.residentBytes.afterLoad, 250),
    atMost('look-up of a clean name, p99', inProcess.lookUps['clean names'].p99, 1_000, 'us'),
  ]
}

export const holds = ({ value, better }: Budget, bound: number): boolean =>
  value === null || (better === 'higher' ? value >= bound : value <= bound)
