/** Operators in the store, and the counts of their registrations. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  agentOf,
  failsWith,
  keyOf,
  ledgerOf,
  newAgent,
  newOperator,
  type OpenedStore,
  register,
  registrationOf,
} from './store-fixtures.ts'

export function registrationContract({ store }: OpenedStore): void {
  describe('registerOperator', () => {
    test('keeps every field of operator and agent', async () => {
      const { operator, agent } = await register(store)
      assert.deepEqual(await store.findOperator(operator.operatorId), operator)
      assert.deepEqual(agentOf(await ledgerOf(store, keyOf({ operator, agent }))), agent)
    })

    test('writes operator, agent and count together or not at all', async () => {
      const { agent } = await register(store)
      const operator = newOperator()
      const emailDigest = 'digest-atomic'
      // The agent's id is taken, so the last write of the three fails.
      const clash = registrationOf(operator, {
        agent: { ...agent, operatorId: operator.operatorId },
        emailDigest,
        maxPerDay: 1,
      })
      await assert.rejects(store.registerOperator(clash))
      assert.equal(await store.findOperator(operator.operatorId), undefined)
      await store.registerOperator(registrationOf(operator, { emailDigest, maxPerDay: 1 }))
      assert.ok(await store.findOperator(operator.operatorId))
    })

    test('refuses one past the limit of the email and date, and writes nothing', async () => {
      const emailDigest = 'digest-limited'
      const attempts = Array.from({ length: 8 }, () =>
        registrationOf(newOperator(), { emailDigest }),
      )
      const results = await Promise.allSettled(attempts.map((one) => store.registerOperator(one)))
      const refused = results.flatMap((one, at) =>
        one.status === 'rejected' ? [{ at, reason: one.reason as unknown }] : [],
      )
      assert.equal(refused.length, 5)
      for (const { at, reason } of refused) {
        assert.ok(failsWith('rate_limit_exceeded')(reason))
        assert.equal(await store.findOperator(attempts[at]!.operator.operatorId), undefined)
      }
    })

    test('counts each email and each date by itself', async () => {
      const emailDigest = 'digest-by-date'
      const limited = { emailDigest, maxPerDay: 1 }
      await store.registerOperator(registrationOf(newOperator(), limited))
      await store.registerOperator(
        registrationOf(newOperator(), { ...limited, emailDigest: 'digest-other' }),
      )
      await store.registerOperator(
        registrationOf(newOperator(), { ...limited, date: '2026-11-21' }),
      )
      await assert.rejects(
        store.registerOperator(registrationOf(newOperator(), limited)),
        failsWith('rate_limit_exceeded'),
      )
    })
  })

  describe('ensureOperator', () => {
    test('writes operator and agent once and leaves existing ones alone', async () => {
      const operator = newOperator()
      const agent = newAgent(operator)
      await store.ensureOperator(operator, agent)
      await store.ensureOperator(
        { ...operator, legalName: 'Somebody Else' },
        { ...agent, agentName: 'Other' },
      )
      const ledger = await ledgerOf(store, keyOf({ operator, agent }))
      assert.deepEqual(ledger.operator, operator)
      assert.deepEqual(agentOf(ledger), agent)
    })
  })

  describe('setOperatorWallet', () => {
    test('changes the wallet and nothing else, and answers the operator', async () => {
      const { operator } = await register(store)
      const changed = await store.setOperatorWallet(operator.operatorId, '0xnew')
      assert.deepEqual(changed, { ...operator, wallet: '0xnew' })
      assert.deepEqual(await store.findOperator(operator.operatorId), changed)
    })

    test('answers undefined for an operator that is not there', async () => {
      const nobody = newOperator().operatorId
      assert.equal(await store.setOperatorWallet(nobody, '0xnew'), undefined)
      assert.equal(await store.findOperator(nobody), undefined)
    })
  })
}
