/** What a reviewer is told of the past of a counterparty and an agent (spec: priorScreenings). */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { AuditRecord, PriorScreenings, ScreenResult } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { inParallel, random, range } from '../support/load.ts'
import { partsOf } from '../support/jws.ts'
import {
  bearer,
  LISTED,
  type Party,
  startTestService,
  type TestService,
  UNLISTED_WALLET,
} from '../support/service.ts'

const START = '2026-11-20T12:00:00.000Z'
const OVER_LIMIT = 50
const LIMIT = { maxSingleTxUSDC: 20 }
const OTHER_WALLET = '0x27b1fdb04752bbc536007a920d24acb045561c26'

/** A payment names nobody but whom the test says. */
const NOBODY = { cpName: undefined, cpWallet: undefined }

const clock = movedClock(START)
let service: TestService
before(async () => {
  service = await startTestService({}, { clock })
})
after(() => service.stop())

const screened = async (party: Party, payment: object): Promise<ScreenResult> => {
  const { status, body, text } = await service.screen(party, { ...NOBODY, ...payment })
  assert.equal(status, 200, text)
  return body
}

const priorOf = async (party: Party, payment: object): Promise<PriorScreenings | undefined> => {
  const { verdict, priorScreenings } = await screened(party, { ...payment, amount: OVER_LIMIT })
  assert.equal(verdict, 'REVIEW')
  return priorScreenings
}

describe('priorScreenings', () => {
  test('is left out when there is no history at all, in result and receipt', async () => {
    const party = await service.party(LIMIT)
    const result = await screened(party, { cpName: 'Never Seen Before', amount: OVER_LIMIT })
    assert.equal(result.verdict, 'REVIEW')
    assert.equal('priorScreenings' in result, false)
    assert.equal('priorScreenings' in partsOf(result.receipt).payload, false)
  })

  test('has no counterparty when only the agent has a history', async () => {
    const party = await service.party(LIMIT)
    await screened(party, { cpName: 'Somebody First' })
    const prior = await priorOf(party, { cpName: 'Somebody Second' })
    assert.equal(prior?.counterparty, null)
    assert.deepEqual(prior.agent, {
      totalScreenings: 1,
      firstSeen: START,
      reviewRate: 0,
      blockRate: 0,
      avgDailyScreenings: 0,
      todayScreenings: 1,
    })
  })

  test('has no agent when only others have screened the counterparty', async () => {
    const [one, other] = [await service.party(LIMIT), await service.party(LIMIT)]
    await screened(one, { cpName: 'Known To Another' })
    const prior = await priorOf(other, { cpName: 'known  to ANOTHER' })
    assert.equal(prior?.agent, null)
    assert.equal(prior.counterparty?.totalScreenings, 1)
    assert.equal(prior.counterparty.distinctOperators, 1)
  })

  test('is on REVIEW only', async () => {
    const party = await service.party(LIMIT)
    const clear = await screened(party, { cpName: 'Only At Review' })
    const again = await screened(party, { cpName: 'Only At Review' })
    const blocked = await screened(party, { cpName: LISTED.name })
    assert.deepEqual(
      [clear, again, blocked].map(({ verdict }) => verdict),
      ['CLEAR', 'CLEAR', 'BLOCK'],
    )
    for (const result of [clear, again, blocked]) assert.equal('priorScreenings' in result, false)
  })

  test('counts what matches by name or by wallet, each screen once', async () => {
    const [one, other] = [await service.party(LIMIT), await service.party(LIMIT)]
    const [cpName, cpWallet] = ['Twofold Trading', '0xde709f2102306220921060314715629080e2fb77']
    await screened(one, { cpName, cpWallet })
    await screened(one, { cpName })
    await screened(other, { cpWallet: cpWallet.toUpperCase().replace('0X', '0x') })
    await screened(other, { cpName, cpWallet: OTHER_WALLET })
    await screened(other, { cpName: 'Somebody Else', cpWallet: OTHER_WALLET })
    const prior = await priorOf(one, { cpName, cpWallet })
    assert.equal(prior?.counterparty?.totalScreenings, 4)
    assert.deepEqual(
      [prior.counterparty.distinctAgents, prior.counterparty.distinctOperators],
      [2, 2],
    )
  })

  test('names nobody: counts and times, no id', async () => {
    const [one, other] = [await service.party(LIMIT), await service.party(LIMIT)]
    await screened(one, { cpName: 'Discreet Partners' })
    const text = JSON.stringify(await priorOf(other, { cpName: 'Discreet Partners' }))
    assert.doesNotMatch(text, /op_|agt_|txn_|Discreet/)
  })

  test('is the same in the screen, the receipt, the audit record and the review', async () => {
    const party = await service.party(LIMIT)
    await screened(party, { cpName: 'Consistent Supplies' })
    const payment = { cpName: 'Consistent Supplies', amount: OVER_LIMIT }
    const { txnId, priorScreenings, receipt } = await screened(party, payment)
    assert.ok(priorScreenings)
    assert.deepEqual(partsOf(receipt).payload['priorScreenings'], priorScreenings)
    await screened(party, { cpName: 'Consistent Supplies' })
    const audited = await service.audit(party, txnId)
    assert.deepEqual(audited.body.priorScreenings, priorScreenings)
    const reviewed = await service.call<AuditRecord>(`/v1/reviews/${txnId}`, {
      headers: bearer(party.operatorToken),
      body: { disposition: 'APPROVED', reviewedBy: 'Ada' },
    })
    assert.deepEqual(reviewed.body.priorScreenings, priorScreenings)
  })

  test('tells when a counterparty was seen first and last, and the verdicts it had', async () => {
    const party = await service.party(LIMIT)
    const cpName = 'Seasonal Orchards'
    await screened(party, { cpName })
    clock.advance(86_400_000 * 2)
    const last = await screened(party, { cpName, protocol: 'Tornado Cash' })
    assert.equal(last.verdict, 'BLOCK')
    await screened(party, { cpName, amount: OVER_LIMIT })
    clock.advance(60_000)
    const prior = await priorOf(party, { cpName })
    assert.deepEqual(prior?.counterparty?.verdictHistory, { CLEAR: 1, REVIEW: 1, BLOCK: 1 })
    assert.equal(prior.counterparty.firstSeen, START)
    assert.equal(prior.counterparty.lastSeen, '2026-11-22T12:00:00.000Z')
    assert.equal(prior.agent?.avgDailyScreenings, 0.5)
    assert.equal(prior.agent.todayScreenings, 2)
    assert.deepEqual([prior.agent.reviewRate, prior.agent.blockRate], [0.3333, 0.3333])
    clock.moveTo(START)
  })

  test('a demo counts for nobody and is told nothing', async () => {
    const demo = (scenario: number) =>
      service.call<ScreenResult>('/v1/demo/screen', { body: { scenario } })
    await demo(1)
    const { body } = await demo(2)
    assert.equal(body.verdict, 'REVIEW')
    assert.equal('priorScreenings' in body, false)
    const party = await service.party(LIMIT)
    const payment = { cpName: 'Example Coffee Roasters', cpWallet: UNLISTED_WALLET }
    assert.equal(await priorOf(party, payment), undefined)
  })

  test('a screen without a credential counts for nobody', async () => {
    const party = await service.party(LIMIT)
    const { body } = await service.screen(party, {
      ...NOBODY,
      token: 'nonsense',
      cpName: 'Unvouched Ltd',
    })
    assert.equal(body.verdict, 'UNKNOWN')
    assert.equal(await priorOf(party, { cpName: 'Unvouched Ltd' }), undefined)
  })
})

