import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { historyContract } from '../../../test/contracts/history.contract.ts'
import { storeContract } from '../../../test/contracts/store.contract.ts'
import { openSqliteStore } from '../src/store/sqlite.ts'

const newFile = () => join(mkdtempSync(join(tmpdir(), 'portcullis-store-')), 'portcullis.sqlite')

await storeContract('SQLite', async () => {
  const file = newFile()
  const store = await openSqliteStore(file)
  return {
    store,
    reopen: () => openSqliteStore(file),
    queuedEffects: () => Promise.resolve(readEffects(file)),
    async close() {
      await store.close()
      rmSync(join(file, '..'), { recursive: true, force: true })
    },
  }
})

historyContract('SQLite', async () => {
  const file = newFile()
  const store = await openSqliteStore(file)
  return {
    store,
    async close() {
      await store.close()
      rmSync(join(file, '..'), { recursive: true, force: true })
    },
  }
})

function readEffects(file: string): string[] {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db.prepare('select txn_id, kind, payload from queued_effects order by seq').all()
  db.close()
  return rows.map(
    (row) => `${String(row['txn_id'])} ${String(row['kind'])} ${String(row['payload'])}`,
  )
}

test('the SQLite file can be read by its owner only', async () => {
  const file = newFile()
  const store = await openSqliteStore(file)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  await store.close()
  rmSync(join(file, '..'), { recursive: true, force: true })
})

test('the SQLite file is written ahead and synced at every commit', async () => {
  const file = newFile()
  const store = await openSqliteStore(file)
  const db = new DatabaseSync(file)
  assert.equal(db.prepare('pragma journal_mode').get()?.['journal_mode'], 'wal')
  db.close()
  await store.close()
  rmSync(join(file, '..'), { recursive: true, force: true })
})

test('a file that a newer version has written is refused', async () => {
  const file = newFile()
  await (await openSqliteStore(file)).close()
  const db = new DatabaseSync(file)
  db.exec(`insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '2030')`)
  db.close()
  await assert.rejects(openSqliteStore(file), /a newer version has written the store \(9999/)
  rmSync(join(file, '..'), { recursive: true, force: true })
})
