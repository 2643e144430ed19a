import assert from 'node:assert/strict'
import { createHash, createPublicKey } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JSONWebKeySet } from 'jose'
import {
  type HashedRequest,
  readReceipt,
  RECEIPT_TYP,
  requestHash,
  requestHashText,
  SIGNATURE_DOES_NOT_VERIFY,
  verifyReceipt,
} from '../src/receipt.ts'
import {
  ATTACKER,
  b64,
  genuine,
  ISSUER,
  JWKS,
  newKey,
  OURS,
  signToken,
  verifyBytes,
} from './forge.ts'
import { conformance, sharedVectors } from './vectors.ts'

interface HashVector {
  note: string
  in: HashedRequest
  text: string
  requestHash: string
}
const hashes = conformance<{ vectors: HashVector[] }>('request-hash.json')

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

for (const vector of hashes.vectors) {
  test(`a request is hashed: ${vector.note}`, () => {
    assert.equal(requestHashText(vector.in), vector.text)
    assert.equal(requestHash(vector.in), vector.requestHash)
    assert.equal(sha256(vector.text), vector.requestHash)
  })
}

test('the shared request hashes are the same byte for byte', (t) => {
  const shared = sharedVectors<HashVector[]>(t, 'own/request-hash.json')
  if (shared === undefined) return
  assert.equal(shared.length, 28)
  for (const vector of shared) {
    assert.equal(requestHashText(vector.in), vector.text, vector.note)
    assert.equal(requestHash(vector.in), vector.requestHash, vector.note)
  }
})

test('numbers that are no amount hash as zero', () => {
  for (const amount of [NaN, Infinity, -Infinity, -0, undefined, '7', {}, []]) {
    assert.equal(requestHashText({ amount }), '||0|')
  }
})

const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)
const space = fc.constantFrom(' ', '  ', '\t', '\n', '\r\n', '\u00a0 ')

test('case and white space around and between words do not change the hash; any word does', () => {
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 4 }),
      space,
      word,
      (words, gap, other) => {
        const plain = { cpName: words.join(' '), cpWallet: '0xabc', amount: 1, chain: 'ETH' }
        const spaced = {
          cpName: `${gap}${words.join(gap).toUpperCase()}${gap}`,
          cpWallet: `${gap}0xABC`,
          amount: 1,
          chain: `eth${gap}`,
        }
        assert.equal(requestHash(spaced), requestHash(plain))
        assert.notEqual(
          requestHash({ ...plain, cpName: `${plain.cpName} ${other}` }),
          requestHash(plain),
        )
      },
    ),
    { numRuns: 1_000 },
  )
})

test('two requests hash alike only if they are alike, while wallet and chain hold no bar', () => {
  const text = fc.string({ unit: 'grapheme-ascii', maxLength: 6 })
  const noBar = text.filter((value) => !value.includes('|'))
  const request = fc.record({
    cpName: text,
    cpWallet: noBar,
    amount: fc.nat(3),
    chain: noBar,
  })
  const normal = ({ cpName, cpWallet, amount, chain }: Required<HashedRequest>) => [
    (cpName ?? '').trim().toLowerCase().split(/\s+/).join(' '),
    (cpWallet ?? '').trim().toLowerCase(),
    amount,
    (chain ?? '').trim().toUpperCase(),
  ]
  fc.assert(
    fc.property(request, request, (one, other) => {
      const alike = JSON.stringify(normal(one)) === JSON.stringify(normal(other))
      assert.equal(requestHash(one) === requestHash(other), alike)
    }),
    { numRuns: 1_000 },
  )
})

const receipts = conformance<{
  issuer: string
  jwks: JSONWebKeySet
  receipts: {
    name: string
    receipt: string
    valid: boolean
    claims?: Record<string, unknown>
  }[]
}>('receipts.json')

/** The service's own way: structure, then the published key of that id through `node:crypto`. */
function verifyAsTheServiceDoes(receipt: string): boolean {
  const read = readReceipt(receipt, receipts.issuer)
  if (!read.ok) return false
  const { kid, signingInput, signature } = read.value.jws
  const jwk = receipts.jwks.keys.find((key) => key.kid === kid)
  if (jwk === undefined) return false
  return verifyBytes(signingInput, signature, createPublicKey({ key: { ...jwk }, format: 'jwk' }))
}

