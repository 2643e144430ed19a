/** Fleets in the store. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FleetId, MicroUsd } from '@portcullis/protocol'
import type { Fleet } from '../../packages/server/src/app/records.ts'
import { newFleet, nextId, onceOf, type OpenedStore, register } from './store-fixtures.ts'

export function fleetsContract({ store }: OpenedStore): void {
  describe('fleets', () => {
    test('keeps every field, and gives a fleet to its operator only', async () => {
      const [mine, other] = [await register(store), await register(store)]
      const fleet = newFleet(mine.operator, { status: 'SUSPENDED' })
      assert.deepEqual(await store.createFleet(fleet), { replayed: false, value: fleet })
      const { operatorId } = mine.operator
      assert.deepEqual(await store.findFleet(operatorId, fleet.fleetId), fleet)
      assert.equal(await store.findFleet(other.operator.operatorId, fleet.fleetId), undefined)
      assert.equal(await store.findFleet(operatorId, 'flt_nobody' as FleetId), undefined)
    })

    test('creates once under one key', async () => {
      const { operator } = await register(store)
      const once = onceOf<Fleet>(`idem-${nextId()}`, ({ fleetId }) => fleetId)
      const [first, second] = [newFleet(operator), newFleet(operator)]
      await store.createFleet(first, once)
      const replay = await store.createFleet(second, once)
      assert.deepEqual(replay, { replayed: true, answer: first.fleetId })
      assert.equal(await store.findFleet(operator.operatorId, second.fleetId), undefined)
    })

    test('lists by pages in the order of ids: each own fleet once, and no other', async () => {
      const [{ operator }, other] = [await register(store), await register(store)]
      const fleets = Array.from({ length: 5 }, () => newFleet(operator))
      for (const fleet of [...fleets, newFleet(other.operator)]) await store.createFleet(fleet)
      const listed: Fleet[] = []
      for (let after = ''; ;) {
        const page = await store.listFleets(operator.operatorId, { after, limit: 2 })
        assert.ok(page.length <= 2)
        listed.push(...page)
        if (page.length === 0) break
        after = page.at(-1)!.fleetId
      }
      const byId = (a: Fleet, b: Fleet) => (a.fleetId < b.fleetId ? -1 : 1)
      assert.deepEqual(listed, fleets.toSorted(byId))
    })

    test('never loses one of many concurrent changes', async () => {
      const { operator } = await register(store)
      const fleet = newFleet(operator, { dailyLimit: 0n as MicroUsd })
      await store.createFleet(fleet)
      const raise = (one: Fleet): Fleet => ({
        ...one,
        dailyLimit: (one.dailyLimit + 1n) as MicroUsd,
      })
      const rename = (one: Fleet): Fleet => ({ ...one, fleetName: 'Renamed', status: 'SUSPENDED' })
      await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          store.changeFleet(operator.operatorId, fleet.fleetId, at === 25 ? rename : raise),
        ),
      )
      assert.deepEqual(await store.findFleet(operator.operatorId, fleet.fleetId), {
        ...fleet,
        dailyLimit: 49n,
        fleetName: 'Renamed',
        status: 'SUSPENDED',
      })
    })

    test('answers undefined for an unknown or foreign fleet, and asks nothing', async () => {
      const [mine, other] = [await register(store), await register(store)]
      const foreign = newFleet(other.operator)
      await store.createFleet(foreign)
      const change = () => assert.fail('the fleet of a stranger was read')
      for (const fleetId of [foreign.fleetId, 'flt_nobody' as FleetId]) {
        const { operatorId } = mine.operator
        assert.equal(await store.changeFleet(operatorId, fleetId, change), undefined)
      }
    })

    test('writes nothing when the change throws, and throws the same error', async () => {
      const { operator } = await register(store)
      const fleet = newFleet(operator)
      await store.createFleet(fleet)
      const wrong = new Error('no such change')
      const changing = store.changeFleet(operator.operatorId, fleet.fleetId, () => {
        throw wrong
      })
      await assert.rejects(changing, (error) => error === wrong)
      assert.deepEqual(await store.findFleet(operator.operatorId, fleet.fleetId), fleet)
    })
  })
}
