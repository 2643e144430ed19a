/** POST /v1/delegates/create: child credentials that can only narrow, live, for every ancestor. */
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS, type SpendPolicyChange } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { assertError } from '../support/errors.ts'
import { partsOf } from '../support/jws.ts'
import {
  A_DELEGATE,
  assertRefusesBadBodies,
  assertSameAnswer,
  policyCalls,
} from '../support/policy.ts'
import { swappedLists } from '../support/policy-lists.ts'
import { type Party, startTestService, UNLISTED_WALLET } from '../support/service.ts'

const START = '2026-11-20T12:00:00.000Z'
const UNKNOWN_ID = 'agt_0000000000000000'
const clock = movedClock(START)
const api = await startTestService({}, { clock, watchlists: swappedLists([], START) })
const calls = policyCalls(api)
after(() => api.stop())
beforeEach(() => clock.moveTo(START))

const iso = (afterStart: number): string => new Date(Date.parse(START) + afterStart).toISOString()

/** Rule of the next screen; null for CLEAR. */
const pay = async (party: Party, payment: object = {}) => {
  const counterparty = { cpName: 'Example Coffee Roasters', cpWallet: UNLISTED_WALLET }
  return (await api.screen(party, { ...counterparty, ...payment })).body.ruleTriggered
}

/** An agent and delegates under it, one below the other. */
async function family(depth: number, body: object = {}): Promise<Party[]> {
  const chain = [await calls.agentOf(await api.party(), body)]
  while (chain.length <= depth) chain.push(await calls.delegateOf(chain.at(-1)!))
  return chain
}

describe('201', () => {
  test('is a delegate with everything of its parent but name, purpose and policy', async () => {
    const party = await api.party()
    const { fleetId } = (await calls.createFleet(party)).body
    const parent = await calls.agentOf(party, {
      operatorEIN: '12-3456789',
      operatorWallet: UNLISTED_WALLET,
      underlyingModel: 'model-1',
      agentFramework: 'LangGraph',
      fleetId,
    })
    const { status, body } = await calls.delegate(party, {
      parentAgentId: parent.agentId,
      spendPolicy: { maxSingleTxUSDC: 5 },
    })
    assert.equal(status, 201)
    const { agentId, token, credential, ...rest } = body
    assert.deepEqual(rest, { parentAgentId: parent.agentId, depth: 1 })
    const { payload } = partsOf(token)
    assert.deepEqual([payload['sub'], payload['vc']], [agentId, credential])
    const { type, credentialSubject } = credential as Record<string, Record<string, unknown>>
    assert.deepEqual(type, ['VerifiableCredential', 'KYADelegateCredential'])
    assert.equal(credentialSubject?.['parentAgentId'], parent.agentId)
    const inherited = (await calls.agent(party, parent.agentId)).body
    assert.deepEqual((await calls.agent(party, agentId)).body, {
      ...inherited,
      ...A_DELEGATE,
      agentId,
      parentAgentId: parent.agentId,
      depth: 1,
      spendPolicy: { maxSingleTxUSDC: 5 },
    })
  })

  test('by the parent’s token, with or without the id of the same agent', async () => {
    const party = await api.party()
    for (const more of [{}, { parentAgentId: party.agentId }]) {
      const reply = await calls.delegate(party, {
        parentToken: `Bearer ${party.agentToken}`,
        ...more,
      })
      assert.equal(reply.status, 201, reply.text)
      assert.equal(reply.body.parentAgentId, party.agentId)
      assert.equal(await pay({ ...party, agentToken: reply.body.token }), null)
    }
  })

  test('three levels below an agent, and 422 for the fourth', async () => {
    const chain = await family(3)
    for (const [depth, { agentId }] of chain.entries()) {
      assert.equal((await calls.agent(chain[0]!, agentId)).body.depth, depth)
    }
    assert.equal(await pay(chain[3]!), null)
    const parent = { parentAgentId: chain[3]!.agentId }
    assertError(await calls.delegate(chain[0]!, parent), 'delegation_depth_exceeded')
    const byToken = { parentToken: chain[3]!.agentToken }
    assertError(await calls.delegate(chain[0]!, byToken), 'delegation_depth_exceeded')
  })

  test('expires with its parent, or earlier when it says so, in any time zone', async () => {
    const party = await api.party()
    const parent = (await calls.agent(party, party.agentId)).body.expiresAt
    for (const [expiresAt, expected] of [
      [undefined, parent],
      [null, parent],
      [parent, parent],
      ['2026-11-21T12:00:00Z', iso(DAY_MS)],
      ['2026-11-21T13:00:00.000+01:00', iso(DAY_MS)],
    ]) {
      const delegate = await calls.delegateOf(party, { expiresAt })
      const { body } = await calls.agent(party, delegate.agentId)
      assert.equal(body.expiresAt, expected)
    }
    const brief = await calls.delegateOf(party, { expiresAt: iso(DAY_MS) })
    clock.moveTo(iso(DAY_MS))
    assert.equal(await pay(brief), 'R2_CREDENTIAL_STATUS')
    assert.equal(await pay(party), null)
  })

  test('Idempotency-Key: one delegate; 422 for another body; 400 for no key', async () => {
    const party = await api.party()
    const key = { 'idempotency-key': 'delegate-1' }
    const body = { parentAgentId: party.agentId }
    const [first, second] = [
      await calls.delegate(party, body, key),
      await calls.delegate(party, body, key),
    ]
    assert.deepEqual([second.status, second.text], [201, first.text])
    assert.equal((await calls.agents(party)).body.items.length, 2)
    const another = await calls.delegate(party, { ...body, agentName: 'Another' }, key)
    assertError(another, 'idempotency_key_reused')
    const bad = await calls.delegate(party, body, { 'idempotency-key': 'é' })
    assertError(bad, 'invalid_request', { field: 'Idempotency-Key' })
  })
})

