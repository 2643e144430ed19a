/** POST /v1/agents/register */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { movedClock } from '../support/clock.ts'
import { assertError } from '../support/errors.ts'
import { partsOf } from '../support/jws.ts'
import { AN_AGENT, LISTED, startTestService } from '../support/service.ts'

const clock = movedClock('2026-11-20T12:00:00.000Z')
const api = await startTestService({}, { clock })
after(() => api.stop())
const party = await api.party()

describe('201', () => {
  test('answers the agent id, its token and the credential body of the specification', async () => {
    const { status, body } = await api.registerAgent(party, {
      spendPolicy: {
        maxSingleTxUSDC: 100,
        allowedChains: ['base', ' eth '],
        noMixerProtocols: true,
      },
    })
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body).toSorted(), ['agentId', 'credential', 'token'])
    const { '@context': context, ...credential } = body.credential as Record<string, unknown>
    assert.ok(Array.isArray(context) && context.length === 2)
    assert.equal(context[0], 'https://www.w3.org/2018/credentials/v1')
    assert.deepEqual(credential, {
      type: ['VerifiableCredential', 'KYAAgentCredential'],
      issuer: 'did:kya:service-alpha',
      credentialSubject: {
        agentId: body.agentId,
        agentName: AN_AGENT.agentName,
        agentType: 'supervised',
        operatorLegalName: AN_AGENT.operatorLegalName,
        spendPolicy: {
          maxSingleTxUSDC: 100,
          allowedChains: ['BASE', 'ETH'],
          noMixerProtocols: true,
        },
        complianceAttestation: {
          ofacAtIssuance: 'CLEAR',
          screenedAt: '2026-11-20T12:00:00.000Z',
          credentialStatus: 'ACTIVE',
        },
      },
      expirationDate: '2027-02-19T12:00:00.000Z',
    })
  })

  test('signs that very body into the token, valid for 91 days', async () => {
    const { body } = await api.registerAgent(party)
    const { header, payload } = partsOf(body.token)
    assert.equal(header['alg'], 'ES256')
    assert.equal(header['kid'], (await api.jwks()).keys[0]?.kid)
    assert.deepEqual(payload['vc'], body.credential)
    assert.equal(payload['sub'], body.agentId)
    assert.equal(payload['exp'], clock.now() / 1_000 + 91 * 86_400)
    assert.equal(payload['nbf'], clock.now() / 1_000)
  })

  test('gives an agent that screens under its own name, mode and policy', async () => {
    const { body } = await api.registerAgent(party, {
      agentType: 'autonomous',
      spendPolicy: { maxSingleTxUSDC: 5, allowedRails: ['WIRE'] },
    })
    const mine = { ...party, agentToken: body.token }
    const screened = (await api.screen(mine, { amount: 6 })).body
    assert.deepEqual(
      [screened.agentId, screened.agentName, screened.agentMode, screened.ruleTriggered],
      [body.agentId, AN_AGENT.agentName, 'autonomous', 'R10_SINGLE_TX_LIMIT'],
    )
    assert.equal(
      (await api.screen(mine, { amount: 1, rail: 'ach' })).body.ruleTriggered,
      'R18_RAIL_POLICY',
    )
  })
})

describe('400 invalid_request', () => {
  const wrong: [string, object, string][] = [
    ['a missing agentName', { agentName: undefined }, 'agentName'],
    ['a missing agentType', { agentType: undefined }, 'agentType'],
    ['a missing operatorLegalName', { operatorLegalName: undefined }, 'operatorLegalName'],
    ['a missing purpose', { purpose: undefined }, 'purpose'],
    ['an agentType that is none', { agentType: 'Autonomous' }, 'agentType'],
    ['a blank purpose', { purpose: '  ' }, 'purpose'],
    ['a number as agentName', { agentName: 1 }, 'agentName'],
    ['a policy that is text', { spendPolicy: 'none' }, 'spendPolicy'],
    ['an unknown policy field', { spendPolicy: { maxSingleTx: 5 } }, 'spendPolicy.maxSingleTx'],
    [
      'both names of the rails with two values',
      { spendPolicy: { allowedRails: ['ACH'], allowedPaymentRails: ['WIRE'] } },
      'spendPolicy.allowedPaymentRails',
    ],
    ['a misspelt operatorWalet', { operatorWalet: LISTED.wallet }, 'operatorWalet'],
  ]
  for (const [what, body, field] of wrong) {
    test(`refuses ${what} and names the field`, async () => {
      assertError(await api.registerAgent(party, body), 'invalid_request', { field })
    })
  }
})

describe('401 unauthorized', () => {
  test('refuses a caller without a Bearer credential, before it reads the body', async () => {
    const reply = await api.call('/v1/agents/register', { body: '{' })
    assertError(reply, 'unauthorized')
    assert.equal(reply.headers['www-authenticate'], 'Bearer')
  })

  test('refuses an agent credential in the place of an operator credential', async () => {
    assertError(
      await api.registerAgent({ ...party, operatorToken: party.agentToken }),
      'unauthorized',
    )
  })

  test('refuses an operator credential past its year', async () => {
    clock.advance(366 * 86_400_000)
    assertError(await api.registerAgent(party), 'unauthorized')
    clock.advance(-366 * 86_400_000)
    assert.equal((await api.registerAgent(party)).status, 201)
  })
})

describe('403 sanctions_match', () => {
  const attempts = {
    operatorLegalName: { operatorLegalName: LISTED.name },
    operatorWallet: { operatorWallet: LISTED.wallet },
  }
  for (const [field, body] of Object.entries(attempts)) {
    test(`refuses a listed ${field} without naming the entry`, async () => {
      const reply = await api.registerAgent(party, body)
      assertError(reply, 'sanctions_match')
      assert.doesNotMatch(reply.text, /lazarus|dprk|0x098b|sdn/i)
    })
  }
})
