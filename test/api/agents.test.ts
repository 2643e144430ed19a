/** GET /v1/agents and /v1/agents/:agentId; what an agent may be told at registration. */
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { assertError } from '../support/errors.ts'
import { assertRefusesStrangers, assertSameAnswer, policyCalls } from '../support/policy.ts'
import { swappedLists } from '../support/policy-lists.ts'
import { AN_AGENT, type Party, startTestService, UNLISTED_WALLET } from '../support/service.ts'

const START = '2026-11-20T12:00:00.000Z'
const UNKNOWN_ID = 'agt_0000000000000000'
const clock = movedClock(START)
const api = await startTestService({}, { clock, watchlists: swappedLists([], START) })
const calls = policyCalls(api)
after(() => api.stop())
beforeEach(() => clock.moveTo(START))

const PAYMENT = { cpName: 'Example Coffee Roasters', cpWallet: UNLISTED_WALLET }
const ruleOf = async (party: Party, payment: object) =>
  (await api.screen(party, { ...PAYMENT, ...payment })).body.ruleTriggered

describe('GET /v1/agents/:agentId', () => {
  test('200 is all that the operator has told of the agent, and nothing secret', async () => {
    const party = await api.party()
    const { fleetId } = (await calls.createFleet(party)).body
    const told = {
      agentName: 'Payables agent',
      agentFramework: 'LangGraph',
      underlyingModel: 'model-1',
      agentType: 'supervised',
      operatorWallet: UNLISTED_WALLET,
      operatorEIN: '12-3456789',
      operatorLegalName: 'Example Robotics',
      purpose: 'paying suppliers',
      fleetId,
    }
    const spendPolicy = { maxSingleTxUSDC: 5, allowedPaymentRails: ['usdc'] }
    const agent = await calls.agentOf(party, { ...told, spendPolicy })
    const { status, body } = await calls.agent(party, agent.agentId)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      ...told,
      agentId: agent.agentId,
      modelAtIssuance: 'model-1',
      spendPolicy: { maxSingleTxUSDC: 5, allowedRails: ['USDC'], allowedPaymentRails: ['USDC'] },
      status: 'ACTIVE',
      statusReason: null,
      ownershipTransferred: false,
      parentAgentId: null,
      depth: 0,
      issuedAt: START,
      expiresAt: new Date(Date.parse(START) + 91 * DAY_MS).toISOString(),
      attestation: null,
    })
  })

  test('the agent of the registration is autonomous and lives for 90 days', async () => {
    const party = await api.party()
    const { body } = await calls.agent(party, party.agentId)
    assert.deepEqual(
      [body.agentType, body.underlyingModel, body.fleetId],
      ['autonomous', null, null],
    )
    assert.equal(Date.parse(body.expiresAt) - Date.parse(body.issuedAt), 90 * DAY_MS)
  })

  test('404 for an unknown id, no id, and another operator’s: word for word', async () => {
    const [party, other] = [await api.party(), await api.party()]
    const unknown = await calls.agent(party, UNKNOWN_ID)
    assertError(unknown, 'not_found')
    assertSameAnswer(await calls.agent(party, other.agentId), unknown)
    assertSameAnswer(await calls.agent(party, 'nobody'), unknown)
    assertSameAnswer(await calls.agent(party, '%00'), unknown)
  })

  test('401 for a stranger', async () => {
    const { agentId, operatorToken: token } = await api.party()
    await assertRefusesStrangers(api, { method: 'GET', path: `/v1/agents/${agentId}`, token })
    await assertRefusesStrangers(api, { method: 'GET', path: '/v1/agents', token })
  })
})

describe('GET /v1/agents', () => {
  test('200 is own agents and delegates, each once, a page at a time', async () => {
    const [party, other] = [await api.party(), await api.party()]
    const mine = [party.agentId]
    for (let made = 0; made < 5; made++) mine.push((await calls.agentOf(party)).agentId)
    mine.push((await calls.delegateOf(party)).agentId)
    await calls.agentOf(other)

    const seen: string[] = []
    const sizes: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: string = cursor === '' ? '?limit=3' : `?limit=3&cursor=${cursor}`
      const { status, body }: Awaited<ReturnType<typeof calls.agents>> = await calls.agents(
        party,
        query,
      )
      assert.equal(status, 200)
      sizes.push(body.items.length)
      seen.push(...body.items.map(({ agentId }) => agentId))
      cursor = body.nextCursor
    }
    assert.deepEqual(sizes, [3, 3, 1])
    assert.deepEqual(seen, mine.toSorted())
  })

  test('a page that is just full is the last; items are as on the single route', async () => {
    const party = await api.party()
    await calls.agentOf(party)
    const { body } = await calls.agents(party, '?limit=2')
    assert.deepEqual([body.items.length, body.nextCursor], [2, null])
    for (const item of body.items) {
      assert.deepEqual((await calls.agent(party, item.agentId)).body, item)
    }
    const one = await calls.agents(party, '?limit=1')
    assert.equal(one.body.nextCursor, body.items[0]?.agentId)
    assert.deepEqual((await calls.agents(party)).body, body)
  })

  test('a cursor of nobody starts after its place; one past the end is an empty page', async () => {
    const party = await api.party()
    assert.equal((await calls.agents(party, `?cursor=${UNKNOWN_ID}`)).body.items.length, 1)
    const end = await calls.agents(party, '?cursor=zzz')
    assert.deepEqual(end.body, { items: [], nextCursor: null })
  })

  const wrong = {
    limit: ['0', '-1', '1000', '1.5', 'x', '', '01'],
    cursor: ['x'.repeat(65)],
    page: ['2'],
  }
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) {
      test(`400 names \`${field}\` for ${JSON.stringify(value.slice(0, 8))}`, async () => {
        const reply = await calls.agents(await api.party(), `?${field}=${value}`)
        assertError(reply, 'invalid_request', { field })
      })
    }
  }

  test('400 names `limit` when it is given twice', async () => {
    const reply = await calls.agents(await api.party(), '?limit=1&limit=2')
    assertError(reply, 'invalid_request', { field: 'limit' })
  })
})

