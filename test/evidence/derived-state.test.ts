/** What stands beside the log and drives decisions must be what the log comes to, row by row. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { DAY_MS, type AlertsResponse } from '@portcullis/protocol'
import { sealAll } from '../../packages/server/src/app/audit/sealer.ts'
import { verifyLog } from '../../packages/server/src/app/audit/verify-log.ts'
import { movedClock } from '../support/clock.ts'
import { AN_AGENT, bearer, type Party, startTestService } from '../support/service.ts'
import { designated, swappedWatchlists } from '../support/watchlists.ts'

const clock = movedClock('2026-10-01T12:00:00.000Z')
const timer = { every: () => () => Promise.resolve() }
const watchlists = swappedWatchlists()
const api = await startTestService({}, { clock, timer, watchlists })
const { env } = api.service
const party = await api.party({ maxSingleTxUSDC: 20 })
const other = await api.party({ maxSingleTxUSDC: 20 })
const callAs =
  (who: Party) =>
  (path: string, body: object, method = 'POST') =>
    api.call<Record<string, string>>(path, { method, headers: bearer(who.operatorToken), body })
const as = callAs(party)

/** Spend of a delegate, reviews in every state, proposals, alerts in every state, two months. */
async function fill(): Promise<void> {
  const { token: first, agentId } = (await api.registerAgent(party, { ...AN_AGENT })).body
  const child = await as('/v1/delegates/create', { ...AN_AGENT, parentAgentId: agentId })
  assert.equal(child.status, 201, child.text)
  for (const token of [first, child.body['token']!, party.agentToken]) {
    for (const cpName of ['Quiet Harbour Ltd', 'Blue Lantern Inc', 'Third Meadow GmbH']) {
      assert.equal((await api.screen(party, { token, cpName })).body.verdict, 'CLEAR')
    }
    clock.advance(20 * DAY_MS)
  }
  await api.screen(other, {})
  await api.screen(other, { cpName: 'ALWAYS LISTED HOLDINGS' })
  const reviews = []
  for (let n = 0; n < 4; n++) reviews.push((await api.screen(party, { amount: 50 })).body.txnId)
  await api.screen(other, { amount: 50 })
  const decide = (txnId: string, reviewedBy: string, disposition = 'APPROVED') =>
    as(`/v1/reviews/${txnId}`, { disposition, reviewedBy })
  await decide(reviews[0]!, 'Ada')
  await as('/v1/operators/me', { fourEyes: true }, 'PATCH')
  for (const [n, who] of [
    [1, 'Ada'],
    [1, 'Grace'],
    [2, 'Ada'],
  ] as const) {
    assert.equal((await decide(reviews[n]!, who)).status, 200)
  }
  await callAs(other)('/v1/operators/me', { fourEyes: true }, 'PATCH')
  await callAs(other)('/v1/operators/me', { fourEyes: false }, 'PATCH')
  const listed = ['QUIET HARBOUR LTD', 'BLUE LANTERN INC', 'THIRD MEADOW GMBH'].map((name) =>
    designated(name),
  )
  watchlists.set(listed)
  await api.service.rescreening.listsChanged(listed)
  await api.service.rescreening.tick()
  const { alerts } = (
    await api.call<AlertsResponse>('/v1/alerts', { headers: bearer(party.operatorToken) })
  ).body
  assert.equal(alerts.length, 3)
  for (const [n, status] of ['CONFIRMED', 'DISMISSED'].entries()) {
    const body = { status, reviewedBy: 'Ada', notes: 'seen' }
    assert.equal((await as(`/v1/alerts/${alerts[n]!.alertId}`, body, 'PATCH')).status, 200)
  }
  await sealAll(env)
}

await fill()
const db = new DatabaseSync(join(api.dataDir, 'portcullis.sqlite'))
after(async () => {
  db.close()
  await api.stop()
})

/** Tables that the log determines, and of what they hold that which it does. */
const DETERMINED: Readonly<Record<string, readonly string[] | 'all'>> = {
  reviews: 'all',
  review_proposals: ['txn_id', 'disposition', 'reviewed_by', 'notes', 'proposed_at_ms'],
  alerts: 'all',
  operators: ['four_eyes'],
  agent_spend: 'all',
  operator_usage: 'all',
  agent_history: 'all',
}
/** A row number, and what no member of the service reads back. */
const NO_STATE = new Set(['alerts.seq', 'review_proposals.seq'])

const OTHER_STATUS: Readonly<Record<string, string>> = {
  pending: 'decided',
  PENDING_REVIEW: 'DISMISSED',
  CONFIRMED: 'DISMISSED',
  DISMISSED: 'PENDING_REVIEW',
}

