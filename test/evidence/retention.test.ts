/** Retention: texts go after their time, proofs stay, holds are kept, archives verify. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { DatabaseSync } from 'node:sqlite'
import {
  type AuditProof,
  DAY_MS,
  hashOf,
  verifyConsistency,
  consistencyRanges,
  verifyExport,
  verifyInclusion,
} from '@portcullis/protocol'
import { archiveFiles } from '../../packages/server/src/adapters/archive-files.ts'
import { sha256 } from '../../packages/server/src/adapters/vault.ts'
import { proofOf } from '../../packages/server/src/app/audit/audit-proofs.ts'
import { holdRecord } from '../../packages/server/src/app/audit/legal-hold.ts'
import { purgeExpired } from '../../packages/server/src/app/audit/retention.ts'
import { sealAll } from '../../packages/server/src/app/audit/sealer.ts'
import { verifyLog } from '../../packages/server/src/app/audit/verify-log.ts'
import { OPERATOR, testLog, txnIdOf } from '../support/evidence.ts'

const log = await testLog()
after(() => log.close())
const { env } = log
const HELD = [3, 299]

const proof = async (index: number): Promise<AuditProof> => {
  const found = await env.store.proveEntry(OPERATOR, txnIdOf(index), 'screen', sha256)
  assert.ok(found)
  return proofOf(found)
}

const holds = (one: AuditProof): boolean =>
  verifyInclusion({
    leafIndex: one.leafIndex,
    treeSize: one.treeSize,
    leaf: hashOf(one.leafHash)!,
    root: hashOf(one.checkpoint.rootHash)!,
    hashes: one.hashes.map((hash) => hashOf(hash)!),
  })

test('a purge takes the texts of what expired, and every proof still verifies', async () => {
  await log.fill(300)
  for (const index of HELD) {
    const operator = (await env.store.findOperator(OPERATOR))!
    const hold = { legalHold: true, by: 'counsel' }
    await holdRecord(env, txnIdOf(index), hold, { operator, now: env.clock.now() })
  }
  const before = await proof(120)
  const earlier = (await env.store.newestCheckpoint())!
  env.clock.advance(91 * DAY_MS)
  await log.fill(20)
  const archive = join(log.dataDir, 'archive')
  const purging = { ...env, archive: archiveFiles(archive) }
  assert.equal(await purgeExpired(purging), 298)
  assert.equal(await purgeExpired(purging), 0)

  const after = await proof(120)
  assert.equal(after.leafData, null)
  assert.equal(after.leafHash, before.leafHash)
  assert.ok(holds(before) && holds(after))
  assert.notEqual((await proof(HELD[0]!)).leafData, null)
  assert.notEqual((await proof(310)).leafData, null)
  const newest = (await env.store.newestCheckpoint())!
  const hashes = await env.store.rangeHashes(consistencyRanges(earlier.size, newest.size), sha256)
  const roots = { fromRoot: hashOf(earlier.rootHash)!, toRoot: hashOf(newest.rootHash)! }
  assert.ok(verifyConsistency({ from: earlier.size, to: newest.size, ...roots, hashes }))

  const reading = await verifyLog(env)
  assert.equal(reading.damage, undefined)
  assert.equal(reading.purged, 298)
  const jwks = env.keyring.jwks()
  const check = { jwks, origin: 'did:test/audit', hash: sha256 }
  const exported = await verifyExport(await log.export(), check)
  assert.ok(exported.ok && exported.purged === 298)

  const [segment, ...others] = readdirSync(archive)
  assert.deepEqual(others, [])
  const lines = readFileSync(join(archive, segment!), 'utf8').trimEnd().split('\n')
  const archived = await verifyExport(lines, check)
  assert.ok(archived.ok && archived.entries === 298 && archived.purged === 0)
})

test('nothing of a purged record is left in its row', () => {
  const db = new DatabaseSync(join(log.dataDir, 'portcullis.sqlite'), { readOnly: true })
  const rows = db.prepare('select record, facts from audit_entries where purged_at_ms > 0').all()
  assert.equal(rows.length, 298)
  assert.ok(rows.every(({ record, facts }) => record === '' && facts === ''))
  db.close()
})

test('a hold that is lifted lets the next purge have the record', async () => {
  const operator = (await env.store.findOperator(OPERATOR))!
  const caller = { operator, now: env.clock.now() }
  await holdRecord(env, txnIdOf(3), { legalHold: false, by: 'counsel' }, caller)
  assert.equal(await purgeExpired(env), 1)
  assert.equal((await proof(3)).leafData, null)
  assert.notEqual((await proof(299)).leafData, null)
  assert.equal((await verifyLog(env)).damage, undefined)
})

test('the store refuses to rewrite or delete what was logged, and to purge twice', () => {
  const db = new DatabaseSync(join(log.dataDir, 'portcullis.sqlite'))
  for (const sql of [
    `update audit_entries set verdict = 'CLEAR' where seq = 310`,
    `update audit_entries set record = '{}' where seq = 310`,
    `update audit_entries set record = '', facts = '', verdict = 'X', purged_at_ms = 1 where seq = 310`,
    `update audit_entries set purged_at_ms = null where seq = 1`,
    `delete from audit_entries where seq = 310`,
    `delete from audit_runs`,
    `update audit_tiles set hashes = '00' where level = 0 and tile = 0`,
    `delete from audit_tiles`,
    `update audit_checkpoints set size = 1`,
    `delete from audit_events`,
    `update audit_events set body = '{}'`,
  ]) {
    assert.throws(() => db.exec(sql), /append-only/, sql)
  }
  db.close()
})

test('what was altered is not purged: a purge would hide it', async () => {
  const old = await testLog()
  after(() => old.close())
  await old.fill(3)
  const alter = (verdict: string) =>
    old.tamper((db) => db.exec(`update audit_entries set verdict = '${verdict}' where seq = 2`))
  alter('BLOCK')
  old.env.clock.advance(91 * DAY_MS)
  assert.equal(await purgeExpired(old.env), 2)
  const { damage } = await verifyLog(old.env)
  assert.deepEqual([damage?.kind, damage?.seq], ['altered', 2])
  alter('CLEAR')
  assert.equal(await purgeExpired(old.env), 1)
  assert.equal((await verifyLog(old.env)).damage, undefined)
})

test('what a purge leaves of a row is bound: another verdict is found and named', async () => {
  const set = (verdict: string) =>
    log.tamper((db) => db.exec(`update audit_entries set verdict = '${verdict}' where seq = 121`))
  set('BLOCK')
  const { damage } = await verifyLog(env)
  assert.deepEqual(
    [damage?.txnId, damage?.message],
    [txnIdOf(120), 'what is left of it is not what the purge left'],
  )
  set('CLEAR')
  assert.equal((await verifyLog(env)).damage, undefined)
})

test('a log whose purges wrote no digests down verifies as before', async () => {
  const old = await testLog()
  after(() => old.close())
  await old.fill(3)
  old.env.clock.advance(91 * DAY_MS)
  await old.env.store.purgeScreens(
    [txnIdOf(0), txnIdOf(1)],
    old.env.clock.now(),
    old.env.clock.now(),
  )
  old.tamper((db) => db.exec(`update audit_events set body = json_remove(body, '$.left')`))
  await sealAll(old.env)
  const reading = await verifyLog(old.env)
  assert.deepEqual([reading.damage, reading.purged], [undefined, 2])
})
