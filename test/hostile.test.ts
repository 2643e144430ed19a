/** Input that somebody made on purpose: never a 5xx, nothing lost, nothing spent. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import type { ScreenResult } from '@portcullis/protocol'
import type { ErrorAnswer } from './support/http.ts'
import { base64url, newKey, partsOf, signatureOf, signJson, signTexts } from './support/jws.ts'
import { bearer, LISTED, type Party, startTestService } from './support/service.ts'
import { leftOut, sharedText } from './support/shared.ts'

const key = newKey('known')
const api = await startTestService({ SIGNING_KEYS: JSON.stringify({ keys: [key.jwk] }) })
const DAILY_LIMIT = 1_000
const party = await api.party({ dailyLimitUSDC: DAILY_LIMIT })

const screenRaw = (body: string | Buffer, headers: Record<string, string> = {}) =>
  api.call<ScreenResult & ErrorAnswer>('/v1/screen', {
    body,
    headers: { ...bearer(party.operatorToken), ...headers },
  })

/** Nothing of the agent's day is spent as long as the whole limit still fits. */
async function assertUnspent(): Promise<void> {
  const fresh = await api.screen(party, { amount: DAILY_LIMIT + 0.01 })
  assert.match(fresh.body.reason, /after 0 USD today/)
}

describe(
  'bodies of ../shared/data/vectors/own/json-bodies.json',
  { skip: leftOut('vectors/own/json-bodies.json') },
  () => {
    if (leftOut('vectors/own/json-bodies.json') !== false) return
    interface Vector {
      readonly id: string
      readonly raw?: string | { gen: string }
      readonly headers?: Record<string, string>
      readonly expect: string
    }
    /** What the vectors describe in words, made here. */
    const generated: Record<string, () => string> = {
      many_keys: () => `{${Array.from({ length: 100_000 }, (_, at) => `"k${at}":1`).join(',')}}`,
      many_tokens: () => named('a '.repeat(5_000)),
      combining_bomb: () => named(`a${'\u0301'.repeat(100_000)}`),
      nfkc_expansion: () => named('\ufdfa'.repeat(10_000)),
    }
    const named = (cpName: string) => JSON.stringify({ token: party.agentToken, amount: 1, cpName })
    const textOf = ({ id, raw = '{}' }: Vector): string => {
      // The amount of a harmless one is made 0, so that the end of this file can say: nothing was spent.
      const text =
        IGNORED.has(id) && typeof raw === 'string' ? raw.replace('"amount":1', '"amount":0') : raw
      if (typeof text === 'string') {
        return text
          .replaceAll('<TOKEN>', party.agentToken)
          .replaceAll('Usama BIN LADIN', LISTED.name)
      }
      const made = generated[id]
      if (made !== undefined) return made()
      const brackets = /^nest_arr_(\d+)$/.exec(id)?.[1]
      if (brackets !== undefined)
        return `{"token":"x","amount":1,"z":${'['.repeat(+brackets)}${']'.repeat(+brackets)}}`
      const letters = /^long_cpName_(\d+)$/.exec(id)?.[1]
      assert.ok(letters, `no way to make ${id}`)
      return named('a'.repeat(Number(letters)))
    }
    /** The decisions page stands above the vector: zero is allowed, and -0 is zero. */
    const ALLOWED = new Set(['amount_zero', 'amount_neg_zero'])
    /** Not about the amount: a stranger among the fields, and harmless. */
    const IGNORED = new Set(['proto', 'ctor', 'http_expect_100'])

    for (const vector of JSON.parse(sharedText('vectors/own/json-bodies.json')) as Vector[]) {
      const { id } = vector
      test(`${id}: ${vector.expect}`, async () => {
        if (id === 'http_cl_and_te')
          return assertRefused(
            await raw(
              'POST /v1/screen HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
            ),
          )
        const type =
          vector.headers && !('content-type' in vector.headers) && id === 'http_ct_missing'
            ? { 'content-type': '' }
            : {}
        const isPolicy = id.includes('policy')
        const reply = isPolicy
          ? await api.call(`/v1/agents/${party.agentId}/spend-policy`, {
              method: 'PATCH',
              headers: bearer(party.operatorToken),
              body: textOf(vector),
            })
          : await screenRaw(textOf(vector), {
              ...type,
              ...(id === 'http_expect_100' ? {} : vector.headers),
            }).catch((reason: unknown) => {
              const error = reason as NodeJS.ErrnoException
              // A body past the limit may be cut off while it is still being sent.
              assert.ok(['EPIPE', 'ECONNRESET'].includes(error.code ?? ''), String(error))
              return {
                status: 413,
                body: { verdict: undefined, error: 'payload_too_large' },
                text: '',
              }
            })
        assert.ok(reply.status < 500, reply.text)
        const verdict = 'verdict' in reply.body ? reply.body.verdict : undefined
        if (ALLOWED.has(id)) assert.equal(verdict, 'CLEAR')
        else if (id === 'unicode_escape_key') assert.equal(verdict, 'BLOCK')
        else if (id === 'proto' || id === 'ctor') assert.equal(verdict, 'CLEAR')
        else if (id === 'http_expect_100') assert.equal(reply.status, 400)
        else if (!IGNORED.has(id))
          assert.ok(reply.status >= 400 && reply.status < 500, `${reply.status} ${reply.text}`)
        if (vector.expect === '400 invalid_json') assert.equal(reply.body.error, 'invalid_json')
        assert.equal(({} as Record<string, unknown>)['isAdmin'], undefined)
      })
    }
  },
)

