/** What a request leaves in the log: enough to find it again, and nothing of what it said. */
import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { requestHash } from '@portcullis/protocol'
import pino from 'pino'
import { A_PAYMENT, type Party, startTestService } from '../../../test/support/service.ts'

type Line = Readonly<Record<string, unknown>>

const lines: Line[] = []
const logger = pino(
  { level: 'info', base: null },
  { write: (text: string) => lines.push(JSON.parse(text) as Line) },
)
const api = await startTestService({ PLAN_FREE_SCREENS: '1' }, { logger })
after(() => api.stop())

const SECRET_NAME = 'Marguerite Unlisted'
const SECRET_WALLET = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const SECRETS = { cpName: SECRET_NAME, cpWallet: SECRET_WALLET }

/** The log line of a screen, which is written once its answer has gone out. */
async function lineOf(requestId: unknown): Promise<Line> {
  for (let tries = 0; tries < 200; tries++) {
    const found = lines.find((line) => line['requestId'] === requestId && line['msg'] === 'request')
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return assert.fail('the request left no line in the log')
}

function assertSilent(party: Party): void {
  const text = JSON.stringify(lines).toLowerCase()
  for (const secret of [SECRET_NAME, SECRET_WALLET, party.agentToken, party.operatorToken]) {
    assert.equal(text.includes(secret.toLowerCase()), false, 'the log quotes what was sent')
  }
}

async function failedScreen(party: Party, body: string | object) {
  const reply = await api.call<{ error: string; requestId: string }>('/v1/screen', {
    headers: { authorization: `Bearer ${party.operatorToken}` },
    body,
  })
  assertSilent(party)
  const line = await lineOf(reply.headers['x-request-id'])
  assert.equal(line['status'], reply.status)
  assert.equal(line['error'], reply.body.error)
  assert.equal('verdict' in line || 'txnId' in line, false)
  return line
}

test('a screen is logged with its verdict, transaction, rule and caller', async () => {
  const party = await api.party()
  const { body, headers } = await api.screen(party, SECRETS)
  const line = await lineOf(headers['x-request-id'])
  assert.deepEqual(
    [line['verdict'], line['txnId'], line['rule'], line['operatorId'], line['error']],
    ['CLEAR', body.txnId, null, party.operatorId, undefined],
  )
  assertSilent(party)
})

test('a screen that failed is logged with its reason, caller and request hash, and quotes nothing', async () => {
  const [party, other] = [await api.party(), await api.party()]
  const payment = { token: party.agentToken, ...A_PAYMENT, ...SECRETS, chain: 'base' }
  const hash = requestHash(payment)
  await api.screen(party, SECRETS)
  const cases: [string, object, Line][] = [
    ['past the quota', payment, { error: 'rate_limit_exceeded', status: 429 }],
    ["another's agent", { ...payment, token: other.agentToken }, { error: 'forbidden' }],
    ['a field', { ...payment, rail: 'CASH' }, { error: 'invalid_request', field: 'rail' }],
    ['a type', { ...payment, protocol: [SECRET_NAME] }, { field: 'protocol' }],
    ['a slip', { ...payment, cpWalet: SECRET_WALLET }, { field: undefined }],
  ]
  for (const [what, body, expected] of cases) {
    const line = await failedScreen(party, body)
    assert.equal(line['requestHash'], hash, what)
    assert.equal(line['operatorId'], party.operatorId, what)
    for (const [name, value] of Object.entries(expected)) assert.equal(line[name], value, what)
  }
})

test('a field whose name is a name or a wallet is not quoted', async () => {
  const party = await api.party()
  for (const secret of Object.values(SECRETS)) {
    const line = await failedScreen(party, `{"${secret}":1,"${secret}":2}`)
    assert.equal(line['operatorId'], party.operatorId)
    assert.equal('requestHash' in line, false)
  }
})

test('a screen is logged when its body cannot be read, and when the store is gone', async () => {
  const party = await api.party()
  const unread = await failedScreen(party, `{"cpName":"${SECRET_NAME}"`)
  assert.deepEqual(
    [unread['error'], unread['operatorId'], unread['requestHash']],
    ['invalid_json', party.operatorId, undefined],
  )
  mock.method(api.service.env.store, 'commitScreen', () =>
    Promise.reject(new Error('the disk is gone')),
  )
  const body = { token: party.agentToken, ...A_PAYMENT, ...SECRETS }
  const line = await failedScreen(party, body)
  mock.restoreAll()
  assert.deepEqual(
    [line['status'], line['error'], line['requestHash']],
    [500, 'internal_error', requestHash(body)],
  )
})
