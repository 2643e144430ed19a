/** Fleets: create, list, read, change, assign; one daily limit for all their agents (R12). */
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { assertError } from '../support/errors.ts'
import {
  A_FLEET,
  assertRefusesBadBodies,
  assertRefusesStrangers,
  assertSameAnswer,
  policyCalls,
} from '../support/policy.ts'
import { type Listed, swappedLists } from '../support/policy-lists.ts'
import { type Party, startTestService } from '../support/service.ts'

const START = '2026-11-20T12:00:00.000Z'
const UNKNOWN_ID = 'flt_0000000000000000'
const LISTED: readonly Listed[] = [{ name: 'VOSTOK ARMAMENTS CONCERN' }]
const clock = movedClock(START)
const lists = swappedLists(LISTED, START)
const api = await startTestService({}, { clock, watchlists: lists })
const calls = policyCalls(api)
after(() => api.stop())
beforeEach(() => {
  clock.moveTo(START)
  lists.swap(LISTED)
})

async function newFleet(party: Party, body: object = {}): Promise<string> {
  const reply = await calls.createFleet(party, body)
  assert.equal(reply.status, 201, reply.text)
  return reply.body.fleetId
}

/** Rule of the next screen; null for CLEAR. */
const pay = async (party: Party, amount: number) =>
  (await api.screen(party, { amount, cpName: 'Example Coffee Roasters' })).body.ruleTriggered

const R12 = 'R12_FLEET_DAILY_LIMIT'

describe('POST /v1/fleets/create', () => {
  test('201 is the fleet, trimmed, ACTIVE', async () => {
    const party = await api.party()
    const { status, body } = await calls.createFleet(party, { fleetName: ' Night shift ' })
    assert.equal(status, 201)
    const { fleetId, ...rest } = body
    assert.match(fleetId, /^flt_[0-9a-z]{16}$/)
    assert.deepEqual(rest, { ...A_FLEET, status: 'ACTIVE', createdAt: START })
    assert.deepEqual((await calls.fleet(party, fleetId)).body, body)
  })

  const wrong: [object, string][] = [
    [{ fleetName: undefined }, 'fleetName'],
    [{ fleetName: ' ' }, 'fleetName'],
    [{ fleetName: 7 }, 'fleetName'],
    [{ operatorLegalName: undefined }, 'operatorLegalName'],
    [{ operatorLegalName: '' }, 'operatorLegalName'],
    [{ operatorLegalName: '\t' }, 'operatorLegalName'],
    [{ dailyLimitUSDC: undefined }, 'dailyLimitUSDC'],
    [{ dailyLimitUSDC: null }, 'dailyLimitUSDC'],
    [{ dailyLimitUSDC: '100' }, 'dailyLimitUSDC'],
    [{ dailyLimitUSDC: -1 }, 'dailyLimitUSDC'],
    [{ dailyLimitUSDC: 1_000_000_000 }, 'dailyLimitUSDC'],
    [{ dailyLimitUSDC: 0.0000001 }, 'dailyLimitUSDC'],
    [{ dailyLimitUSD: 1 }, 'dailyLimitUSD'],
  ]
  for (const [body, field] of wrong) {
    test(`400 names \`${field}\` for ${JSON.stringify(body)}`, async () => {
      const party = await api.party()
      assertError(await calls.createFleet(party, body), 'invalid_request', { field })
      assert.deepEqual((await calls.fleets(party)).body.items, [])
    })
  }

  test('400, 401, 413, 415 for bodies that are none and callers that are nobody', async () => {
    const party = await api.party()
    const token = party.operatorToken
    await assertRefusesBadBodies(api, { method: 'POST', path: '/v1/fleets/create', token })
    const path = `/v1/fleets/${await newFleet(party)}`
    await assertRefusesBadBodies(api, { method: 'PATCH', path, token })
    await assertRefusesStrangers(api, { method: 'GET', path, token })
    await assertRefusesStrangers(api, { method: 'GET', path: '/v1/fleets', token })
  })

  test('403 for a listed name, 503 while no list is loaded, and no fleet', async () => {
    const party = await api.party()
    const listed = { operatorLegalName: 'Vostok Armaments Concern' }
    assertError(await calls.createFleet(party, listed), 'sanctions_match')
    lists.unload()
    assertError(await calls.createFleet(party), 'lists_unavailable')
    assert.deepEqual((await calls.fleets(party)).body.items, [])
  })

  test('Idempotency-Key: one fleet; 422 for another body; 400 for a key that is none', async () => {
    const party = await api.party()
    const key = { 'idempotency-key': 'fleet-1' }
    const [first, second] = [
      await calls.createFleet(party, {}, key),
      await calls.createFleet(party, {}, key),
    ]
    assert.equal(first.status, 201)
    assert.deepEqual([second.status, second.text], [first.status, first.text])
    assert.equal((await calls.fleets(party)).body.items.length, 1)
    const another = await calls.createFleet(party, { dailyLimitUSDC: 7 }, key)
    assertError(another, 'idempotency_key_reused')
    const bad = await calls.createFleet(party, {}, { 'idempotency-key': 'k'.repeat(256) })
    assertError(bad, 'invalid_request', { field: 'Idempotency-Key' })
    clock.advance(DAY_MS)
    assert.notEqual((await calls.createFleet(party, {}, key)).body.fleetId, first.body.fleetId)
  })
})

