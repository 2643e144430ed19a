/** `Idempotency-Key` over HTTP. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { movedClock } from '../../../test/support/clock.ts'
import { assertError } from '../../../test/support/errors.ts'
import { AN_AGENT, bearer, freshEmail, startTestService } from '../../../test/support/service.ts'

const clock = movedClock('2026-11-20T12:00:00.000Z')
const api = await startTestService({ PLAN_FREE_SCREENS: '100' }, { clock })
after(() => api.stop())
const key = (text: string) => ({ 'idempotency-key': text })

test('a screen is answered the same byte for byte, spends once and charges once, under 20 parallel identical requests', async () => {
  const party = await api.party({ dailyLimitUSDC: 10 })
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => api.screen(party, { amount: 10 }, key('pay-1'))),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
  assert.equal(replies[0]!.body.verdict, 'CLEAR')
  assert.deepEqual(
    new Set(replies.map(({ headers }) => headers['x-ratelimit-remaining'])),
    new Set(['99']),
  )
  assert.equal((await api.screen(party, { amount: 0 })).headers['x-ratelimit-remaining'], '98')
})

test('registrations are answered the same, tokens included', async () => {
  const email = freshEmail()
  const register = () =>
    api.call('/v1/operators/register', {
      body: { legalName: 'Twice Ltd', email },
      headers: key('register-1'),
    })
  const first = await register()
  assert.equal(first.status, 201)
  for (let i = 0; i < 5; i++) assert.equal((await register()).text, first.text)

  const party = await api.party()
  const agents = await Promise.all(
    [1, 2, 3].map(() => api.registerAgent(party, {}, key('agent-1'))),
  )
  assert.equal(new Set(agents.map(({ text }) => text)).size, 1)
})

test('the same key with another body, or for another operation, is refused', async () => {
  const party = await api.party()
  await api.screen(party, { amount: 1 }, key('k'))
  assertError(await api.screen(party, { amount: 2 }, key('k')), 'idempotency_key_reused')
  const other = await api.call('/v1/agents/register', {
    headers: { ...bearer(party.operatorToken), ...key('k') },
    body: AN_AGENT,
  })
  assertError(other, 'idempotency_key_reused')
})

test('the key of another operator is another key', async () => {
  const [mine, other] = [await api.party(), await api.party()]
  const [first, second] = [
    await api.screen(mine, {}, key('shared')),
    await api.screen(other, {}, key('shared')),
  ]
  assert.deepEqual([first.status, second.status], [200, 200])
  assert.notEqual(first.body.txnId, second.body.txnId)
})

test('a request that failed may be sent again under its key', async () => {
  const [mine, other] = [await api.party(), await api.party()]
  assert.equal(
    (await api.screen({ ...mine, agentToken: other.agentToken }, {}, key('again'))).status,
    403,
  )
  assert.equal((await api.screen(mine, {}, key('again'))).status, 200)
})

test('a key is forgotten after 24 hours', async () => {
  const party = await api.party()
  const first = await api.screen(party, {}, key('day'))
  clock.advance(86_399_999)
  assert.equal((await api.screen(party, {}, key('day'))).text, first.text)
  clock.advance(1)
  assert.notEqual((await api.screen(party, {}, key('day'))).body.txnId, first.body.txnId)
  clock.moveTo('2026-11-20T12:00:00.000Z')
})

test('a missing token is answered the same too, as a 400', async () => {
  const party = await api.party()
  const [first, second] = [
    await api.screen(party, { token: '' }, key('none')),
    await api.screen(party, { token: '' }, key('none')),
  ]
  assert.deepEqual([first.status, second.status, second.body.txnId], [400, 400, first.body.txnId])
})

test('a key that is empty, too long or not printable is refused', async () => {
  const party = await api.party()
  for (const wrong of ['a'.repeat(256), 'a b', 'ü']) {
    assertError(await api.screen(party, {}, key(wrong)), 'invalid_request', {
      field: 'Idempotency-Key',
    })
  }
})

test('neither a key nor a token stands in the store', async () => {
  const party = await api.party()
  await api.registerAgent(party, {}, key('a-key-to-look-for'))
  const bytes = ['', '-wal']
    .map((end) => readFileSync(join(api.dataDir, `portcullis.sqlite${end}`), 'latin1'))
    .join('')
  for (const secret of [
    'a-key-to-look-for',
    party.agentToken,
    party.operatorToken,
    'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCI',
  ]) {
    assert.equal(bytes.includes(secret), false)
  }
})
