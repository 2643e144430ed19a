/** Delegation chains at work: live policies, live status, and spend that counts all the way up. */
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS, type SpendPolicyChange } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { A_DELEGATE, policyCalls } from '../support/policy.ts'
import { swappedLists } from '../support/policy-lists.ts'
import { type Party, startTestService, UNLISTED_WALLET } from '../support/service.ts'

const START = '2026-11-20T12:00:00.000Z'
const clock = movedClock(START)
const api = await startTestService({}, { clock, watchlists: swappedLists([], START) })
const calls = policyCalls(api)
after(() => api.stop())
beforeEach(() => clock.moveTo(START))

/** Rule of the next screen; null for CLEAR. */
const pay = async (party: Party, payment: object = {}) => {
  const counterparty = { cpName: 'Example Coffee Roasters', cpWallet: UNLISTED_WALLET }
  return (await api.screen(party, { ...counterparty, ...payment })).body.ruleTriggered
}

/** An agent and delegates under it, one below the other. */
async function family(depth: number): Promise<Party[]> {
  const chain = [await calls.agentOf(await api.party())]
  while (chain.length <= depth) chain.push(await calls.delegateOf(chain.at(-1)!))
  return chain
}

const HOURS = { timeZone: 'UTC', days: ['mon'], start: '09:00', end: '17:00' } as const

describe('live down the chain', () => {
  test('a parent that narrows reaches its delegates at the next screen', async () => {
    const changes: [SpendPolicyChange, object, string][] = [
      [{ maxSingleTxUSDC: 5 }, {}, 'R10_SINGLE_TX_LIMIT'],
      [{ allowedChains: ['SOL'] }, { chain: 'BASE' }, 'R9_CHAIN_POLICY'],
      [{ allowedRails: ['WIRE'] }, { rail: 'USDC' }, 'R18_RAIL_POLICY'],
      [{ allowedCounterpartyTypes: ['business'] }, {}, 'R21_COUNTERPARTY_TYPE_POLICY'],
      [{ allowedProtocols: ['Aave'] }, { protocol: 'Uniswap' }, 'R22_PROTOCOL_POLICY'],
      [{ counterpartyWhitelist: ['Example Tea House'] }, {}, 'R13_COUNTERPARTY_WHITELIST'],
      [{ operatingHours: { ...HOURS, days: ['mon'] } }, {}, 'R17_UNUSUAL_HOUR'],
      [{ dailyLimitUSDC: 9.99 }, {}, 'R11_DAILY_LIMIT'],
      [{ maxScreensPerMinute: 1 }, {}, 'R16_VELOCITY_FLAG'],
    ]
    for (const [change, payment, rule] of changes) {
      for (const depth of [0, 1]) {
        const chain = await family(2)
        const [ancestor, grandchild] = [chain[depth]!, chain[2]!]
        assert.equal(await pay(grandchild, payment), null, rule)
        assert.equal((await calls.patchPolicy(ancestor, change)).status, 200)
        assert.equal(await pay(grandchild, payment), rule)
        const cleared = Object.fromEntries(Object.keys(change).map((field) => [field, null]))
        await calls.patchPolicy(ancestor, cleared)
        assert.equal(await pay(grandchild, payment), null, rule)
      }
    }
  })

  test('an intersection of strangers allows nothing', async () => {
    const root = await api.party()
    const child = await calls.delegateOf(root, { spendPolicy: { allowedChains: ['BASE'] } })
    await calls.patchPolicy(root, { allowedChains: ['ETH'] })
    for (const chain of ['BASE', 'ETH'])
      assert.equal(await pay(child, { chain }), 'R9_CHAIN_POLICY')
    assert.equal(await pay(root, { chain: 'ETH' }), null)
  })

  test('a parent that falls, or its fleet, takes its delegates with it', async () => {
    const [root, child, grandchild] = (await family(2)) as [Party, Party, Party]
    const fate = async () => {
      const { ruleTriggered, credentialStatus, reason } = (await api.screen(grandchild)).body
      return [ruleTriggered, credentialStatus, reason.includes(`parent ${child.agentId}`)]
    }
    assert.deepEqual(await fate(), [null, 'ACTIVE', false])
    await calls.patchAgent(child, { status: 'SUSPENDED' })
    assert.deepEqual(await fate(), ['R2_CREDENTIAL_STATUS', 'SUSPENDED', true])
    assert.equal(await pay(root), null)
    await calls.patchAgent(child, { status: 'ACTIVE' })
    const { fleetId } = (await calls.createFleet(root)).body
    await calls.patchAgent(child, { fleetId })
    await calls.patchFleet(root, fleetId, { status: 'SUSPENDED' })
    assert.deepEqual(await fate(), ['R2_CREDENTIAL_STATUS', 'SUSPENDED', false])
    await calls.patchFleet(root, fleetId, { status: 'ACTIVE' })
    assert.deepEqual(await fate(), [null, 'ACTIVE', false])
    await calls.patchAgent(child, { status: 'REVOKED' })
    assert.deepEqual(await fate(), ['R2_CREDENTIAL_STATUS', 'REVOKED', true])
  })

  test('a reissued delegate does not outlive a parent that expires', async () => {
    const party = await api.party()
    const child = await calls.delegateOf(party)
    clock.advance(DAY_MS)
    const { token } = (await calls.reissue(child)).body
    const expiresAt = (await calls.agent(party, party.agentId)).body.expiresAt
    assert.equal((await calls.agent(party, child.agentId)).body.expiresAt, expiresAt)
    clock.moveTo(expiresAt)
    assert.equal(await pay({ ...child, agentToken: token }), 'R2_CREDENTIAL_STATUS')
  })

  test('a screen by a delegate names the delegate', async () => {
    const [, child] = (await family(1)) as [Party, Party]
    const { body } = await api.screen(child)
    assert.deepEqual([body.agentId, body.agentName], [child.agentId, A_DELEGATE.agentName])
  })
})