for (const { name, receipt, valid, claims } of receipts.receipts) {
  test(`a pinned receipt is ${valid ? 'accepted' : 'refused'}: ${name}`, async () => {
    const verified = await verifyReceipt(receipt, receipts.jwks, receipts.issuer)
    assert.equal(verified.ok, valid)
    assert.equal(verifyAsTheServiceDoes(receipt), valid)
    if (!verified.ok) assert.notEqual(verified.reason, '')
    else {
      assert.ok(claims !== undefined)
      for (const [claim, value] of Object.entries(claims)) {
        assert.deepEqual(Reflect.get(verified.value, claim), value)
      }
    }
  })
}

test('the pinned key set holds no private key', () => {
  for (const key of receipts.jwks.keys) assert.equal('d' in key, false)
})

const { header, claims } = genuine('receipt')
const genuineReceipt = signToken(header, claims)
const parts = genuineReceipt.split('.').map((part) => Buffer.from(part, 'base64url'))

const flipped = (part: number, bit: number): string =>
  parts
    .map((bytes, index) => {
      const copy = Buffer.from(bytes)
      if (index === part) copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      return b64(copy)
    })
    .join('.')

test('a genuine receipt verifies and its claims come back whole', async () => {
  const verified = await verifyReceipt(genuineReceipt, JWKS, ISSUER)
  assert.deepEqual(verified, { ok: true, value: claims })
})

test('a receipt with any one of the 512 bits of its signature flipped is refused', async () => {
  for (let bit = 0; bit < 512; bit++) {
    const verified = await verifyReceipt(flipped(2, bit), JWKS, ISSUER)
    assert.deepEqual(verified, { ok: false, reason: SIGNATURE_DOES_NOT_VERIFY }, `bit ${bit}`)
  }
})

test('a receipt with any one bit of its header or payload flipped is refused', async () => {
  for (const part of [0, 1]) {
    const bits = (parts[part] ?? assert.fail('three parts')).length * 8
    for (let bit = 0; bit < bits; bit++) {
      const verified = await verifyReceipt(flipped(part, bit), JWKS, ISSUER)
      assert.equal(verified.ok, false, `part ${part}, bit ${bit}`)
    }
  }
})

test('a receipt with any one character changed, put in or taken out is refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(genuineReceipt.length - 1),
      fc.constantFrom(...'ABYZabyz0189-_+/=. \n'),
      fc.constantFrom('change', 'insert', 'remove'),
      async (at, char, how) => {
        const rest = genuineReceipt.slice(how === 'insert' ? at : at + 1)
        const altered = `${genuineReceipt.slice(0, at)}${how === 'remove' ? '' : char}${rest}`
        fc.pre(altered !== genuineReceipt)
        assert.equal((await verifyReceipt(altered, JWKS, ISSUER)).ok, false)
      },
    ),
    { numRuns: 1_000 },
  )
})

test('a receipt is refused with the specified sentence when the key is not the one', async () => {
  for (const keys of [[], [ATTACKER.jwk], [newKey('key-2').jwk]]) {
    const verified = await verifyReceipt(genuineReceipt, { keys }, ISSUER)
    assert.deepEqual(verified, { ok: false, reason: SIGNATURE_DOES_NOT_VERIFY })
  }
})

test('a receipt signed by a retired key verifies while that key is published', async () => {
  const keys = [newKey('key-2').jwk, OURS.jwk]
  assert.equal((await verifyReceipt(genuineReceipt, { keys }, ISSUER)).ok, true)
})

test('a key of another curve or algorithm verifies nothing, and nothing throws', async () => {
  for (const odd of [
    { ...OURS.jwk, crv: 'P-384' },
    { ...OURS.jwk, crv: 'secp256k1' },
    { ...OURS.jwk, kty: 'OKP', crv: 'Ed25519' },
    { ...OURS.jwk, kty: 'oct', k: 'AAAA' },
    { ...OURS.jwk, x: 'AAAA' },
  ]) {
    assert.equal((await verifyReceipt(genuineReceipt, { keys: [odd] }, ISSUER)).ok, false)
  }
})

test('a receipt is refused by a verifier that trusts another issuer', async () => {
  const verified = await verifyReceipt(genuineReceipt, JWKS, 'did:kya:other')
  assert.equal(verified.ok, false)
})

test('`typ` is compared letter by letter', async () => {
  for (const typ of [
    'KYA-RECEIPT+JWT',
    'application/kya-receipt+jwt',
    'kya-receipt+jwt\0',
    'JWT',
  ]) {
    const receipt = signToken({ ...header, typ }, claims)
    const verified = await verifyReceipt(receipt, JWKS, ISSUER)
    assert.deepEqual(verified, { ok: false, reason: 'header `typ` is not kya-receipt+jwt' }, typ)
  }
  assert.equal(header['typ'], RECEIPT_TYP)
})
