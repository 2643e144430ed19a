/**
 * How long the history of a counterparty takes at a million records, and what it costs a screen:
 * `node bench/prior-screenings.ts [--records 1000000] [--assert]`. The look-up must stay under 5 ms
 * at p99, for the counterparty that everybody pays as for the one that nobody knows.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { counterpartyKeys } from '../packages/server/src/app/history/counterparty-keys.ts'
import type { CounterpartyKeys } from '../packages/server/src/app/history/history-records.ts'
import { keyNumbers } from '../packages/server/src/store/history/counterparty-numbers.ts'
import { openSqliteStore } from '../packages/server/src/store/sqlite.ts'
import { DatabaseSync } from 'node:sqlite'
import { seededRandom } from './random.ts'
import { latencyOf } from './stats.ts'

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    assert: { type: 'boolean', default: false },
  },
})
const RECORDS = Number(values.records)
const COUNTERPARTIES = RECORDS / 5
const AGENTS = 5_000
const AGENTS_PER_OPERATOR = 5
const LOOK_UPS = 5_000
const BUDGET_MS = 5

interface Filled {
  readonly keys: CounterpartyKeys
  readonly operator: number
  readonly agents: Set<number>
  screens: number
}

const vault = {
  digest: (text: string) => createHash('sha256').update(text, 'utf8').digest('hex'),
}
const random = seededRandom(11)

/** One in ten screens is of one of 20 that everybody pays; some share a wallet or a name. */
function drawKeys(): CounterpartyKeys {
  const at = random.below(10) === 0 ? random.below(20) : random.below(COUNTERPARTIES)
  const name = random.below(10) < 8 ? `counterparty ${at}` : undefined
  const other = random.below(50) === 0 ? at + 1 : at
  const wallet =
    name === undefined || random.below(10) < 7
      ? `0x${vault.digest(`w${other}`).slice(0, 40)}`
      : undefined
  const keys = counterpartyKeys(vault, name, wallet)
  if (keys === undefined) throw new Error('a counterparty has neither name nor wallet')
  return keys
}

const folder = mkdtempSync(join(tmpdir(), 'portcullis-bench-'))
const file = join(folder, 'portcullis.sqlite')
await (await openSqliteStore(file)).close()
fill(new DatabaseSync(file))
const store = await openSqliteStore(file)

/** The first look-up of one that is met often adds it up; that is measured as well. */
const times: number[] = []
for (let n = 0; n < LOOK_UPS; n++) {
  const keys = drawKeys()
  const begun = performance.now()
  await store.counterpartyHistory(keys)
  times.push(performance.now() - begun)
}
const { p50, p95, p99, max } = latencyOf(times)
process.stdout.write(
  `priorScreenings at ${RECORDS} records: p50 ${p50.toFixed(3)}, p95 ${p95.toFixed(3)}, ` +
    `p99 ${p99.toFixed(3)}, max ${max.toFixed(3)} ms\n`,
)
await store.close()
rmSync(folder, { recursive: true, force: true })
if (values.assert && p99 > BUDGET_MS) process.exitCode = 1

/** The counterparties as a million screens leave them, built in memory and written at once. */
function fill(db: DatabaseSync): void {
  const rows = new Map<string, Filled>()
  for (let n = 0; n < RECORDS; n++) {
    const agent = random.below(AGENTS)
    const operator = Math.floor(agent / AGENTS_PER_OPERATOR)
    const keys = drawKeys()
    const id = `${keys.subject} ${operator}`
    const kept = rows.get(id) ?? { keys, operator, screens: 0, agents: new Set() }
    kept.screens++
    kept.agents.add(agent)
    rows.set(id, kept)
  }
  const counterparty = db.prepare(
    `insert into counterparties (seq, operator_id, name_key, wallet_key, name, wallet, clears,
       reviews, blocks, first_at_ms, last_at_ms, last_verdict, agent_id, agents)
     values (?, ?, ?, ?, ?, ?, ?, 0, 0, 1, 2, 'CLEAR', ?, ?)`,
  )
  const visitor = db.prepare('insert into counterparty_visitors values (?, ?)')
  db.exec('begin')
  for (const [seq, { keys, operator, screens, agents }] of [...rows.values()].entries()) {
    const [first = 0, ...others] = agents
    const { name, wallet } = keyNumbers(keys)
    const texts = [`op_${operator}`, name, wallet, 'A name of somebody', 'a wallet']
    counterparty.run(seq + 1, ...texts, screens, `agt_${first}`, agents.size)
    for (const agent of others) visitor.run(seq + 1, `agt_${agent}`)
  }
  db.exec('commit')
  db.close()
}
