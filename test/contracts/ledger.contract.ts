/** What a screen reads and counts: chains, fleets, history, velocity. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addScreen, NO_HISTORY } from '@portcullis/engine'
import { type AgentId, HOUR_MS, type MicroUsd, type Verdict } from '@portcullis/protocol'
import {
  allSpent,
  keyOf,
  ledgerOf,
  newAgent,
  newFleet,
  NOW,
  type OpenedStore,
  outcomeOf,
  type Party,
  register,
  registerChain,
  usd,
} from './store-fixtures.ts'

export function ledgerContract(opened: OpenedStore): void {
  chains(opened)
  fleetDays(opened)
  history(opened)
}

function chains({ store }: OpenedStore): void {
  describe('the ledger of a chain', () => {
    test('has the agent first, then its ancestors, and each fleet of theirs once', async () => {
      const { operator, chain, fleets } = await chainInFleets()
      const ledger = await ledgerOf(store, keyOf({ operator, agent: chain[0]! }))
      assert.deepEqual(
        ledger.chain.map(({ agent }) => agent),
        chain,
      )
      assert.deepEqual(
        ledger.fleets.map(({ fleet }) => fleet),
        fleets,
      )
      assert.deepEqual(allSpent(ledger), [0n, 0n, 0n, 0n, 0n, 0n])
    })

    test('counts spend once for agent, every ancestor and fleet, and for no other', async () => {
      const { operator, chain } = await chainInFleets()
      // The youngest and the root share a fleet, which counts a payment of the youngest once.
      for (const [at, amount] of [1, 10, 100, 1_000].entries()) {
        await store.commitScreen(keyOf({ operator, agent: chain[at]! }), (ledger) =>
          outcomeOf(ledger, { spend: usd(amount) }),
        )
      }
      const ledger = await ledgerOf(store, keyOf({ operator, agent: chain[0]! }))
      assert.deepEqual(allSpent(ledger), [1, 11, 111, 1_111, 1_111, 11].map(usd))
      const sibling = newAgent(operator)
      await store.registerAgent(sibling)
      assert.deepEqual(allSpent(await ledgerOf(store, keyOf({ operator, agent: sibling }))), [0n])
      const tomorrow = keyOf({ operator, agent: chain[0]! }, { date: '2026-11-21' })
      assert.deepEqual(allSpent(await ledgerOf(store, tomorrow)), [0n, 0n, 0n, 0n, 0n, 0n])
    })

    test('counts for nobody when a sum of an ancestor cannot be kept', async () => {
      const { operator, chain } = await chainInFleets()
      const root = keyOf({ operator, agent: chain.at(-1)! })
      const youngest = keyOf({ operator, agent: chain[0]! })
      const largest = (2n ** 63n - 1n) as MicroUsd
      await store.commitScreen(root, (ledger) => outcomeOf(ledger, { spend: largest }))
      await assert.rejects(store.commitScreen(youngest, (ledger) => outcomeOf(ledger)))
      const ledger = await ledgerOf(store, youngest)
      assert.deepEqual(allSpent(ledger), [0n, 0n, 0n, largest, largest, 0n])
    })

    test('serialises screens anywhere in a tree that share an ancestor', async () => {
      const { operator, chain } = await chainInFleets()
      const seen: bigint[] = []
      await Promise.all(
        Array.from({ length: 200 }, (_, at) =>
          store.commitScreen(keyOf({ operator, agent: chain[at % chain.length]! }), (ledger) => {
            seen.push(ledger.chain.at(-1)!.spentToday)
            return outcomeOf(ledger)
          }),
        ),
      )
      assert.deepEqual(
        seen,
        Array.from({ length: 200 }, (_, at) => usd(at)),
      )
    })

    /** A chain of four: the delegate and the root are of one fleet, its parent is of another. */
    async function chainInFleets() {
      const { operator, chain } = await registerChain(store)
      const fleets = [newFleet(operator), newFleet(operator)] as const
      for (const fleet of fleets) await store.createFleet(fleet)
      const wanted = [fleets[0].fleetId, fleets[1].fleetId, null, fleets[0].fleetId]
      const placed = []
      for (const [at, { agentId }] of chain.entries()) {
        const fleetId = wanted[at] ?? null
        const done = await store.changeAgent(operator.operatorId, agentId, (one) => ({
          ...one,
          fleetId,
        }))
        assert.ok(done?.replayed === false)
        placed.push(done.value)
      }
      return { operator, chain: placed, fleets }
    }
  })
}

