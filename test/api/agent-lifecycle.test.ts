/** PATCH /v1/agents/:agentId, reissue and attest: each at its effect on the very next screen. */
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { assertError } from '../support/errors.ts'
import { partsOf } from '../support/jws.ts'
import {
  AN_ATTESTATION,
  assertRefusesBadBodies,
  assertRefusesStrangers,
  assertSameAnswer,
  policyCalls,
} from '../support/policy.ts'
import { type Listed, swappedLists } from '../support/policy-lists.ts'
import { type Party, startTestService } from '../support/service.ts'

const START = '2026-11-20T12:00:00.000Z'
const UNKNOWN_ID = 'agt_0000000000000000'
const WALLET = '0x1111111111111111111111111111111111111111'
const LISTED: readonly Listed[] = [{ name: 'VOSTOK ARMAMENTS CONCERN', wallet: WALLET }]
const clock = movedClock(START)
const lists = swappedLists([], START)
const api = await startTestService({}, { clock, watchlists: lists })
const calls = policyCalls(api)
after(() => api.stop())
beforeEach(() => {
  clock.moveTo(START)
  lists.swap([])
})

const iso = (afterStart: number): string => new Date(Date.parse(START) + afterStart).toISOString()

/** What the next screen of the agent says of its credential. */
async function next(party: Party, payment: object = {}) {
  const { body } = await api.screen(party, { cpName: 'Example Coffee Roasters', ...payment })
  const { verdict, ruleTriggered, signals, credentialStatus } = body
  return [verdict, ruleTriggered, signals.credential, credentialStatus]
}

const ACTIVE = ['CLEAR', null, 'CLEAR', 'ACTIVE']
const fallen = (status: string) => ['BLOCK', 'R2_CREDENTIAL_STATUS', status, status]
const INVALID = ['BLOCK', 'R2_CREDENTIAL_STATUS', 'INVALID', null]

async function patched(party: Party, change: object) {
  const { status, body, text } = await calls.patchAgent(party, change)
  assert.equal(status, 200, text)
  assert.deepEqual((await calls.agent(party, party.agentId)).body, body)
  return body
}

async function reissued(party: Party): Promise<Party> {
  const { status, body, text } = await calls.reissue(party)
  assert.equal(status, 200, text)
  return { ...party, agentToken: body.token }
}

describe('status', () => {
  test('ACTIVE to SUSPENDED and back, as often as wanted; the reason is shown', async () => {
    const party = await api.party()
    for (const reason of ['stolen laptop', null]) {
      const { status, statusReason } = await patched(party, { status: 'SUSPENDED', reason })
      assert.deepEqual([status, statusReason], ['SUSPENDED', reason])
      assert.deepEqual(await next(party), fallen('SUSPENDED'))
      const again = await patched(party, { status: 'ACTIVE', reason: 'found' })
      assert.deepEqual([again.status, again.statusReason], ['ACTIVE', null])
      assert.deepEqual(await next(party), ACTIVE)
    }
    await patched(party, { status: 'SUSPENDED', reason: ' stolen laptop ' })
    const { body } = await api.screen(party)
    assert.equal(body.reason, 'the agent credential is SUSPENDED: stolen laptop')
  })

  for (const from of ['ACTIVE', 'SUSPENDED']) {
    test(`${from} to REVOKED is final: 409 for every way back, and for a reissue`, async () => {
      const party = await api.party()
      await patched(party, { status: from })
      await patched(party, { status: 'REVOKED' })
      assert.deepEqual(await next(party), fallen('REVOKED'))
      for (const status of ['ACTIVE', 'SUSPENDED']) {
        assertError(await calls.patchAgent(party, { status }), 'invalid_transition')
      }
      assertError(await calls.reissue(party), 'invalid_transition')
      assert.equal((await patched(party, { status: 'REVOKED' })).status, 'REVOKED')
      assert.deepEqual(await next(party), fallen('REVOKED'))
    })
  }

  test('a refused change changes nothing else that came with it', async () => {
    const party = await api.party()
    await patched(party, { status: 'REVOKED', underlyingModel: 'model-1' })
    const change = { status: 'ACTIVE', underlyingModel: 'model-2' }
    assertError(await calls.patchAgent(party, change), 'invalid_transition')
    assert.equal((await calls.agent(party, party.agentId)).body.underlyingModel, 'model-1')
  })

  test('EXPIRED comes with time, to the millisecond, and goes with a reissue', async () => {
    const party = await api.party()
    clock.moveTo(iso(90 * DAY_MS - 1))
    assert.deepEqual(await next(party), ACTIVE)
    clock.moveTo(iso(90 * DAY_MS))
    assert.deepEqual(await next(party), fallen('EXPIRED'))
    assert.equal((await calls.agent(party, party.agentId)).body.status, 'EXPIRED')
    const fresh = await reissued(party)
    assert.deepEqual(await next(fresh), ACTIVE)
    const { body } = await calls.agent(party, party.agentId)
    assert.deepEqual([body.status, body.expiresAt], ['ACTIVE', iso(181 * DAY_MS)])
  })

  test('a suspended agent stays SUSPENDED past its time', async () => {
    const party = await api.party()
    await patched(party, { status: 'SUSPENDED' })
    clock.moveTo(iso(91 * DAY_MS))
    assert.deepEqual(await next(party), fallen('SUSPENDED'))
  })
})