describe('spend', () => {
  test('of a delegate counts for ancestors and fleets, and not for siblings', async () => {
    const party = await api.party()
    const { fleetId } = (await calls.createFleet(party, { dailyLimitUSDC: 100 })).body
    const root = await calls.agentOf(party, { fleetId, spendPolicy: { dailyLimitUSDC: 60 } })
    const child = await calls.delegateOf(root, { spendPolicy: { dailyLimitUSDC: 40 } })
    const [one, other] = [
      await calls.delegateOf(child, { spendPolicy: { dailyLimitUSDC: 30 } }),
      await calls.delegateOf(child),
    ]
    assert.equal(await pay(one, { amount: 30 }), null)
    assert.equal(await pay(one, { amount: 0.000001 }), 'R11_DAILY_LIMIT')
    assert.equal(await pay(other, { amount: 10.000001 }), 'R11_DAILY_LIMIT')
    assert.equal(await pay(other, { amount: 10 }), null)
    assert.equal(await pay(child, { amount: 0.000001 }), 'R11_DAILY_LIMIT')
    const stranger = await calls.agentOf(party, { fleetId })
    assert.equal(await pay(stranger, { amount: 60.000001 }), 'R12_FLEET_DAILY_LIMIT')
    assert.equal(await pay(stranger, { amount: 50 }), null)
    assert.equal(await pay(root, { amount: 10.000001 }), 'R12_FLEET_DAILY_LIMIT')
    assert.equal(await pay(root, { amount: 10 }), null)
    assert.equal(await pay(root, { amount: 0.000001 }), 'R12_FLEET_DAILY_LIMIT')
  })

  test('of an ancestor does not use up a delegate’s own limit, only the common one', async () => {
    const root = await api.party({ dailyLimitUSDC: 60 })
    const child = await calls.delegateOf(root, { spendPolicy: { dailyLimitUSDC: 40 } })
    assert.equal(await pay(root, { amount: 20 }), null)
    assert.equal(await pay(child, { amount: 40 }), null)
    assert.equal(await pay(root, { amount: 0.000001 }), 'R11_DAILY_LIMIT')
  })

  test('counts in both fleets of a chain, joined before or after the minting', async () => {
    const party = await api.party()
    const fleets = [
      (await calls.createFleet(party, { dailyLimitUSDC: 10 })).body.fleetId,
      (await calls.createFleet(party, { dailyLimitUSDC: 25 })).body.fleetId,
    ]
    const child = await calls.delegateOf(party)
    await calls.patchAgent(party, { fleetId: fleets[1] })
    await calls.patchAgent(child, { fleetId: fleets[0] })
    assert.equal(await pay(child, { amount: 10 }), null)
    assert.equal(await pay(child, { amount: 0.000001 }), 'R12_FLEET_DAILY_LIMIT')
    await calls.patchAgent(child, { fleetId: null })
    assert.equal(await pay(child, { amount: 15.000001 }), 'R12_FLEET_DAILY_LIMIT')
    assert.equal(await pay(child, { amount: 15 }), null)
  })

  test('of a delegate that an officer APPROVED counts for the ancestors too', async () => {
    const root = await api.party({ dailyLimitUSDC: 60 })
    const child = await calls.delegateOf(root, { spendPolicy: { dailyLimitUSDC: 10 } })
    const { body } = await api.screen(child, { amount: 50 })
    assert.equal(body.ruleTriggered, 'R11_DAILY_LIMIT')
    const approval = { disposition: 'APPROVED', reviewedBy: 'E-7' }
    assert.equal((await calls.review(root, body.txnId, approval)).status, 200)
    assert.equal(await pay(root, { amount: 10.000001 }), 'R11_DAILY_LIMIT')
    assert.equal(await pay(root, { amount: 10 }), null)
  })
})
