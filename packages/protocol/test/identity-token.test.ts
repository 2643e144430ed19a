/** Identity tokens: the table of claims, the four outcomes, and texts that mean harm. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type IdentityAssertions, readIdentityToken } from '../src/identity-token.ts'
import { IDENTITY_SIGNALS, type IdentitySignal } from '../src/vocabulary.ts'
import { b64 } from './forge.ts'
import { conformance } from './vectors.ts'

const vectors = conformance<{
  now: number
  issuers: string[]
  cases: {
    name: string
    claims: object
    signal: IdentitySignal
    assertions: IdentityAssertions
  }[]
}>('identity-tokens.json')

const NOW = vectors.now * 1_000
const HEADER = { alg: 'ES256', typ: 'kya+jwt', kid: 'YjFdJgFNWj9AkUmtoXILwoeb37PsBuGW' }
const SIGNATURE = b64('no signature is checked')

const tokenOf = (payload: string, header: string = JSON.stringify(HEADER)): string =>
  `${b64(header)}.${b64(payload)}.${SIGNATURE}`

const read = (token: string) => readIdentityToken(token, vectors.issuers, NOW)

for (const { name, claims, signal, assertions } of vectors.cases) {
  test(`an identity token is ${signal}: ${name}`, () => {
    assert.deepStrictEqual(read(tokenOf(JSON.stringify(claims))), { signal, assertions })
  })
}

test('every outcome has a vector', () => {
  const seen = new Set(vectors.cases.map(({ signal }) => signal))
  assert.deepEqual([...seen].sort(), [...IDENTITY_SIGNALS].sort())
})

const GOOD = JSON.stringify({ iss: vectors.issuers[0], sub: 'agent-1', exp: vectors.now + 60 })

test('the signature is not checked: any algorithm, `none` and no signature read alike', () => {
  const expected = read(tokenOf(GOOD))
  assert.equal(expected.signal, 'VERIFIED')
  for (const alg of ['none', 'None', 'HS256', 'RS256', undefined, null, 7]) {
    const header = JSON.stringify({ ...HEADER, alg })
    assert.deepEqual(read(tokenOf(GOOD, header)), expected)
    assert.deepEqual(read(tokenOf(GOOD, header).replace(/[^.]+$/, '')), expected)
  }
  assert.deepEqual(read(` ${tokenOf(GOOD)}\n`), expected)
})

test('without recognised issuers nothing is VERIFIED', () => {
  assert.equal(readIdentityToken(tokenOf(GOOD), [], NOW).signal, 'UNRECOGNIZED_ISSUER')
  const nobody = tokenOf(JSON.stringify({ sub: 'agent-1' }))
  for (const issuers of [[''], ['undefined'], ['null']]) {
    assert.equal(readIdentityToken(nobody, issuers, NOW).signal, 'UNRECOGNIZED_ISSUER')
  }
})

test('an issuer longer than a claim is shown is compared whole', () => {
  const issuer = `https://${'x'.repeat(250)}.example`
  const signalOf = (iss: string) =>
    readIdentityToken(tokenOf(JSON.stringify({ iss })), [issuer], NOW).signal
  assert.equal(signalOf(issuer), 'VERIFIED')
  assert.equal(signalOf(`${issuer}.evil`), 'UNRECOGNIZED_ISSUER')
  assert.equal(signalOf(issuer.slice(0, 200)), 'UNRECOGNIZED_ISSUER')
})

const nested = (depth: number) => `{"hid":${'{"hid":'.repeat(depth)}1${'}'.repeat(depth)}}`

/** None of these can be parsed, and so nothing is asserted. */
const UNREADABLE: Record<string, string> = {
  nothing: '',
  'white space': ' \n',
  'a text': 'not a token',
  'two parts': tokenOf(GOOD).split('.').slice(0, 2).join('.'),
  'four parts': `${tokenOf(GOOD)}.x`,
  'five parts, encrypted': 'a.b.c.d.e',
  'three empty parts': '..',
  'a header that is no JSON': tokenOf(GOOD, 'header'),
  'a header that is no object': tokenOf(GOOD, '[]'),
  'a payload that is no JSON': tokenOf('payload'),
  'a payload that is an array': tokenOf(`[${GOOD}]`),
  'a payload that is null': tokenOf('null'),
  'a payload that is a text': tokenOf('"x"'),
  'claims twice': tokenOf(`{"iss":"a",${GOOD.slice(1)}`),
  'half of a surrogate pair': tokenOf('{"verifiedName":"\\ud800"}'),
  'a backslash in a claim name': tokenOf('{"cpWalle\\\\":1}'),
  'an infinite expiry': tokenOf(GOOD.replace(/"exp":\d+/, '"exp":1e400')),
  'bytes that are no UTF-8': `${b64('{}')}.${b64(Buffer.from([0x7b, 0xff, 0x7d]))}.x`,
  'a padded part': `${b64('{}')}==.${b64(GOOD)}.x`,
  'the standard alphabet': `${b64('{}')}.${b64('{"a":"\u00ff\u00fe?>"}').replace(/.$/, '+')}.x`,
  'white space inside': tokenOf(GOOD).replace('.', '. '),
  'a hundred levels': tokenOf(nested(100)),
  'levels without end': tokenOf('{"hid":'.repeat(1_500)),
  'a megabyte': tokenOf(JSON.stringify({ verifiedName: 'x'.repeat(1_000_000) })),
  'ten million dots': '.'.repeat(1_000_000),
}
for (const [what, token] of Object.entries(UNREADABLE)) {
  test(`an identity token of ${what} is INVALID and asserts nothing`, () => {
    assert.deepEqual(read(token), { signal: 'INVALID', assertions: undefined })
  })
}

