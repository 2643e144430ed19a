/**
 * Limits that many share, under parallel load and while they change: never one micro-dollar over in
 * CLEAR verdicts, by the audit records.
 */
import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { type MicroUsd, microUsd } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { inParallel, random, range } from '../support/load.ts'
import { policyCalls } from '../support/policy.ts'
import { swappedLists } from '../support/policy-lists.ts'
import { bearer, type Party, type ScreenReply, startTestService } from '../support/service.ts'

const START = '2026-11-20T12:00:00.000Z'
const watchlists = swappedLists([], START)
/** The clock stands: no midnight comes between, and no agent is fast at this limit. */
const api = await startTestService(
  { VELOCITY_PER_MINUTE: '1000000' },
  { clock: movedClock(START), watchlists },
)
const calls = policyCalls(api)
const connections = new Agent({ keepAlive: true, maxSockets: 300 })
after(() => {
  connections.destroy()
  return api.stop()
})

const money = (usd: number): MicroUsd => microUsd(usd)!
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n)

interface Payment {
  readonly by: Party
  readonly amount: number
}

const send = ({ by, amount }: Payment): Promise<ScreenReply> =>
  api.call('/v1/screen', {
    agent: connections,
    headers: bearer(by.operatorToken),
    body: { token: by.agentToken, amount, cpName: 'Example Coffee Roasters' },
  })

interface Recorded {
  readonly agentId: string | null
  readonly verdict: string
  readonly rule: string | null
  readonly amount: MicroUsd
}

/** What the audit log says of each screen, and not what the answer said. */
async function recorded(party: Party, replies: readonly ScreenReply[]): Promise<Recorded[]> {
  return inParallel(replies, 32, async ({ body: { txnId } }) => {
    const { status, body } = await api.audit(party, txnId)
    assert.equal(status, 200)
    const { agentId, verdict, ruleTriggered: rule, _request } = body
    return { agentId, verdict, rule, amount: money(_request.amount!) }
  })
}

const clearOf = (records: readonly Recorded[]): bigint[] =>
  records.filter(({ verdict }) => verdict === 'CLEAR').map(({ amount }) => amount)

test('a fleet of 20 agents in parallel never passes its limit, and fills it', async () => {
  const next = random(7_001)
  const party = await api.party()
  const { fleetId } = (await calls.createFleet(party, { dailyLimitUSDC: 777.77 })).body
  const agents = await inParallel(range(20), 1, () => calls.agentOf(party, { fleetId }))
  const payments = range(500).map((at) => ({
    by: agents[at % agents.length]!,
    amount: Math.round(next() * 10_000_000 + 1) / 1_000_000,
  }))
  const records = await recorded(party, await Promise.all(payments.map(send)))
  const total = sum(clearOf(records))
  assert.ok(total <= money(777.77), `${total} is above the limit`)
  // No payment is above 10.000001 USD: only what passed the limit was turned away.
  assert.ok(total > money(777.77) - money(10.000001), `only ${total} was let through`)
  const turned = records.filter(({ verdict }) => verdict !== 'CLEAR')
  assert.ok(turned.length > 100)
  for (const { rule } of turned) assert.equal(rule, 'R12_FLEET_DAILY_LIMIT')
  const rest = Number(money(777.77) - total) / 1_000_000
  const last = [await send({ by: agents[0]!, amount: rest })]
  assert.equal(last[0]?.body.verdict, 'CLEAR')
  const more = await send({ by: agents[19]!, amount: 0.000001 })
  assert.equal(more.body.ruleTriggered, 'R12_FLEET_DAILY_LIMIT')
})

interface Node {
  readonly party: Party
  readonly parent: Node | undefined
  readonly depth: number
  readonly limit: MicroUsd | undefined
}

const inTree = (node: Node | undefined, root: Node): boolean =>
  node !== undefined && (node === root || inTree(node.parent, root))

/** A random tree of up to three levels; each child may have a limit within its parents'. */
async function randomTree(next: () => number, fleetId: string, owner: Party): Promise<Node[]> {
  const first = await calls.agentOf(owner, { fleetId, spendPolicy: { dailyLimitUSDC: 300 } })
  const nodes: Node[] = [{ party: first, parent: undefined, depth: 0, limit: money(300) }]
  while (nodes.length < 9) {
    const open = nodes.filter(({ depth }) => depth < 3)
    const parent = open[Math.floor(next() * open.length)]!
    const dailyLimitUSDC = next() < 0.7 ? Math.round(next() * 8_000) / 100 : undefined
    const reply = await calls.delegate(owner, {
      parentAgentId: parent.party.agentId,
      spendPolicy: { dailyLimitUSDC },
    })
    // A limit above an ancestor's is refused; another is drawn.
    if (reply.status === 422) continue
    assert.equal(reply.status, 201, reply.text)
    const { agentId, token: agentToken } = reply.body
    const limit = dailyLimitUSDC === undefined ? undefined : money(dailyLimitUSDC)
    nodes.push({ party: { ...owner, agentId, agentToken }, parent, depth: parent.depth + 1, limit })
  }
  return nodes
}

