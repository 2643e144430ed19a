/** What was acknowledged is there after a crash; what was accepted is answered before a stop. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import type { ScreenResult } from '@portcullis/protocol'
import { inParallel } from './support/load.ts'
import { spawnService, type ServiceProcess } from './support/process.ts'
import { bearer, type Party, tempDir } from './support/service.ts'

const CONNECTIONS = 16
const DATA_DIR = tempDir()
after(() => rmSync(DATA_DIR, { recursive: true, force: true }))

interface Answered {
  readonly txnId: string
  readonly receipt: string
}

/** Screens on every connection until the service goes away; answers what was acknowledged. */
async function load(running: ServiceProcess, party: Party) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const acknowledged: Answered[] = []
  const failures: NodeJS.ErrnoException[] = []
  const connection = async () => {
    for (;;) {
      try {
        const { status, body } = await running.client.call<ScreenResult>('/v1/screen', {
          agent,
          headers: bearer(party.operatorToken),
          body: { token: party.agentToken, amount: 1.25, cpName: 'Acme Corp' },
        })
        if (status !== 200) return
        acknowledged.push(body)
      } catch (error) {
        failures.push(error as NodeJS.ErrnoException)
        return
      }
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  agent.destroy()
  return { acknowledged, failures }
}

const sums = () => {
  const db = new DatabaseSync(join(DATA_DIR, 'portcullis.sqlite'), { readOnly: true })
  const number = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0] ?? 0)
  const found = {
    spent: number('select sum(spent_micro_usd) from agent_spend'),
    spentInRecords: number('select sum(spend_micro_usd) from audit_entries'),
    screens: number('select sum(screens) from operator_usage'),
    charged: number('select sum(charge) from audit_entries'),
    records: number('select count(*) from audit_entries'),
    integrity: String(Object.values(db.prepare('pragma integrity_check').get() ?? {})[0]),
  }
  db.close()
  return found
}

test('kill -9 under load, four times: every acknowledged screen is there, counters equal the records, receipts verify', async () => {
  const acknowledged: Answered[] = []
  let party: Party | undefined
  for (const moment of [60, 173, 291, 404]) {
    const running = await spawnService({ DATA_DIR })
    party ??= await running.client.party()
    const loaded = load(running, party)
    await new Promise((resolve) => setTimeout(resolve, moment))
    await running.end('SIGKILL')
    acknowledged.push(...(await loaded).acknowledged)
  }
  assert.ok(
    party && acknowledged.length > 100,
    `only ${acknowledged.length} screens were acknowledged`,
  )

  const running = await spawnService({ DATA_DIR })
  const owner = party
  await inParallel(acknowledged, CONNECTIONS, async ({ txnId, receipt }) => {
    const { status, body } = await running.client.audit(owner, txnId)
    assert.equal(status, 200, `${txnId} was acknowledged and is lost`)
    assert.equal(body.receipt, receipt)
  })
  for (const { receipt } of acknowledged.slice(0, 50)) {
    assert.equal((await running.client.verify(receipt)).body.valid, true)
  }
  assert.equal((await running.client.screen(owner)).body.verdict, 'CLEAR')
  assert.equal(await running.end('SIGTERM'), 0)

  const { spent, spentInRecords, screens, charged, records, integrity } = sums()
  assert.equal(integrity, 'ok')
  assert.equal(spent, spentInRecords)
  assert.equal(screens, charged)
  assert.equal(screens, records)
  assert.ok(records >= acknowledged.length + 1)
})

test('SIGTERM under load: every accepted request gets its answer, and the exit code is 0', async () => {
  const before = sums().records
  const running = await spawnService({ DATA_DIR })
  const party = await running.client.party()
  const loaded = load(running, party)
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal(await running.end('SIGTERM'), 0)
  const { acknowledged, failures } = await loaded
  assert.ok(acknowledged.length > 50)
  // A screen whose answer was lost would be a record that nobody was told of.
  assert.equal(sums().records - before, acknowledged.length)
  for (const { code } of failures)
    assert.ok(code === 'ECONNREFUSED' || code === 'ECONNRESET', String(code))
})