describe('bodies of our own', () => {
  const token = () => party.agentToken
  const refused: [string, () => string | Buffer, string][] = [
    ['a negative amount', () => `{"token":"${token()}","amount":-1}`, 'invalid_request'],
    ['1e400', () => `{"token":"${token()}","amount":1e400}`, 'invalid_request'],
    ['1e-400', () => `{"token":"${token()}","amount":1e-400}`, 'invalid_request'],
    ['1e308', () => `{"token":"${token()}","amount":1e308}`, 'invalid_request'],
    [
      '9007199254740993',
      () => `{"token":"${token()}","amount":9007199254740993}`,
      'invalid_request',
    ],
    ['seven decimals', () => `{"token":"${token()}","amount":0.0000001}`, 'invalid_request'],
    ['NaN', () => `{"token":"${token()}","amount":NaN}`, 'invalid_json'],
    ['a duplicate amount', () => `{"token":"${token()}","amount":1,"amount":2}`, 'invalid_json'],
    [
      'a duplicate name in an escape',
      () => `{"token":"${token()}","amount":1,"cpName":"a","cp\\u004eame":"b"}`,
      'invalid_json',
    ],
    [
      'half a surrogate pair',
      () => `{"token":"${token()}","amount":1,"cpName":"\\ud800"}`,
      'invalid_request',
    ],
    [
      '33 levels',
      () => `{"token":"x","amount":1,"z":${'['.repeat(32)}${']'.repeat(32)}}`,
      'invalid_json',
    ],
    ['10,000 levels', () => '['.repeat(10_000), 'invalid_json'],
    ['bytes that are not UTF-8', () => Buffer.from([0x22, 0xc3, 0x28, 0x22]), 'invalid_json'],
    ['a byte order mark', () => '\ufeff{}', 'invalid_json'],
    [
      '100,000 members',
      () => `{${Array.from({ length: 9_000 }, (_, at) => `"${at}":1`).join()}}`.slice(0, 70_000),
      'payload_too_large',
    ],
  ]
  for (const [what, body, code] of refused) {
    test(`${what} is refused as ${code}`, async () => {
      const reply = await screenRaw(body())
      assert.equal(reply.body.error, code, reply.text)
      assert.equal('verdict' in reply.body, false)
    })
  }

  test('32 levels are allowed', async () => {
    const reply = await screenRaw(
      `{"token":"${token()}","amount":0,"z":${'['.repeat(31)}${']'.repeat(31)}}`,
    )
    assert.equal(reply.body.verdict, 'CLEAR')
  })

  test('`__proto__` and `constructor` change nothing for this request or any other', async () => {
    for (const member of ['__proto__', 'constructor']) {
      const reply = await screenRaw(
        `{"token":"${token()}","amount":0,"${member}":{"verdict":"BLOCK","cpName":"LAZARUS GROUP"}}`,
      )
      assert.equal(reply.body.verdict, 'CLEAR')
      assert.ok(reply.body.log.some(({ msg }) => msg.includes(member)))
    }
    assert.equal(({} as Record<string, unknown>)['verdict'], undefined)
  })

  test('no worst-case name holds the service up', async () => {
    for (const cpName of [
      'a '.repeat(250),
      '\ufdfa'.repeat(500),
      `a${'\u0301'.repeat(499)}`,
      'al '.repeat(166),
      '\u202e'.repeat(500),
    ]) {
      const start = performance.now()
      const reply = await api.screen(party, { amount: 0, cpName })
      assert.equal(reply.status, 200)
      assert.ok(performance.now() - start < 1_000, `${performance.now() - start} ms`)
    }
  })

  test('nothing of all this was spent', assertUnspent)
})

