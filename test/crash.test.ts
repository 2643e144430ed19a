/** What was acknowledged is there after a crash; what was accepted is answered before a stop. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { CreateDelegateResponse, FleetView, ScreenResult } from '@portcullis/protocol'
import { inParallel } from './support/load.ts'
import { spawnService, type ServiceProcess } from './support/process.ts'
import { A_PAYMENT, ANY_RATE, bearer, type Party, tempDir } from './support/service.ts'

const CONNECTIONS = 16
const DATA_DIR = tempDir()
after(() => rmSync(DATA_DIR, { recursive: true, force: true }))

interface Answered {
  readonly txnId: string
  readonly receipt: string
}

/** An agent with two levels of delegates, two of the three in one fleet. */
async function household({ client }: ServiceProcess): Promise<Household> {
  const owner = await client.party()
  const post = async <Body>(path: string, body: object, method = 'POST') =>
    (await client.call<Body>(path, { method, headers: bearer(owner.operatorToken), body })).body
  const { fleetId } = await post<FleetView>('/v1/fleets/create', {
    fleetName: 'Crash fleet',
    operatorLegalName: 'Example Robotics',
    dailyLimitUSDC: 100_000_000,
  })
  const mint = (parentAgentId: string) =>
    post<CreateDelegateResponse>('/v1/delegates/create', {
      parentAgentId,
      agentName: 'Delegate',
      purpose: 'paying',
    })
  const child = await mint(owner.agentId)
  const grandchild = await mint(child.agentId)
  for (const agentId of [owner.agentId, grandchild.agentId]) {
    await post(`/v1/agents/${agentId}`, { fleetId }, 'PATCH')
  }
  const tokens = [owner.agentToken, child.token, grandchild.token]
  return { owner, tokens }
}

interface Household {
  readonly owner: Party
  /** The root's token, its delegate's, and that one's delegate's. */
  readonly tokens: readonly string[]
}

/**
 * Screens on every connection until the service goes away, each agent in turn, and every tenth
 * payment a REVIEW that is approved at once; answers what was acknowledged.
 */
