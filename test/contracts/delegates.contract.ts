/** Delegates and users in the store. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AgentId, MAX_DELEGATION_DEPTH } from '@portcullis/protocol'
import type { Agent, User } from '../../packages/server/src/app/records.ts'
import {
  keyOf,
  ledgerOf,
  newDelegate,
  newUser,
  nextId,
  onceOf,
  type OpenedStore,
  outcomeOf,
  register,
  registerChain,
} from './store-fixtures.ts'

export function delegatesContract({ store }: OpenedStore): void {
  describe('mintDelegate', () => {
    test('gives the chain agent-first, keeps the delegate, and answers it', async () => {
      const { operator, agent } = await register(store)
      const links: Agent[] = [agent]
      for (let depth = 1; depth <= MAX_DELEGATION_DEPTH; depth++) {
        let given: readonly Agent[] = []
        const minted = await store.mintDelegate(operator.operatorId, links[0]!.agentId, (chain) => {
          given = chain
          return newDelegate(chain[0]!)
        })
        assert.deepEqual(given, links)
        assert.ok(minted?.replayed === false)
        const { value } = minted
        assert.deepEqual([value.depth, value.parentAgentId], [depth, links[0]!.agentId])
        assert.deepEqual(await store.findAgent(operator.operatorId, value.agentId), value)
        links.unshift(value)
      }
    })

    test('answers undefined for a parent that is unknown or of another operator, and mints nothing', async () => {
      const [mine, other] = [await register(store), await register(store)]
      const mint = () => assert.fail('a delegate of a stranger was minted')
      const { operatorId } = mine.operator
      assert.equal(await store.mintDelegate(operatorId, other.agent.agentId, mint), undefined)
      assert.equal(await store.mintDelegate(operatorId, 'agt_nobody' as AgentId, mint), undefined)
    })

    test('writes nothing when mint throws, and throws the same error', async () => {
      const { operator, agent } = await register(store)
      const wrong = new Error('too wide')
      const minting = store.mintDelegate(operator.operatorId, agent.agentId, () => {
        throw wrong
      })
      await assert.rejects(minting, (error) => error === wrong)
      const all = await store.listAgents(operator.operatorId, { after: '', limit: 10 })
      assert.deepEqual(all, [agent])
    })

    test('sees every change of the parent that was made before it, and none by half', async () => {
      const { operator, agent } = await register(store)
      const { operatorId } = operator
      const seen: (readonly [number | undefined, string | null])[] = []
      await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          at % 2 === 0
            ? store.changeAgent(operatorId, agent.agentId, (one) => ({
                ...one,
                spendPolicy: { dailyLimitUSDC: at },
                underlyingModel: `model of ${at}`,
              }))
            : store.mintDelegate(operatorId, agent.agentId, ([parent]) => {
                seen.push([parent!.spendPolicy.dailyLimitUSDC, parent!.underlyingModel])
                return newDelegate(parent!)
              }),
        ),
      )
      assert.equal(seen.length, 20)
      for (const [limit, model] of seen) {
        if (limit !== undefined) assert.equal(model, `model of ${limit}`)
      }
      const all = await store.listAgents(operatorId, { after: '', limit: 100 })
      assert.equal(all.length, 21)
    })

    test('mints once under one key', async () => {
      const { operator, agent } = await register(store)
      const once = onceOf<Agent>(`idem-${nextId()}`, ({ agentId }) => agentId)
      const mint = () =>
        store.mintDelegate(operator.operatorId, agent.agentId, () => newDelegate(agent), once)
      const done = await Promise.all(Array.from({ length: 5 }, mint))
      const first = done.filter((one) => one?.replayed === false)
      assert.equal(first.length, 1)
      const all = await store.listAgents(operator.operatorId, { after: '', limit: 10 })
      assert.equal(all.length, 2)
    })
  })

  describe('registerUser', () => {
    test('keeps every field, for the ledger of a screen that names the user', async () => {
      const party = await register(store)
      const user = newUser(party.agent)
      assert.deepEqual(await store.registerUser(user), { replayed: false, value: user })
      const named = await ledgerOf(store, keyOf(party, { userId: user.userId }))
      assert.deepEqual(named.user, user)
      assert.equal((await ledgerOf(store, keyOf(party))).user, undefined)
      const stranger = newUser(party.agent).userId
      assert.equal((await ledgerOf(store, keyOf(party, { userId: stranger }))).user, undefined)
    })

    test('registers once under one key', async () => {
      const { agent, operator } = await register(store)
      const once = onceOf<User>(`idem-${nextId()}`, ({ userId }) => userId)
      const user = newUser(agent)
      await store.registerUser(user, once)
      const other = newUser(agent)
      assert.deepEqual(await store.registerUser(other, once), {
        replayed: true,
        answer: user.userId,
      })
      const key = keyOf({ operator, agent }, { userId: other.userId })
      assert.equal((await ledgerOf(store, key)).user, undefined)
    })
  })

  test('a delegate screens under its own name, not under that of its parent', async () => {
    const { operator, chain } = await registerChain(store)
    const [youngest, parent] = chain
    await store.commitScreen(keyOf({ operator, agent: youngest! }), (ledger) => outcomeOf(ledger))
    const own = await ledgerOf(store, keyOf({ operator, agent: youngest! }))
    const above = await ledgerOf(store, keyOf({ operator, agent: parent! }))
    assert.deepEqual([own.history.screens, above.history.screens], [1, 0])
  })
}
