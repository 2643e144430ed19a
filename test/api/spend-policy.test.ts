/** PATCH /v1/agents/:agentId/spend-policy */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { SpendPolicyChange } from '@portcullis/protocol'
import { assertError } from '../support/errors.ts'
import type { ErrorAnswer } from '../support/http.ts'
import { bearer, type Party, startTestService } from '../support/service.ts'

const api = await startTestService()
after(() => api.stop())

interface PolicyAnswer extends ErrorAnswer {
  readonly agentId: string
  readonly spendPolicy: SpendPolicyChange
  readonly updatedAt: string
}

const patch = (party: Party, body: object | string, agentId = party.agentId) =>
  api.call<PolicyAnswer>(`/v1/agents/${agentId}/spend-policy`, {
    method: 'PATCH',
    headers: bearer(party.operatorToken),
    body,
  })

const policyOf = async (party: Party, change: object | string) => {
  const { status, body, text } = await patch(party, change)
  assert.equal(status, 200, text)
  return body.spendPolicy
}

describe('200', () => {
  test('keeps what is omitted, replaces what is given, clears what is null', async () => {
    const party = await api.party({
      maxSingleTxUSDC: 10,
      dailyLimitUSDC: 100,
      allowedChains: ['BASE'],
    })
    assert.deepEqual(await policyOf(party, { maxSingleTxUSDC: 20.5, dailyLimitUSDC: null }), {
      maxSingleTxUSDC: 20.5,
      allowedChains: ['BASE'],
    })
    assert.deepEqual(await policyOf(party, { allowedChains: [], noMixerProtocols: false }), {
      maxSingleTxUSDC: 20.5,
      allowedChains: [],
      noMixerProtocols: false,
    })
  })

  test('answers the agent, the whole policy and the time of the change', async () => {
    const party = await api.party()
    const { body } = await patch(party, { maxSingleTxUSDC: 1 })
    assert.deepEqual(Object.keys(body).toSorted(), ['agentId', 'spendPolicy', 'updatedAt'])
    assert.equal(body.agentId, party.agentId)
    assert.equal(new Date(body.updatedAt).toISOString(), body.updatedAt)
  })

  for (const name of ['allowedRails', 'allowedPaymentRails']) {
    test(`takes ${name}, and answers both names`, async () => {
      const party = await api.party()
      assert.deepEqual(await policyOf(party, { [name]: ['usdc', ' Wire'] }), {
        allowedRails: ['USDC', 'WIRE'],
        allowedPaymentRails: ['USDC', 'WIRE'],
      })
      assert.deepEqual(await policyOf(party, { [name]: null }), {})
    })
  }

  test('binds the very next screen, with the credential that was issued before', async () => {
    const party = await api.party()
    assert.equal((await api.screen(party, { amount: 50 })).body.verdict, 'CLEAR')
    await patch(party, { maxSingleTxUSDC: 49.999999 })
    assert.equal(
      (await api.screen(party, { amount: 50 })).body.ruleTriggered,
      'R10_SINGLE_TX_LIMIT',
    )
    await patch(party, { maxSingleTxUSDC: null })
    assert.equal((await api.screen(party, { amount: 50 })).body.verdict, 'CLEAR')
  })

  test('stores chains and rails upper-cased and once each', async () => {
    const party = await api.party()
    assert.deepEqual(
      (await policyOf(party, { allowedChains: ['base', 'BASE', 'Sol'] })).allowedChains,
      ['BASE', 'SOL'],
    )
  })

  test('loses none of many simultaneous changes', async () => {
    const party = await api.party()
    const changes = [
      { maxSingleTxUSDC: 5 },
      { dailyLimitUSDC: 6 },
      { allowedChains: ['ETH'] },
      { allowedRails: ['ACH'] },
      { noMixerProtocols: true },
    ]
    await Promise.all(changes.map((change) => patch(party, change)))
    assert.deepEqual(await policyOf(party, { maxSingleTxUSDC: 5 }), {
      maxSingleTxUSDC: 5,
      dailyLimitUSDC: 6,
      allowedChains: ['ETH'],
      allowedRails: ['ACH'],
      allowedPaymentRails: ['ACH'],
      noMixerProtocols: true,
    })
  })
})

