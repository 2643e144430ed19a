/** POST /v1/reviews/:txnId: the one disposition that a REVIEW may have. */
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS, type AuditRecord } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { assertError } from '../support/errors.ts'
import { range } from '../support/load.ts'
import { assertRefusesBadBodies, assertSameAnswer, policyCalls } from '../support/policy.ts'
import { assertProven, swappedLists } from '../support/policy-lists.ts'
import { type Party, startTestService } from '../support/service.ts'

const START = '2026-11-20T12:00:00.000Z'
const REVIEWER = { reviewedBy: 'E-1041' }
const APPROVED = { disposition: 'APPROVED', ...REVIEWER }
const LISTED = [{ name: 'VOSTOK ARMAMENTS CONCERN' }]
const clock = movedClock(START)
const api = await startTestService({}, { clock, watchlists: swappedLists(LISTED, START) })
const calls = policyCalls(api)
after(() => api.stop())
beforeEach(() => clock.moveTo(START))

const pay = async (party: Party, payment: object) =>
  (await api.screen(party, { cpName: 'Example Coffee Roasters', chain: 'BASE', ...payment })).body

/** A screen of 10 USD over a chain that the policy does not allow. */
async function reviewed(party: Party, amount = 10): Promise<string> {
  const { verdict, txnId } = await pay(party, { chain: 'ETH', cpWallet: WALLET, amount })
  assert.equal(verdict, 'REVIEW')
  return txnId
}

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
const POLICY = { allowedChains: ['BASE'], dailyLimitUSDC: 100 }
const UNKNOWN_ID = 'txn_00000000'

describe('200', () => {
  for (const disposition of ['APPROVED', 'REJECTED', 'ESCALATE_SAR']) {
    test(`${disposition} is the audit record with the disposition, now and later`, async () => {
      const party = await api.party(POLICY)
      const txnId = await reviewed(party)
      const before = (await api.audit(party, txnId)).body
      clock.advance(DAY_MS)
      const request = { disposition, reviewedBy: ' E-1041 ', notes: ' known supplier ' }
      const { status, body } = await calls.review(party, txnId, request)
      assert.equal(status, 200)
      assert.deepEqual(body, {
        ...before,
        disposition,
        reviewedBy: 'E-1041',
        reviewedAt: '2026-11-21T12:00:00.000Z',
        notes: 'known supplier',
        sarEscalated: disposition === 'ESCALATE_SAR',
      })
      assert.deepEqual((await api.audit(party, txnId)).body, body)
      await assertProven(body, await api.jwks())
    })
  }

  test('notes may be left out, null or blank', async () => {
    const party = await api.party(POLICY)
    for (const notes of [undefined, null, '', '  ']) {
      const { body } = await calls.review(party, await reviewed(party), { ...APPROVED, notes })
      assert.equal(body.notes, null)
    }
  })
})

