/**
 * What sealing costs a screen. One service, the same process, database and load throughout, seals
 * in some turns and in others does not. Turns are short and go ABBA, so that neither noise nor
 * drift favours one; each four of them give one ratio of processor time and one of the median
 * latency, and the report is the median ratio with its 95 % interval. What a turn left is sealed
 * on its own account before its time is taken, so sealing cannot hide in the turns without it. The
 * leaf hash is taken in the screen itself, in every turn; it is timed alone and counted as sealing.
 *
 * `--connections 32` measures with those alone. `--assert` ends with 0 when every interval lies
 * below 1.05, with 1 when one lies above, and with 2 when it is still undecided after all the
 * rounds that `--rounds` allows.
 */
import { entryHash } from '@portcullis/protocol'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { sha256 } from '../packages/server/src/adapters/vault.ts'
import { openSqliteStore } from '../packages/server/src/store/sqlite.ts'
import { startServer } from './child.ts'
import { type Interval, judge, type Judgement, medianInterval } from './confidence.ts'
import { listsFolder } from './inputs.ts'
import { send, type Target } from './load.ts'
import { payments } from './payments.ts'
import { latencyOf } from './stats.ts'
import { registered } from './targets.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '60' },
    connections: { type: 'string', default: '1,32' },
    assert: { type: 'boolean', default: false },
  },
})

/** With sealing to without: what a screen may cost. */
const BOUND = 1.05
/** Rounds of four turns before the first look, and between looks. */
const STEP = 15
/** Payments in a turn: about a second, so that the sealing job runs in it at its own pace. */
const PAYMENTS = { 1: 400, 32: 800 } as const
type Connections = keyof typeof PAYMENTS
const WARM_UP_SECONDS = 4
const LEAVES = 512
const REPETITIONS = 40

type Turn = Readonly<Record<'processorUs' | 'p50Us' | 'p99Us', number>>
type Measure = keyof Turn
type Round = Record<'on' | 'off', Turn[]>

const script = fileURLToPath(new URL('./sealing-child.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'portcullis-sealing-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const target = await start()
const next = payments(1)
await send(target, 32, { duration: WARM_UP_SECONDS }, next)
const leafUs = await timeLeaves(join(folder, 'portcullis.sqlite'))
process.stdout.write(`leaf hash of an entry, counted as sealing: ${leafUs.toFixed(1)} us\n`)
const judgements: Judgement[] = []
for (const connections of [1, 32] as const) {
  if (!options.connections.split(',').includes(String(connections))) continue
  judgements.push(await measure(connections))
}
await target.server.stop()
if (options.assert) {
  process.exitCode = judgements.includes('more') ? 1 : judgements.includes('undecided') ? 2 : 0
}

function sum(turns: readonly Turn[], of: Measure): number {
  return turns.reduce((total, turn) => total + turn[of], 0)
}

function worst(judgements: readonly Judgement[]): Judgement {
  return (['more', 'undecided'] as const).find((one) => judgements.includes(one)) ?? 'within'
}

async function start(): Promise<Target> {
  const lists = listsFolder()
  const env = {
    DATA_DIR: folder,
    PLAN_FREE_SCREENS: 'unlimited',
    VELOCITY_PER_MINUTE: '1000000',
    LOG_LEVEL: 'warn',
    LISTS_SYNC: 'off',
    ...(lists === undefined ? {} : { LISTS_DIR: lists }),
  }
  return registered(await startServer({ script, env, answers: true }))
}

/** Adds rounds until both measures are decided, or there were enough. */
async function measure(connections: Connections): Promise<Judgement> {
  const rounds: Round[] = []
  await turn('on', connections)
  for (;;) {
    for (let n = 0; n < STEP; n++) rounds.push(await round(connections, rounds.length))
    const ratios = (of: Measure, leaf: number) =>
      medianInterval(rounds.map(({ on, off }) => sum(on, of) / (sum(off, of) - off.length * leaf)))
    const processor = ratios('processorUs', leafUs)
    // A payment waits for all that are sent with it.
    const p50 = ratios('p50Us', connections * leafUs)
    const judgement = worst([judge(processor, BOUND), judge(p50, BOUND)])
    const p99 = ratios('p99Us', connections * leafUs)
    report(connections, rounds, { processor, p50, p99 })
    const isOver = judgement !== 'undecided' || rounds.length + STEP > Number(options.rounds)
    process.stdout.write(`  against ${BOUND}: ${judgement}${isOver ? '' : ', more rounds'}\n`)
    if (isOver) return judgement
  }
}

async function round(connections: Connections, count: number): Promise<Round> {
  const turns: Round = { on: [], off: [] }
  const [a, b] = count % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)
  for (const sealing of [a, b, b, a]) turns[sealing].push(await turn(sealing, connections))
  return turns
}

async function turn(sealing: 'on' | 'off', connections: Connections): Promise<Turn> {
  const { server } = target
  const begun = Number(await server.ask(sealing))
  const sent = await send(target, connections, { amount: PAYMENTS[connections] }, next)
  const used = Number(await server.ask('end')) - begun
  if (sent.failed > 0) throw new Error(`${sent.failed} screens failed`)
  const { p50, p99 } = latencyOf(sent.latencies)
  return { processorUs: used / sent.latencies.length, p50Us: p50 * 1_000, p99Us: p99 * 1_000 }
}

function report(
  connections: Connections,
  rounds: readonly Round[],
  ratios: Readonly<Record<string, Interval>>,
): void {
  const without = rounds.flatMap(({ off }) => off)
  const screenUs = sum(without, 'processorUs') / without.length
  const lines = Object.entries(ratios).map(
    ([name, { median, lower, upper }]) =>
      `  ${name.padEnd(10)} ${median.toFixed(3)} (${lower.toFixed(3)} to ${upper.toFixed(3)})`,
  )
  process.stdout.write(
    [
      `${connections} connections, ${rounds.length} rounds: with sealing to without, median (95 %),`,
      `  where a screen without it takes ${screenUs.toFixed(0)} us of processor time`,
      ...lines,
      '',
    ].join('\n'),
  )
}

/** Microseconds for the leaf hash of an entry as the load leaves it. */
async function timeLeaves(file: string): Promise<number> {
  const store = await openSqliteStore(file)
  const { leaves } = await store.leaves(0, LEAVES)
  await store.close()
  const entries = leaves.flatMap(({ entry }) => entry ?? [])
  const pass = () => {
    for (const entry of entries) entryHash(entry, sha256)
  }
  pass()
  const before = process.cpuUsage()
  for (let n = 0; n < REPETITIONS; n++) pass()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / (REPETITIONS * entries.length)
}