describe('4xx', () => {
  const wrong: [object, string][] = [
    [{ parentAgentId: undefined }, 'parentAgentId'],
    [{ parentAgentId: ' ', parentToken: '' }, 'parentAgentId'],
    [{ parentAgentId: 5 }, 'parentAgentId'],
    [{ parentToken: 'x.y.z' }, 'parentToken'],
    [{ agentName: undefined }, 'agentName'],
    [{ agentName: ' ' }, 'agentName'],
    [{ purpose: undefined }, 'purpose'],
    [{ purpose: '\n' }, 'purpose'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ expiresAt: '2026-11-21' }, 'expiresAt'],
    [{ expiresAt: '2026-11-21T12:00:00' }, 'expiresAt'],
    [{ expiresAt: START }, 'expiresAt'],
    [{ expiresAt: '2036-11-20T12:00:00.000Z' }, 'expiresAt'],
    [{ expiresAt: 1_800_000_000 }, 'expiresAt'],
    [{ spendPolicy: { maxSingleTx: 5 } }, 'spendPolicy.maxSingleTx'],
    [{ spendPolicy: { allowedChains: ['DOGE'] } }, 'spendPolicy.allowedChains'],
    [{ spendPolicy: [] }, 'spendPolicy'],
    [{ parentTokn: 'x' }, 'parentTokn'],
  ]
  for (const [body, field] of wrong) {
    test(`400 names \`${field}\` for ${JSON.stringify(body)}`, async () => {
      const party = await api.party()
      const reply = await calls.delegate(party, { parentAgentId: party.agentId, ...body })
      assertError(reply, 'invalid_request', { field })
      assert.equal((await calls.agents(party)).body.items.length, 1)
    })
  }

  test('400 names `parentToken` for a replaced credential and for no agent’s', async () => {
    const party = await api.party()
    for (const parentToken of [party.operatorToken, `${party.agentToken.slice(0, -2)}AA`]) {
      const reply = await calls.delegate(party, { parentToken })
      assertError(reply, 'invalid_request', { field: 'parentToken' })
    }
    const { token } = (await calls.reissue(party)).body
    const old = await calls.delegate(party, { parentToken: party.agentToken })
    assertError(old, 'invalid_request', { field: 'parentToken' })
    assert.equal((await calls.delegate(party, { parentToken: token })).status, 201)
    clock.advance(91 * DAY_MS)
    const expired = await calls.delegate(party, { parentToken: token })
    assertError(expired, 'invalid_request', { field: 'parentToken' })
  })

  test('400 names `parentAgentId` when `parentToken` is another agent’s', async () => {
    const party = await api.party()
    const other = await calls.agentOf(party)
    const both = { parentToken: party.agentToken, parentAgentId: other.agentId }
    assertError(await calls.delegate(party, both), 'invalid_request', { field: 'parentAgentId' })
  })

  test('404 for an unknown parent and another operator’s; 403 for its token', async () => {
    const [party, other] = [await api.party(), await api.party()]
    const unknown = await calls.delegate(party, { parentAgentId: UNKNOWN_ID })
    assertError(unknown, 'not_found')
    assertSameAnswer(await calls.delegate(party, { parentAgentId: other.agentId }), unknown)
    assertSameAnswer(await calls.delegate(party, { parentAgentId: 'nobody' }), unknown)
    assertError(await calls.delegate(party, { parentToken: other.agentToken }), 'forbidden')
    assert.equal((await calls.agents(other)).body.items.length, 1)
  })

  test('409 while a parent of the chain is suspended, expired or revoked', async () => {
    const [root, child] = (await family(1)) as [Party, Party]
    const mint = () => calls.delegate(root, { parentAgentId: child.agentId })
    await calls.patchAgent(root, { status: 'SUSPENDED' })
    assertError(await mint(), 'invalid_transition')
    await calls.patchAgent(root, { status: 'ACTIVE' })
    assert.equal((await mint()).status, 201)
    clock.moveTo(iso(91 * DAY_MS))
    assertError(await mint(), 'invalid_transition')
    clock.moveTo(START)
    await calls.patchAgent(root, { status: 'REVOKED' })
    assertError(await mint(), 'invalid_transition')
  })

  test('400, 401, 413, 415 for bodies that are none and callers that are nobody', async () => {
    const { operatorToken: token } = await api.party()
    await assertRefusesBadBodies(api, { method: 'POST', path: '/v1/delegates/create', token })
  })
})

