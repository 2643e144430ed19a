/** A store from before the history: its screens are counted, and its REVIEWs wait in the queue. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { PriorScreenings, ReviewsPage } from '@portcullis/protocol'
import { bearer, startTestService, tempDir } from '../../../test/support/service.ts'

/** Takes everything of migration 0004, and of those after it, out of the file again. */
function takeHistoryOut(dataDir: string): void {
  const db = new DatabaseSync(join(dataDir, 'portcullis.sqlite'))
  for (const table of [
    'reviews',
    'review_proposals',
    'counterparty_keys',
    'counterparty_agents',
    'counterparty_operators',
    'counterparties',
    'counterparty_visitors',
    'listed_subjects',
    'alerts',
    'job_runs',
  ]) {
    db.exec(`drop table ${table}`)
  }
  db.exec('alter table operators drop column four_eyes')
  db.exec('drop index audit_events_by_kind')
  db.exec(`delete from kysely_migration where name >= '0004-history'`)
  db.close()
}

test('screens of before the migration are history after it', async () => {
  const dataDir = tempDir()
  const payment = { cpName: 'Long Known Ltd', amount: 50 }
  const before = await startTestService({ DATA_DIR: dataDir })
  const party = await before.party({ maxSingleTxUSDC: 20 })
  await before.screen(party, { ...payment, amount: 1 })
  const held = await before.screen(party, payment)
  await before.screen(party, { cpName: 'LAZARUS GROUP' })
  const expected = (await before.screen(party, payment)).body.priorScreenings as PriorScreenings
  await before.stop()
  takeHistoryOut(dataDir)

  const since = await startTestService({ DATA_DIR: dataDir })
  const { body } = await since.screen(party, payment)
  assert.deepEqual(body.priorScreenings?.counterparty?.verdictHistory, {
    ...expected.counterparty?.verdictHistory,
    REVIEW: 2,
  })
  const queue = await since.call<ReviewsPage>('/v1/reviews', {
    headers: bearer(party.operatorToken),
  })
  assert.equal(queue.body.items.length, 3)
  assert.equal(queue.body.items[0]?.txnId, held.body.txnId)
  await since.service.rescreening.tick()
  const alerts = await since.call<{ count: number }>('/v1/alerts', {
    headers: bearer(party.operatorToken),
  })
  assert.equal(alerts.body.count, 0)
  await since.stop()
  rmSync(dataDir, { recursive: true, force: true })
})
