/** Transactions that share a commit: each whole or without a trace, whatever the others do. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import fc from 'fast-check'
import { ServiceError } from '@portcullis/protocol'
import { tempDir } from '../../../test/support/service.ts'
import { groupCommit } from '../src/store/group-commit.ts'
import { all, type Script } from '../src/store/script.ts'
import type { BoundStatement } from '../src/store/statement.ts'

const ENDS = ['well', 'throws first', 'throws last', 'breaks a constraint'] as const
type End = (typeof ENDS)[number]

const insert = (id: bigint, after: bigint): BoundStatement<unknown> => ({
  sql: 'insert into rows (id, after) values (?, ?)',
  parameters: [id, after],
  writes: true,
})
const count: BoundStatement<{ count: bigint }> = {
  sql: 'select count(*) as count from rows',
  parameters: [],
  writes: false,
}

/** Writes two rows that say how many were there before, and ends as it is told. */
function* writeTwo(id: bigint, end: End): Script<bigint> {
  const [before] = yield* all(count)
  if (end === 'throws first') throw new RangeError('first')
  const { count: after } = before ?? { count: -1n }
  yield* all(insert(id, after))
  if (end === 'throws last') throw new RangeError('last')
  yield* all(insert(end === 'breaks a constraint' ? id : id + 1n, after))
  return after
}

test('scripts that share a commit are serial, and one that fails leaves no trace', async () => {
  const folder = tempDir()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...ENDS), { maxLength: 12 }), async (ends) => {
      const file = join(folder, 'rows.sqlite')
      const db = new DatabaseSync(file)
      db.exec('create table rows (id integer primary key, after integer not null)')
      const runner = groupCommit(db)
      const results = await Promise.allSettled(
        ends.map((end, at) => runner.write(() => writeTwo(BigInt(2 * at), end))),
      )
      await runner.close()
      const expected: { id: number; after: number }[] = []
      ends.forEach((end, at) => {
        const result = results[at]
        const after = expected.length
        if (end === 'well') {
          assert.deepEqual(result, { status: 'fulfilled', value: BigInt(after) })
          expected.push({ id: 2 * at, after }, { id: 2 * at + 1, after })
        } else {
          assert.equal(result?.status, 'rejected')
          const isStoreError = end === 'breaks a constraint'
          assert.equal(result.reason instanceof ServiceError, isStoreError)
          assert.equal(result.reason instanceof RangeError, !isStoreError)
        }
      })
      const kept = new DatabaseSync(file)
      const rows = kept.prepare('select id, after from rows order by id').all()
      kept.close()
      assert.deepEqual(
        rows.map((row) => ({ ...row })),
        expected,
      )
      rmSync(file)
    }),
    { numRuns: 40 },
  )
  rmSync(folder, { recursive: true, force: true })
})

test('when the commit fails, nothing was written and every script hears of it', async () => {
  const folder = tempDir()
  const db = new DatabaseSync(join(folder, 'rows.sqlite'))
  // The constraint is looked at when the transaction commits.
  db.exec(`pragma foreign_keys = on;
    create table parents (id integer primary key);
    create table rows (id integer primary key,
      after integer not null references parents deferrable initially deferred)`)
  const runner = groupCommit(db)
  const results = await Promise.allSettled(
    [0n, 2n, 4n].map((id) => runner.write(() => writeTwo(id, 'well'))),
  )
  for (const result of results) {
    assert.equal(result.status, 'rejected')
    assert.equal((result.reason as ServiceError).code, 'store_unavailable')
  }
  const [rows] = await runner.read(() => readAll())
  assert.equal(rows?.count, 0n)
  await runner.close()
  rmSync(folder, { recursive: true, force: true })
})

function* readAll(): Script<readonly { count: bigint }[]> {
  return yield* all(count)
}