describe('4xx', () => {
  const wrong: [object, string][] = [
    [{ disposition: 'approved' }, 'invalid_disposition'],
    [{ disposition: 'MAYBE' }, 'invalid_disposition'],
    [{ disposition: '' }, 'invalid_disposition'],
    [{ disposition: null }, 'invalid_disposition'],
    [{ disposition: undefined }, 'invalid_disposition'],
    [{ reviewedBy: undefined }, 'missing_reviewer'],
    [{ reviewedBy: null }, 'missing_reviewer'],
    [{ reviewedBy: '' }, 'missing_reviewer'],
    [{ reviewedBy: ' \t' }, 'missing_reviewer'],
    [{ reviewedBy: 5 }, 'missing_reviewer'],
    [{ reviewedBy: 'x'.repeat(501) }, 'missing_reviewer'],
  ]
  for (const [change, code] of wrong) {
    test(`422 ${code} for ${JSON.stringify(change)}, and the REVIEW stays open`, async () => {
      const party = await api.party(POLICY)
      const txnId = await reviewed(party)
      const reply = await calls.review(party, txnId, { ...APPROVED, ...change })
      const field = code === 'invalid_disposition' ? 'disposition' : 'reviewedBy'
      assertError(reply, code as 'missing_reviewer', { field })
      assert.equal(reply.status, 422)
      assert.equal((await calls.review(party, txnId, APPROVED)).status, 200)
    })
  }

  const invalid: [object, string][] = [
    [{ notes: ['x'] }, 'notes'],
    [{ notes: 'x'.repeat(2_001) }, 'notes'],
    [{ note: 'x' }, 'note'],
  ]
  for (const [change, field] of invalid) {
    test(`400 names \`${field}\` for ${JSON.stringify(change).slice(0, 30)}`, async () => {
      const party = await api.party(POLICY)
      const reply = await calls.review(party, await reviewed(party), { ...APPROVED, ...change })
      assertError(reply, 'invalid_request', { field })
    })
  }

  test('400, 401, 413, 415 for bodies that are none and callers that are nobody', async () => {
    const { operatorToken: token } = await api.party()
    const path = `/v1/reviews/${UNKNOWN_ID}`
    await assertRefusesBadBodies(api, { method: 'POST', path, token })
  })

  test('400 for a record that is no REVIEW, whatever its verdict', async () => {
    const party = await api.party(POLICY)
    for (const [payment, verdict] of [
      [{}, 'CLEAR'],
      [{ cpName: 'Vostok Armaments Concern' }, 'BLOCK'],
      [{ token: 'x' }, 'UNKNOWN'],
    ] as const) {
      const screened = await pay(party, payment)
      assert.equal(screened.verdict, verdict)
      const reply = await calls.review(party, screened.txnId, APPROVED)
      assertError(reply, 'invalid_request', { message: new RegExp(verdict) })
      assert.equal((await api.audit(party, screened.txnId)).body.disposition, undefined)
    }
  })

  test('404 for an unknown txnId, no txnId, and another operator’s alike', async () => {
    const [party, other] = [await api.party(), await api.party(POLICY)]
    const theirs = await reviewed(other)
    const unknown = await calls.review(party, UNKNOWN_ID, APPROVED)
    assertError(unknown, 'not_found')
    assertSameAnswer(await calls.review(party, theirs, APPROVED), unknown)
    assertSameAnswer(await calls.review(party, 'txn_x', APPROVED), unknown)
    assert.equal((await calls.review(other, theirs, APPROVED)).status, 200)
  })

  test('404 once the record has expired', async () => {
    const party = await api.party(POLICY)
    const [open, expired] = [await reviewed(party), await reviewed(party)]
    clock.advance(90 * DAY_MS)
    assert.equal((await calls.review(party, open, APPROVED)).status, 200)
    clock.advance(1)
    assertError(await calls.review(party, expired, APPROVED), 'not_found')
  })

  test('409 with the record for a second disposition, and the first stays', async () => {
    const party = await api.party(POLICY)
    const txnId = await reviewed(party)
    const { body: first } = await calls.review(party, txnId, APPROVED)
    for (const second of [APPROVED, { ...APPROVED, disposition: 'REJECTED', reviewedBy: 'E-7' }]) {
      const reply = await calls.review(party, txnId, second)
      assertError(reply, 'already_dispositioned')
      assert.deepEqual(reply.body.record, first)
    }
    assert.deepEqual((await api.audit(party, txnId)).body, first)
  })
})

test('50 dispositions at once: one 200, 49 times 409 with the record of the one', async () => {
  const party = await api.party(POLICY)
  const txnId = await reviewed(party, 40)
  const replies = await Promise.all(
    range(50).map((officer) =>
      calls.review(party, txnId, { ...APPROVED, reviewedBy: `E-${officer}` }),
    ),
  )
  const [winner, ...more] = replies.filter(({ status }) => status === 200)
  assert.equal(more.length, 0)
  const losers = replies.filter(({ status }) => status === 409)
  assert.equal(losers.length, 49)
  for (const { body } of losers) assert.deepEqual(body.record, winner?.body as AuditRecord)
  assert.deepEqual((await api.audit(party, txnId)).body, winner?.body)
  // It was counted once.
  assert.equal((await pay(party, { amount: 60.000001 })).ruleTriggered, 'R11_DAILY_LIMIT')
  assert.equal((await pay(party, { amount: 60 })).verdict, 'CLEAR')
})