type Value = string | bigint | null
const another = (column: string, value: Value): Value => {
  if (value === null) return 'x'
  if (typeof value === 'bigint') return column === 'four_eyes' ? 1n - value : value + 1n
  if (column === 'status') return OTHER_STATUS[value] ?? 'pending'
  return value.startsWith('[')
    ? value.replace(/\d/, (digit) => `${9 - Number(digit)}`)
    : `${value}x`
}

const rowsOf = (table: string) => {
  const statement = db.prepare(`select rowid as place, * from ${table}`)
  statement.setReadBigInts(true)
  return statement.all() as Record<string, Value>[]
}

/** What a change does to the check; it is taken back. */
async function found(change: () => void): Promise<string> {
  db.exec('pragma foreign_keys = off')
  const before = new Map(Object.keys(DETERMINED).map((table) => [table, rowsOf(table)]))
  change()
  const { damage } = await verifyLog(env)
  for (const [table, rows] of before) {
    db.exec(`delete from ${table}`)
    for (const { place, ...row } of rows) {
      const columns = Object.keys(row).filter((name) => name !== 'seq')
      const text = `insert into ${table} (rowid, ${columns.join()}) values (?${', ?'.repeat(columns.length)})`
      db.prepare(text).run(place!, ...columns.map((name) => row[name]!))
    }
  }
  return damage?.message ?? ''
}

test('the log is good, and every table has rows', async () => {
  assert.equal((await verifyLog(env)).damage, undefined)
  for (const table of Object.keys(DETERMINED)) assert.ok(rowsOf(table).length > 1, table)
})

describe('a value that was changed is found', () => {
  for (const [table, given] of Object.entries(DETERMINED)) {
    const columns =
      given === 'all'
        ? db
            .prepare(`select name from pragma_table_info('${table}')`)
            .all()
            .map((row) => String(row['name']))
        : given
    for (const column of columns.filter((name) => !NO_STATE.has(`${table}.${name}`))) {
      test(`${table}.${column}`, async () => {
        for (const row of rowsOf(table)) {
          const changed = another(column, row[column]!)
          const message = await found(() =>
            db
              .prepare(`update ${table} set ${column} = ? where rowid = ?`)
              .run(changed, row['place']!),
          )
          assert.notEqual(
            message,
            '',
            `${JSON.stringify(String(row[column]))} -> ${String(changed)}`,
          )
        }
        assert.equal((await verifyLog(env)).damage, undefined, 'it was put back')
      })
    }
  }
})

describe('a row that was deleted is found', () => {
  for (const table of Object.keys(DETERMINED).filter((name) => name !== 'operators')) {
    test(table, async () => {
      for (const { place } of rowsOf(table)) {
        const gone = () => db.prepare(`delete from ${table} where rowid = ?`).run(place!)
        assert.notEqual(await found(gone), '', String(place))
      }
    })
  }
})

describe('a row that was added is found, and named', () => {
  const { operatorId, agentId } = party
  for (const [what, statement, name] of [
    ['a review', `insert into reviews values ('txn_00000000', '${operatorId}', 'decided', 1)`, ''],
    [
      'a proposal',
      `insert into review_proposals (txn_id, disposition, reviewed_by, proposed_at_ms)
       select txn_id, 'APPROVED', 'Mallory', 1 from reviews where status = 'pending'`,
      'proposals',
    ],
    [
      'an alert that was dismissed',
      `insert into alerts (alert_id, operator_id, subject, revision, subject_type, previous_result,
         evidence, detected_at_ms, status) values
         ('alert_x', '${operatorId}', 's', 1, 'counterparty', 'CLEAR', '[]', 1, 'DISMISSED')`,
      'alert_x',
    ],
    ['a day of spend', `insert into agent_spend values ('${agentId}', '2026-01-01', 5)`, agentId],
    ['a month', `insert into operator_usage values ('${operatorId}', '2026-01', 5)`, operatorId],
    [
      'a past',
      `insert into agent_history select 'agt_x', screens, reviews, blocks, first_at_ms, day,
         day_screens, hours from agent_history limit 1`,
      'agt_x',
    ],
  ] as const) {
    test(what, async () => {
      const message = await found(() => db.exec(statement))
      assert.ok(message !== '' && message.includes(name), message)
    })
  }
})

test('one who lets nobody else look is found: four eyes off, and the operator named', async () => {
  const off = () => db.exec(`update operators set four_eyes = 0`)
  assert.match(await found(off), new RegExp(`four eyes of ${party.operatorId} are off`))
  const on = () => db.exec(`update operators set four_eyes = 1`)
  assert.match(await found(on), new RegExp(`four eyes of ${other.operatorId} are on`))
})
