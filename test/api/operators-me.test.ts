/** GET and PATCH /v1/operators/me, and an operator that becomes listed. */
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { assertError } from '../support/errors.ts'
import { assertRefusesBadBodies, assertRefusesStrangers, policyCalls } from '../support/policy.ts'
import { type Listed, swappedLists } from '../support/policy-lists.ts'
import { startTestService } from '../support/service.ts'

const START = '2026-11-20T12:00:00.000Z'
const WALLET = '0x1111111111111111111111111111111111111111'
const OTHER_WALLET = '0x2222222222222222222222222222222222222222'
const LISTED: readonly Listed[] = [{ name: 'VOSTOK ARMAMENTS CONCERN', wallet: WALLET }]

const clock = movedClock(START)
const lists = swappedLists(LISTED, START)
const api = await startTestService({}, { clock, watchlists: lists })
const calls = policyCalls(api)
const { me, patchMe, send } = calls
after(() => api.stop())
beforeEach(() => {
  clock.moveTo(START)
  lists.swap(LISTED)
})

describe('GET /v1/operators/me', () => {
  test('200 is the operator as it registered, and nothing of another', async () => {
    const registration = { legalName: ' Example Robotics ', description: ' pays suppliers ' }
    const reply = await api.register({ ...registration, wallet: OTHER_WALLET })
    const { status, body } = await me(reply.body)
    assert.equal(status, 200)
    const { email, ...rest } = body
    assert.match(email, /@example\.com$/)
    assert.deepEqual(rest, {
      operatorId: reply.body.operatorId,
      legalName: 'Example Robotics',
      wallet: OTHER_WALLET,
      description: 'pays suppliers',
      plan: 'free',
      status: 'ACTIVE',
      ofacAtIssuance: 'CLEAR',
      fourEyes: false,
      issuedAt: START,
      expiresAt: new Date(Date.parse(START) + 365 * DAY_MS).toISOString(),
    })
  })

  test('401 without a credential, with a forged one, an agent’s, an expired one', async () => {
    const party = await api.party()
    const route = { method: 'GET', path: '/v1/operators/me', token: party.operatorToken }
    await assertRefusesStrangers(api, route)
    assertError(await me({ operatorToken: party.agentToken }), 'unauthorized')
    clock.advance(365 * DAY_MS - 1)
    assert.equal((await me(party)).status, 200)
    clock.advance(1)
    assertError(await me(party), 'unauthorized')
  })
})

describe('PATCH /v1/operators/me', () => {
  const wallets = {
    EVM: '0x52908400098527886E0F7030069857D2E4169EE7',
    'EVM in one case': OTHER_WALLET,
    Solana: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
    Tron: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    Sei: 'sei1qurswpc8qurswpc8qurswpc8qurswpc87lkvxq',
  }
  for (const [family, wallet] of Object.entries(wallets)) {
    test(`200 takes a wallet of the family ${family}, trimmed, and keeps it`, async () => {
      const party = await api.party()
      const { status, body, text } = await patchMe(party, { wallet: ` ${wallet} ` })
      assert.equal(status, 200, text)
      assert.equal(body.wallet, wallet)
      assert.deepEqual((await me(party)).body, body)
    })
  }

  const malformed = {
    'a blank one': '  ',
    'one of no family': 'my wallet',
    'an EVM address with a wrong checksum': '0x52908400098527886E0F7030069857D2E4169Ee7',
    'a digit too few': WALLET.slice(0, -1),
    'a Tron address with a wrong checksum': 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u',
    'a Sei address with a wrong checksum': wallets.Sei.replace(/q$/, 'p'),
    'a Bitcoin address': '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    nothing: '',
    'a number': 5,
    null: null,
    'a text too long': '1'.repeat(257),
  }
  for (const [what, wallet] of Object.entries(malformed)) {
    test(`400 names the wallet for ${what}, and the old one stays`, async () => {
      const party = await api.party(undefined, { wallet: OTHER_WALLET })
      assertError(await patchMe(party, { wallet }), 'invalid_request', { field: 'wallet' })
      assert.equal((await me(party)).body.wallet, OTHER_WALLET)
    })
  }

  test('400 for a body without anything to change, or with what cannot be changed', async () => {
    const party = await api.party()
    assertError(await patchMe(party, {}), 'invalid_request')
    const more = { wallet: OTHER_WALLET, plan: 'pro' }
    assertError(await patchMe(party, more), 'invalid_request', { field: 'plan' })
    assert.equal((await me(party)).body.wallet, null)
  })

  test('400, 401, 413, 415 for bodies that are none and callers that are nobody', async () => {
    const { operatorToken: token } = await api.party()
    await assertRefusesBadBodies(api, { method: 'PATCH', path: '/v1/operators/me', token })
  })

  test('403 for a listed wallet without saying which entry, and the old one stays', async () => {
    const party = await api.party(undefined, { wallet: OTHER_WALLET })
    for (const wallet of [WALLET, ` ${WALLET.toUpperCase().replace('X', 'x')} `]) {
      const reply = await patchMe(party, { wallet })
      assertError(reply, 'sanctions_match')
      assert.doesNotMatch(reply.text, /vostok|1000|0x1111/i)
    }
    assert.equal((await me(party)).body.wallet, OTHER_WALLET)
    assert.equal((await api.screen(party)).body.verdict, 'CLEAR')
  })

  test('503 while no list is loaded: an unscreened wallet is not saved', async () => {
    const party = await api.party()
    lists.unload()
    assertError(await patchMe(party, { wallet: OTHER_WALLET }), 'lists_unavailable')
    assert.equal((await me(party)).body.wallet, null)
  })

  test('405 tells what the route takes', async () => {
    const party = await api.party()
    const reply = await send(party, 'DELETE', '/v1/operators/me')
    assertError(reply, 'method_not_allowed')
    assert.deepEqual(reply.headers.allow?.split(', ').toSorted(), ['GET', 'HEAD', 'PATCH'])
  })

  test('changes the wallet of the caller alone', async () => {
    const [party, other] = [await api.party(), await api.party()]
    await patchMe(party, { wallet: OTHER_WALLET })
    assert.equal((await me(other)).body.wallet, null)
  })
})