test('different dispositions at once: one wins, and only an APPROVED one spends', async () => {
  const kinds = ['ESCALATE_SAR', 'APPROVED', 'REJECTED']
  const won = new Set<string | undefined>()
  for (const round of range(9)) {
    const party = await api.party(POLICY)
    const txnId = await reviewed(party, 40)
    const replies = await Promise.all(
      range(48).map((n) =>
        calls.review(party, txnId, {
          disposition: kinds[(n + round) % kinds.length],
          reviewedBy: `E-${n}`,
        }),
      ),
    )
    assert.equal(replies.filter(({ status }) => status === 409).length, 47)
    const winner = replies.find(({ status }) => status === 200)?.body
    won.add(winner?.disposition)
    assert.deepEqual((await api.audit(party, txnId)).body, winner)
    const spent = winner?.disposition === 'APPROVED' ? 40 : 0
    const above = await pay(party, { amount: 100 - spent + 0.000001 })
    assert.equal(above.ruleTriggered, 'R11_DAILY_LIMIT')
    assert.equal((await pay(party, { amount: 100 - spent })).verdict, 'CLEAR')
  }
  assert.ok(won.size > 1, [...won].join())
})

describe('spend', () => {
  const rest = async (party: Party, amount: number) => {
    const above = await pay(party, { amount: amount + 0.000001 })
    assert.equal(above.ruleTriggered, 'R11_DAILY_LIMIT')
    if (amount > 0) assert.equal((await pay(party, { amount })).verdict, 'CLEAR')
  }

  test('only an APPROVED REVIEW counts, not one that is open or otherwise decided', async () => {
    for (const [disposition, left] of [
      ['APPROVED', 60],
      ['REJECTED', 100],
      ['ESCALATE_SAR', 100],
      [undefined, 100],
    ] as const) {
      const party = await api.party(POLICY)
      const txnId = await reviewed(party, 40)
      if (disposition) await calls.review(party, txnId, { disposition, ...REVIEWER })
      await rest(party, left)
    }
  })

  test('an approval after midnight counts for its own day, not the screen’s', async () => {
    const party = await api.party(POLICY)
    clock.moveTo('2026-11-20T23:59:59.999Z')
    const txnId = await reviewed(party, 40)
    await rest(party, 100)
    clock.advance(1)
    await calls.review(party, txnId, APPROVED)
    await rest(party, 60)
  })

  test('an approval in the last millisecond of a day leaves the next one alone', async () => {
    const party = await api.party(POLICY)
    const txnId = await reviewed(party, 40)
    clock.moveTo('2026-11-20T23:59:59.999Z')
    await calls.review(party, txnId, APPROVED)
    clock.advance(1)
    await rest(party, 100)
    clock.advance(-1)
    await rest(party, 60)
  })

  test('an officer may approve what is above the limit; then nothing passes', async () => {
    const party = await api.party(POLICY)
    const txnId = await reviewed(party, 250)
    assert.equal((await calls.review(party, txnId, APPROVED)).status, 200)
    await rest(party, 0)
  })

  test('an approval counts for the fleet that the agent is in when it is approved', async () => {
    const party = await api.party(POLICY)
    const { fleetId } = (await calls.createFleet(party, { dailyLimitUSDC: 50 })).body
    const txnId = await reviewed(party, 40)
    await calls.patchAgent(party, { fleetId })
    await calls.review(party, txnId, APPROVED)
    const { ruleTriggered } = await pay(party, { amount: 10.000001 })
    assert.equal(ruleTriggered, 'R12_FLEET_DAILY_LIMIT')
    assert.equal((await pay(party, { amount: 10 })).verdict, 'CLEAR')
  })
})
