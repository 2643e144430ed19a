/** Every column of every table of the log, changed past the service: the check names the damage. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@portcullis/protocol'
import { purgeExpired } from '../../packages/server/src/app/audit/retention.ts'
import { sealAll } from '../../packages/server/src/app/audit/sealer.ts'
import { verifyLog } from '../../packages/server/src/app/audit/verify-log.ts'
import { movedClock } from '../support/clock.ts'
import { range } from '../support/load.ts'
import { bearer, startTestService } from '../support/service.ts'

const clock = movedClock('2026-08-01T12:00:00.000Z')
const timer = { every: () => () => Promise.resolve() }
const api = await startTestService({}, { clock, timer })
const env = { ...api.service.env, archive: undefined }
const party = await api.party({ maxSingleTxUSDC: 1 })
const headers = bearer(party.operatorToken)

/** Screens, proposals, dispositions, holds and a purge, over several hours and tiles. */
async function fill(): Promise<void> {
  await api.call('/v1/operators/me', { method: 'PATCH', headers, body: { fourEyes: true } })
  for (const n of range(280)) {
    const { txnId } = (await api.screen(party, { amount: n % 9 === 0 ? 5 : 1 })).body
    const decide = (reviewedBy: string) =>
      api.call(`/v1/reviews/${txnId}`, { headers, body: { disposition: 'REJECTED', reviewedBy } })
    if (n % 9 === 0) await decide('Ada')
    if (n % 18 === 0) await decide('Grace')
    const hold = { legalHold: true, by: 'counsel' }
    if (n % 40 === 1) {
      await api.call(`/v1/audit/${txnId}`, { method: 'PATCH', headers, body: hold })
    }
    if (n === 20) clock.advance(91 * DAY_MS)
    if (n % 70 === 0) clock.advance(HOUR_MS)
    if (n % 30 === 0) await sealAll(env)
  }
  assert.ok((await purgeExpired(env)) > 10)
}

await fill()
const db = new DatabaseSync(join(api.dataDir, 'portcullis.sqlite'))
after(async () => {
  db.close()
  await api.stop()
})
for (const { name } of db.prepare(`select name from sqlite_master where type = 'trigger'`).all()) {
  db.exec(`drop trigger ${String(name)}`)
}

const TABLES = [
  'audit_entries',
  'dispositions',
  'audit_events',
  'audit_runs',
  'audit_tiles',
  'audit_checkpoints',
]

/** Columns that say nothing of what happened. */
const NO_EVIDENCE = new Set([
  // Read once, when the row is sealed; from then on the tile has it, and the row is hashed anew.
  'audit_entries.leaf',
  // Under which hour a checkpoint is kept; the signed time is beside it.
  'audit_checkpoints.utc_hour',
])

/** A check that fails itself is told apart from one that found something. */
const damageIn = () =>
  verifyLog(env).catch((error: unknown) => {
    process.stdout.write(`# ${String(error)}\n`)
    return { damage: undefined }
  })

type Value = string | bigint | null

/** Another value of the same kind. */
function another(value: Value): Value {
  if (value === null) return 1n
  if (typeof value === 'bigint') return value + 1_000_000_007n
  return value === '' ? 'x' : `${value.startsWith('0') ? '1' : '0'}${value.slice(1)}`
}

const rowsOf = (table: string) => {
  const statement = db.prepare(`select rowid as place, * from ${table} order by rowid`)
  statement.setReadBigInts(true)
  const rows = statement.all() as Record<string, Value>[]
  // Every row of the small tables; of the others the first, the last, and some in between.
  const step = Math.ceil(rows.length / 12)
  return rows.filter((_, at) => at % step === 0 || at === rows.length - 1)
}

test('the log is good, and holds all kinds of entry', async () => {
  assert.equal((await verifyLog(env)).damage, undefined)
  const kinds = db.prepare('select distinct kind from audit_events order by kind').all()
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['four-eyes-on', 'hold', 'proposal', 'purge'],
  )
  for (const table of ['audit_entries', 'dispositions', 'audit_events']) {
    assert.ok(
      rowsOf(table).some((row) => row['purged_at_ms'] !== null),
      `purged of ${table}`,
    )
  }
  for (const table of TABLES) assert.ok(rowsOf(table).length > 1, table)
})

describe('a value that was changed is found', () => {
  for (const table of TABLES) {
    const columns = db.prepare(`select name from pragma_table_info('${table}')`).all()
    for (const column of columns.map(({ name }) => String(name))) {
      if (NO_EVIDENCE.has(`${table}.${column}`)) continue
      test(`${table}.${column}`, async () => {
        for (const row of rowsOf(table)) {
          const set = db.prepare(`update ${table} set ${column} = ? where rowid = ?`)
          const place = column === 'seq' ? another(row['place']!) : row['place']!
          const changed = another(row[column]!)
          set.run(changed, row['place']!)
          const { damage } = await damageIn()
          set.run(row[column]!, column === 'first_leaf' || column === 'seq' ? place : row['place']!)
          assert.ok(damage !== undefined, `row ${String(row['place'])}: ${String(changed)}`)
        }
        assert.equal((await verifyLog(env)).damage, undefined, 'it was put back')
      })
    }
  }
})

describe('a row that was deleted is found', () => {
  for (const table of TABLES) {
    test(table, async () => {
      const rows = rowsOf(table)
      // Of checkpoints, only what no later one stands for.
      for (const { place } of table === 'audit_checkpoints' ? rows.slice(-1) : rows) {
        db.exec(`create table kept as select * from ${table} where rowid = ${String(place)}`)
        db.exec(`delete from ${table} where rowid = ${String(place)}`)
        const { damage } = await damageIn()
        db.exec(`insert into ${table} select * from kept; drop table kept`)
        assert.ok(damage !== undefined, `row ${String(place)}`)
      }
      assert.equal((await verifyLog(env)).damage, undefined, 'it was put back')
    })
  }
})