function fleetDays({ store }: OpenedStore): void {
  describe('the day of a fleet', () => {
    test('serialises 300 concurrent screens of 20 agents that share a fleet-date', async () => {
      const { operator } = await register(store)
      const fleet = newFleet(operator)
      await store.createFleet(fleet)
      const agents = Array.from({ length: 20 }, () => newAgent(operator, fleet))
      for (const agent of agents) await store.registerAgent(agent)
      const seen = new Set<bigint>()
      await Promise.all(
        Array.from({ length: 300 }, (_, at) =>
          store.commitScreen(keyOf({ operator, agent: agents[at % 20]! }), (ledger) => {
            seen.add(ledger.fleets[0]!.spentToday)
            return outcomeOf(ledger)
          }),
        ),
      )
      assert.equal(seen.size, 300)
      const ledger = await ledgerOf(store, keyOf({ operator, agent: agents[0]! }))
      assert.deepEqual(allSpent(ledger), [usd(15), usd(300)])
    })
  })
}

function history({ store }: OpenedStore): void {
  describe('history and velocity', () => {
    const screenAt = (party: Party, at: number, verdict: Verdict = 'CLEAR') =>
      store.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger, { at, verdict }))
    const markAt = async (party: Party, perMinute: number) => {
      const key = keyOf(party, { screensPerMinute: () => perMinute })
      return (await ledgerOf(store, key)).velocityMarkAt
    }

    test('keeps the history that the last outcome has, and starts with none', async () => {
      const party = await register(store)
      assert.deepEqual((await ledgerOf(store, keyOf(party))).history, NO_HISTORY)
      let expected = NO_HISTORY
      for (const [at, verdict] of (['REVIEW', 'BLOCK', 'CLEAR', 'REVIEW'] as const).entries()) {
        const time = NOW + at * 7 * HOUR_MS
        await screenAt(party, time, verdict)
        expected = addScreen(expected, time, verdict)
        assert.deepEqual((await ledgerOf(store, keyOf(party))).history, expected)
      }
    })

    test('loses no screen of many at once', async () => {
      const party = await register(store)
      await Promise.all(Array.from({ length: 300 }, () => screenAt(party, NOW)))
      const ledger = await ledgerOf(store, keyOf(party))
      assert.deepEqual([ledger.history.screens, ledger.history.dayScreens], [300, 300])
    })

    test('velocityMarkAt is the time of the n-th screen before this one, right after many screens', async () => {
      const party = await register(store)
      for (let at = 1; at <= 130; at++) await screenAt(party, NOW + at)
      assert.equal(await markAt(party, 1), NOW + 130)
      assert.equal(await markAt(party, 60), NOW + 71)
      assert.equal(await markAt(party, 129), NOW + 2)
      assert.equal(await markAt(party, 130), NOW + 1)
      assert.equal(await markAt(party, 131), undefined)
      assert.equal(await markAt(party, 1_000_000), undefined)
      await screenAt(party, NOW + 500)
      assert.equal(await markAt(party, 1), NOW + 500)
      assert.equal(await markAt(party, 130), NOW + 2)
    })

    test('counts in the order of the store, also when the clock steps back', async () => {
      const party = await register(store)
      for (const at of [3, 1, 2]) await screenAt(party, NOW + at)
      assert.deepEqual(
        [await markAt(party, 1), await markAt(party, 2), await markAt(party, 3)],
        [NOW + 2, NOW + 1, NOW + 3],
      )
    })

    test('a screen that failed has no place in the order', async () => {
      const party = await register(store)
      await screenAt(party, NOW + 1)
      const failing = store.commitScreen(keyOf(party), () => {
        throw new Error('no')
      })
      await assert.rejects(failing)
      await screenAt(party, NOW + 2)
      assert.deepEqual([await markAt(party, 1), await markAt(party, 2)], [NOW + 2, NOW + 1])
      assert.equal(await markAt(party, 3), undefined)
    })

    test('asks for the velocity with the policies of the chain, the root first', async () => {
      const { operator, chain } = await registerChain(store)
      for (const [at, { agentId }] of chain.entries()) {
        await store.changeAgent(operator.operatorId, agentId, (agent) => ({
          ...agent,
          spendPolicy: { maxScreensPerMinute: at + 1 },
        }))
      }
      let asked: readonly (number | undefined)[] = []
      const key = keyOf(
        { operator, agent: chain[0]! },
        {
          screensPerMinute(policies) {
            asked = policies.map(({ maxScreensPerMinute }) => maxScreensPerMinute)
            return 1
          },
        },
      )
      await ledgerOf(store, key)
      assert.deepEqual(asked, [4, 3, 2, 1])
    })

    test('an agent that is not ours has no chain, no history and no mark', async () => {
      const party = await register(store)
      const key = keyOf(party, { agentId: 'agt_nobody' as AgentId })
      const { chain, fleets, history: none, velocityMarkAt } = await ledgerOf(store, key)
      assert.deepEqual([chain, fleets, none, velocityMarkAt], [[], [], NO_HISTORY, undefined])
    })
  })
}
