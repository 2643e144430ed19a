/** Health of a service whose disk takes no record. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ServiceError } from '@portcullis/protocol'
import { tellingOfFullDisk } from '../src/adapters/full-disk.ts'
import { openSqliteStore } from '../src/store/sqlite.ts'

test('a record that was not taken is told of until one would be taken again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-full-'))
  // Nothing can be written into a folder that is not there.
  const data = join(folder, 'data')
  const sqlite = await openSqliteStore(join(folder, 'store.sqlite'))
  const full = {
    ...sqlite,
    commitScreen: () => Promise.reject(new ServiceError('store_unavailable')),
  }
  const store = tellingOfFullDisk(full, data)
  assert.equal(await store.ping(), true)
  await assert.rejects(() => store.commitScreen({} as never, () => ({}) as never), ServiceError)
  assert.equal(await store.ping(), false)
  assert.equal(await store.ping(), false)
  mkdirSync(data)
  assert.equal(await store.ping(), true)
  await store.close()
  rmSync(folder, { recursive: true })
})