describe('GET /v1/fleets', () => {
  test('200 is own fleets, a page at a time, and no other operator’s', async () => {
    const [party, other] = [await api.party(), await api.party()]
    const mine = [await newFleet(party), await newFleet(party), await newFleet(party)].toSorted()
    await newFleet(other)
    const first = (await calls.fleets(party, '?limit=2')).body
    const second = (await calls.fleets(party, `?limit=2&cursor=${first.nextCursor}`)).body
    const ids = [first, second].map(({ items }) => items.map(({ fleetId }) => fleetId))
    assert.deepEqual(ids, [mine.slice(0, 2), mine.slice(2)])
    assert.deepEqual([first.nextCursor, second.nextCursor], [mine[1], null])
    assert.deepEqual((await calls.fleets(party)).body.items, [...first.items, ...second.items])
  })

  for (const [field, value] of [
    ['limit', '0'],
    ['limit', '1e2'],
    ['cursor', 'x'.repeat(65)],
    ['status', 'ACTIVE'],
  ] as const) {
    test(`400 names \`${field}\` for ${value.slice(0, 8)}`, async () => {
      const reply = await calls.fleets(await api.party(), `?${field}=${value}`)
      assertError(reply, 'invalid_request', { field })
    })
  }
})

describe('GET and PATCH /v1/fleets/:fleetId', () => {
  test('200 changes what is given and keeps the rest', async () => {
    const party = await api.party()
    const fleetId = await newFleet(party)
    const before = (await calls.fleet(party, fleetId)).body
    for (const change of [
      { fleetName: 'Day shift' },
      { dailyLimitUSDC: 0.000001 },
      { status: 'SUSPENDED' },
      { status: 'ACTIVE', dailyLimitUSDC: 0 },
    ]) {
      const { status, body } = await calls.patchFleet(party, fleetId, change)
      assert.equal(status, 200)
      assert.deepEqual(body, Object.assign(before, change))
      assert.deepEqual((await calls.fleet(party, fleetId)).body, body)
    }
  })

  test('404 for an unknown id and another operator’s, word for word', async () => {
    const [party, other] = [await api.party(), await api.party()]
    const theirs = await newFleet(other)
    for (const call of [
      (id: string) => calls.fleet(party, id),
      (id: string) => calls.patchFleet(party, id, { status: 'SUSPENDED' }),
    ]) {
      const unknown = await call(UNKNOWN_ID)
      assertError(unknown, 'not_found')
      assertSameAnswer(await call(theirs), unknown)
      assertSameAnswer(await call('fleet'), unknown)
    }
    assert.equal((await calls.fleet(other, theirs)).body.status, 'ACTIVE')
  })

  const wrong: [object, string | undefined][] = [
    [{}, undefined],
    [{ fleetName: null }, 'fleetName'],
    [{ fleetName: ' ' }, 'fleetName'],
    [{ dailyLimitUSDC: null }, 'dailyLimitUSDC'],
    [{ dailyLimitUSDC: 1.0000001 }, 'dailyLimitUSDC'],
    [{ dailyLimitUSDC: -0.01 }, 'dailyLimitUSDC'],
    [{ status: 'REVOKED' }, 'status'],
    [{ operatorLegalName: 'Another' }, 'operatorLegalName'],
  ]
  for (const [body, field] of wrong) {
    test(`400 for ${JSON.stringify(body)}`, async () => {
      const party = await api.party()
      const fleetId = await newFleet(party)
      const before = (await calls.fleet(party, fleetId)).text
      const reply = await calls.patchFleet(party, fleetId, body)
      assertError(reply, 'invalid_request', field === undefined ? {} : { field })
      assert.equal((await calls.fleet(party, fleetId)).text, before)
    })
  }
})