describe('the spend-policy choices of the registration form', () => {
  const choices: Record<string, [policy: object, kept: object, broken: object, rule: string]> = {
    'a chain in any case': [
      { allowedChains: ['base', ' Eth '] },
      { chain: 'ETH' },
      { chain: 'POLYGON' },
      'R9_CHAIN_POLICY',
    ],
    'the largest single amount': [
      { maxSingleTxUSDC: 10.5 },
      { amount: 10.5 },
      { amount: 10.500001 },
      'R10_SINGLE_TX_LIMIT',
    ],
    'the amount of a day': [
      { dailyLimitUSDC: 30 },
      { amount: 30 },
      { amount: 0.000001 },
      'R11_DAILY_LIMIT',
    ],
    'rails under their one name': [
      { allowedRails: ['USDC'] },
      { rail: 'usdc' },
      { rail: 'WIRE' },
      'R18_RAIL_POLICY',
    ],
    'rails under their other name': [
      { allowedPaymentRails: ['usdc', 'WIRE'] },
      { rail: 'WIRE' },
      { rail: 'SWIFT' },
      'R18_RAIL_POLICY',
    ],
    'types of counterparties': [
      { allowedCounterpartyTypes: ['Business', 'exchange'] },
      { cpType: 'EXCHANGE' },
      { cpType: 'individual' },
      'R21_COUNTERPARTY_TYPE_POLICY',
    ],
    'protocols by letters and digits': [
      { allowedProtocols: ['Uniswap v3'] },
      { protocol: 'uniswap-V3' },
      { protocol: 'Uniswap v4' },
      'R22_PROTOCOL_POLICY',
    ],
    'a whitelist by name': [
      { counterpartyWhitelist: ['example  COFFEE roasters'] },
      { cpWallet: null },
      { cpName: 'Example Tea House' },
      'R13_COUNTERPARTY_WHITELIST',
    ],
    'a whitelist by wallet': [
      { counterpartyWhitelist: [UNLISTED_WALLET.toLowerCase()] },
      { cpName: 'Example Tea House' },
      { cpWallet: '0x2222222222222222222222222222222222222222' },
      'R13_COUNTERPARTY_WHITELIST',
    ],
    'mixers, when they are forbidden in so many words': [
      { noMixerProtocols: true },
      { protocol: 'Uniswap' },
      { protocol: 'tornado cash' },
      'R14_MIXER_PROTOCOL',
    ],
  }
  for (const [what, [spendPolicy, kept, broken, rule]] of Object.entries(choices)) {
    test(`${what}: kept and broken, at operator and at agent registration`, async () => {
      const party = await api.party(spendPolicy)
      const agent = await calls.agentOf(party, { operatorEIN: '12-3456789', spendPolicy })
      assert.equal(await ruleOf(agent, kept), null)
      assert.equal(await ruleOf(agent, broken), rule)
      assert.equal(await ruleOf(party, broken), rule === 'R11_DAILY_LIMIT' ? null : rule)
    })
  }

  test('mixers may pass only where the policy says so', async () => {
    const party = await api.party({ noMixerProtocols: false })
    assert.equal(await ruleOf(party, { protocol: 'tornado cash' }), null)
    await calls.patchPolicy(party, { noMixerProtocols: null })
    assert.equal(await ruleOf(party, { protocol: 'tornado cash' }), 'R14_MIXER_PROTOCOL')
  })

  test('an empty selection allows all', async () => {
    const party = await api.party({
      allowedChains: [],
      allowedRails: [],
      allowedCounterpartyTypes: [],
      allowedProtocols: [],
      counterpartyWhitelist: [],
    })
    const payment = { chain: 'BASE', rail: 'USDC', cpType: 'business', protocol: 'Aave' }
    assert.equal(await ruleOf(party, payment), null)
  })

  test('the policy’s screens a minute stand above the configured 60, both ways', async () => {
    const strict = await api.party({ maxScreensPerMinute: 1 })
    assert.equal(await ruleOf(strict, {}), null)
    assert.equal(await ruleOf(strict, {}), 'R16_VELOCITY_FLAG')
    const [usual, fast] = [await api.party(), await api.party({ maxScreensPerMinute: 70 })]
    const rules: Record<string, (string | null)[]> = { usual: [], fast: [] }
    for (let screens = 0; screens < 71; screens++) {
      rules['usual']?.push(await ruleOf(usual, {}))
      rules['fast']?.push(await ruleOf(fast, {}))
    }
    assert.deepEqual(
      [rules['usual']?.indexOf('R16_VELOCITY_FLAG'), rules['fast']?.indexOf('R16_VELOCITY_FLAG')],
      [60, 70],
    )
    clock.advance(60_000)
    assert.equal(await ruleOf(usual, {}), null)
  })
})

