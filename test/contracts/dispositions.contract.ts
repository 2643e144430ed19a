/** Dispositions of REVIEW records: exactly one, and what it adds to a day. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type AuditRecord,
  isoTime,
  ServiceError,
  type TxnId,
  type Verdict,
} from '@portcullis/protocol'
import type { DispositionEntry } from '../../packages/server/src/app/records.ts'
import {
  allSpent,
  failsWith,
  keyOf,
  ledgerOf,
  newFleet,
  newTxn,
  NOW,
  type OpenedStore,
  outcomeOf,
  type Party,
  register,
  registerChain,
  TODAY,
  usd,
} from './store-fixtures.ts'

const TOMORROW = '2026-11-21'
const entryOf = (disposition: DispositionEntry['disposition']): DispositionEntry => ({
  disposition,
  reviewedBy: 'An Officer',
  notes: 'looked at it',
  reviewedAt: NOW + 5,
})
const recordFor = (txnId: TxnId): AuditRecord =>
  ({ txnId, _request: { amount: 7.000001 } }) as unknown as AuditRecord
const AMOUNT = usd(7) + 1n

export function dispositionsContract({ store }: OpenedStore): void {
  const screened = async (party: Party, verdict: Verdict = 'REVIEW'): Promise<TxnId> => {
    const done = await store.commitScreen(keyOf(party), (ledger) =>
      outcomeOf(ledger, { verdict, spend: usd(0), record: recordFor(ledger.txnId) }),
    )
    assert.ok(!done.replayed)
    return done.value.audit.txnId
  }
  const dispose = (
    { operator }: Party,
    txnId: TxnId,
    disposition: DispositionEntry['disposition'],
    since = 0,
  ) => store.recordDisposition(operator.operatorId, txnId, entryOf(disposition), TOMORROW, since)
  const spentOn = async (party: Party, date: string) =>
    allSpent(await ledgerOf(store, keyOf(party, { date })))

  describe('recordDisposition', () => {
    for (const disposition of ['APPROVED', 'REJECTED', 'ESCALATE_SAR'] as const) {
      test(`answers and keeps the record with its disposition: ${disposition}`, async () => {
        const party = await register(store)
        const txnId = await screened(party)
        const record = await dispose(party, txnId, disposition)
        assert.deepEqual(record, {
          ...recordFor(txnId),
          disposition,
          reviewedBy: 'An Officer',
          reviewedAt: isoTime(NOW + 5),
          notes: 'looked at it',
          sarEscalated: disposition === 'ESCALATE_SAR',
        })
        const { operatorId } = party.operator
        assert.deepEqual(await store.findAuditRecord(operatorId, txnId, 0), record)
      })
    }

    test('keeps exactly one of 50 at once; the others are told of it with the record', async () => {
      const party = await register(store)
      const txnId = await screened(party)
      const results = await Promise.allSettled(
        Array.from({ length: 50 }, (_, at) =>
          dispose(party, txnId, at % 2 === 0 ? 'APPROVED' : 'REJECTED'),
        ),
      )
      const won = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      assert.equal(won.length, 1)
      const kept = await store.findAuditRecord(party.operator.operatorId, txnId, 0)
      assert.deepEqual(won[0], kept)
      for (const one of results) {
        if (one.status === 'fulfilled') continue
        const reason = one.reason as unknown
        assert.ok(reason instanceof ServiceError && failsWith('already_dispositioned')(reason))
        assert.deepEqual(reason.extra['record'], kept)
      }
      const approved = kept?.disposition === 'APPROVED' ? AMOUNT : 0n
      assert.deepEqual(await spentOn(party, TOMORROW), [approved])
    })

    for (const verdict of ['CLEAR', 'BLOCK', 'UNKNOWN'] as const) {
      test(`refuses a record whose verdict is ${verdict}`, async () => {
        const party = await register(store)
        const txnId = await screened(party, verdict)
        const refused = dispose(party, txnId, 'APPROVED')
        await assert.rejects(refused, failsWith('invalid_request'))
        const kept = await store.findAuditRecord(party.operator.operatorId, txnId, 0)
        assert.deepEqual(kept, recordFor(txnId))
        assert.deepEqual(await spentOn(party, TOMORROW), [0n])
      })
    }

    test('APPROVED counts on the date of approval for the agent, its ancestors and their fleets; the others never', async () => {
      const { operator, chain } = await registerChain(store)
      const fleet = newFleet(operator)
      await store.createFleet(fleet)
      for (const { agentId } of [chain[0]!, chain[2]!]) {
        await store.changeAgent(operator.operatorId, agentId, (one) => ({
          ...one,
          fleetId: fleet.fleetId,
        }))
      }
      const party = { operator, agent: chain[0]! }
      const nothing = [0n, 0n, 0n, 0n, 0n]
      await dispose(party, await screened(party), 'REJECTED')
      await dispose(party, await screened(party), 'ESCALATE_SAR')
      assert.deepEqual(await spentOn(party, TOMORROW), nothing)
      await dispose(party, await screened(party), 'APPROVED')
      const once = nothing.map(() => AMOUNT)
      assert.deepEqual(await spentOn(party, TOMORROW), once)
      assert.deepEqual(await spentOn(party, TODAY), nothing)
    })

    test('adds nothing to the history, the month or the velocity', async () => {
      const party = await register(store)
      const txnId = await screened(party)
      const before = await ledgerOf(store, keyOf(party))
      await dispose(party, txnId, 'APPROVED')
      const after = await ledgerOf(store, keyOf(party))
      assert.deepEqual({ ...after, txnId: '' }, { ...before, txnId: '' })
    })

    test('answers undefined to another operator, for an unknown record and for one that is too old', async () => {
      const [party, other] = [await register(store), await register(store)]
      const txnId = await screened(party)
      assert.equal(await dispose(other, txnId, 'APPROVED'), undefined)
      assert.equal(await dispose(party, newTxn(), 'APPROVED'), undefined)
      assert.equal(await dispose(party, txnId, 'APPROVED', NOW + 1), undefined)
      assert.deepEqual(await spentOn(party, TOMORROW), [0n])
      assert.ok(await dispose(party, txnId, 'APPROVED', NOW))
    })

    test('writes no disposition when its amount cannot be added to a day', async () => {
      const party = await register(store)
      const txnId = await screened(party)
      await store.commitScreen(keyOf(party, { date: TOMORROW }), (ledger) =>
        outcomeOf(ledger, { spend: (2n ** 63n - 1n) as never }),
      )
      await assert.rejects(dispose(party, txnId, 'APPROVED'))
      const kept = await store.findAuditRecord(party.operator.operatorId, txnId, 0)
      assert.equal(kept?.disposition, undefined)
      assert.ok(await dispose(party, txnId, 'REJECTED'))
    })
  })
}
