/** POST /v1/receipts/verify */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { SIGNATURE_DOES_NOT_VERIFY } from '@portcullis/protocol'
import { assertError } from '../support/errors.ts'
import { base64url, newKey, partsOf, signJson } from '../support/jws.ts'
import { inParallel, range } from '../support/load.ts'
import { startTestService } from '../support/service.ts'

const key = newKey('known')
const api = await startTestService({ SIGNING_KEYS: JSON.stringify({ keys: [key.jwk] }) })
after(() => api.stop())
const party = await api.party()
const result = (await api.screen(party)).body
const { receipt } = result
const [head = '', payload = '', signature = ''] = receipt.split('.')
const { header, payload: claims } = partsOf(receipt)

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** The same bytes in a lax reader: another last character whose surplus bits differ. */
const otherPadding = (part: string): string =>
  part.slice(0, -1) + ALPHABET.charAt(ALPHABET.indexOf(part.slice(-1)) ^ 1)

describe('200 valid', () => {
  test('answers kid and the five claims of the specification', async () => {
    const { iss, txnId, verdict, riskScore, screenedAt } = claims
    assert.deepEqual((await api.verify(receipt)).body, {
      valid: true,
      kid: 'known',
      claims: { iss, txnId, verdict, riskScore, screenedAt },
    })
    assert.equal(txnId, result.txnId)
  })

  test('accepts a receipt that is signed anew over the same claims: the refusals below have their own reason', async () => {
    assert.equal((await api.verify(signJson(key, header, claims))).body.valid, true)
  })
})

describe('200 not valid', () => {
  test('says that the signature does not verify when another key signed', async () => {
    const forged = signJson(newKey('known'), header, claims)
    assert.deepEqual((await api.verify(forged)).body, {
      valid: false,
      reason: SIGNATURE_DOES_NOT_VERIFY,
    })
  })

  test('refuses each of the 512 bits of the signature flipped', async () => {
    const bytes = Buffer.from(signature, 'base64url')
    const verdicts = await inParallel(range(512), 32, async (bit) => {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3]! ^= 1 << (bit & 7)
      return (await api.verify(`${head}.${payload}.${base64url(flipped)}`)).body.valid
    })
    assert.deepEqual(new Set(verdicts), new Set([false]))
  })

  test('refuses every letter of header and payload changed', async () => {
    const text = `${head}.${payload}`
    const verdicts = await inParallel(range(text.length), 32, async (at) => {
      const changed = text[at] === 'A' ? 'B' : 'A'
      return (await api.verify(`${text.slice(0, at)}${changed}${text.slice(at + 1)}.${signature}`))
        .body.valid
    })
    assert.deepEqual(new Set(verdicts), new Set([false]))
  })

  const altered: Record<string, string> = {
    'typ JWT': signJson(key, { ...header, typ: 'JWT' }, claims),
    'typ in another case': signJson(key, { ...header, typ: 'KYA-Receipt+JWT' }, claims),
    'typ with application/': signJson(
      key,
      { ...header, typ: 'application/kya-receipt+jwt' },
      claims,
    ),
    'no typ': signJson(key, { ...header, typ: undefined }, claims),
    'alg none': `${base64url(JSON.stringify({ ...header, alg: 'none' }))}.${payload}.${signature}`,
    'alg none and no signature': `${base64url(JSON.stringify({ ...header, alg: 'none' }))}.${payload}.`,
    'alg es256': signJson(key, { ...header, alg: 'es256' }, claims),
    'alg HS256': signJson(key, { ...header, alg: 'HS256' }, claims),
    'no kid': signJson(key, { ...header, kid: undefined }, claims),
    'another issuer': signJson(key, header, { ...claims, iss: 'did:kya:other' }),
    'no txnId': signJson(key, header, { ...claims, txnId: undefined }),
    'a verdict that is none': signJson(key, header, { ...claims, verdict: 'FINE' }),
    'a space before': ` ${receipt}`,
    'a line end behind': `${receipt}\n`,
    'a space after a dot': receipt.replace('.', '. '),
    'padding characters': `${receipt}==`,
    'padding bits of the signature': `${head}.${payload}.${otherPadding(signature)}`,
    'padding in the payload': `${head}.${payload}=.${signature}`,
    'a fourth part': `${receipt}.`,
    'two parts': `${head}.${payload}`,
    'the operator credential': party.operatorToken,
    'the agent credential': party.agentToken,
    'no structure': 'x',
    'full-width dots': receipt.replaceAll('.', '．'),
    'a NUL inside': receipt.replace('.', '\u0000.'),
  }
  for (const [what, text] of Object.entries(altered)) {
    test(`refuses ${what}, with a reason`, async () => {
      const { status, body } = await api.verify(text)
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(body).toSorted(), ['reason', 'valid'])
      assert.equal(body.valid, false)
      assert.match(body.reason ?? '', /\S/)
    })
  }
})

describe('400', () => {
  for (const wrong of [undefined, null, 7, '', [receipt], { receipt }]) {
    test(`refuses ${JSON.stringify(wrong) ?? 'nothing'} as a receipt`, async () => {
      const text = typeof wrong === 'object' && wrong !== null ? 'an object' : wrong
      assertError(await api.verify(text === 'an object' ? wrong : text), 'invalid_request', {
        field: 'receipt',
      })
    })
  }
})
