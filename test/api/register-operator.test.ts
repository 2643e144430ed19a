/** POST /v1/operators/register */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DAY_MS } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { assertError } from '../support/errors.ts'
import { partsOf } from '../support/jws.ts'
import { freshEmail, LISTED, startTestService, UNLISTED_WALLET } from '../support/service.ts'

const clock = movedClock('2026-11-20T12:00:00.250Z')
const api = await startTestService({}, { clock })
after(() => api.stop())

const vcOf = (token: string) => {
  const { payload } = partsOf(token)
  return {
    payload,
    vc: payload['vc'] as { type: string[]; credentialSubject: Record<string, unknown> },
  }
}

describe('201', () => {
  test('answers every specified field and nothing else', async () => {
    const { status, body } = await api.register()
    assert.equal(status, 201)
    const { operatorId, agentId, operatorToken, agentToken, token, ...rest } = body
    assert.match(operatorId, /^op_[0-9a-z]{16}$/)
    assert.match(agentId, /^agt_[0-9a-z]{16}$/)
    assert.equal(token, operatorToken)
    assert.notEqual(agentToken, operatorToken)
    assert.deepEqual(rest, {
      status: 'ACTIVE',
      ofacAtIssuance: 'CLEAR',
      issuedAt: '2026-11-20T12:00:00.250Z',
      expiresAt: '2027-11-20T12:00:00.250Z',
      plan: 'free',
    })
  })

  test('issues a KYAOperatorCredential for a year, a KYAAgentCredential for 90 days', async () => {
    const { body } = await api.register({ legalName: '  Two Credentials Ltd ' })
    const operator = vcOf(body.operatorToken)
    const agent = vcOf(body.agentToken ?? '')
    const issued = Math.floor(clock.now() / 1_000)
    assert.deepEqual(operator.vc.type, ['VerifiableCredential', 'KYAOperatorCredential'])
    assert.deepEqual(agent.vc.type, ['VerifiableCredential', 'KYAAgentCredential'])
    assert.equal(operator.payload['exp'], issued + 365 * 86_400)
    assert.equal(agent.payload['exp'], issued + 90 * 86_400)
    assert.equal(operator.payload['sub'], body.operatorId)
    assert.equal(agent.payload['sub'], body.agentId)
    assert.equal(operator.payload['iss'], 'did:kya:service-alpha')
    assert.equal(operator.vc.credentialSubject['legalName'], 'Two Credentials Ltd')
    assert.equal(agent.vc.credentialSubject['operatorLegalName'], 'Two Credentials Ltd')
  })

  test('gives an agent that can screen at once, under the policy of the registration', async () => {
    const party = await api.party({ maxSingleTxUSDC: 5, allowedPaymentRails: ['ach'] })
    assert.equal((await api.screen(party, { amount: 5 })).body.verdict, 'CLEAR')
    assert.equal((await api.screen(party, { amount: 6 })).body.ruleTriggered, 'R10_SINGLE_TX_LIMIT')
    assert.equal(
      (await api.screen(party, { amount: 5, rail: 'WIRE' })).body.ruleTriggered,
      'R18_RAIL_POLICY',
    )
  })

  test('takes an explicit null for an optional field as left out', async () => {
    assert.equal((await api.register({ wallet: null, description: null })).status, 201)
  })

  for (const plan of ['starter', 'pro']) {
    test(`the ${plan} plan has no agent token, and screens answer 402`, async () => {
      const { status, body } = await api.register({ plan })
      assert.equal(status, 201)
      assert.equal(body.plan, plan)
      assert.equal(body.agentToken, null)
      const screened = await api.screen({ ...body, agentToken: body.operatorToken }, {})
      assertError(screened, 'payment_required')
      assert.match(screened.body.checkoutUrl ?? '', /^http.*\/v1\/billing\/checkout$/)
    })
  }
})

