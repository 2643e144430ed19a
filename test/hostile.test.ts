/**
 * Requests that somebody made on purpose: never a 5xx, nothing lost, nothing spent. Tokens and
 * receipts of that kind stand in hostile-tokens.test.ts.
 */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import type { ScreenResult } from '@portcullis/protocol'
import type { ErrorAnswer } from './support/http.ts'
import { A_PAYMENT, bearer, LISTED, startTestService, UNLISTED_WALLET } from './support/service.ts'
import { leftOut, sharedText } from './support/shared.ts'

const api = await startTestService()
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
      if (typeof raw === 'string') {
        return (ALLOWED.has(id) || HARMLESS.has(id) ? completed(raw) : raw)
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
    const HARMLESS = new Set(['proto', 'ctor'])
    /** With a wallet, and without an amount, so that the end can say: nothing was spent. */
    const completed = (text: string) =>
      text.replace('"amount":1', '"amount":0').replace('{', `{"cpWallet":"${UNLISTED_WALLET}",`)

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
              ...vector.headers,
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
        if (ALLOWED.has(id) || HARMLESS.has(id)) assert.equal(verdict, 'CLEAR', reply.text)
        else if (id === 'unicode_escape_key') assert.equal(verdict, 'BLOCK')
        else assert.ok(reply.status >= 400, `${reply.status} ${reply.text}`)
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
      `{"token":"${token()}","amount":0,"cpName":"Acme","z":${'['.repeat(31)}${']'.repeat(31)}}`,
    )
    assert.equal(reply.body.verdict, 'CLEAR')
  })

  test('`__proto__` and `constructor` change nothing for this request or any other', async () => {
    for (const member of ['__proto__', 'constructor']) {
      const reply = await screenRaw(
        `{"token":"${token()}","amount":0,"cpName":"Acme","${member}":{"verdict":"BLOCK","cpName":"LAZARUS GROUP"}}`,
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

  test('Expect: 100-continue is answered with 100, then with the verdict', async () => {
    const body = JSON.stringify({ token: party.agentToken, ...A_PAYMENT, amount: 0 })
    const head = `${post}Authorization: Bearer ${party.operatorToken}\r\nConnection: close\r\n`
    const answer = await raw(
      `${head}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
    assert.match(answer, /"verdict":"CLEAR"/)
  })

  test('an expectation that is not 100-continue does not hang, and has no verdict', async () => {
    const answer = await raw(`${post}Expect: miracles\r\nContent-Length: 2\r\n\r\n{}`)
    assert.match(answer, /^HTTP\/1\.1 4\d\d /)
    assert.doesNotMatch(answer, /verdict/)
  })
})
