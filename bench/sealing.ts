/**
 * What sealing costs a screen: the same service with and without it, one under load at a time, in
 * turns, so that noise hits both. `--seconds` and `--rounds` choose how long.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startServer } from './child.ts'
import { listsFolder } from './inputs.ts'
import { load, type LoadResult } from './load.ts'
import { payments } from './payments.ts'
import { roundsOf } from './stats.ts'
import { registered } from './targets.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '12' },
    seconds: { type: 'string', default: '2' },
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
        ...(lists === undefined ? {} : { LISTS_DIR: lists }),
      },
    }),
  )

const targets = { on: await start('on'), off: await start('off') }
const next = payments(1)
for (const connections of [1, 32]) {
  const measured: Record<'on' | 'off', LoadResult[]> = { on: [], off: [] }
  for (const name of ['on', 'off'] as const) await load(targets[name], connections, 2, next)
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)
    for (const name of order) {
      measured[name].push(await load(targets[name], connections, seconds, next))
    }
  }
  const share = (of: (result: LoadResult) => number) =>
    roundsOf(measured.on.map((on, round) => of(on) / of(measured.off[round] ?? on)))
  const median = (name: 'on' | 'off', of: (result: LoadResult) => number) =>
    Math.round(roundsOf(measured[name].map(of)).median * 100) / 100
  process.stdout.write(
    `${JSON.stringify({
      connections,
      perSecond: { on: median('on', (r) => r.perSecond), off: median('off', (r) => r.perSecond) },
      processorUs: {
        on: median('on', (r) => r.processorUs ?? 0),
        off: median('off', (r) => r.processorUs ?? 0),
      },
      p50: { on: median('on', (r) => r.p50), off: median('off', (r) => r.p50) },
      p99: { on: median('on', (r) => r.p99), off: median('off', (r) => r.p99) },
      onToOff: {
        p50: share((r) => r.p50),
        perSecond: share((r) => r.perSecond),
        processorUs: share((r) => r.processorUs ?? 1),
      },
    })}\n`,
  )
}
for (const { server } of Object.values(targets)) await server.stop()
rmSync(folder, { recursive: true, force: true })
