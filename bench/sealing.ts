/**
 * What sealing costs a screen: the same service with and without it, one under load at a time, in
 * turns, so that noise hits both. The leaf hash is taken in the screen itself, in both; it is timed
 * by itself and counted as sealing. `--seconds` and `--rounds` choose how long, `--assert` fails
 * when sealing costs more than 5 % of a screen's processor time, or of the screens per second by
 * more than the noise.
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
import { listsFolder } from './inputs.ts'
import { load, type LoadResult } from './load.ts'
import { payments } from './payments.ts'
import { type Rounds, roundsOf } from './stats.ts'
import { registered } from './targets.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '12' },
    seconds: { type: 'string', default: '2' },
    assert: { type: 'boolean', default: false },
  },
})
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
const script = fileURLToPath(new URL('./sealing-child.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'portcullis-sealing-'))
const lists = listsFolder()

const start = async (sealing: 'on' | 'off') =>
  registered(
    await startServer({
      script,
      args: [sealing],
      env: {
        DATA_DIR: join(folder, sealing),
        PLAN_FREE_SCREENS: 'unlimited',
        VELOCITY_PER_MINUTE: '1000000',
        LOG_LEVEL: 'warn',
        LISTS_SYNC: 'off',
        ...(lists === undefined ? {} : { LISTS_DIR: lists }),
      },
    }),
  )

/** What sealing may cost a screen. */
const BUDGET = 0.05
const LEAVES = 512
const REPETITIONS = 20

const targets = { on: await start('on'), off: await start('off') }
const next = payments(1)
for (const name of ['on', 'off'] as const) await load(targets[name], 32, 2, next)
const leafUs = await timeLeaves(join(folder, 'on', 'portcullis.sqlite'))
let holds = true
for (const connections of [1, 32]) {
  const measured = await takeTurns(connections)
  const onToOff = (of: (result: LoadResult) => number): Rounds =>
    roundsOf(measured.on.map((on, round) => of(on) / of(measured.off[round] ?? on)))
  const processor = onToOff((result) => result.processorUs ?? Number.NaN)
  const throughput = onToOff((result) => result.perSecond)
  const offUs = roundsOf(measured.off.map((result) => result.processorUs ?? Number.NaN)).median
  const cost = processor.median - 1 + leafUs / offUs
  const within = cost <= BUDGET && throughput.upperQuartile >= 1 - BUDGET
  holds &&= within
  const between = ({ median, lowerQuartile, upperQuartile }: Rounds) =>
    `${median.toFixed(3)} (${lowerQuartile.toFixed(3)} to ${upperQuartile.toFixed(3)})`
  process.stdout.write(
    [
      `${connections} connections, ${rounds} rounds of ${seconds} s, with sealing to without:`,
      `  processor time of a screen  ${between(processor)}, without ${offUs.toFixed(0)} us`,
      `  leaf hash, in both          ${leafUs.toFixed(1)} us`,
      `  screens per second          ${between(throughput)}`,
      `  p50 ${between(onToOff((result) => result.p50))}, p99 ${between(onToOff((result) => result.p99))}`,
      `  sealing costs ${(cost * 100).toFixed(1)} % of a screen: ${within ? 'within' : 'MORE THAN'} 5 %`,
      '',
    ].join('\n'),
  )
}
for (const { server } of Object.values(targets)) await server.stop()
rmSync(folder, { recursive: true, force: true })
if (values.assert && !holds) process.exitCode = 1

async function takeTurns(connections: number): Promise<Record<'on' | 'off', LoadResult[]>> {
  const measured: Record<'on' | 'off', LoadResult[]> = { on: [], off: [] }
  for (const name of ['on', 'off'] as const) await load(targets[name], connections, 1, next)
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)
    for (const name of order) {
      measured[name].push(await load(targets[name], connections, seconds, next))
    }
  }
  return measured
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
