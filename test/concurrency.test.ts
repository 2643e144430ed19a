/** Limits under parallel load: exact to the micro-dollar and to the screen. */
import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { after, test } from 'node:test'
import { microUsd } from '@portcullis/protocol'
import { inParallel, random, range } from './support/load.ts'
import {
  A_PAYMENT,
  ANY_RATE,
  bearer,
  type Party,
  startTestService,
  type ScreenReply,
} from './support/service.ts'

const api = await startTestService(ANY_RATE)
const agent = new Agent({ keepAlive: true, maxSockets: 500 })
after(() => agent.destroy())

const together = (party: Party, amounts: readonly number[]): Promise<ScreenReply[]> =>
  Promise.all(
    amounts.map(
      (amount) =>
        api.call('/v1/screen', {
          agent,
          headers: bearer(party.operatorToken),
          body: { token: party.agentToken, ...A_PAYMENT, amount },
        }) as Promise<ScreenReply>,
    ),
  )

test('500 concurrent screens of 10 USD against a daily limit of 1,000 USD: exactly 100 CLEAR, 400 REVIEW R11', async () => {
  const party = await api.party({ dailyLimitUSDC: 1_000 })
  const replies = await together(
    party,
    range(500).map(() => 10),
  )
  assert.equal(
    replies.every(({ status }) => status === 200),
    true,
  )
  assert.equal(replies.filter(({ body }) => body.verdict === 'CLEAR').length, 100)
  assert.equal(
    replies.filter(
      ({ body }) => body.verdict === 'REVIEW' && body.ruleTriggered === 'R11_DAILY_LIMIT',
    ).length,
    400,
  )
})

test('random amounts with cents under parallel load never pass the limit by a micro-dollar, and fill it', async () => {
  const next = random(20_261_120)
  const limit = microUsd(777.77)!
  const party = await api.party({ dailyLimitUSDC: 777.77 })
  const amounts = range(400).map(() => Math.round(next() * 1_000 + 1) / 100)
  const replies = await together(party, amounts)
  const records = await inParallel(replies, 32, ({ body }) => api.audit(party, body.txnId))
  let total = 0n
  for (const { status, body } of records) {
    assert.equal(status, 200)
    if (body.verdict === 'CLEAR') total += microUsd(body._request.amount!)!
  }
  assert.ok(total <= limit, `${total} is above ${limit}`)
  // Amounts go up to 10.01 USD: a payment was turned away only when it would have passed the limit.
  assert.ok(total > limit - 10_010_000n, `only ${total} of ${limit} was let through`)
  const rest = Number(limit - total) / 1_000_000
  if (rest > 0) assert.equal((await api.screen(party, { amount: rest })).body.verdict, 'CLEAR')
  assert.equal(
    (await api.screen(party, { amount: 0.000001 })).body.ruleTriggered,
    'R11_DAILY_LIMIT',
  )
})

test('two agents of one operator have a day each', async () => {
  const party = await api.party({ dailyLimitUSDC: 50 })
  const second = (await api.registerAgent(party, { spendPolicy: { dailyLimitUSDC: 50 } })).body
  const tens = range(20).map(() => 10)
  const [mine, other] = await Promise.all([
    together(party, tens),
    together({ ...party, agentToken: second.token }, tens),
  ])
  for (const replies of [mine, other]) {
    assert.equal(replies.filter(({ body }) => body.verdict === 'CLEAR').length, 5)
  }
})