test('16,384 characters are read, and one more is not', () => {
  const sized = (length: number): string => {
    const bare = `${b64('{}')}.${b64(GOOD)}.`
    return bare + 'x'.repeat(length - bare.length)
  }
  assert.equal(read(sized(16_384)).signal, 'VERIFIED')
  assert.equal(read(sized(16_385)).signal, 'INVALID')
})

test('`__proto__` in a token asserts nothing and changes no prototype', () => {
  const token = tokenOf('{"__proto__":{"iss":"https://issuer.example","agentId":"x"}}')
  const { signal, assertions } = read(token)
  assert.equal(signal, 'UNRECOGNIZED_ISSUER')
  assert.deepEqual(Object.values(assertions ?? assert.fail()), [null, null, null, null, null, null])
  assert.equal('agentId' in {}, false)
})

const CLAIM_NAMES = [
  ...['iss', 'sub', 'iat', 'exp', 'hid', 'bid', 'apd', 'aid', 'agentId', 'agent_id'],
  ...['verifiedName', 'verified_name', 'verificationLevel', 'verification_level', 'id', 'name'],
  ...['organization_name', 'given_name', 'middle_name', 'family_name', 'verified', '__proto__'],
]
const claimsOfAnyShape = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, '', ' ', 'https://issuer.example', vectors.now, 'x\ud800'),
    fc.double(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom(...CLAIM_NAMES), tie('value'), { noNullPrototype: true }),
})).object

const anyToken = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.oneof(fc.base64String(), fc.string()), { maxLength: 4 })
    .map((parts) => parts.join('.')),
  fc.string({ unit: 'binary' }).map((payload) => tokenOf(payload)),
  claimsOfAnyShape.map((claims) => tokenOf(JSON.stringify(claims))),
)

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.000Z$/

test('no token makes the reader throw, and what it asserts is short, well-formed text', () => {
  fc.assert(
    fc.property(anyToken, fc.nat(2 ** 45), (token, now) => {
      const { signal, assertions } = readIdentityToken(token, vectors.issuers, now)
      assert.ok(IDENTITY_SIGNALS.includes(signal))
      if (assertions === undefined) {
        assert.equal(signal, 'INVALID')
        return
      }
      const { issuedAt, expiresAt, ...texts } = assertions
      for (const time of [issuedAt, expiresAt]) assert.ok(time === null || ISO.test(time))
      for (const text of Object.values(texts)) {
        assert.ok(text === null || (text !== '' && text.length <= 200 && text.isWellFormed()))
      }
      const recognised = vectors.issuers.includes(assertions.issuer ?? '')
      if (signal === 'VERIFIED') assert.ok(recognised)
    }),
    { numRuns: 10_000 },
  )
})
