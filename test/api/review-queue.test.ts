/** GET /v1/reviews, POST /v1/reviews/:txnId with four eyes, GET /v1/reviews/:txnId/case */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { AuditRecord, CaseFile, OperatorView, ReviewsPage } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { assertError } from '../support/errors.ts'
import type { ErrorAnswer, Reply } from '../support/http.ts'
import { inParallel, range } from '../support/load.ts'
import { bearer, type Party, startTestService, type TestService } from '../support/service.ts'

const clock = movedClock('2026-11-20T12:00:00.000Z')
const LIMIT = { maxSingleTxUSDC: 20, dailyLimitUSDC: 1_000 }
let api: TestService
before(async () => {
  api = await startTestService({}, { clock })
})
after(() => api.stop())

type ReviewReply = Reply<AuditRecord & ErrorAnswer & { record?: AuditRecord }>

const review = (
  party: Party,
  txnId: string,
  disposition = 'APPROVED',
  reviewedBy = 'Ada',
): Promise<ReviewReply> =>
  api.call(`/v1/reviews/${txnId}`, {
    headers: bearer(party.operatorToken),
    body: { disposition, reviewedBy },
  })

/** A REVIEW of the party, a millisecond after the one before. */
async function held(party: Party, payment: object = {}): Promise<string> {
  clock.advance(1)
  const { body, text } = await api.screen(party, {
    cpWallet: undefined,
    amount: 50,
    cpName: 'Held Corp',
    ...payment,
  })
  assert.equal(body.verdict, 'REVIEW', text)
  return body.txnId
}

const queue = async (party: Party, query = ''): Promise<ReviewsPage> => {
  const path = `/v1/reviews${query}`
  const { status, body, text } = await api.call<ReviewsPage>(path, {
    headers: bearer(party.operatorToken),
  })
  assert.equal(status, 200, text)
  return body
}

const idsOf = ({ items }: ReviewsPage): string[] => items.map(({ txnId }) => txnId)

const setFourEyes = async (party: Party, fourEyes: boolean): Promise<OperatorView> => {
  const { status, body, text } = await api.call<OperatorView>('/v1/operators/me', {
    method: 'PATCH',
    headers: bearer(party.operatorToken),
    body: { fourEyes },
  })
  assert.equal(status, 200, text)
  return body
}

/** Whether a payment of the amount still fits into the day's 1,000 USD. */
const fits = async (party: Party, amount: number): Promise<boolean> => {
  const { body } = await api.screen(party, { cpWallet: undefined, amount, cpName: 'Probe Corp' })
  return body.log.some(({ code, ok }) => code === 'DAILY_LIMIT' && ok)
}

describe('GET /v1/reviews', () => {
  test('gives what waits, the oldest first, and what is decided, the newest first', async () => {
    const party = await api.party(LIMIT)
    const [one, two, three] = [await held(party), await held(party), await held(party)]
    await api.screen(party, { cpWallet: undefined, amount: 1, cpName: 'Clear Corp' })
    assert.deepEqual(idsOf(await queue(party)), [one, two, three])
    clock.advance(1)
    await review(party, two)
    clock.advance(1)
    await review(party, one, 'ESCALATE_SAR')
    assert.deepEqual(idsOf(await queue(party, '?status=pending')), [three])
    const decided = await queue(party, '?status=decided')
    assert.deepEqual(idsOf(decided), [one, two])
    assert.deepEqual(
      decided.items.map(({ disposition, sarEscalated }) => [disposition, sarEscalated]),
      [
        ['ESCALATE_SAR', true],
        ['APPROVED', false],
      ],
    )
  })

  test('pages through, each record once, whatever is decided in between', async () => {
    const party = await api.party(LIMIT)
    const all: string[] = []
    while (all.length < 7) all.push(await held(party))
    const first = await queue(party, '?limit=3')
    await review(party, all[0] ?? '')
    const second = await queue(party, `?limit=3&cursor=${first.nextCursor}`)
    const third = await queue(party, `?limit=3&cursor=${second.nextCursor}`)
    assert.deepEqual([first, second, third].flatMap(idsOf), all)
    assert.equal(third.nextCursor, null)
  })

  test('shows the record whole, as the audit shows it', async () => {
    const party = await api.party(LIMIT)
    const txnId = await held(party)
    const { items } = await queue(party)
    assert.deepEqual(items[0], (await api.audit(party, txnId)).body)
  })

  test('shows an operator its own, and lets a record expire', async () => {
    const [mine, other] = [await api.party(LIMIT), await api.party(LIMIT)]
    const txnId = await held(mine)
    assert.deepEqual(idsOf(await queue(other)), [])
    assert.deepEqual(idsOf(await queue(mine)), [txnId])
    clock.moveTo('2027-02-20T12:00:00.000Z')
    assert.deepEqual(idsOf(await queue(mine)), [])
    clock.moveTo('2026-11-20T13:00:00.000Z')
  })

  test('400 for a cursor that is none of ours, and for an unknown status', async () => {
    const party = await api.party()
    const headers = bearer(party.operatorToken)
    const strange = await api.call('/v1/reviews?cursor=x', { headers })
    assertError(strange, 'invalid_request', { field: 'cursor' })
    const unknown = await api.call('/v1/reviews?status=open', { headers })
    assertError(unknown, 'invalid_request', { field: 'status' })
  })
})

