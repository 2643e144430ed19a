/** After a purge nothing of what was purged is in any file of the store. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { type AuditProof, type CaseFile, DAY_MS, type HoldView } from '@portcullis/protocol'
import { purgeExpired } from '../../packages/server/src/app/audit/retention.ts'
import { verifyLog } from '../../packages/server/src/app/audit/verify-log.ts'
import { movedClock } from '../support/clock.ts'
import { inParallel, range } from '../support/load.ts'
import { bearer, type Party, startTestService } from '../support/service.ts'
import { designated, swappedWatchlists } from '../support/watchlists.ts'

const clock = movedClock('2026-11-20T12:00:00.000Z')
const watchlists = swappedWatchlists()
const api = await startTestService({}, { clock, watchlists })
after(() => api.stop())
const env = { ...api.service.env, archive: undefined }

/** Of every person whom the records name; none may be left anywhere. */
const TRACES = ['Zebulon', 'Quillfeather', '0xdeadbeefcafe', 'Officer Umbra', 'secret remark']

/** Every file of the folder as bytes, free pages and the write-ahead log included. */
const filesWith = (trace: string): string[] =>
  readdirSync(api.dataDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(api.dataDir, name)).isFile())
    .filter((name) => readFileSync(join(api.dataDir, name)).includes(trace))

const call = <Body>(party: Party, path: string, body?: object, method = 'POST') =>
  api.call<Body>(path, {
    headers: bearer(party.operatorToken),
    ...(body && { body, method }),
  })

const wallet = (n: number): string => `0xdeadbeefcafe${n.toString(16).padStart(28, '0')}`

/** A REVIEW with a name, a wallet, notes, two officers, and an alert about the name. */
async function screenAll(party: Party): Promise<string[]> {
  await call(party, '/v1/operators/me', { fourEyes: true }, 'PATCH')
  return inParallel(range(120), 8, async (n) => {
    const payment = { amount: 50, cpName: `Zebulon Quillfeather ${n}`, cpWallet: wallet(n) }
    const { txnId } = (await api.screen(party, payment, { 'idempotency-key': `key-${n}` })).body
    const by = (reviewedBy: string) =>
      call(party, `/v1/reviews/${txnId}`, {
        disposition: 'ESCALATE_SAR',
        reviewedBy,
        notes: 'secret remark',
      })
    if (n % 2 === 0) await by('Officer Umbra')
    if (n % 4 === 0) await by('Officer Umbra the Second')
    return txnId
  })
}

const party = await api.party({ maxSingleTxUSDC: 1 })
const txnIds = await screenAll(party)
const [held = '', other = ''] = txnIds

test('what was recorded is there before, in the file and in the write-ahead log', async () => {
  watchlists.set([designated('ZEBULON QUILLFEATHER 3')])
  await api.service.rescreening.tick()
  for (const trace of TRACES) assert.notDeepEqual(filesWith(trace), [], trace)
})

test('a held record can be read after its time, as before; the others cannot', async () => {
  const hold = { legalHold: true, by: 'counsel' }
  assert.equal((await call<HoldView>(party, `/v1/audit/${held}`, hold, 'PATCH')).status, 200)
  const before = await api.audit(party, held)
  clock.advance(91 * DAY_MS)
  for (const purged of [false, true]) {
    if (purged) assert.equal(await purgeExpired(env), txnIds.length - 1)
    assert.deepEqual((await api.audit(party, held)).body, before.body)
    assert.equal((await api.audit(party, other)).status, 404)
    const list = await call<{ items: { txnId: string }[] }>(party, '/v1/audit')
    assert.deepEqual(
      list.body.items.map(({ txnId }) => txnId),
      [held],
    )
    const queue = await call<{ items: { txnId: string }[] }>(party, '/v1/reviews?status=decided')
    assert.deepEqual(
      queue.body.items.map(({ txnId }) => txnId),
      [held],
    )
    const exported = await call(party, '/v1/audit/export')
    assert.equal(exported.text.match(/"kind":"screen"/g)?.length, 1)
    const caseFile = await call<CaseFile>(party, `/v1/reviews/${held}/case`)
    assert.equal(caseFile.body.record.txnId, held)
    assert.equal((await call(party, `/v1/reviews/${other}/case`)).status, 404)
  }
})

test('a hold that is lifted after its time hides the record at once', async () => {
  const release = { legalHold: false, by: 'counsel' }
  await call(party, `/v1/audit/${held}`, release, 'PATCH')
  assert.equal((await api.audit(party, held)).status, 404)
  assert.deepEqual((await call<{ items: [] }>(party, '/v1/audit')).body.items, [])
  assert.equal(await purgeExpired(env), 1)
})

test('nothing of the purged is left in any file, while the service runs', () => {
  for (const trace of TRACES) assert.deepEqual(filesWith(trace), [], trace)
})

test('every table is there to be looked at', () => {
  const db = new DatabaseSync(join(api.dataDir, 'portcullis.sqlite'), { readOnly: true })
  const tables = db.prepare("select name from sqlite_master where type = 'table'").all()
  for (const { name } of tables) {
    const everything = db.prepare(`select * from "${String(name)}"`)
    everything.setReadBigInts(true)
    const rows = JSON.stringify(everything.all(), (_, value) =>
      typeof value === 'bigint' ? String(value) : (value as unknown),
    )
    for (const trace of TRACES) assert.ok(!rows.includes(trace), `${String(name)}: ${trace}`)
  }
  db.close()
})

test('the proof of each still verifies, and the whole log', async () => {
  assert.equal((await verifyLog(env)).damage, undefined)
  for (const txnId of txnIds.slice(0, 5)) {
    const { body, status } = await call<AuditProof>(party, `/v1/audit/${txnId}/proof`)
    assert.deepEqual([status, body.leafData], [200, null])
  }
})
