/** POST /v1/screen: what is refused, and what a refusal costs (nothing). */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { nextUtcMonth } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { assertError } from '../support/errors.ts'
import { inParallel, range } from '../support/load.ts'
import { LISTED, startTestService, UNLISTED_WALLET } from '../support/service.ts'

const clock = movedClock('2026-11-20T12:00:00.000Z')
const api = await startTestService({ PLAN_FREE_SCREENS: '25' }, { clock })
after(() => api.stop())

const quotaOf = ({ headers }: { headers: Record<string, unknown> }) =>
  ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`])
const RESET = String(nextUtcMonth(clock.now()) / 1_000)

describe('400 missing_token', () => {
  for (const [what, token] of [
    ['left out', undefined],
    ['null', null],
    ['empty', ''],
    ['blank', '  '],
  ]) {
    test(`a token that is ${what}: an error and a full UNKNOWN result in one, audited and with a receipt`, async () => {
      const party = await api.party()
      const reply = await api.screen(party, { token, amount: 3.5, cpName: 'Acme' })
      assertError(reply, 'missing_token')
      const {
        verdict,
        ruleTriggered,
        signals,
        txnId,
        receipt,
        agentId,
        lists,
        log,
        matches,
        riskScore,
      } = reply.body
      assert.deepEqual(
        [verdict, ruleTriggered, signals.credential, agentId],
        ['UNKNOWN', 'R1_NO_CREDENTIAL', 'MISSING', null],
      )
      assert.ok(lists.length > 0 && log.length > 0 && Array.isArray(matches) && riskScore > 0)
      assert.equal((await api.verify(receipt)).body.claims?.verdict, 'UNKNOWN')
      const record = await api.audit(party, txnId)
      assert.deepEqual([record.body.verdict, record.body._request.amount], ['UNKNOWN', 3.5])
      assert.deepEqual(quotaOf(reply), ['25', '25', RESET])
    })
  }

  test('an amount may be missing with the token', async () => {
    const reply = await api.screen(await api.party(), { token: undefined, amount: undefined })
    assertError(reply, 'missing_token')
    assert.equal(reply.body.verdict, 'UNKNOWN')
  })
})

describe('400 invalid_request', () => {
  const wrong: [string, object, string][] = [
    ['a missing amount', { amount: undefined }, 'amount'],
    ['a negative amount', { amount: -0.01 }, 'amount'],
    ['seven decimals', { amount: 1.0000001 }, 'amount'],
    ['an amount at the ceiling', { amount: 1_000_000_000 }, 'amount'],
    ['an amount as text', { amount: '10' }, 'amount'],
    ['a null amount', { amount: null }, 'amount'],
    ['a token that is a number', { token: 7 }, 'token'],
    ['a name that is a list', { cpName: ['Acme'] }, 'cpName'],
    ['a name past its length', { cpName: 'a'.repeat(501) }, 'cpName'],
    ['a wallet past its length', { cpWallet: 'a'.repeat(257) }, 'cpWallet'],
    ['an unknown chain', { chain: 'DOGE' }, 'chain'],
    ['an unknown rail', { rail: 'CASH' }, 'rail'],
    ['an unknown cpType', { cpType: 'friend' }, 'cpType'],
    ['unknown lists', { lists: 'none' }, 'lists'],
    ['a bar in the wallet', { cpWallet: `${UNLISTED_WALLET}|5` }, 'cpWallet'],
    ['a bar in the chain', { chain: 'BASE|' }, 'chain'],
  ]
  const misspelt = [
    'cpWalet',
    'cp_wallet',
    'CPWALLET',
    'cpwallet',
    'wallet',
    'to',
    'payTo',
    'cpname',
    'cp-name',
    'counterpartyName',
    'recipient',
    'ammount',
    'amounts',
    'chian',
    'rial',
    'protocl',
    'network',
  ]
  for (const name of misspelt)
    wrong.push([`the likely misspelling ${name}`, { [name]: LISTED.wallet }, name])
  for (const [what, payment, field] of wrong) {
    test(`refuses ${what}, names the field, and charges nothing`, async () => {
      const party = await api.party()
      const reply = await api.screen(party, payment)
      assertError(reply, 'invalid_request', { field })
      assert.equal('verdict' in reply.body, false)
      assert.equal(quotaOf(await api.screen(party))[1], '24')
    })
  }
})

describe('401 unauthorized', () => {
  test('refuses a caller without a Bearer credential, with a broken one, or with an agent credential', async () => {
    const party = await api.party()
    const without = await api.call('/v1/screen', { body: { token: party.agentToken, amount: 1 } })
    assertError(without, 'unauthorized')
    for (const authorization of [
      'Bearer',
      'Bearer x',
      `Basic ${party.operatorToken}`,
      party.operatorToken,
      `Bearer ${party.operatorToken} x`,
      `Bearer ${party.agentToken}`,
    ]) {
      assertError(await api.screen(party, {}, { authorization }), 'unauthorized')
    }
    assert.equal(
      (await api.screen(party, {}, { authorization: `bearer ${party.operatorToken}` })).status,
      200,
    )
  })
})

describe('402 payment_required', () => {
  test('answers a paid plan whose checkout is not complete, with checkoutUrl', async () => {
    const { body } = await api.register({ plan: 'pro' })
    const reply = await api.screen({ ...body, agentToken: 'x' })
    assertError(reply, 'payment_required')
    assert.ok(URL.canParse(reply.body.checkoutUrl ?? ''))
  })
})

describe('403 forbidden', () => {
  test("refuses another operator's agent: neither is charged, and no day is spent", async () => {
    const [mine, other] = [await api.party(), await api.party({ dailyLimitUSDC: 10 })]
    assertError(await api.screen({ ...mine, agentToken: other.agentToken }), 'forbidden')
    assert.equal(quotaOf(await api.screen(mine))[1], '24')
    const theirs = await api.screen(other, { amount: 10 })
    assert.equal(theirs.body.verdict, 'CLEAR')
    assert.equal(quotaOf(theirs)[1], '24')
  })
})

describe('429 rate_limit_exceeded', () => {
  test('counts CLEAR, REVIEW and BLOCK, not UNKNOWN and not errors, and reports it in the headers', async () => {
    const party = await api.party({ maxSingleTxUSDC: 10 })
    assert.deepEqual(quotaOf(await api.screen(party)), ['25', '24', RESET])
    assert.deepEqual(quotaOf(await api.screen(party, { amount: 11 })), ['25', '23', RESET])
    assert.deepEqual(quotaOf(await api.screen(party, { cpName: LISTED.name })), ['25', '22', RESET])
    assert.deepEqual(quotaOf(await api.screen(party, { token: 'x' })), ['25', '22', RESET])
    assert.deepEqual(quotaOf(await api.screen(party, { token: '' })), ['25', '22', RESET])
    assert.equal((await api.screen(party, { amount: -1 })).status, 400)
    assert.deepEqual(quotaOf(await api.screen(party)), ['25', '21', RESET])
  })

  test('is exact under 60 parallel screens: 25 verdicts, 35 refusals with upgradeUrl and used/limit', async () => {
    const party = await api.party()
    const replies = await inParallel(range(60), 60, () => api.screen(party))
    assert.equal(replies.filter(({ status }) => status === 200).length, 25)
    const refused = replies.filter(({ status }) => status === 429)
    assert.equal(refused.length, 35)
    for (const reply of refused) {
      assertError(reply, 'rate_limit_exceeded', { message: /25\/25/ })
      assert.ok(URL.canParse(reply.body.upgradeUrl ?? ''))
      assert.deepEqual(quotaOf(reply), ['25', '0', RESET])
    }
    const remaining = replies
      .filter(({ status }) => status === 200)
      .map((reply) => Number(quotaOf(reply)[1]))
    assert.deepEqual(
      remaining.toSorted((a, b) => a - b),
      range(25),
    )
  })

  test('still screens a payment without a sound credential when the month is used up, and starts anew with the next month', async () => {
    const party = await api.party()
    await inParallel(range(25), 25, () => api.screen(party))
    assert.equal((await api.screen(party)).status, 429)
    assert.equal((await api.screen(party, { token: 'x' })).body.verdict, 'UNKNOWN')
    clock.moveTo('2026-12-01T00:00:00.000Z')
    assert.equal(quotaOf(await api.screen(party))[1], '24')
    clock.moveTo('2026-11-20T12:00:00.000Z')
  })

  test('a refused screen spends nothing of the day', async () => {
    const party = await api.party({ dailyLimitUSDC: 260 })
    await inParallel(range(25), 25, () => api.screen(party))
    assert.equal((await api.screen(party, { amount: 10 })).status, 429)
    clock.moveTo('2026-11-20T13:00:00.000Z')
  })
})