describe('400 invalid_request', () => {
  const wrong: [string, object, string][] = [
    ['an unknown field', { maxSingleTx: 5 }, 'maxSingleTx'],
    ['an unknown field among known ones', { maxSingleTxUSDC: 5, colour: 'red' }, 'colour'],
    ['a member named toString', { maxSingleTxUSDC: 5, toString: 1 }, 'toString'],
    ['a negative limit', { dailyLimitUSDC: -0.01 }, 'dailyLimitUSDC'],
    ['a limit with seven decimals', { dailyLimitUSDC: 1.0000001 }, 'dailyLimitUSDC'],
    ['a limit at the ceiling', { dailyLimitUSDC: 1_000_000_000 }, 'dailyLimitUSDC'],
    ['a limit as text', { maxSingleTxUSDC: '5' }, 'maxSingleTxUSDC'],
    ['an unknown chain', { allowedChains: ['BASE', 'DOGE'] }, 'allowedChains'],
    ['an unknown rail', { allowedPaymentRails: ['CASH'] }, 'allowedPaymentRails'],
    ['a chain that is a number', { allowedChains: [1] }, 'allowedChains.0'],
    [
      'both rail names with two values',
      { allowedRails: ['ACH'], allowedPaymentRails: null },
      'allowedPaymentRails',
    ],
    ['a screening that is none', { counterpartyScreening: 'ALL' }, 'counterpartyScreening'],
  ]
  for (const [what, change, field] of wrong) {
    test(`refuses ${what}, names the field, and changes nothing`, async () => {
      const party = await api.party({ maxSingleTxUSDC: 3 })
      assertError(await patch(party, change), 'invalid_request', { field })
      assert.deepEqual(await policyOf(party, { maxSingleTxUSDC: 3 }), { maxSingleTxUSDC: 3 })
    })
  }

  test('refuses a change that names no field', async () => {
    assertError(await patch(await api.party(), {}), 'invalid_request')
  })

  test('refuses `__proto__` as a field: no limit is lifted through it', async () => {
    const party = await api.party({ dailyLimitUSDC: 7 })
    for (const member of ['__proto__', 'constructor', 'prototype']) {
      const reply = await patch(party, `{"maxSingleTxUSDC":5,"${member}":{"dailyLimitUSDC":null}}`)
      assertError(reply, 'invalid_request', { field: member })
    }
    assert.deepEqual(await policyOf(party, { maxSingleTxUSDC: 5 }), {
      dailyLimitUSDC: 7,
      maxSingleTxUSDC: 5,
    })
  })
})

describe('401 unauthorized', () => {
  test('refuses a caller without an operator credential', async () => {
    const party = await api.party()
    assertError(
      await patch({ ...party, operatorToken: 'x.y.z' }, { maxSingleTxUSDC: 5 }),
      'unauthorized',
    )
  })
})

describe('404 not_found', () => {
  test("answers another operator's agent like a missing one, and changes nothing", async () => {
    const [mine, other] = [await api.party(), await api.party({ maxSingleTxUSDC: 3 })]
    const stranger = await patch(mine, { maxSingleTxUSDC: 5 }, other.agentId)
    const nobody = await patch(mine, { maxSingleTxUSDC: 5 }, 'agt_0000000000000000')
    assertError(stranger, 'not_found')
    assertError(nobody, 'not_found')
    assert.equal(stranger.body.message, nobody.body.message)
    assert.equal((await policyOf(other, { maxSingleTxUSDC: 3 })).maxSingleTxUSDC, 3)
  })

  test('answers an id that is no agent id', async () => {
    const party = await api.party()
    for (const id of ['x', party.operatorId, '%00', "agt_1'--", '..%2f..']) {
      assertError(await patch(party, { maxSingleTxUSDC: 5 }, id), 'not_found')
    }
  })
})