describe('403 sanctions_match', () => {
  const attempts = {
    'legal name': { legalName: LISTED.name },
    'legal name in another case': { legalName: 'Lazarus  group' },
    'email that is a listed name': { email: 'lazarus.group@example.com' },
    wallet: { wallet: LISTED.wallet },
    'wallet in lower case': { wallet: LISTED.wallet.toLowerCase() },
  }
  for (const [what, body] of Object.entries(attempts)) {
    test(`refuses a listed ${what} without naming the entry`, async () => {
      const reply = await api.register(body)
      assertError(reply, 'sanctions_match')
      assert.deepEqual(Object.keys(reply.body).toSorted(), ['error', 'message', 'requestId'])
      assert.doesNotMatch(reply.text, /lazarus|hidden cobra|dprk|0x098b|sdn/i)
    })
  }

  test('spends none of the registrations of the email', async () => {
    const email = freshEmail()
    for (let i = 0; i < 5; i++)
      assert.equal((await api.register({ email, legalName: LISTED.name })).status, 403)
    assert.equal((await api.register({ email })).status, 201)
  })
})

describe('429 rate_limit_exceeded', () => {
  test('refuses the 4th registration of an email on one day, whatever its case', async () => {
    const email = freshEmail()
    for (const spelling of [email, email.toUpperCase(), ` ${email} `]) {
      assert.equal((await api.register({ email: spelling })).status, 201)
    }
    assertError(
      await api.register({ email: email.replace('party', 'Party') }),
      'rate_limit_exceeded',
    )
    assert.equal((await api.register()).status, 201)
  })

  test('lets exactly three of twenty simultaneous ones through', async () => {
    const email = freshEmail()
    const replies = await Promise.all(Array.from({ length: 20 }, () => api.register({ email })))
    assert.equal(replies.filter(({ status }) => status === 201).length, 3)
    assert.equal(replies.filter(({ status }) => status === 429).length, 17)
  })

  test('counts anew on the next UTC day', async () => {
    const email = freshEmail()
    for (let i = 0; i < 3; i++) await api.register({ email })
    assert.equal((await api.register({ email })).status, 429)
    clock.advance(DAY_MS)
    assert.equal((await api.register({ email })).status, 201)
    clock.advance(-DAY_MS)
  })
})

describe('400 invalid_request', () => {
  const wrong: [string, object, string][] = [
    ['a missing legalName', { legalName: undefined }, 'legalName'],
    ['a missing email', { email: undefined }, 'email'],
    ['a number as legalName', { legalName: 7 }, 'legalName'],
    ['a null legalName', { legalName: null }, 'legalName'],
    ['a list as email', { email: ['a@b.example'] }, 'email'],
    ['a blank legalName', { legalName: ' \t ' }, 'legalName'],
    ['an empty legalName', { legalName: '' }, 'legalName'],
    ['text that is no email', { email: 'nobody' }, 'email'],
    ['an email with a space', { email: 'no body@example.com' }, 'email'],
    ['a legalName past its length', { legalName: 'a'.repeat(501) }, 'legalName'],
    ['a plan that is none', { plan: 'gold' }, 'plan'],
    ['a number as wallet', { wallet: 5 }, 'wallet'],
    ['a misspelt legalname', { legal_name: 'x' }, 'legal_name'],
    ['a misspelt walet', { walet: UNLISTED_WALLET }, 'walet'],
    ['a misspelt spendPolicies', { spendPolicys: {} }, 'spendPolicys'],
    ['a negative limit', { spendPolicy: { dailyLimitUSDC: -1 } }, 'spendPolicy.dailyLimitUSDC'],
    [
      'a limit in millionths of a cent',
      { spendPolicy: { dailyLimitUSDC: 0.0000001 } },
      'spendPolicy.dailyLimitUSDC',
    ],
    ['an unknown chain', { spendPolicy: { allowedChains: ['DOGE'] } }, 'spendPolicy.allowedChains'],
    ['an unknown policy field', { spendPolicy: { dailyLimit: 5 } }, 'spendPolicy.dailyLimit'],
  ]
  for (const [what, body, field] of wrong) {
    test(`refuses ${what} and names the field`, async () => {
      assertError(await api.register(body), 'invalid_request', { field })
    })
  }
})

test('a misspelt field is never taken as a stranger that may be ignored', async () => {
  for (const field of ['Wallet', 'WALLET', 'wallets', 'wallet ', 'e-mail', 'planx']) {
    assertError(await api.register({ [field]: 'x' }), 'invalid_request', { field })
  }
})
