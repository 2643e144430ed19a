/** What the store answers again: idempotent work, audit records; and how it ends. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_MS } from '@portcullis/protocol'
import type { OperatorRegistration } from '../../packages/server/src/app/ports.ts'
import type { Agent } from '../../packages/server/src/app/records.ts'
import {
  failsWith,
  keyOf,
  ledgerOf,
  newAgent,
  newOperator,
  newTxn,
  nextId,
  NOW,
  onceOf,
  type OpenedStore,
  outcomeOf,
  recordOf,
  register,
  registrationOf,
  spentOf,
  txnOf,
  usd,
} from './store-fixtures.ts'

export function answersContract(opened: OpenedStore): void {
  const { store } = opened
  describe('idempotency', () => {
    test('replays the first answer and does the work once', async () => {
      const party = await register(store)
      const id = `idem-${nextId()}`
      const screenOnce = () =>
        store.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger), onceOf(id, txnOf))
      const done = await Promise.all(Array.from({ length: 20 }, screenOnce))
      const first = done.filter((one) => !one.replayed)
      assert.equal(first.length, 1)
      const txnId = !first[0]!.replayed && first[0]!.value.audit.txnId
      for (const one of done) assert.ok(!one.replayed || one.answer === txnId)
      const after = await ledgerOf(store, keyOf(party))
      assert.deepEqual([spentOf(after), after.screensThisMonth], [usd(1), 1])
    })

    test('refuses another request under the same key, and does none of it', async () => {
      const party = await register(store)
      const id = `idem-${nextId()}`
      await store.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger), onceOf(id, txnOf))
      await assert.rejects(
        store.commitScreen(
          keyOf(party),
          () => assert.fail('decide ran for a reused key'),
          onceOf(id, txnOf, { requestDigest: 'another request' }),
        ),
        failsWith('idempotency_key_reused'),
      )
      assert.equal((await ledgerOf(store, keyOf(party))).screensThisMonth, 1)
    })

    test('forgets a key at its expiry and not a millisecond before', async () => {
      const party = await register(store)
      const id = `idem-${nextId()}`
      const at = (now: number) =>
        store.commitScreen(
          keyOf(party),
          (ledger) => outcomeOf(ledger),
          onceOf(id, txnOf, { now, expiresAt: now + DAY_MS }),
        )
      assert.equal((await at(NOW)).replayed, false)
      assert.equal((await at(NOW + DAY_MS - 1)).replayed, true)
      assert.equal((await at(NOW + DAY_MS)).replayed, false)
      assert.equal((await ledgerOf(store, keyOf(party))).screensThisMonth, 2)
    })

    test('does not keep the answer of work that failed', async () => {
      const party = await register(store)
      const once = onceOf(`idem-${nextId()}`, txnOf)
      const wrong = new Error('no')
      await assert.rejects(
        store.commitScreen(
          keyOf(party),
          () => {
            throw wrong
          },
          once,
        ),
      )
      const again = await store.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger), once)
      assert.equal(again.replayed, false)
    })

    test('covers registrations of operators and agents too', async () => {
      const operatorKey = onceOf<OperatorRegistration>(
        `idem-${nextId()}`,
        ({ operator }) => operator.operatorId,
      )
      const emailDigest = 'digest-idempotent'
      const first = registrationOf(newOperator(), { emailDigest, maxPerDay: 1 })
      const second = registrationOf(newOperator(), { emailDigest, maxPerDay: 1 })
      assert.equal((await store.registerOperator(first, operatorKey)).replayed, false)
      const replay = await store.registerOperator(second, operatorKey)
      assert.deepEqual(replay, { replayed: true, answer: first.operator.operatorId })
      assert.equal(await store.findOperator(second.operator.operatorId), undefined)

      const agentKey = onceOf<Agent>(`idem-${nextId()}`, ({ agentId }) => agentId)
      const agent = newAgent(first.operator)
      await store.registerAgent(agent, agentKey)
      const again = await store.registerAgent(newAgent(first.operator), agentKey)
      assert.deepEqual(again, { replayed: true, answer: agent.agentId })
    })
  })

  describe('findAuditRecord', () => {
    test('gives a record to its operator only', async () => {
      const [mine, other] = [await register(store), await register(store)]
      const done = await store.commitScreen(keyOf(mine), (ledger) => outcomeOf(ledger))
      assert.ok(!done.replayed)
      const { txnId } = done.value.audit
      assert.deepEqual(
        await store.findAuditRecord(mine.operator.operatorId, txnId, 0),
        recordOf(txnId),
      )
      assert.equal(await store.findAuditRecord(other.operator.operatorId, txnId, 0), undefined)
      assert.equal(await store.findAuditRecord(mine.operator.operatorId, newTxn(), 0), undefined)
    })

    test('gives a record only while it is not too old', async () => {
      const party = await register(store)
      const done = await store.commitScreen(keyOf(party), (ledger) =>
        outcomeOf(ledger, { at: NOW }),
      )
      assert.ok(!done.replayed)
      const { txnId } = done.value.audit
      const find = (since: number) => store.findAuditRecord(party.operator.operatorId, txnId, since)
      assert.deepEqual(await find(NOW), recordOf(txnId))
      assert.equal(await find(NOW + 1), undefined)
    })
  })

  describe('ping and close', () => {
    test('ping tells that the store answers', async () => {
      assert.equal(await store.ping(), true)
    })

    test('close finishes what was accepted, then refuses', async () => {
      const party = await register(store)
      const closing = await opened.reopen()
      const accepted = Array.from({ length: 300 }, () =>
        closing.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger)),
      )
      const closed = closing.close()
      const late = closing.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger))
      await assert.rejects(late, failsWith('store_unavailable'))
      assert.equal((await Promise.all(accepted)).length, 300)
      await closed
      await assert.rejects(
        closing.findOperator(party.operator.operatorId),
        failsWith('store_unavailable'),
      )
      assert.equal((await ledgerOf(store, keyOf(party))).screensThisMonth, 300)
    })
  })
}