describe('50 dispositions at once', () => {
  for (const [name, fourEyes] of [
    ['one wins', false],
    ['with four eyes one proposes and one wins', true],
  ] as const) {
    test(`${name}; everybody else gets 409 with the record`, async () => {
      const party = await api.party(LIMIT)
      await setFourEyes(party, fourEyes)
      const txnId = await held(party, { amount: 500 })
      const replies = await inParallel(range(50), 50, (n) =>
        review(party, txnId, 'APPROVED', `Reviewer ${String.fromCharCode(65 + (n % 26))}${n}`),
      )
      const won = replies.filter(({ status }) => status === 200)
      const lost = replies.filter(({ status }) => status === 409)
      assert.deepEqual([won.length, lost.length], fourEyes ? [2, 48] : [1, 49])
      for (const reply of lost) {
        assertError(reply, 'already_dispositioned')
        assert.equal(reply.body.record?.disposition, 'APPROVED')
      }
      // 500 of 1,000 are spent once: 500 more fit, and not a cent above them.
      assert.equal(await fits(party, 500), true)
      assert.equal(await fits(party, 500.01), false)
    })
  }
})

describe('four eyes', () => {
  test('is off until the operator asks for it, and is shown', async () => {
    const party = await api.party(LIMIT)
    const path = '/v1/operators/me'
    const view = await api.call<OperatorView>(path, { headers: bearer(party.operatorToken) })
    assert.equal(view.body.fourEyes, false)
    assert.equal((await setFourEyes(party, true)).fourEyes, true)
    assert.equal((await setFourEyes(party, false)).fourEyes, false)
  })

  test('a first disposition is a proposal: not decided, nothing spent', async () => {
    const party = await api.party(LIMIT)
    await setFourEyes(party, true)
    const txnId = await held(party, { amount: 900 })
    const { status, body } = await review(party, txnId)
    assert.equal(status, 200)
    assert.equal(body.disposition, undefined)
    assert.deepEqual([body.proposal?.disposition, body.proposal?.reviewedBy], ['APPROVED', 'Ada'])
    assert.equal(await fits(party, 1_000), true)
    assert.ok(idsOf(await queue(party)).includes(txnId))
  })

  test('another reviewer who agrees makes it effective; only then is it spent', async () => {
    const party = await api.party(LIMIT)
    await setFourEyes(party, true)
    const txnId = await held(party, { amount: 900 })
    await review(party, txnId, 'APPROVED', 'Ada')
    const { status, body } = await review(party, txnId, 'APPROVED', 'Grace')
    assert.equal(status, 200)
    assert.deepEqual(
      [body.disposition, body.reviewedBy, body.proposal?.reviewedBy],
      ['APPROVED', 'Grace', 'Ada'],
    )
    assert.equal(await fits(party, 100.01), false)
    assertError(await review(party, txnId, 'APPROVED', 'Linus'), 'already_dispositioned')
  })

  for (const sameAgain of ['Ada Lovelace', 'ada lovelace', ' Ada  Lovelace ', 'Áda Lovelace.']) {
    test(`the same person cannot be the second: ${JSON.stringify(sameAgain)}`, async () => {
      const party = await api.party(LIMIT)
      await setFourEyes(party, true)
      const txnId = await held(party)
      await review(party, txnId, 'APPROVED', 'Ada Lovelace')
      const again = await review(party, txnId, 'APPROVED', sameAgain)
      assertError(again, 'second_reviewer_needed', { field: 'reviewedBy' })
      const other = await review(party, txnId, 'REJECTED', sameAgain)
      assertError(other, 'second_reviewer_needed', { field: 'reviewedBy' })
    })
  }

  test('one who differs makes the new proposal, which the first may confirm', async () => {
    const party = await api.party(LIMIT)
    await setFourEyes(party, true)
    const txnId = await held(party)
    await review(party, txnId, 'APPROVED', 'Ada')
    const differs = await review(party, txnId, 'REJECTED', 'Grace')
    assert.equal(differs.body.disposition, undefined)
    assert.equal(differs.body.proposal?.disposition, 'REJECTED')
    const settled = await review(party, txnId, 'REJECTED', 'Ada')
    assert.deepEqual([settled.body.disposition, settled.body.reviewedBy], ['REJECTED', 'Ada'])
  })

  test('without four eyes again, the next disposition takes effect at once', async () => {
    const party = await api.party(LIMIT)
    await setFourEyes(party, true)
    const txnId = await held(party)
    await review(party, txnId, 'APPROVED', 'Ada')
    await setFourEyes(party, false)
    assert.equal((await review(party, txnId, 'REJECTED', 'Ada')).body.disposition, 'REJECTED')
  })
})