for (const seed of [1, 2, 3, 4, 5]) {
  test(`random delegate trees, seed ${seed}: no ancestor’s limit is passed`, async () => {
    const next = random(seed)
    const owner = await api.party()
    const { fleetId } = (await calls.createFleet(owner, { dailyLimitUSDC: 450 })).body
    const trees = [
      await randomTree(next, fleetId, owner),
      await randomTree(next, fleetId, owner),
    ].flat()
    const payments = range(400).map(() => ({
      by: trees[Math.floor(next() * trees.length)]!.party,
      amount: Math.round(next() * 500 + 1) / 100,
    }))
    const records = await recorded(owner, await Promise.all(payments.map(send)))
    for (const node of trees) {
      if (node.limit === undefined) continue
      const ids = trees.filter((one) => inTree(one, node)).map(({ party }) => party.agentId)
      const spent = sum(clearOf(records.filter(({ agentId }) => ids.includes(agentId ?? ''))))
      assert.ok(spent <= node.limit, `${spent} is above ${node.limit} at depth ${node.depth}`)
    }
    assert.ok(sum(clearOf(records)) <= money(450))
    const rules = new Set(records.map(({ rule }) => rule))
    assert.deepEqual([...rules].map(String).toSorted().slice(0, 1), ['R11_DAILY_LIMIT'])
    assert.ok(clearOf(records).length > 20)
  })
}

interface Decided {
  readonly verdict: string
  readonly amount: bigint
  /** The limit that the decision rested on. */
  readonly limit: bigint
}

interface KeptFacts extends Record<'dailyLimits' | 'fleetLimits', { limit: string }[]> {
  readonly payment: { readonly amount: string }
}

/** Every screen of the agents in the order in which the store took them, with the limit it saw. */
function inOrder(agentIds: readonly string[], which: 'dailyLimits' | 'fleetLimits'): Decided[] {
  const db = new DatabaseSync(join(api.dataDir, 'portcullis.sqlite'), { readOnly: true })
  const marks = agentIds.map(() => '?').join(', ')
  const rows = db
    .prepare(`select verdict, facts from audit_entries where agent_id in (${marks}) order by seq`)
    .all(...agentIds)
  db.close()
  return rows.map(({ verdict, facts }) => {
    const { payment, [which]: limits } = JSON.parse(String(facts)) as KeptFacts
    assert.equal(limits.length, 1)
    return {
      verdict: String(verdict),
      amount: BigInt(payment.amount),
      limit: BigInt(limits[0]!.limit),
    }
  })
}

/** No CLEAR passes the limit that was in force when it was decided; the limit changes once. */
function assertKept(decided: readonly Decided[], before: MicroUsd, since: MicroUsd): void {
  let spent = 0n
  for (const { verdict, amount, limit } of decided) {
    if (verdict !== 'CLEAR') continue
    spent += amount
    assert.ok(spent <= limit, `${spent} is above ${limit}`)
  }
  const limits = decided.map(({ limit }) => limit)
  const lowered = limits.indexOf(since)
  assert.ok(lowered > 0 && lowered < limits.length - 1, 'the change came in mid-flight')
  assert.deepEqual(new Set(limits.slice(0, lowered)), new Set([before]))
  assert.deepEqual(new Set(limits.slice(lowered)), new Set([since]))
}

/** Sends all, changes the policy when the answers begin to come, and sends as many again. */
async function changedInFlight(
  payments: readonly Payment[],
  change: () => Promise<{ status: number }>,
): Promise<ScreenReply[]> {
  const half = payments.length / 2
  const first = payments.slice(0, half).map(send)
  await first[0]
  const changing = change()
  const second = payments.slice(half).map(send)
  const [{ status }, ...replies] = await Promise.all([changing, ...first, ...second])
  assert.equal(status, 200)
  const after = await send({ ...payments[0]!, amount: 5 })
  return [...replies, after]
}

test('an agent’s limit that is lowered in mid-flight holds from that moment on', async () => {
  const party = await api.party({ dailyLimitUSDC: 10_000 })
  const payments = range(400).map(() => ({ by: party, amount: 10 }))
  const replies = await changedInFlight(payments, () =>
    calls.patchPolicy(party, { dailyLimitUSDC: 1_000 }),
  )
  assertKept(inOrder([party.agentId], 'dailyLimits'), money(10_000), money(1_000))
  assert.ok(sum(clearOf(await recorded(party, replies))) < money(4_000), 'some were turned away')
})

test('a fleet’s limit that is lowered in mid-flight holds from that moment on', async () => {
  const party = await api.party()
  const { fleetId } = (await calls.createFleet(party, { dailyLimitUSDC: 10_000 })).body
  const agents = await inParallel(range(20), 1, () => calls.agentOf(party, { fleetId }))
  const payments = range(400).map((at) => ({ by: agents[at % 20]!, amount: 10 }))
  const replies = await changedInFlight(payments, () =>
    calls.patchFleet(party, fleetId, { dailyLimitUSDC: 1_000 }),
  )
  const ids = agents.map(({ agentId }) => agentId)
  assertKept(inOrder(ids, 'fleetLimits'), money(10_000), money(1_000))
  assert.ok(sum(clearOf(await recorded(party, replies))) < money(4_000), 'some were turned away')
})

test('a parent’s limit that is lowered in mid-flight binds its delegate', async () => {
  const party = await api.party({ maxSingleTxUSDC: 100 })
  const delegate = await calls.delegateOf(party)
  const payments = range(200).map(() => ({ by: delegate, amount: 50 }))
  const first = payments.map(send)
  await first[0]
  assert.equal((await calls.patchPolicy(party, { maxSingleTxUSDC: 49.999999 })).status, 200)
  const late = await Promise.all(payments.map(send))
  const records = await recorded(party, late)
  assert.deepEqual(new Set(records.map(({ rule }) => rule)), new Set(['R10_SINGLE_TX_LIMIT']))
  assert.ok(clearOf(await recorded(party, await Promise.all(first))).length > 0)
})