const HOURS = { timeZone: 'UTC', days: ['mon', 'fri'], start: '09:00', end: '17:00' } as const
const PARENT = {
  maxSingleTxUSDC: 100,
  dailyLimitUSDC: 1_000,
  allowedChains: ['ETH', 'BASE'],
  allowedRails: ['USDC'],
  allowedCounterpartyTypes: ['business'],
  allowedProtocols: ['Uniswap v3'],
  counterpartyWhitelist: ['Example Coffee Roasters', UNLISTED_WALLET],
  counterpartyScreening: 'OFAC+CONS',
  noMixerProtocols: true,
  maxScreensPerMinute: 10,
  operatingHours: HOURS,
} as unknown as SpendPolicyChange

/** For each field: what is within the parent's, and what is wider. */
const FIELDS: Record<string, [within: unknown[], wider: unknown[]]> = {
  maxSingleTxUSDC: [[100, 0], [100.000001]],
  dailyLimitUSDC: [[1_000], [1_000.000001]],
  allowedChains: [
    [['base'], ['ETH', 'BASE']],
    [['SOL'], ['ETH', 'SOL'], []],
  ],
  allowedRails: [[['usdc']], [['WIRE'], []]],
  allowedCounterpartyTypes: [[['Business']], [['individual'], []]],
  allowedProtocols: [[['UNISWAP-V3']], [['Aave'], []]],
  counterpartyWhitelist: [
    [['example coffee ROASTERS'], [UNLISTED_WALLET.toLowerCase()]],
    [['Example Tea House'], []],
  ],
  counterpartyScreening: [['OFAC+CONS'], ['OFAC']],
  noMixerProtocols: [[true], [false]],
  maxScreensPerMinute: [[10, 1], [11]],
  operatingHours: [
    [HOURS, { ...HOURS, days: ['fri'], end: '16:59' }],
    [
      { ...HOURS, days: ['mon', 'tue'] },
      { ...HOURS, end: '17:01' },
      { ...HOURS, timeZone: 'Europe/London' },
    ],
  ],
}

