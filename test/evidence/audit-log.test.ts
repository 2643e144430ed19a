/** The sealed audit log over HTTP: proofs, checkpoints, lists, exports, holds, the manifest. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type AuditProof,
  type AuditRecord,
  base64Of,
  canonicalJson,
  type Checkpoint,
  type ConsistencyAnswer,
  hashOf,
  type HoldView,
  isSigned,
  leafHash,
  hexOf,
  type LoggedEntry,
  verifyCheckpoint,
  verifyConsistency,
  verifyExport,
  verifyInclusion,
} from '@portcullis/protocol'
import { sha256 } from '../../packages/server/src/adapters/vault.ts'
import { assertError } from '../support/errors.ts'
import { partsOf } from '../support/jws.ts'
import { bearer, type Party, startTestService } from '../support/service.ts'

const api = await startTestService()
after(() => api.stop())
const ORIGIN = 'did:kya:service-alpha/audit'

const get = <Body>(party: Party | undefined, path: string) =>
  api.call<Body>(path, { headers: party === undefined ? {} : bearer(party.operatorToken) })

const proofOf = (party: Party, txnId: string, query = '') =>
  get<AuditProof>(party, `/v1/audit/${txnId}/proof${query}`)

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'))

const holds = ({ leafIndex, treeSize, leafHash: leaf, hashes, checkpoint }: AuditProof) =>
  verifyInclusion({
    leafIndex,
    treeSize,
    leaf: hashOf(leaf)!,
    root: hashOf(checkpoint.rootHash)!,
    hashes: hashes.map((hash) => hashOf(hash)!),
  })

describe('GET /v1/audit/:txnId/proof', () => {
  test('proves the record and the facts behind it to a checkpoint that verifies', async () => {
    const party = await api.party()
    const screened = await api.screen(party, { cpName: 'Žofie "Quoted" \u2028 Ltd' })
    const { body, status } = await proofOf(party, screened.body.txnId)
    assert.equal(status, 200)
    const data = bytes(body.leafData!)
    assert.equal(hexOf(leafHash(data)), body.leafHash)
    const entry = JSON.parse(new TextDecoder().decode(data)) as LoggedEntry
    assert.equal(base64Of(data), base64Of(new TextEncoder().encode(canonicalJson(entry))))
    assert.equal(entry.hashVersion, 1)
    const record = JSON.parse(entry.record) as AuditRecord
    assert.equal(record.receipt, screened.body.receipt)
    assert.ok(holds(body))
    assert.equal(body.treeSize, body.checkpoint.size)
    assert.ok((await verifyCheckpoint(body.checkpoint, await api.jwks(), ORIGIN)).ok)
    assert.deepEqual(Object.keys(body), [
      'txnId',
      'leafIndex',
      'treeSize',
      'leafHash',
      'leafData',
      'hashes',
      'checkpoint',
    ])
  })

  test('proves a disposition, which is an entry of its own', async () => {
    const party = await api.party({ maxSingleTxUSDC: 1 })
    const { txnId, verdict } = (await api.screen(party, { amount: 2 })).body
    assert.equal(verdict, 'REVIEW')
    const before = await proofOf(party, txnId)
    assertError(await get(party, `/v1/audit/${txnId}/proof?entry=disposition`), 'not_found')
    const reviewed = await api.call(`/v1/reviews/${txnId}`, {
      headers: bearer(party.operatorToken),
      body: { disposition: 'APPROVED', reviewedBy: 'officer 7' },
    })
    assert.equal(reviewed.status, 200)
    const { body } = await proofOf(party, txnId, '?entry=disposition')
    assert.ok(holds(body))
    const entry = JSON.parse(Buffer.from(body.leafData!, 'base64').toString()) as LoggedEntry
    assert.equal(entry.kind, 'disposition')
    assert.match(entry.record, /"APPROVED".*"officer 7"/)
    assert.equal((await proofOf(party, txnId)).body.leafHash, before.body.leafHash)
  })
})

test('an entry is sealed within two seconds without anybody asking', async () => {
  const party = await api.party()
  const size = async () =>
    (await get<Checkpoint>(undefined, '/v1/.well-known/checkpoint')).body.size
  const before = await size()
  for (let i = 0; i < 5; i++) await api.screen(party)
  const begun = performance.now()
  while ((await size()) < before + 5) await pause(20)
  assert.ok(performance.now() - begun < 2_000)
})

describe('GET /v1/audit/consistency', () => {
  test('shows that the log only grew', async () => {
    const party = await api.party()
    const sizes: Checkpoint[] = []
    for (let i = 0; i < 4; i++) {
      const { txnId } = (await api.screen(party)).body
      sizes.push((await proofOf(party, txnId)).body.checkpoint)
    }
    for (const from of sizes) {
      for (const to of sizes.filter(({ size }) => size >= from.size)) {
        const { body } = await get<ConsistencyAnswer>(
          undefined,
          `/v1/audit/consistency?from=${from.size}&to=${to.size}`,
        )
        const roots = { fromRoot: hashOf(from.rootHash)!, toRoot: hashOf(to.rootHash)! }
        const hashes = body.hashes.map((hash) => hashOf(hash)!)
        assert.ok(verifyConsistency({ from: from.size, to: to.size, ...roots, hashes }))
        assert.deepEqual([body.fromRoot, body.toRoot], [from.rootHash, to.rootHash])
      }
    }
    const { body } = await get<ConsistencyAnswer>(undefined, '/v1/audit/consistency?from=0')
    assert.deepEqual([body.from, body.hashes], [0, []])
  })

  test('refuses sizes that never were', async () => {
    for (const query of ['', '?from=-1', '?from=5&to=2', '?from=1&to=99999999', '?from=1.5']) {
      const { status } = await get(undefined, `/v1/audit/consistency${query}`)
      assert.equal(status, 400, query)
    }
  })
})

interface Listed {
  readonly items: readonly AuditRecord[]
  readonly nextCursor: string | null
}

describe('GET /v1/audit', () => {
  test('lists own records newest first, page by page, each once', async () => {
    const party = await api.party()
    const txnIds: string[] = []
    for (let i = 0; i < 7; i++) txnIds.unshift((await api.screen(party)).body.txnId)
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await get<Listed>(party, `/v1/audit?limit=3${cursor}`)
      seen.push(...body.items.map(({ txnId }) => txnId))
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`
    } while (cursor !== '')
    assert.deepEqual(seen, txnIds)
  })

  test('filters by verdict, agent and time', async () => {
    const party = await api.party({ maxSingleTxUSDC: 100 })
    const payment = { cpName: 'Acme Corp' }
    await api.screen(party, payment)
    const review = (await api.screen(party, { ...payment, amount: 101 })).body
    const ids = async (query: string) =>
      (await get<Listed>(party, `/v1/audit?${query}`)).body.items.map(({ txnId }) => txnId)
    assert.deepEqual(await ids('verdict=REVIEW'), [review.txnId])
    assert.equal((await ids(`agentId=${party.agentId}`)).length, 2)
    assert.equal((await ids('agentId=agt_0')).length, 0)
    const today = review.screenedAt.slice(0, 10)
    assert.equal((await ids(`from=${today}&to=${today}`)).length, 2)
    assert.equal((await ids('to=2020-01-01')).length, 0)
    for (const query of ['from=yesterday', 'verdict=MAYBE', 'agentId=x', 'cursor=x', 'limit=0']) {
      assert.equal((await get(party, `/v1/audit?${query}`)).status, 400, query)
    }
  })
})

describe('GET /v1/audit/export', () => {
  test('holds own records alone, with receipts and proofs that verify offline', async () => {
    const [mine, other] = [await api.party(), await api.party()]
    const txnIds: string[] = []
    for (let i = 0; i < 70; i++) {
      txnIds.push((await api.screen(mine, { cpName: `=1+${i}` })).body.txnId)
      await api.screen(other)
    }
    const { text, headers } = await get(mine, '/v1/audit/export')
    assert.equal(headers['content-type'], 'application/x-ndjson')
    const lines = text.split('\n')
    const jwks = await api.jwks()
    const verified = await verifyExport(lines, { jwks, origin: ORIGIN, hash: sha256 })
    assert.ok(verified.ok && verified.entries === 70)
    const entries = lines.slice(1, -2).map((line) => JSON.parse(line) as { txnId: string })
    assert.deepEqual(
      entries.map(({ txnId }) => txnId),
      txnIds,
    )
    const csv = await get(mine, '/v1/audit/export?format=csv')
    const rows = csv.text.trimEnd().split('\r\n')
    assert.equal(rows.length, 71)
    assert.match(rows[1]!, /,'=1\+0,/)
  })
})

describe('PATCH /v1/audit/:txnId', () => {
  test('sets and lifts a legal hold, each an entry of the log', async () => {
    const party = await api.party()
    const { txnId } = (await api.screen(party)).body
    const hold = (legalHold: boolean) =>
      api.call<HoldView>(`/v1/audit/${txnId}`, {
        method: 'PATCH',
        headers: bearer(party.operatorToken),
        body: { legalHold, by: 'counsel', reason: 'case 12' },
      })
    const size = async () =>
      (await get<Checkpoint>(undefined, '/v1/.well-known/checkpoint')).body.size
    await proofOf(party, txnId)
    const before = await size()
    const set = await hold(true)
    assert.deepEqual([set.status, set.body.legalHold, set.body.by], [200, true, 'counsel'])
    assert.deepEqual((await hold(true)).body, set.body)
    assert.equal((await hold(false)).body.legalHold, false)
    const begun = performance.now()
    while ((await size()) < before + 2 && performance.now() - begun < 3_000) await pause(20)
    assert.equal(await size(), before + 2)
  })
})

test('another operator’s ids answer as unknown ones, but for the request id', async () => {
  const [mine, other] = [await api.party(), await api.party()]
  const { txnId } = (await api.screen(other)).body
  await proofOf(other, txnId)
  const bare = (text: string, id: string) =>
    text.replace(/req_[0-9a-f-]+/g, 'req').replaceAll(id, 'id')
  for (const tail of ['/proof', '/proof?entry=disposition', '']) {
    const answers = []
    for (const id of [txnId, 'txn_00000000']) {
      const { status, text } = await get(mine, `/v1/audit/${id}${tail}`)
      answers.push({ status, text: bare(text, id) })
    }
    assert.deepEqual(answers[0], answers[1])
    assert.equal(answers[0]!.status, 404)
  }
  const patched = []
  for (const id of [txnId, 'txn_00000000']) {
    const { status, text } = await api.call(`/v1/audit/${id}`, {
      method: 'PATCH',
      headers: bearer(mine.operatorToken),
      body: { legalHold: true, by: 'me' },
    })
    patched.push({ status, text: bare(text, id) })
  }
  assert.deepEqual(patched[0], patched[1])
  assert.deepEqual((await get<Listed>(mine, '/v1/audit')).body.items, [])
  const filtered = await get<Listed>(mine, `/v1/audit?agentId=${other.agentId}`)
  assert.deepEqual(filtered.body, (await get<Listed>(mine, '/v1/audit?agentId=agt_0')).body)
  assert.equal((await get(mine, '/v1/audit/export')).text.includes(txnId), false)
})

test('the compliance manifest is signed, and health says so', async () => {
  const { text, headers } = await get(undefined, '/v1/.well-known/compliance-manifest')
  assert.equal(headers['content-type'], 'application/jose')
  assert.ok(await isSigned(text, await api.jwks()))
  const { payload } = partsOf(text)
  assert.equal(payload['iss'], 'did:kya:service-alpha')
  assert.equal(payload['retentionDays'], 90)
  assert.equal((await api.health()).merchant.complianceManifestValid, true)
})

test('without a list there is no valid manifest', async () => {
  const bare = await startTestService({ ENVIRONMENT: 'production' })
  assert.equal((await bare.health()).merchant.complianceManifestValid, false)
  await bare.stop()
})

test('routes that need an operator refuse a stranger', async () => {
  for (const path of ['/v1/audit', '/v1/audit/export', '/v1/audit/txn_AAAAAAAA/proof']) {
    assertError(await api.call(path), 'unauthorized')
  }
})
