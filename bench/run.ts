/**
 * The benchmark: the service beside a floor, in one run, in turns, so that noise hits both.
 * `docs/performance.md` tells how to read it.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { budgetsOf, holds } from './budgets.ts'
import type { Server } from './child.ts'
import type { InProcess } from './in-process.ts'
import { cleanNames, listsFolder } from './inputs.ts'
import { load, type LoadResult, type Target, verdictsOf } from './load.ts'
import { payments } from './payments.ts'
import { report } from './report.ts'
import { type Rounds, roundsOf } from './stats.ts'
import { registered, startFloor, startService } from './targets.ts'

const CONNECTIONS = [1, 32] as const
type Connections = (typeof CONNECTIONS)[number]

interface Plan {
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
  readonly starts: number
}

/** Short turns, so that whatever disturbs the machine hits all three alike. */
const FULL: Plan = { rounds: 15, seconds: 1, warmUpSeconds: 4, starts: 5 }
const SHORT: Plan = { rounds: 2, seconds: 1, warmUpSeconds: 1, starts: 2 }

/** Payments that are sent one by one before the load, to see that they get ordinary verdicts. */
const LOOKED_AT = 100

export type LoadSummary = Readonly<Record<keyof LoadResult, Rounds>>
type ByConnections<T> = Readonly<Record<Connections, T>>

export interface Results {
  readonly machine: { readonly cores: number; readonly node: string; readonly loadAverage: number }
  readonly lists: string
  readonly names: string
  readonly rounds: number
  readonly secondsEach: number
  readonly verdicts: Readonly<Record<string, number>>
  readonly service: {
    readonly load: ByConnections<LoadSummary>
    readonly startMs: Rounds
    readonly residentBytes: {
      readonly afterStart: number | null
      readonly afterLoad: number | null
      readonly peak: number | null
    }
  }
  readonly floor: Readonly<Record<'each' | 'group', ByConnections<LoadSummary>>>
  /** Screens per second of the service by those of the floor, taken round by round. */
  readonly ratios: Readonly<Record<'each' | 'group', ByConnections<Rounds>>>
  readonly inProcess: InProcess
}

const CONTENDERS = ['service', 'each', 'group'] as const
type Contender = (typeof CONTENDERS)[number]
type Measured = Record<Contender, Record<Connections, LoadResult[]>>

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      short: { type: 'boolean', default: false },
      assert: { type: 'boolean', default: false },
    },
  })
  const results = await measure(values.short ? SHORT : FULL, values.short)
  const budgets = budgetsOf(results)
  const text = values.json
    ? JSON.stringify({ ...results, budgets }, null, 2)
    : report(results, budgets)
  process.stdout.write(`${text}\n`)
  if (values.assert && !budgets.every((budget) => holds(budget, budget.limit))) process.exitCode = 1
}

async function measure(plan: Plan, short: boolean): Promise<Results> {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-bench-'))
  try {
    const inProcess = measureInProcess(short)
    const startMs = await measureStarts(folder, plan.starts - 1)
    return { ...(await measureServers(folder, plan, startMs)), inProcess }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function measureInProcess(short: boolean): InProcess {
  const script = fileURLToPath(new URL('./in-process.ts', import.meta.url))
  const text = execFileSync(process.execPath, [script, ...(short ? ['--short'] : [])], {
    encoding: 'utf8',
  })
  return JSON.parse(text) as InProcess
}

/** Each start finds an empty folder, as the very first one does. */
async function measureStarts(folder: string, count: number): Promise<number[]> {
  const times: number[] = []
  for (let start = 0; start < count; start++) {
    const server = await startService(join(folder, `start-${start}`), listsFolder())
    times.push(server.startedInMs)
    await server.stop()
  }
  return times
}

async function measureServers(
  folder: string,
  plan: Plan,
  startMs: readonly number[],
): Promise<Omit<Results, 'inProcess'>> {
  const server = await startService(join(folder, 'service'), listsFolder())
  const running: Server[] = [server]
  try {
    const afterStart = server.memory()?.resident ?? null
    const each = await startFloor(folder, 'each')
    running.push(each.server)
    const group = await startFloor(folder, 'group')
    running.push(group.server)
    const targets = { service: await registered(server), each, group }
    const verdicts = await verdictsOf(targets.service, LOOKED_AT, payments(3))
    const measured = await takeTurns(targets, plan)
    const memory = server.memory()
    return {
      ...circumstances(plan),
      verdicts,
      service: {
        load: summaries(measured.service),
        startMs: roundsOf([...startMs, server.startedInMs]),
        residentBytes: {
          afterStart,
          afterLoad: memory?.resident ?? null,
          peak: memory?.peak ?? null,
        },
      },
      floor: { each: summaries(measured.each), group: summaries(measured.group) },
      ratios: { each: ratios(measured, 'each'), group: ratios(measured, 'group') },
    }
  } finally {
    for (const one of running) await one.stop()
  }
}

const circumstances = ({ rounds, seconds }: Plan) => ({
  machine: {
    cores: availableParallelism(),
    node: process.version,
    loadAverage: loadavg()[0] ?? Number.NaN,
  },
  lists: listsFolder() === undefined ? 'embedded fallback' : 'published OFAC SDN list',
  names: cleanNames().source,
  rounds,
  secondsEach: seconds,
})

/** Only one server is under load at a time; who goes first changes from round to round. */
async function takeTurns(targets: Record<Contender, Target>, plan: Plan): Promise<Measured> {
  const next = payments(1)
  const measured: Measured = {
    service: { 1: [], 32: [] },
    each: { 1: [], 32: [] },
    group: { 1: [], 32: [] },
  }
  for (const name of CONTENDERS) await load(targets[name], 32, plan.warmUpSeconds, next)
  for (let round = 0; round < plan.rounds; round++) {
    for (const connections of CONNECTIONS) {
      for (let turn = 0; turn < CONTENDERS.length; turn++) {
        const name = CONTENDERS[(round + turn) % CONTENDERS.length] as Contender
        const result = await load(targets[name], connections, plan.seconds, next)
        if (result.failed > 0) throw new Error(`${result.failed} requests to ${name} failed`)
        measured[name][connections].push(result)
      }
    }
  }
  return measured
}

const summaries = (results: Record<Connections, LoadResult[]>): ByConnections<LoadSummary> => ({
  1: summary(results[1]),
  32: summary(results[32]),
})

function summary(results: readonly LoadResult[]): LoadSummary {
  const over = (name: keyof LoadResult) =>
    roundsOf(results.map((result) => result[name] ?? Number.NaN))
  return {
    perSecond: over('perSecond'),
    processorUs: over('processorUs'),
    failed: over('failed'),
    p50: over('p50'),
    p95: over('p95'),
    p99: over('p99'),
    max: over('max'),
  }
}

function ratios(measured: Measured, floor: 'each' | 'group'): ByConnections<Rounds> {
  const of = (connections: Connections) =>
    roundsOf(
      measured.service[connections].map(
        ({ perSecond }, round) =>
          perSecond / (measured[floor][connections][round]?.perSecond ?? Number.NaN),
      ),
    )
  return { 1: of(1), 32: of(32) }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
await main()