async function load(
  running: ServiceProcess,
  { owner, tokens }: Household,
  acknowledged: Answered[] = [],
) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const headers = bearer(owner.operatorToken)
  const approved: string[] = []
  const failures: NodeJS.ErrnoException[] = []
  let sent = 0
  const screenOnce = async (): Promise<boolean> => {
    const turn = sent++
    // Without a wallet on a crypto chain: R23.
    const reviewed = turn % 10 === 9 ? { cpWallet: undefined, chain: 'BASE' } : {}
    const token = tokens[turn % tokens.length]
    const body = { token, ...A_PAYMENT, amount: 1.25, ...reviewed }
    const reply = await running.client.call<ScreenResult>('/v1/screen', { agent, headers, body })
    if (reply.status !== 200) return false
    acknowledged.push(reply.body)
    if (reply.body.verdict !== 'REVIEW') return true
    const { txnId } = reply.body
    const decision = { disposition: 'APPROVED', reviewedBy: 'An Officer' }
    const path = `/v1/reviews/${txnId}`
    const { status } = await running.client.call(path, { agent, headers, body: decision })
    if (status === 200) approved.push(txnId)
    return status === 200
  }
  const connection = async () => {
    try {
      while (await screenOnce());
    } catch (error) {
      failures.push(error as NodeJS.ErrnoException)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  agent.destroy()
  return { acknowledged, approved, failures }
}

const database = () => new DatabaseSync(join(DATA_DIR, 'portcullis.sqlite'), { readOnly: true })

type Row = Readonly<Record<string, unknown>>

/** Every counter beside the sum that the log gives for it, as `holder date: sum`. */
function counters() {
  const db = database()
  const rows = (sql: string) =>
    (db.prepare(sql).all() as Row[]).map((row) => Object.values(row).join(' '))
  const found = {
    spend: rows('select agent_id, utc_date, spent_micro_usd from agent_spend order by 1, 2'),
    spendOfRecords: rows(`${LINKS} select holder, day, sum(amount) from counted
      join links using (agent_id) where amount > 0 group by 1, 2 order by 1, 2`),
    fleets: rows('select fleet_id, utc_date, spent_micro_usd from fleet_spend order by 1, 2'),
    fleetsOfRecords: rows(`${LINKS} select fleet_id, day, sum(amount) from counted
      join (select distinct links.agent_id, fleet_id from links
        join agents on agents.agent_id = holder where fleet_id is not null) using (agent_id)
      where amount > 0 group by 1, 2 order by 1, 2`),
    histories: rows('select agent_id, screens, reviews, blocks from agent_history order by 1'),
    historiesOfRecords: rows(`select agent_id, count(*), sum(verdict = 'REVIEW'),
      sum(verdict = 'BLOCK') from audit_entries where agent_id is not null group by 1 order by 1`),
    ordinals: rows('select agent_id, max(agent_ordinal) from audit_entries group by 1 order by 1'),
    counts: rows('select agent_id, count(*) from audit_entries group by 1 order by 1'),
  }
  db.close()
  return found
}

/** `links`: each agent with itself and its ancestors. `counted`: what the log adds to which day. */
const LINKS = `
  with recursive links (agent_id, holder) as (
    select agent_id, agent_id from agents
    union select links.agent_id, parent_agent_id from links
      join agents on agents.agent_id = holder where parent_agent_id is not null
  ),
  counted (agent_id, day, amount) as (
    select agent_id, date(screened_at_ms / 1000, 'unixepoch'), spend_micro_usd from audit_entries
    union all
    select agent_id, dispositions.utc_date, dispositions.spend_micro_usd
      from dispositions join audit_entries using (txn_id) where disposition = 'APPROVED'
  )
`

const sums = () => {
  const db = database()
  const number = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0] ?? 0)
  const found = {
    approved: number("select count(*) from dispositions where disposition = 'APPROVED'"),
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
  const approved: string[] = []
  let family: Household | undefined
  for (const screens of [37, 74, 111, 148]) {
    const running = await spawnService({ DATA_DIR, ...ANY_RATE })
    family ??= await household(running)
    const before = acknowledged.length
    const loaded = load(running, family, acknowledged)
    // However fast the machine is: in the middle of the work, with work behind it.
    while (acknowledged.length < before + screens) await pause(1)
    await running.end('SIGKILL')
    approved.push(...(await loaded).approved)
  }
  assert.ok(family && approved.length > 10, `only ${approved.length} were approved`)

  const running = await spawnService({ DATA_DIR, ...ANY_RATE })
  const { owner } = family
  const decided = new Set(approved)
  await inParallel(acknowledged, CONNECTIONS, async ({ txnId, receipt }) => {
    const { status, body } = await running.client.audit(owner, txnId)
    assert.equal(status, 200, `${txnId} was acknowledged and is lost`)
    assert.equal(body.receipt, receipt)
    if (decided.has(txnId)) assert.equal(body.disposition, 'APPROVED')
  })
  for (const { receipt } of acknowledged.slice(0, 50)) {
    assert.equal((await running.client.verify(receipt)).body.valid, true)
  }
  assert.equal((await running.client.screen(owner)).body.verdict, 'CLEAR')
  assert.equal(await running.end('SIGTERM'), 0)

  const { screens, charged, records, integrity, ...sum } = sums()
  assert.equal(integrity, 'ok')
  assert.equal(screens, charged)
  assert.equal(screens, records)
  assert.ok(records >= acknowledged.length + 1)
  assert.ok(sum.approved >= approved.length)
  const found = counters()
  assert.deepEqual([found.spend.length, found.fleets.length], [3, 1])
  assert.deepEqual(found.spend, found.spendOfRecords)
  assert.deepEqual(found.fleets, found.fleetsOfRecords)
  assert.deepEqual(found.histories, found.historiesOfRecords)
  assert.deepEqual(found.ordinals, found.counts)
})

test('SIGTERM under load: what was accepted is answered, and the exit code is 0', async () => {
  const before = sums().records
  const running = await spawnService({ DATA_DIR, ...ANY_RATE })
  const answered: Answered[] = []
  const loaded = load(running, await household(running), answered)
  // However slow the machine is, it is under load when it is told to stop.
  while (answered.length <= 50) await pause(20)
  assert.equal(await running.end('SIGTERM'), 0)
  const { acknowledged, failures } = await loaded
  assert.ok(acknowledged.length > 50)
  // A screen whose answer was lost would be a record that nobody was told of.
  assert.equal(sums().records - before, acknowledged.length)
  for (const { code } of failures)
    assert.ok(code === 'ECONNREFUSED' || code === 'ECONNRESET', String(code))
})