/** Sends bytes on a socket of its own; answers what came back until the other side closed. */
function raw(bytes: string | Buffer): Promise<string> {
  const { port, hostname } = new URL(api.url)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.end(bytes))
    socket.setTimeout(5_000, () => socket.destroy(new Error('no answer')))
    socket.on('data', (chunk) => (answer += chunk.toString('utf8')))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? undefined : reject(error),
    )
    socket.on('close', () => resolve(answer))
  })
}

function assertRefused(answer: string): void {
  assert.match(answer, /^HTTP\/1\.1 4\d\d /)
  assert.match(answer, /"error":"[a-z_]+","message":"[^"]+","requestId":"req_/)
}

describe('bytes on a socket', () => {
  const post = 'POST /v1/screen HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  const cases: Record<string, string | Buffer> = {
    'Content-Length and Transfer-Encoding together': `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'two Content-Lengths': `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
    'a negative Content-Length': `${post}Content-Length: -5\r\n\r\nhello`,
    'headers of 70 KiB': `GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(70_000)}\r\n\r\n`,
    garbage: '\u0000\u0001\u0002 nothing of HTTP \r\n\r\n',
    'a TLS hello': Buffer.from('16030100c8010000c40303', 'hex'),
    'a broken chunk': `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    'a header without a name': 'GET /v1/health HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n',
  }
  for (const [what, bytes] of Object.entries(cases)) {
    test(`${what}: an error in our shape, and the service goes on`, async () => {
      assertRefused(await raw(bytes))
      assert.equal((await api.health()).status, 'ok')
    })
  }

  test('headers of 30 KiB are taken, which Node alone would refuse', async () => {
    const answer = await raw(
      `GET /v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Long: ${'a'.repeat(30_000)}\r\n\r\n`,
    )
    assert.match(answer, /^HTTP\/1\.1 200 /)
  })
})

describe('tokens and receipts: every attack is refused by all three verifiers', () => {
  const { header, payload } = partsOf(party.agentToken)
  const operator = partsOf(party.operatorToken)
  const attacker = newKey('attacker')
  const genuine = genuineReceipt()
  type Claims = Readonly<Record<string, unknown>>
  interface Form {
    readonly header: Claims
    readonly claims: Claims
  }
  const now = Math.floor(Date.now() / 1_000)
  const publicBytes = [
    JSON.stringify({ kty: 'EC', crv: 'P-256', x: key.jwk['x'], y: key.jwk['y'] }),
    String(key.jwk['x']),
  ]
  const unsigned = (form: Form, more: object, signature: string) =>
    `${base64url(JSON.stringify({ ...form.header, ...more }))}.${base64url(JSON.stringify(form.claims))}${signature}`
  const withSignature = (form: Form, change: (signature: Buffer) => Buffer) => {
    const input = unsigned(form, {}, '')
    return `${input}.${base64url(change(signatureOf(key, input)))}`
  }
  const N = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')
  const n32 = Buffer.from(N.toString(16), 'hex')
  const zero = Buffer.alloc(32)
  const signed = (form: Form) => signJson(key, form.header, form.claims)

  const everywhere: Record<string, (form: Form) => string> = {
    ...Object.fromEntries(
      [
        'none',
        'None',
        'NONE',
        'nOnE',
        '',
        'null',
        'HS256',
        'HS384',
        'RS256',
        'PS256',
        'ES384',
        'ES512',
        'ES256K',
        'EdDSA',
        'ES256 ',
        'es256',
        'ES521',
      ].map((alg) => [
        `alg ${JSON.stringify(alg)}`,
        (form: Form) => signJson(key, { ...form.header, alg }, form.claims),
      ]),
    ),
    'alg none without a signature': (form) => unsigned(form, { alg: 'none' }, '.'),
    ...Object.fromEntries(
      publicBytes.map((secret, at) => [
        `HS256 keyed with the public key (${at})`,
        (form: Form) => {
          const input = unsigned(form, { alg: 'HS256' }, '')
          return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
        },
      ]),
    ),
    'no alg': (form) => signJson(key, { ...form.header, alg: undefined }, form.claims),
    'alg in a list': (form) => signJson(key, { ...form.header, alg: ['ES256'] }, form.claims),
    'alg twice': (form) =>
      signTexts(
        key,
        `{"alg":"none",${JSON.stringify(form.header).slice(1)}`,
        JSON.stringify(form.claims),
      ),
    'a claim twice': (form) =>
      signTexts(
        key,
        JSON.stringify(form.header),
        `{"iss":"x",${JSON.stringify(form.claims).slice(1)}`,
      ),
    ...Object.fromEntries(
      [
        '../../../../dev/null',
        '/dev/null',
        'file:///etc/passwd',
        'https://evil.example/jwks.json',
        "k' OR 1=1--",
        '__proto__',
        'constructor',
        'toString',
        '\u0000',
        '',
        'known\n',
        '$(id)',
        1,
        null,
      ].map((kid) => [
        `kid ${JSON.stringify(kid)}`,
        (form: Form) => signJson(key, { ...form.header, kid }, form.claims),
      ]),
    ),
    'no kid': (form) => signJson(key, { ...form.header, kid: undefined }, form.claims),
    'our kid, signed by another key': (form) => signJson(attacker, form.header, form.claims),
    ...Object.fromEntries(
      ['jwk', 'jku', 'x5u', 'x5c', 'x5t', 'x5t#S256', 'crit', 'b64', 'zip'].map((name) => [
        `header ${name}, even signed by us`,
        (form: Form) =>
          signJson(
            key,
            { ...form.header, [name]: name === 'jwk' ? attacker.jwk : [] },
            form.claims,
          ),
      ]),
    ),
    'an embedded key of the sender': (form) =>
      signJson(attacker, { ...form.header, kid: 'attacker', jwk: attacker.jwk }, form.claims),
    'five parts': (form) => `${signed(form)}.a.b`,
    'no typ': (form) => signJson(key, { ...form.header, typ: undefined }, form.claims),
    'another typ': (form) => signJson(key, { ...form.header, typ: 'application/x' }, form.claims),
    'signature in DER': (form) =>
      withSignature(form, (s) =>
        Buffer.concat([
          Buffer.from([0x30, 0x44, 2, 32]),
          s.subarray(0, 32),
          Buffer.from([2, 32]),
          s.subarray(32),
        ]),
      ),
    '63 bytes': (form) => withSignature(form, (s) => s.subarray(0, 63)),
    '65 bytes': (form) => withSignature(form, (s) => Buffer.concat([s, Buffer.from([0])])),
    'r = 0': (form) => withSignature(form, (s) => Buffer.concat([zero, s.subarray(32)])),
    's = 0': (form) => withSignature(form, (s) => Buffer.concat([s.subarray(0, 32), zero])),
    'r = n': (form) => withSignature(form, (s) => Buffer.concat([n32, s.subarray(32)])),
    's = n': (form) => withSignature(form, (s) => Buffer.concat([s.subarray(0, 32), n32])),
    '64 zero bytes': (form) => withSignature(form, () => Buffer.alloc(64)),
    '64 bytes of ff': (form) => withSignature(form, () => Buffer.alloc(64, 255)),
    'r and s swapped': (form) =>
      withSignature(form, (s) => Buffer.concat([s.subarray(32), s.subarray(0, 32)])),
    padding: (form) => `${signed(form)}==`,
    'the standard alphabet': (form) =>
      withSignature(form, (s) => s).replace(/\.[^.]*$/, (part) => `.+/${part.slice(3)}`),
    'a space inside': (form) => signed(form).replace('.', '. '),
    'four parts': (form) => `${signed(form)}.`,
    'two parts': (form) => unsigned(form, {}, ''),
    'dots alone': () => '..',
    'full-width dots': (form) => signed(form).replaceAll('.', '．'),
    'a list as payload': (form) => signJson(key, form.header, []),
    'null as payload': (form) => signJson(key, form.header, null),
    'a payload nested 1,000 deep': (form) =>
      signTexts(key, JSON.stringify(form.header), `{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`),
    'a payload that is not UTF-8': (form) =>
      signTexts(key, JSON.stringify(form.header), Buffer.from([0xff, 0xfe])),
    'more than 8 KiB': (form) =>
      signJson(key, form.header, { ...form.claims, x: 'a'.repeat(8_192) }),
    'another issuer': (form) =>
      signJson(key, form.header, { ...form.claims, iss: 'did:kya:other' }),
    'issuer in a list': (form) =>
      signJson(key, form.header, { ...form.claims, iss: ['did:kya:service-alpha'] }),
    'issuer with a space': (form) =>
      signJson(key, form.header, { ...form.claims, iss: 'did:kya:service-alpha ' }),
  }
  const times: Record<string, Claims> = {
    'exp one second ago': { exp: now - 1 },
    'exp now': { exp: now },
    'exp as text': { exp: '9999999999' },
    'exp null': { exp: null },
    'no exp': { exp: undefined },
    'exp negative': { exp: -1 },
    'exp in milliseconds': { exp: Date.now() * 1_000 },
    'exp with a fraction': { exp: 4e9 + 0.5 },
    'exp 1e15': { exp: 1e15 },
    'exp an object': { exp: {} },
    'exp true': { exp: true },
    'nbf in an hour': { nbf: now + 3_600 },
    'iat in a day': { iat: now + 86_400 },
  }
  for (const [what, claims] of Object.entries(times)) {
    everywhere[`credential with ${what}`] = (form) =>
      signJson(key, form.header, {
        ...form.claims,
        ...claims,
        ...('exp' in form.claims ? {} : { iss: 'x' }),
      })
  }
  everywhere['credential with exp 1e400'] = (form) =>
    signTexts(
      key,
      JSON.stringify(form.header),
      JSON.stringify(form.claims)
        .replace(/}$/, ',"exp2":1}')
        .replace(/"exp":\d+|"iss":"/, (found) =>
          found.startsWith('"exp') ? '"exp":1e400' : `${found}x`,
        ),
    )

  for (const [what, make] of Object.entries(everywhere)) {
    test(what, async () => {
      const asBearer = make({ header: operator.header, claims: operator.payload })
      const headerSafe = /^[\x21-\x7e ]*$/.test(asBearer)
      if (headerSafe) {
        const reply = await api.call('/v1/audit/txn_AAAAAAAA', { headers: bearer(asBearer) })
        assert.equal(reply.status, 401, reply.text)
      }
      const screened = await api.screen(party, { token: make({ header, claims: payload }) })
      assert.equal(screened.status, 200, screened.text)
      assert.ok(['UNKNOWN', 'BLOCK'].includes(screened.body.verdict), screened.text)
      const receipt = partsOf(await genuine)
      const verified = await api.verify(make({ header: receipt.header, claims: receipt.payload }))
      assert.equal(verified.body.valid, false, verified.text)
    })
  }

  test('what is signed anew without a change passes everywhere: the refusals have their own reason', async () => {
    assert.equal(
      (
        await api.call('/v1/audit/txn_AAAAAAAA', {
          headers: bearer(signJson(key, operator.header, operator.payload)),
        })
      ).status,
      404,
    )
    assert.equal(
      (await api.screen(party, { amount: 0, token: signJson(key, header, payload) })).body.verdict,
      'CLEAR',
    )
    const receipt = partsOf(await genuine)
    assert.equal(
      (await api.verify(signJson(key, receipt.header, receipt.payload))).body.valid,
      true,
    )
  })

  test('one kind of token never passes for another', async () => {
    for (const token of [party.agentToken, await genuine]) {
      assert.equal(
        (await api.call('/v1/audit/txn_AAAAAAAA', { headers: bearer(token) })).status,
        401,
      )
    }
    for (const token of [party.operatorToken, await genuine])
      assert.ok(['BLOCK', 'UNKNOWN'].includes((await api.screen(party, { token })).body.verdict))
    for (const token of [party.operatorToken, party.agentToken])
      assert.equal((await api.verify(token)).body.valid, false)
  })

  test('nothing of all this was spent', assertUnspent)

  async function genuineReceipt(): Promise<string> {
    const fresh: Party = await api.party()
    return (await api.screen(fresh)).body.receipt
  }
})
