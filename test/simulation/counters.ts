/** What the store counts, against what the oracle recounts; and the limits, from the file alone. */
import assert from 'node:assert/strict'
import { dateOf, hourOf, limitMicro, monthOf, sameDay } from './model.ts'
import type { Simulation } from './simulation.ts'

/** After every step: everything of today and of this month. */
export function agreeOnCounters(sim: Simulation): void {
  const { model, world } = sim
  const [date, month] = [dateOf(model.now), monthOf(model.now)]
  const spent = new Map(
    world
      .rows(
        `select agent_id as holder, spent_micro_usd as spent from agent_spend where utc_date = ?
         union all select fleet_id, spent_micro_usd from fleet_spend where utc_date = ?`,
        date,
        date,
      )
      .map((row) => [String(row['holder']), Number(row['spent'])]),
  )
  for (const holder of [...model.agents.keys(), ...model.fleets.keys()]) {
    assert.equal(spent.get(holder) ?? 0, model.spentOn(holder, model.now), `spend of ${holder}`)
  }
  const used = new Map(
    world
      .rows('select operator_id, screens from operator_usage where utc_month = ?', month)
      .map((row) => [String(row['operator_id']), Number(row['screens'])]),
  )
  for (const operator of model.operators.keys()) {
    assert.equal(
      used.get(operator) ?? 0,
      model.usedInMonth(operator, model.now),
      `usage of ${operator}`,
    )
  }
  agreeOnHistories(sim)
}

function agreeOnHistories({ model, world }: Simulation): void {
  const rows = new Map(
    world.rows('select * from agent_history').map((row) => [String(row['agent_id']), row]),
  )
  for (const agentId of model.agents.keys()) {
    const screens = model.screensOf(agentId)
    const row = rows.get(agentId)
    const [first, last] = [screens[0], screens.at(-1)]
    if (first === undefined || last === undefined) {
      assert.equal(row, undefined, `history of ${agentId}`)
      continue
    }
    const hours = new Array<number>(24).fill(0)
    for (const { at } of screens) hours[hourOf(at)]!++
    const of = (wanted: string) => screens.filter(({ verdict }) => verdict === wanted).length
    assert.deepEqual(
      { ...row },
      {
        agent_id: agentId,
        screens: BigInt(screens.length),
        reviews: BigInt(of('REVIEW')),
        blocks: BigInt(of('BLOCK')),
        first_at_ms: BigInt(first.at),
        day: dateOf(last.at),
        day_screens: BigInt(screens.filter(({ at }) => sameDay(at, last.at)).length),
        hours: hours.join(','),
      },
      `history of ${agentId}`,
    )
  }
}

const CHAIN = `
  with recursive chain(agent_id, parent_agent_id, fleet_id, spend_policy) as (
    select agent_id, parent_agent_id, fleet_id, spend_policy from agents where agent_id = ?
    union all
    select a.agent_id, a.parent_agent_id, a.fleet_id, a.spend_policy
    from agents a join chain c on a.agent_id = c.parent_agent_id
  )`

const HOLDERS = `${CHAIN}
  select agent_id as holder, json_extract(spend_policy, '$.dailyLimitUSDC') as usd, null as micro,
    (select spent_micro_usd from agent_spend s
     where s.agent_id = c.agent_id and utc_date = ?) as spent
  from chain c
  union
  select f.fleet_id, null, f.daily_limit_micro_usd,
    (select spent_micro_usd from fleet_spend s
     where s.fleet_id = f.fleet_id and utc_date = ?)
  from fleets f where f.fleet_id in (select fleet_id from chain)`

/**
 * Without the oracle: after a CLEAR no holder of the chain has spent more today than its limit,
 * approvals included. Asks the file for the limits as they are now.
 */
export function limitsAreKept({ world, model }: Simulation, entriesBefore: number): void {
  const date = dateOf(model.now)
  const clear = world.rows(
    `select agent_id from audit_entries
     where seq > ? and verdict = 'CLEAR' and spend_micro_usd > 0 group by agent_id`,
    entriesBefore,
  )
  for (const { agent_id: agentId } of clear) {
    for (const { holder, usd, micro, spent } of world.rows(HOLDERS, String(agentId), date, date)) {
      const limit = micro === null ? limitMicro(usd as number | bigint | null) : Number(micro)
      if (limit === undefined) continue
      assert.ok(Number(spent) <= limit, `${String(holder)} spent ${Number(spent)} of ${limit}`)
    }
  }
}

/** At the end: every counter of every day is the sum of the log and of the dispositions. */
export function logAddsUp(sim: Simulation): void {
  const { model, world } = sim
  const entries = world.rows('select * from audit_entries order by seq')
  assert.equal(entries.length, model.screens.length, 'one entry for each screen')
  for (const [at, screen] of model.screens.entries()) {
    const { txn_id, agent_id, verdict, spend_micro_usd, charge } = entries[at]!
    const spend = screen.verdict === 'CLEAR' ? BigInt(screen.amount) : 0n
    assert.deepEqual(
      { txn_id, agent_id, verdict, spend_micro_usd, charge },
      {
        txn_id: screen.txnId,
        agent_id: screen.agentId,
        verdict: screen.verdict,
        spend_micro_usd: spend,
        charge: screen.verdict === 'UNKNOWN' ? 0n : 1n,
      },
      'an entry of the log',
    )
  }
  usageAddsUp(sim)
  const approved = model.screens.filter(({ disposition }) => disposition === 'APPROVED')
  const [row] = world.rows(
    `select count(*) as count, coalesce(sum(spend_micro_usd), 0) as spent from dispositions
     where disposition = 'APPROVED'`,
  )
  assert.equal(Number(row?.['count']), approved.length, 'approvals')
  assert.equal(
    Number(row?.['spent']),
    approved.reduce((sum, { amount }) => sum + amount, 0),
    'approved money',
  )
  const rows = world.rows(
    `select agent_id as holder, utc_date, spent_micro_usd as spent from agent_spend
     union all select fleet_id, utc_date, spent_micro_usd from fleet_spend`,
  )
  const total = model.spends.reduce((sum, { amount, holders }) => sum + amount * holders.length, 0)
  assert.equal(
    rows.reduce((sum, { spent }) => sum + Number(spent), 0),
    total,
    'all spend of all days',
  )
  for (const { holder, utc_date: date, spent } of rows) {
    const noon = Date.parse(`${String(date)}T12:00:00Z`)
    assert.equal(
      Number(spent),
      model.spentOn(String(holder), noon),
      `${String(holder)} on ${String(date)}`,
    )
  }
}

function usageAddsUp({ world }: Simulation): void {
  const counted = world.rows('select * from operator_usage order by 1, 2')
  const summed = world.rows(
    `select operator_id, strftime('%Y-%m', screened_at_ms / 1000, 'unixepoch') as utc_month,
       sum(charge) as screens
     from audit_entries group by 1, 2 having sum(charge) > 0 order by 1, 2`,
  )
  assert.deepEqual(counted, summed, 'usage is the sum of the charges')
}