describe('narrowing', () => {
  for (const [field, [within, wider]] of Object.entries(FIELDS)) {
    test(`${field}: what is within passes, what is wider is 422`, async () => {
      const parent = await api.party(PARENT)
      const delegate = await calls.delegateOf(parent)
      const grandchild = await calls.delegateOf(delegate)
      for (const value of within) {
        await calls.delegateOf(delegate, { spendPolicy: { [field]: value } })
        const changed = await calls.patchPolicy(grandchild, { [field]: value })
        assert.equal(changed.status, 200, changed.text)
      }
      for (const value of wider) {
        const minted = await calls.delegate(parent, {
          parentAgentId: delegate.agentId,
          spendPolicy: { [field]: value },
        })
        assertError(minted, 'policy_widening', { field: `spendPolicy.${field}` })
        assert.deepEqual(minted.body.fields, [field])
        const before = (await calls.agent(parent, grandchild.agentId)).body.spendPolicy
        const changed = await calls.patchPolicy(grandchild, { [field]: value })
        assertError(changed, 'policy_widening', { field })
        assert.deepEqual(changed.body.fields, [field])
        const { spendPolicy } = (await calls.agent(parent, grandchild.agentId)).body
        assert.deepEqual(spendPolicy, before)
      }
    })
  }

  test('422 names every field that is wider, and only those', async () => {
    const parent = await api.party(PARENT)
    const widest = Object.fromEntries(
      Object.entries(FIELDS).map(([field, [, [value]]]) => [field, value]),
    )
    const reply = await calls.delegate(parent, {
      parentAgentId: parent.agentId,
      spendPolicy: widest,
    })
    assert.deepEqual(reply.body.fields?.toSorted(), Object.keys(FIELDS).toSorted())
    const some = { ...widest, maxSingleTxUSDC: 1, noMixerProtocols: true }
    const fewer = await calls.delegate(parent, { parentAgentId: parent.agentId, spendPolicy: some })
    const left = Object.keys(FIELDS).filter(
      (field) => field !== 'maxSingleTxUSDC' && field !== 'noMixerProtocols',
    )
    assert.deepEqual(fewer.body.fields?.toSorted(), left.toSorted())
  })

  test('a mixer passes only when the root allows it and no delegate forbids it', async () => {
    const root = await api.party({ noMixerProtocols: false })
    const open = await calls.delegateOf(root)
    const closed = await calls.delegateOf(open, { spendPolicy: { noMixerProtocols: true } })
    const mixer = { protocol: 'Tornado Cash' }
    assert.deepEqual(
      [await pay(open, mixer), await pay(closed, mixer)],
      [null, 'R14_MIXER_PROTOCOL'],
    )
    const again = await calls.delegate(root, {
      parentAgentId: closed.agentId,
      spendPolicy: { noMixerProtocols: false },
    })
    assertError(again, 'policy_widening', { field: 'spendPolicy.noMixerProtocols' })
    await calls.patchPolicy(root, { noMixerProtocols: null })
    assert.equal(await pay(open, mixer), 'R14_MIXER_PROTOCOL')
  })
})