describe('PATCH /v1/agents/:agentId refuses', () => {
  const wrong: [object, string | undefined][] = [
    [{}, undefined],
    [{ status: 'EXPIRED' }, 'status'],
    [{ status: 'active' }, 'status'],
    [{ status: null }, 'status'],
    [{ reason: 'because' }, 'reason'],
    [{ status: 'SUSPENDED', reason: 'x'.repeat(2_001) }, 'reason'],
    [{ underlyingModel: 7 }, 'underlyingModel'],
    [{ underlyingModel: 'x'.repeat(501) }, 'underlyingModel'],
    [{ fleetId: 'flt_0000000000000000' }, 'fleetId'],
    [{ fleetId: 'fleet' }, 'fleetId'],
    [{ ownershipTransferred: false }, 'ownershipTransferred'],
    [{ spendPolicy: {} }, 'spendPolicy'],
    [{ agentName: 'another' }, 'agentName'],
  ]
  for (const [body, field] of wrong) {
    test(`400 for ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const party = await api.party()
      assertError(
        await calls.patchAgent(party, body),
        'invalid_request',
        field === undefined ? {} : { field },
      )
      assert.deepEqual(await next(party), ACTIVE)
    })
  }

  test('404 for an unknown agent and another operator’s, word for word', async () => {
    const [party, other] = [await api.party(), await api.party()]
    for (const call of [
      (id: string) => calls.patchAgent(party, { status: 'REVOKED' }, id),
      (id: string) => calls.patchPolicy(party, { maxSingleTxUSDC: 1 }, id),
      (id: string) => calls.reissue(party, {}, id),
      (id: string) => calls.attest(party, AN_ATTESTATION, id),
    ]) {
      const unknown = await call(UNKNOWN_ID)
      assertError(unknown, 'not_found')
      assertSameAnswer(await call(other.agentId), unknown)
      assertSameAnswer(await call('nobody'), unknown)
    }
    assert.deepEqual(await next(other), ACTIVE)
  })

  test('400, 401, 413, 415 for bodies that are none and callers that are nobody', async () => {
    const { agentId, operatorToken: token } = await api.party()
    const path = `/v1/agents/${agentId}`
    await assertRefusesBadBodies(api, { method: 'PATCH', path, token })
    await assertRefusesBadBodies(api, { method: 'PATCH', path: `${path}/spend-policy`, token })
    await assertRefusesBadBodies(api, { method: 'POST', path: `${path}/attest`, token })
    await assertRefusesStrangers(api, { method: 'POST', path: `${path}/reissue`, token })
  })
})

describe('transfer of ownership', () => {
  test('is BLOCK R8 until the reissue, after which the old token is INVALID', async () => {
    const party = await api.party()
    assert.equal((await patched(party, { ownershipTransferred: true })).ownershipTransferred, true)
    assert.deepEqual(await next(party), ['BLOCK', 'R8_OWNERSHIP_TRANSFER', 'TRANSFERRED', 'ACTIVE'])
    const fresh = await reissued(party)
    assert.deepEqual(await next(fresh), ACTIVE)
    assert.deepEqual(await next(party), INVALID)
    assert.equal((await calls.agent(party, party.agentId)).body.ownershipTransferred, false)
  })

  test('reaches the delegates, and their own reissue does not clear it', async () => {
    const party = await api.party()
    const delegate = await calls.delegateOf(await calls.delegateOf(party))
    await patched(party, { ownershipTransferred: true })
    const blocked = ['BLOCK', 'R8_OWNERSHIP_TRANSFER', 'TRANSFERRED', 'ACTIVE']
    assert.deepEqual(await next(delegate), blocked)
    const fresh = await reissued(delegate)
    assert.deepEqual(await next(fresh), blocked)
    await reissued(party)
    assert.deepEqual(await next(fresh), ACTIVE)
  })
})

describe('underlying model', () => {
  test('a change is REVIEW R15 until the reissue, which takes the present model', async () => {
    const party = await calls.agentOf(await api.party(), { underlyingModel: 'model-1' })
    assert.deepEqual(await next(party), ACTIVE)
    const { underlyingModel, modelAtIssuance } = await patched(party, {
      underlyingModel: ' model-2 ',
    })
    assert.deepEqual([underlyingModel, modelAtIssuance], ['model-2', 'model-1'])
    const { body } = await api.screen(party)
    assert.equal(body.ruleTriggered, 'R15_MODEL_CHANGED')
    assert.match(body.reason, /from `model-1` to `model-2`/)
    const fresh = await reissued(party)
    assert.deepEqual(await next(fresh), ACTIVE)
    assert.equal((await calls.agent(party, party.agentId)).body.modelAtIssuance, 'model-2')
  })

  test('going back to the model of issuance ends it; none is a model too', async () => {
    const party = await api.party()
    for (const [model, rule] of [
      ['model-1', 'R15_MODEL_CHANGED'],
      [null, null],
    ] as const) {
      await patched(party, { underlyingModel: model })
      assert.equal((await next(party))[1], rule)
    }
    const named = await calls.agentOf(party, { underlyingModel: 'model-1' })
    await patched(named, { underlyingModel: null })
    assert.equal((await next(named))[1], 'R15_MODEL_CHANGED')
  })
})

describe('POST /v1/agents/:agentId/reissue', () => {
  test('200 is a credential for 91 days from now, of the same agent', async () => {
    const party = await calls.agentOf(await api.party())
    clock.advance(DAY_MS)
    const { body } = await calls.reissue(party)
    const { payload } = partsOf(body.token)
    assert.deepEqual([body.agentId, payload['sub']], [party.agentId, party.agentId])
    assert.deepEqual(body.credential, payload['vc'])
    assert.equal(Number(payload['exp']) - Number(payload['iat']), (91 * DAY_MS) / 1_000)
    assert.equal(Number(payload['iat']) * 1_000, clock.now())
  })

  test('409 for a suspended agent', async () => {
    const party = await api.party()
    await patched(party, { status: 'SUSPENDED' })
    assertError(await calls.reissue(party), 'invalid_transition')
  })

  test('409 for a delegate whose parent has fallen: it could not stand', async () => {
    const party = await api.party()
    const delegate = await calls.delegateOf(party)
    await patched(party, { status: 'SUSPENDED' })
    assertError(await calls.reissue(delegate), 'invalid_transition')
    await patched(party, { status: 'ACTIVE' })
    clock.moveTo(iso(90 * DAY_MS))
    assertError(await calls.reissue(delegate), 'invalid_transition')
    await reissued(party)
    assert.deepEqual(await next(await reissued(delegate)), ACTIVE)
  })

  test('403 for an operator that became listed, and the old token stays', async () => {
    const party = await api.party()
    const named = await calls.agentOf(party, { operatorLegalName: 'Vostok Armaments Concern' })
    const paid = await calls.agentOf(party, { operatorWallet: WALLET })
    lists.swap(LISTED)
    for (const agent of [named, paid]) assertError(await calls.reissue(agent), 'sanctions_match')
    lists.swap([])
    for (const agent of [named, paid]) assert.deepEqual(await next(agent), ACTIVE)
    lists.unload()
    assertError(await calls.reissue(named), 'lists_unavailable')
  })

  test('Idempotency-Key: once; 422 for another agent; 400 for a key that is none', async () => {
    const party = await api.party()
    const key = { 'idempotency-key': 'reissue-1' }
    const [first, second] = [await calls.reissue(party, key), await calls.reissue(party, key)]
    assert.equal(first.status, 200)
    assert.equal(second.text, first.text)
    assert.deepEqual(await next({ ...party, agentToken: second.body.token }), ACTIVE)
    const other = await calls.agentOf(party)
    assertError(await calls.reissue(other, key), 'idempotency_key_reused')
    const bad = await calls.reissue(party, { 'idempotency-key': 'with space' })
    assertError(bad, 'invalid_request', { field: 'Idempotency-Key' })
    assert.notEqual((await calls.reissue(party)).body.token, first.body.token)
  })
})

describe('POST /v1/agents/:agentId/attest', () => {
  const LARGE = { amount: 10_000.01 }

  test('200: fresh for 24 hours, kept for 25; the amount passes while fresh', async () => {
    const party = await api.party()
    assert.equal((await next(party, LARGE))[1], 'ATTESTATION_STALE')
    const { status, body } = await calls.attest(party)
    assert.equal(status, 200)
    const attestation = {
      ...AN_ATTESTATION,
      attestedAt: START,
      validUntil: iso(24 * HOUR_MS),
      expiresAt: iso(25 * HOUR_MS),
    }
    assert.deepEqual(body, { agentId: party.agentId, ...attestation })
    const kept = async () => (await calls.agent(party, party.agentId)).body.attestation
    assert.deepEqual(await kept(), attestation)
    clock.moveTo(iso(24 * HOUR_MS))
    assert.deepEqual(await next(party, LARGE), ACTIVE)
    clock.advance(1)
    assert.equal((await next(party, LARGE))[1], 'ATTESTATION_STALE')
    assert.deepEqual(await next(party, { amount: 10_000 }), ACTIVE)
    clock.moveTo(iso(25 * HOUR_MS - 1))
    assert.deepEqual(await kept(), attestation)
    clock.advance(1)
    assert.equal(await kept(), null)
    await calls.attest(party, { attestedBy: 'E-7' })
    assert.deepEqual(await next(party, LARGE), ACTIVE)
    assert.equal((await kept())?.note, null)
  })

  test('is of the agent alone: a delegate needs one of its own', async () => {
    const party = await api.party()
    const delegate = await calls.delegateOf(party)
    await calls.attest(party)
    assert.equal((await next(delegate, LARGE))[1], 'ATTESTATION_STALE')
    assert.equal((await calls.attest(delegate)).status, 200)
    assert.deepEqual(await next(delegate, LARGE), ACTIVE)
  })

  test('422 for a supervised agent, which has a human beside it', async () => {
    const party = await calls.agentOf(await api.party())
    assertError(await calls.attest(party), 'supervised_agent')
    assert.deepEqual(await next(party, LARGE), ACTIVE)
  })

  const wrong: [object, string][] = [
    [{}, 'attestedBy'],
    [{ attestedBy: '' }, 'attestedBy'],
    [{ attestedBy: '  ' }, 'attestedBy'],
    [{ attestedBy: null }, 'attestedBy'],
    [{ attestedBy: 'x'.repeat(501) }, 'attestedBy'],
    [{ attestedBy: 'E-1', note: 5 }, 'note'],
    [{ attestedBy: 'E-1', note: 'x'.repeat(2_001) }, 'note'],
    [{ atestedBy: 'E-1', attestedBy: 'E-1' }, 'atestedBy'],
  ]
  for (const [body, field] of wrong) {
    test(`400 names \`${field}\` for ${JSON.stringify(body).slice(0, 40)}`, async () => {
      const party = await api.party()
      assertError(await calls.attest(party, body), 'invalid_request', { field })
      assert.equal((await calls.agent(party, party.agentId)).body.attestation, null)
    })
  }
})
