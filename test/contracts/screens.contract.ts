/** One screen in the store: atomic, durable, serialised. What it reads: ledger.contract.ts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MicroUsd, OperatorId, TxnId } from '@portcullis/protocol'
import {
  agentOf,
  failsWith,
  keyOf,
  ledgerOf,
  newAgent,
  newTxn,
  type OpenedStore,
  outcomeOf,
  recordOf,
  register,
  spentOf,
  usd,
} from './store-fixtures.ts'

export function screensContract(opened: OpenedStore): void {
  const { store } = opened
  describe('commitScreen', () => {
    test('gives decide the operator, the agent, the spend of the date and the screens of the month', async () => {
      const party = await register(store)
      const key = keyOf(party)
      await store.commitScreen(key, (ledger) => outcomeOf(ledger, { spend: usd(7) }))
      await store.commitScreen(key, (ledger) => outcomeOf(ledger, { spend: usd(5), charge: 0 }))
      const ledger = await ledgerOf(store, key)
      assert.deepEqual(ledger.operator, party.operator)
      assert.deepEqual(agentOf(ledger), party.agent)
      assert.equal(spentOf(ledger), usd(12))
      assert.equal(ledger.screensThisMonth, 1)
    })

    test('counts spend by agent and date, and screens by operator and month', async () => {
      const party = await register(store)
      await store.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger))
      const tomorrow = await ledgerOf(store, keyOf(party, { date: '2026-11-21' }))
      assert.deepEqual([spentOf(tomorrow), tomorrow.screensThisMonth], [0n, 1])
      const nextMonth = await ledgerOf(
        store,
        keyOf(party, { date: '2026-12-01', month: '2026-12' }),
      )
      assert.deepEqual([spentOf(nextMonth), nextMonth.screensThisMonth], [0n, 0])
      const agent = newAgent(party.operator)
      await store.registerAgent(agent)
      const sibling = await ledgerOf(store, keyOf({ ...party, agent }))
      assert.deepEqual([spentOf(sibling), sibling.screensThisMonth], [0n, 1])
    })

    test('has no agent and no spend for a token that names none', async () => {
      const party = await register(store)
      const ledger = await ledgerOf(store, keyOf(party, { agentId: undefined }))
      assert.deepEqual([agentOf(ledger), spentOf(ledger)], [undefined, 0n])
    })

    test('refuses an operator that it does not know', async () => {
      const key = keyOf(await register(store), { operatorId: 'op_nobody' as OperatorId })
      await assert.rejects(
        store.commitScreen(key, (ledger) => outcomeOf(ledger)),
        failsWith('unauthorized'),
      )
    })

    test('leaves no trace when decide throws, throws the same error, and harms no other of the batch', async () => {
      const party = await register(store)
      const key = keyOf(party)
      const wrong = new Error('decide failed')
      const txns: TxnId[] = []
      const results = await Promise.allSettled(
        Array.from({ length: 30 }, (_, at) =>
          store.commitScreen(key, (ledger) => {
            txns[at] = ledger.txnId
            if (at % 3 === 0) throw wrong
            return outcomeOf(ledger)
          }),
        ),
      )
      for (const [at, result] of results.entries()) {
        const kept = await store.findAuditRecord(party.operator.operatorId, txns[at]!, 0)
        if (at % 3 !== 0) {
          assert.equal(result.status, 'fulfilled')
          assert.deepEqual(kept, recordOf(txns[at]!))
        } else {
          assert.equal(result.status === 'rejected' && result.reason, wrong)
          assert.equal(kept, undefined)
        }
      }
      const after = await ledgerOf(store, key)
      assert.deepEqual([spentOf(after), after.screensThisMonth], [usd(20), 20])
    })

    test('writes nothing of an outcome whose last write fails', async () => {
      const party = await register(store)
      const key = keyOf(party)
      let txnId: TxnId | undefined
      const circular: Record<string, unknown> = {}
      circular['self'] = circular
      await assert.rejects(
        store.commitScreen(key, (ledger) => {
          txnId = ledger.txnId
          return outcomeOf(ledger, { effects: [{ kind: 'broken', payload: circular }] })
        }),
      )
      assert.ok(txnId)
      assert.equal(await store.findAuditRecord(party.operator.operatorId, txnId, 0), undefined)
      const after = await ledgerOf(store, key)
      assert.deepEqual([spentOf(after), after.screensThisMonth], [0n, 0])
    })

    test('asks for another transaction id until one is free', async () => {
      const party = await register(store)
      const taken = [newTxn(), newTxn()]
      const asked: TxnId[] = []
      const offer = (offers: TxnId[]) => () => {
        const txnId = offers.shift() ?? newTxn()
        asked.push(txnId)
        return txnId
      }
      for (const txnId of taken) {
        await store.commitScreen(keyOf(party, { newTxnId: () => txnId }), (ledger) =>
          outcomeOf(ledger),
        )
      }
      const free = newTxn()
      const offers = [...taken, ...taken, free]
      const done = await store.commitScreen(keyOf(party, { newTxnId: offer(offers) }), (ledger) =>
        outcomeOf(ledger),
      )
      assert.deepEqual(asked, [...taken, ...taken, free])
      assert.equal(!done.replayed && done.value.audit.txnId, free)
    })

    test('gives two screens of one batch that draw the same id different ones', async () => {
      const party = await register(store)
      const wanted = newTxn()
      const draw = () => {
        let first = true
        return () => {
          const txnId = first ? wanted : newTxn()
          first = false
          return txnId
        }
      }
      const done = await Promise.all(
        Array.from({ length: 5 }, () =>
          store.commitScreen(keyOf(party, { newTxnId: draw() }), (ledger) => outcomeOf(ledger)),
        ),
      )
      assert.equal(new Set(done.map((one) => !one.replayed && one.value.audit.txnId)).size, 5)
    })

    test('is durable before it resolves: another connection reads the record at once', async () => {
      const party = await register(store)
      const other = await opened.reopen()
      try {
        for (let at = 0; at < 10; at++) {
          const done = await store.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger))
          assert.ok(!done.replayed)
          const { txnId } = done.value.audit
          assert.deepEqual(
            await other.findAuditRecord(party.operator.operatorId, txnId, 0),
            recordOf(txnId),
          )
          assert.equal(spentOf(await ledgerOf(other, keyOf(party))), usd(at + 1))
        }
      } finally {
        await other.close()
      }
    })

    test('serialises 500 concurrent screens of one agent-date and operator-month', async () => {
      const party = await register(store)
      const seen = new Set<string>()
      await Promise.all(
        Array.from({ length: 500 }, () =>
          store.commitScreen(keyOf(party), (ledger) => {
            seen.add(`${spentOf(ledger)} ${ledger.screensThisMonth}`)
            return outcomeOf(ledger)
          }),
        ),
      )
      const expected = Array.from({ length: 500 }, (_, at) => `${usd(at)} ${at}`)
      assert.deepEqual([...seen].toSorted(), expected.toSorted())
    })

    test('keeps money beyond 2^53 micro-USD exactly', async () => {
      const party = await register(store)
      const large = (2n ** 53n + 1n) as MicroUsd
      await store.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger, { spend: large }))
      assert.equal(spentOf(await ledgerOf(store, keyOf(party))), large)
      await store.commitScreen(keyOf(party), (ledger) =>
        outcomeOf(ledger, { spend: 2n as MicroUsd }),
      )
      assert.equal(spentOf(await ledgerOf(store, keyOf(party))), large + 2n)
    })

    test('fails rather than rounds a day that no integer column can hold', async () => {
      const party = await register(store)
      const largest = (2n ** 63n - 1n) as MicroUsd
      await store.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger, { spend: largest }))
      await assert.rejects(store.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger)))
      const after = await ledgerOf(store, keyOf(party))
      assert.deepEqual([spentOf(after), after.screensThisMonth], [largest, 1])
    })

    test('writes queued effects with the outcome, and none when it fails', async () => {
      const party = await register(store)
      const before = (await opened.queuedEffects()).length
      const effects = [
        { kind: 'first', payload: { at: 1 } },
        { kind: 'second', payload: { text: 'ü' } },
      ]
      const done = await store.commitScreen(keyOf(party), (ledger) =>
        outcomeOf(ledger, { effects }),
      )
      const failed = store.commitScreen(keyOf(party), (ledger) => ({
        ...outcomeOf(ledger, { effects, spend: (2n ** 63n - 1n) as MicroUsd }),
      }))
      await assert.rejects(failed)
      assert.ok(!done.replayed)
      const { txnId } = done.value.audit
      assert.deepEqual((await opened.queuedEffects()).slice(before), [
        `${txnId} first {"at":1}`,
        `${txnId} second {"text":"ü"}`,
      ])
    })
  })
}