describe('agents of a fleet', () => {
  test('share its limit of the day, whether they came early or late', async () => {
    const party = await api.party()
    const fleetId = await newFleet(party, { dailyLimitUSDC: 30 })
    const registered = await calls.agentOf(party, { fleetId })
    await calls.patchAgent(party, { fleetId })
    assert.equal((await calls.agent(party, party.agentId)).body.fleetId, fleetId)
    assert.equal(await pay(registered, 20), null)
    assert.equal(await pay(party, 10.000001), R12)
    assert.equal(await pay(party, 10), null)
    assert.equal(await pay(registered, 0.000001), R12)
    clock.moveTo('2026-11-21T00:00:00.000Z')
    assert.equal(await pay(registered, 30), null)
    assert.equal(await pay(party, 0.000001), R12)
  })

  test('are free of it when they leave it; what they spent in it stays counted', async () => {
    const party = await api.party()
    const fleetId = await newFleet(party, { dailyLimitUSDC: 30 })
    const [one, other] = [
      await calls.agentOf(party, { fleetId }),
      await calls.agentOf(party, { fleetId }),
    ]
    assert.equal(await pay(one, 30), null)
    for (const none of [null, '']) {
      assert.equal((await calls.patchAgent(one, { fleetId: none })).body.fleetId, null)
      assert.equal(await pay(one, 30), null)
    }
    assert.equal(await pay(other, 0.000001), R12)
  })

  test('move between fleets, and only the fleet they are in counts', async () => {
    const party = await api.party()
    const [full, empty] = [
      await newFleet(party, { dailyLimitUSDC: 10 }),
      await newFleet(party, { dailyLimitUSDC: 10 }),
    ]
    const agent = await calls.agentOf(party, { fleetId: full })
    assert.equal(await pay(agent, 10), null)
    assert.equal(await pay(agent, 10), R12)
    await calls.patchAgent(agent, { fleetId: empty })
    assert.equal(await pay(agent, 10), null)
    assert.equal(await pay(agent, 10), R12)
  })

  test('feel a lowered limit and a suspension at the very next screen', async () => {
    const party = await api.party()
    const fleetId = await newFleet(party)
    const agent = await calls.agentOf(party, { fleetId })
    assert.equal(await pay(agent, 10), null)
    await calls.patchFleet(party, fleetId, { dailyLimitUSDC: 19.99 })
    assert.equal(await pay(agent, 10), R12)
    await calls.patchFleet(party, fleetId, { dailyLimitUSDC: 100, status: 'SUSPENDED' })
    const { body } = await api.screen(agent)
    assert.deepEqual(
      [body.verdict, body.ruleTriggered, body.credentialStatus, body.signals.credential],
      ['BLOCK', 'R2_CREDENTIAL_STATUS', 'SUSPENDED', 'SUSPENDED'],
    )
    assert.match(body.reason, new RegExp(fleetId))
    assert.equal(await pay(party, 10), null)
    await calls.patchFleet(party, fleetId, { status: 'ACTIVE' })
    assert.equal(await pay(agent, 10), null)
  })

  test('keep their own limit as well: the first that is passed is named', async () => {
    const party = await api.party()
    const fleetId = await newFleet(party, { dailyLimitUSDC: 10 })
    const agent = await calls.agentOf(party, { fleetId, spendPolicy: { dailyLimitUSDC: 5 } })
    const { body } = await api.screen(agent, { amount: 11 })
    assert.equal(body.ruleTriggered, 'R11_DAILY_LIMIT')
    assert.deepEqual(
      body.log.filter(({ ok }) => !ok).map(({ code }) => code),
      ['DAILY_LIMIT', 'FLEET_DAILY_LIMIT'],
    )
  })

  test('400 names `fleetId` for an unknown fleet and another operator’s alike', async () => {
    const [party, other] = [await api.party(), await api.party()]
    const theirs = await newFleet(other)
    for (const call of [
      (fleetId: string) => api.registerAgent(party, { fleetId }),
      (fleetId: string) => calls.patchAgent(party, { fleetId }),
    ]) {
      const unknown = await call(UNKNOWN_ID)
      assertError(unknown, 'invalid_request', { field: 'fleetId' })
      assertSameAnswer(await call(theirs), unknown)
      assertSameAnswer(await call('fleet'), unknown)
    }
    assert.equal((await calls.agents(party)).body.items.length, 1)
    assert.equal((await calls.agent(party, party.agentId)).body.fleetId, null)
  })
})
