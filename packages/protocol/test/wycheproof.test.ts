/**
 * Project Wycheproof through `node:crypto` called exactly as the keyring calls it (SHA-256, P-256,
 * `ieee-p1363`). The vectors have public keys only, and the keyring loads private ones, so the call
 * is made here (`verifyBytes`) and not through `loadKeyring`.
 */
import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { test } from 'node:test'
import { readCompactJws } from '../src/compact-jws.ts'
import { ATTACKER, OURS, signBytes, verifyBytes } from './forge.ts'
import { sharedVectors } from './vectors.ts'

type Result = 'valid' | 'invalid'

test('a signature verifies over the very text and with the very key, and no other', () => {
  const signature = signBytes('a.b', OURS)
  assert.equal(signature.length, 64)
  assert.equal(verifyBytes('a.b', signature, OURS.publicKey), true)
  assert.equal(verifyBytes('a.c', signature, OURS.publicKey), false)
  assert.equal(verifyBytes('a.b', signature, ATTACKER.publicKey), false)
  for (const length of [0, 1, 63, 65, 128]) {
    assert.equal(verifyBytes('a.b', Buffer.alloc(length, signature), OURS.publicKey), false)
  }
})

test('Wycheproof: each of 262 raw ECDSA signatures on P-256 is judged as published', (t) => {
  const suite = sharedVectors<{
    testGroups: {
      publicKeyPem: string
      tests: { tcId: number; comment: string; msg: string; sig: string; result: Result }[]
    }[]
  }>(t, 'wycheproof/ecdsa_secp256r1_sha256_p1363_test.json')
  if (suite === undefined) return
  const counts = { valid: 0, invalid: 0 }
  for (const { publicKeyPem, tests } of suite.testGroups) {
    const key = createPublicKey(publicKeyPem)
    for (const { tcId, comment, msg, sig, result } of tests) {
      const verified = verifyBytes(Buffer.from(msg, 'hex'), Buffer.from(sig, 'hex'), key)
      assert.equal(verified, result === 'valid', `case ${tcId}: ${comment}`)
      counts[result]++
    }
  }
  assert.deepEqual(counts, { valid: 173, invalid: 89 })
})

/** Cases whose fault is in the key's `use` or `key_ops`; our key sets are our own. */
const FAULT_OF_THE_KEY = new Set([354, 356])

test('Wycheproof: no invalid ES256 JWS verifies, and every valid one does', (t) => {
  const suite = sharedVectors<{
    testGroups: {
      public?: { kty: string; crv?: string }
      tests: { tcId: number; comment: string; jws: string; result: Result }[]
    }[]
  }>(t, 'wycheproof/json_web_signature_test.json')
  if (suite === undefined) return
  const counts = { valid: 0, invalid: 0 }
  for (const { public: jwk, tests } of suite.testGroups) {
    if (jwk?.kty !== 'EC' || jwk.crv !== 'P-256') continue
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
    for (const { tcId, comment, jws, result } of tests) {
      if (FAULT_OF_THE_KEY.has(tcId)) continue
      const [header = '', payload = '', signature = '', ...more] = jws.split('.')
      const strict = /^[A-Za-z0-9_-]{86}$/.test(signature) && more.length === 0
      const embedded = /"jwk"|"HS256"/.test(Buffer.from(header, 'base64url').toString())
      const verified =
        strict &&
        !embedded &&
        verifyBytes(`${header}.${payload}`, Buffer.from(signature, 'base64url'), key)
      assert.equal(verified, result === 'valid', `case ${tcId}: ${comment}`)
      // None has our `typ` and a JSON payload, so the reader takes none of them, valid or not.
      assert.equal(readCompactJws(jws).ok, false, `case ${tcId}: ${comment}`)
      counts[result]++
    }
  }
  assert.deepEqual(counts, { valid: 2, invalid: 37 })
})
