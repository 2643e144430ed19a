/** Agents in the store: found and listed by their operator, changed whole or not at all. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AgentId, FleetId } from '@portcullis/protocol'
import type { Agent } from '../../packages/server/src/app/records.ts'
import {
  agentOf,
  failsWith,
  keyOf,
  ledgerOf,
  newAgent,
  newFleet,
  nextId,
  NOW,
  onceOf,
  type OpenedStore,
  register,
  registerChain,
} from './store-fixtures.ts'

const NOBODY = 'agt_nobody' as AgentId

export function agentsContract(opened: OpenedStore): void {
  findingAgents(opened)
  changingAgents(opened)
}

function findingAgents({ store }: OpenedStore): void {
  describe('registerAgent, findAgent and listAgents', () => {
    test('keeps every field of an agent', async () => {
      const { operator } = await register(store)
      const fleet = newFleet(operator)
      await store.createFleet(fleet)
      const agent = newAgent(operator, {
        fleetId: fleet.fleetId,
        attestation: { attestedBy: 'An Officer', note: null, attestedAt: NOW },
        operatorWallet: '0xwallet',
        operatorEIN: '12-3456789',
        statusReason: 'a reason',
      })
      await store.registerAgent(agent)
      assert.deepEqual(await store.findAgent(operator.operatorId, agent.agentId), agent)
    })

    test('gives an agent to its operator only', async () => {
      const [mine, other] = [await register(store), await register(store)]
      const { operatorId } = mine.operator
      assert.deepEqual(await store.findAgent(operatorId, mine.agent.agentId), mine.agent)
      assert.equal(await store.findAgent(operatorId, other.agent.agentId), undefined)
      assert.equal(await store.findAgent(operatorId, NOBODY), undefined)
    })

    test('refuses to register an agent into a fleet that the operator does not have', async () => {
      const [mine, other] = [await register(store), await register(store)]
      const foreign = newFleet(other.operator)
      await store.createFleet(foreign)
      for (const fleetId of [foreign.fleetId, 'flt_nobody' as FleetId]) {
        const agent = newAgent(mine.operator, { fleetId })
        await assert.rejects(store.registerAgent(agent), failsWith('invalid_request'))
        assert.equal(await store.findAgent(agent.operatorId, agent.agentId), undefined)
      }
    })

    test('lists by pages in the order of ids: each own agent once, and no other', async () => {
      const [{ operator, agent }] = [await register(store), await register(store)]
      const agents = [agent, ...Array.from({ length: 6 }, () => newAgent(operator))]
      for (const one of agents.slice(1)) await store.registerAgent(one)
      const listed: Agent[] = []
      const sizes: number[] = []
      for (let after = ''; ;) {
        const page = await store.listAgents(operator.operatorId, { after, limit: 3 })
        sizes.push(page.length)
        listed.push(...page)
        if (page.length === 0) break
        after = page.at(-1)!.agentId
      }
      assert.deepEqual(sizes, [3, 3, 1, 0])
      const byId = (a: Agent, b: Agent) => (a.agentId < b.agentId ? -1 : 1)
      assert.deepEqual(listed, agents.toSorted(byId))
    })
  })
}

function changingAgents({ store }: OpenedStore): void {
  describe('changeAgent', () => {
    test('writes everything of an agent that may change, and answers it', async () => {
      const { operator, agent } = await register(store)
      const fleet = newFleet(operator)
      await store.createFleet(fleet)
      const wanted: Agent = {
        ...agent,
        underlyingModel: 'another model',
        modelAtIssuance: 'another model of issuance',
        spendPolicy: { dailyLimitUSDC: 1.000001 },
        status: 'SUSPENDED',
        statusReason: 'a look',
        ownershipTransferred: false,
        operatorWalletListedAtIssuance: true,
        credentialId: `cred_${nextId()}`,
        issuedAt: NOW + 1,
        expiresAt: NOW + 2,
        fleetId: fleet.fleetId,
        attestation: { attestedBy: 'An Officer', note: 'a note', attestedAt: NOW },
      }
      const changed = await store.changeAgent(agent.operatorId, agent.agentId, () => wanted)
      assert.deepEqual(changed, { replayed: false, value: wanted })
      assert.deepEqual(await store.findAgent(agent.operatorId, agent.agentId), wanted)
      await store.changeAgent(agent.operatorId, agent.agentId, () => agent)
      assert.deepEqual(await store.findAgent(agent.operatorId, agent.agentId), agent)
    })

    test('never loses one of many concurrent changes', async () => {
      const { operator, agent } = await register(store)
      const chains = Array.from({ length: 50 }, (_, at) => `CHAIN${at}`)
      const add = (chain: string) => (one: Agent) => ({
        ...one,
        spendPolicy: { allowedChains: [...(one.spendPolicy.allowedChains ?? []), chain] },
      })
      await store.changeAgent(operator.operatorId, agent.agentId, (one) => ({
        ...one,
        spendPolicy: {},
      }))
      await Promise.all(
        chains.map((chain) => store.changeAgent(operator.operatorId, agent.agentId, add(chain))),
      )
      const changed = agentOf(await ledgerOf(store, keyOf({ operator, agent })))
      assert.deepEqual(changed?.spendPolicy.allowedChains?.toSorted(), chains.toSorted())
    })

    test('two changes of different fields at once are both kept', async () => {
      const { operator, agent } = await register(store)
      const change = (more: Partial<Agent>) =>
        store.changeAgent(operator.operatorId, agent.agentId, (one) => ({ ...one, ...more }))
      await Promise.all([change({ status: 'SUSPENDED' }), change({ underlyingModel: 'newer' })])
      assert.deepEqual(await store.findAgent(operator.operatorId, agent.agentId), {
        ...agent,
        status: 'SUSPENDED',
        underlyingModel: 'newer',
      })
    })

    test('shows the change the ancestors, the parent first', async () => {
      const { operator, chain } = await registerChain(store)
      const [youngest, ...ancestors] = chain
      const seen: unknown[] = []
      await store.changeAgent(operator.operatorId, youngest!.agentId, (agent, above) => {
        seen.push(agent, above)
        return agent
      })
      assert.deepEqual(seen, [youngest, ancestors])
    })

    test('answers undefined for an agent that is unknown or of another operator, and asks nothing', async () => {
      const [mine, other] = [await register(store), await register(store)]
      const change = () => assert.fail('a stranger was read')
      const { operatorId } = mine.operator
      assert.equal(await store.changeAgent(operatorId, other.agent.agentId, change), undefined)
      assert.equal(await store.changeAgent(operatorId, NOBODY, change), undefined)
    })

    test('refuses a fleet that the operator does not have, and writes nothing', async () => {
      const [{ operator, agent }, other] = [await register(store), await register(store)]
      const foreign = newFleet(other.operator)
      await store.createFleet(foreign)
      for (const fleetId of [foreign.fleetId, 'flt_nobody' as FleetId]) {
        const moved = store.changeAgent(operator.operatorId, agent.agentId, (one) => ({
          ...one,
          fleetId,
          status: 'SUSPENDED',
        }))
        await assert.rejects(moved, failsWith('invalid_request'))
        assert.deepEqual(await store.findAgent(operator.operatorId, agent.agentId), agent)
      }
    })

    test('leaves no trace when change throws, throws the same error, keeps no key', async () => {
      const { operator, agent } = await register(store)
      const wrong = new Error('no such change')
      const once = onceOf<Agent>(`idem-${nextId()}`, ({ status }) => status)
      const failing = () =>
        store.changeAgent(
          operator.operatorId,
          agent.agentId,
          () => {
            throw wrong
          },
          once,
        )
      await assert.rejects(failing(), (error) => error === wrong)
      assert.deepEqual(await store.findAgent(operator.operatorId, agent.agentId), agent)
      const suspend = (one: Agent): Agent => ({ ...one, status: 'SUSPENDED' })
      const change = () => store.changeAgent(operator.operatorId, agent.agentId, suspend, once)
      assert.equal((await change())?.replayed, false)
      assert.deepEqual(await change(), { replayed: true, answer: 'SUSPENDED' })
    })
  })
}