describe('GET /v1/reviews/:txnId/case', () => {
  const read = (party: Party, txnId: string) =>
    api.call<CaseFile & ErrorAnswer>(`/v1/reviews/${txnId}/case`, {
      headers: bearer(party.operatorToken),
    })

  test('holds record, facts, evidence, history, receipt and its keys, as a download', async () => {
    const party = await api.party(LIMIT)
    await api.screen(party, { cpWallet: undefined, amount: 1, cpName: 'Case Corp' })
    await setFourEyes(party, true)
    const txnId = await held(party, { cpName: 'Case Corp' })
    await review(party, txnId, 'APPROVED', 'Ada')
    await review(party, txnId, 'ESCALATE_SAR', 'Grace')
    await review(party, txnId, 'ESCALATE_SAR', 'Ada')
    const { status, headers, body } = await read(party, txnId)
    assert.equal(status, 200)
    const disposition = `attachment; filename="case-${txnId}.json"`
    assert.equal(headers['content-disposition'], disposition)
    assert.deepEqual(body.record, (await api.audit(party, txnId)).body)
    assert.equal(body.record.sarEscalated, true)
    assert.equal((body.facts as { payment: { amount: string } }).payment.amount, '50000000')
    assert.equal(body.history.atScreen?.counterparty?.totalScreenings, 1)
    assert.equal(body.history.now?.counterparty?.totalScreenings, 2)
    assert.deepEqual(
      body.history.proposals.map((step) => [step.reviewedBy, step.disposition]),
      [
        ['Ada', 'APPROVED'],
        ['Grace', 'ESCALATE_SAR'],
      ],
    )
    assert.equal(body.receipt.jws, body.record.receipt)
    assert.deepEqual(body.receipt.keys, (await api.jwks()).keys)
    assert.equal(body.proof.txnId, txnId)
    assert.equal(body.furtherProofs.length, 3)
  })

  test('400 for what is no REVIEW, 404 for what is not there', async () => {
    const party = await api.party(LIMIT)
    const clear = await api.screen(party, { cpWallet: undefined, amount: 1, cpName: 'Clear Corp' })
    assertError(await read(party, clear.body.txnId), 'invalid_request')
    assertError(await read(party, 'txn_00000000'), 'not_found')
    assertError(await read(party, 'nonsense'), 'not_found')
  })
})