describe('an operator that becomes listed', () => {
  test('by its wallet is BLOCK R4 at the next screen, and CLEAR when delisted', async () => {
    lists.swap([])
    const party = await api.party()
    assert.equal((await patchMe(party, { wallet: WALLET })).status, 200)
    assert.equal((await api.screen(party)).body.verdict, 'CLEAR')
    lists.swap(LISTED)
    const { body } = await api.screen(party)
    assert.deepEqual([body.verdict, body.ruleTriggered], ['BLOCK', 'R4_OPERATOR_WALLET_LIVE'])
    assert.deepEqual(
      body.matches.map(({ field, list }) => [field, list]),
      [['wallet', 'OFAC_SDN']],
    )
    lists.swap([])
    assert.equal((await api.screen(party)).body.verdict, 'CLEAR')
  })

  test('is free again when it changes to a wallet that is not listed', async () => {
    lists.swap([])
    const party = await api.party(undefined, { wallet: WALLET })
    lists.swap(LISTED)
    assert.equal((await api.screen(party)).body.ruleTriggered, 'R4_OPERATOR_WALLET_LIVE')
    assert.equal((await patchMe(party, { wallet: OTHER_WALLET })).status, 200)
    assert.equal((await api.screen(party)).body.verdict, 'CLEAR')
  })

  test('by its name is BLOCK R5, whatever the name of the agent’s operator is', async () => {
    lists.swap([])
    const party = await api.party(undefined, { legalName: 'Vostok Armaments Concern' })
    const agent = await calls.agentOf(party, { operatorLegalName: 'Example Robotics' })
    lists.swap(LISTED)
    for (const one of [party, agent]) {
      const { body } = await api.screen(one)
      assert.deepEqual([body.verdict, body.ruleTriggered], ['BLOCK', 'R5_OPERATOR_NAME_OFAC'])
      assert.equal(body.signals.ofac, 'HIT')
    }
  })

  test('by the wallet or name of one agent blocks that agent alone', async () => {
    lists.swap([])
    const party = await api.party()
    const paid = await calls.agentOf(party, { operatorWallet: WALLET })
    const named = await calls.agentOf(party, { operatorLegalName: 'Vostok Armaments Concern' })
    lists.swap(LISTED)
    assert.equal((await api.screen(paid)).body.ruleTriggered, 'R4_OPERATOR_WALLET_LIVE')
    assert.equal((await api.screen(named)).body.ruleTriggered, 'R5_OPERATOR_NAME_OFAC')
    assert.equal((await api.screen(party)).body.verdict, 'CLEAR')
  })
})
