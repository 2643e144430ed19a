/** Receipts stand without the service: a key set and any JWS library are enough. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_ISSUER_DID, verifyReceipt } from '@portcullis/protocol'
import { compactVerify, createLocalJWKSet, jwtVerify } from 'jose'
import { LISTED, startTestService } from './support/service.ts'

const api = await startTestService()
const party = await api.party({ maxSingleTxUSDC: 50 })
const receipts: Record<string, string> = {}
for (const [verdict, payment] of Object.entries({
  CLEAR: {},
  REVIEW: { amount: 51 },
  BLOCK: { cpName: LISTED.name },
  UNKNOWN: { token: 'x' },
})) {
  receipts[verdict] = (await api.screen(party, payment)).body.receipt
}
const jwks = await api.jwks()
await api.stop()

for (const [verdict, receipt] of Object.entries(receipts)) {
  test(`a ${verdict} receipt verifies with jose alone, after the service has stopped`, async () => {
    const { payload, protectedHeader } = await compactVerify(receipt, createLocalJWKSet(jwks), {
      algorithms: ['ES256'],
    })
    assert.equal(protectedHeader.typ, 'kya-receipt+jwt')
    const claims = JSON.parse(new TextDecoder().decode(payload)) as { verdict: string; iss: string }
    assert.deepEqual([claims.verdict, claims.iss], [verdict, DEFAULT_ISSUER_DID])
    await jwtVerify(receipt, createLocalJWKSet(jwks), {
      algorithms: ['ES256'],
      issuer: DEFAULT_ISSUER_DID,
      typ: 'kya-receipt+jwt',
    })
  })

  test(`a ${verdict} receipt verifies through verifyReceipt of the protocol package`, async () => {
    const read = await verifyReceipt(receipt, jwks, DEFAULT_ISSUER_DID)
    assert.ok(read.ok)
    assert.equal(read.value.verdict, verdict)
  })
}

test('no receipt verifies for another issuer or key set, or with a letter changed', async () => {
  const receipt = receipts['CLEAR']!
  assert.equal((await verifyReceipt(receipt, jwks, 'did:kya:other')).ok, false)
  const other = await startTestService()
  assert.equal((await verifyReceipt(receipt, await other.jwks(), DEFAULT_ISSUER_DID)).ok, false)
  await other.stop()
  const [head = '', body = '', signature = ''] = receipt.split('.')
  const altered = `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  assert.equal((await verifyReceipt(altered, jwks, DEFAULT_ISSUER_DID)).ok, false)
})