describe('operating hours', () => {
  const HOURS = { timeZone: 'America/New_York', days: ['mon', 'fri'], start: '09:00', end: '17:00' }
  const outside = async (operatingHours: object, time: string) => {
    clock.moveTo(time)
    return (await ruleOf(await api.party({ operatingHours } as never), {})) === 'R17_UNUSUAL_HOUR'
  }

  test('are those of the wall clock: the UTC hour moves with daylight saving', async () => {
    // Fridays in winter (UTC-5) and in summer (UTC-4).
    assert.equal(await outside(HOURS, '2026-11-20T14:00:00.000Z'), false)
    assert.equal(await outside(HOURS, '2026-11-20T13:59:59.999Z'), true)
    assert.equal(await outside(HOURS, '2026-07-17T13:00:00.000Z'), false)
    assert.equal(await outside(HOURS, '2026-07-17T12:59:59.999Z'), true)
    assert.equal(await outside(HOURS, '2026-11-20T21:59:59.999Z'), false)
    assert.equal(await outside(HOURS, '2026-11-20T22:00:00.000Z'), true)
    assert.equal(await outside(HOURS, '2026-11-19T15:00:00.000Z'), true)
  })

  test('hold on the nights that the clock jumps and that it repeats an hour', async () => {
    const night = { ...HOURS, days: ['sun'], start: '02:30', end: '03:30' }
    // 8 March 2026: 01:59 EST is followed by 03:00 EDT, so only 03:00 to 03:30 exists.
    assert.equal(await outside(night, '2026-03-08T06:59:00.000Z'), true)
    assert.equal(await outside(night, '2026-03-08T07:00:00.000Z'), false)
    assert.equal(await outside(night, '2026-03-08T07:30:00.000Z'), true)
    const repeated = { ...night, start: '01:00', end: '02:00' }
    // 1 November 2026: 01:00 to 02:00 comes twice.
    for (const hour of [5, 6]) {
      assert.equal(await outside(repeated, `2026-11-01T0${hour}:30:00.000Z`), false)
    }
    assert.equal(await outside(repeated, '2026-11-01T07:00:00.000Z'), true)
  })

  test('may pass midnight, and belong to the day on which they begin', async () => {
    const night = { timeZone: 'Asia/Tokyo', days: ['fri'], start: '22:00', end: '02:00' }
    const friday = Date.parse('2026-11-20T13:00:00.000Z')
    for (const [hours, expected] of [
      [0, false],
      [3.99, false],
      [4, true],
      [-0.01, true],
      [-24, true],
    ] as const) {
      const time = new Date(friday + hours * HOUR_MS).toISOString()
      assert.equal(await outside(night, time), expected, time)
    }
  })

  const wrong: [object, string][] = [
    [{ ...HOURS, timeZone: 'Mars/Olympus' }, 'operatingHours.timeZone'],
    [{ ...HOURS, days: [] }, 'operatingHours.days'],
    [{ ...HOURS, days: ['friday'] }, 'operatingHours.days.0'],
    [{ ...HOURS, start: '24:00' }, 'operatingHours.start'],
    [{ ...HOURS, end: '9:00' }, 'operatingHours.end'],
    [{ ...HOURS, until: '9:00' }, 'operatingHours.until'],
    [{ timeZone: 'UTC', days: ['mon'], start: '09:00' }, 'operatingHours.end'],
  ]
  for (const [operatingHours, field] of wrong) {
    test(`400 names \`${field}\`, at registration and when it changes`, async () => {
      const party = await api.party()
      const body = { ...AN_AGENT, spendPolicy: { operatingHours } }
      const registered = await api.registerAgent(party, body)
      assertError(registered, 'invalid_request', { field: `spendPolicy.${field}` })
      const changed = await calls.patchPolicy(party, { operatingHours })
      assertError(changed, 'invalid_request', { field })
    })
  }
})