test('counts equal those of a model, over 400 screens in parallel', async () => {
  const parties = await Promise.all(range(4).map(() => service.party(LIMIT)))
  const draw = random(5)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(draw() * from.length)] as T
  const names = [undefined, 'Model Alpha', 'Model Beta', 'Model Gamma']
  const wallets = [undefined, ...range(3).map((n) => `0x${String(n + 1).repeat(40)}`)]
  const payments = range(400).map(() => ({
    party: pick(parties),
    cpName: pick(names),
    cpWallet: pick(wallets),
  }))
  const named = payments.filter(({ cpName, cpWallet }) => cpName ?? cpWallet)
  await inParallel(named, 32, ({ party, ...payment }) => screened(party, payment))
  for (const cpName of names.slice(1)) {
    for (const cpWallet of wallets.slice(1)) {
      const fits = named.filter((one) => one.cpName === cpName || one.cpWallet === cpWallet)
      const asker = await service.party(LIMIT)
      const prior = await priorOf(asker, { cpName, cpWallet })
      const own = await priorOf(asker, { cpName, cpWallet })
      assert.equal(
        own?.counterparty?.totalScreenings,
        (prior?.counterparty?.totalScreenings ?? 0) + 1,
      )
      const { totalScreenings, distinctAgents, distinctOperators } = prior?.counterparty ?? {}
      const agents = new Set(fits.map(({ party }) => party.agentId))
      asked.push({ cpName, cpWallet, party: asker }, { cpName, cpWallet, party: asker })
      const before = asked.filter(
        (one) => one.party !== asker && (one.cpName === cpName || one.cpWallet === cpWallet),
      )
      const askers = new Set(before.map(({ party }) => party.agentId))
      assert.equal(totalScreenings, fits.length + before.length)
      assert.equal(distinctAgents, agents.size + askers.size)
      assert.equal(distinctOperators, agents.size + askers.size)
    }
  }
})

/** What the model's own questions added to the history. */
const asked: { cpName: string | undefined; cpWallet: string | undefined; party: Party }[] = []
