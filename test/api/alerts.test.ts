/** GET /v1/alerts and PATCH /v1/alerts/:alertId, and what raises an alert. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Alert, type AlertsResponse, DAY_MS } from '@portcullis/protocol'
import type { WatchlistEntry } from '@portcullis/watchlist'
import { movedClock } from '../support/clock.ts'
import { assertError } from '../support/errors.ts'
import type { ErrorAnswer } from '../support/http.ts'
import { AN_AGENT, bearer, type Party, startTestService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { designated, swappedWatchlists } from '../support/watchlists.ts'

const START = '2026-11-20T12:00:00.000Z'
const WALLET = '0xde709f2102306220921060314715629080e2fb77'
const clock = movedClock(START)
const watchlists = swappedWatchlists()
let api: TestService
before(async () => {
  api = await startTestService({}, { clock, watchlists })
})
after(() => api.stop())

/** Lists these, and waits until everybody was screened again. */
async function listed(...entries: WatchlistEntry[]): Promise<void> {
  watchlists.set(entries)
  await api.service.rescreening.listsChanged(entries)
  await api.service.rescreening.tick()
}

const alertsOf = async (party: Party, query = ''): Promise<AlertsResponse> => {
  const headers = bearer(party.operatorToken)
  const { status, body, text } = await api.call<AlertsResponse>(`/v1/alerts${query}`, { headers })
  assert.equal(status, 200, text)
  assert.equal(body.count, body.alerts.length)
  return body
}

const decide = (party: Party, alertId: string, body: object) =>
  api.call<Alert & ErrorAnswer>(`/v1/alerts/${alertId}`, {
    method: 'PATCH',
    headers: bearer(party.operatorToken),
    body,
  })

const only = ({ alerts: [alert, ...more] }: AlertsResponse): Alert => {
  assert.equal(more.length, 0)
  assert.ok(alert)
  return alert
}

describe('an alert', () => {
  test('nobody is listed: { count: 0, alerts: [] }', async () => {
    assert.deepEqual(await alertsOf(await api.party()), { count: 0, alerts: [] })
  })

  test('is raised once for a counterparty that was CLEAR and is listed now', async () => {
    const party = await api.party()
    await api.screen(party, { cpName: 'Quiet Harbour Ltd', cpWallet: WALLET })
    await api.screen(party, { cpName: 'Quiet Harbour Ltd', cpWallet: WALLET })
    const entry = designated('QUIET HARBOUR LTD')
    await listed(entry)
    await listed(entry)
    clock.advance(DAY_MS)
    await api.service.rescreening.tick()
    const alert = only(await alertsOf(party))
    assert.match(alert.alertId, /^alert_[0-9a-z]+$/)
    assert.deepEqual(
      [alert.counterparty, alert.wallet, alert.previousResult, alert.status],
      ['Quiet Harbour Ltd', WALLET, 'CLEAR', 'PENDING_REVIEW'],
    )
    assert.deepEqual(alert.newResult, {
      pepHits: [],
      sanctionHits: [{ list: 'OFAC_SDN', score: 1 }],
      adverseMediaHits: [],
    })
    assert.equal(alert.detectedAt, START)
    assert.equal(alert.matches[0]?.entryId, entry.entryId)
    clock.moveTo(START)
  })

  test('is raised for a wallet without a name, and for each operator that paid it', async () => {
    const [one, other] = [await api.party(), await api.party()]
    const wallet = '0x3333333333333333333333333333333333333333'
    for (const party of [one, other])
      await api.screen(party, { cpName: undefined, cpWallet: wallet })
    await listed(designated('WALLET OWNER', [wallet.toUpperCase().replace('0X', '0x')]))
    for (const party of [one, other]) {
      const alert = only(await alertsOf(party))
      assert.deepEqual([alert.counterparty, alert.wallet], [null, wallet])
    }
  })

  test('is raised although a payment was BLOCKed in between: others went through', async () => {
    const party = await api.party()
    await api.screen(party, { cpWallet: undefined, cpName: 'Slow Tide Shipping' })
    const entry = designated('SLOW TIDE SHIPPING')
    watchlists.set([entry])
    assert.equal(
      (await api.screen(party, { cpWallet: undefined, cpName: 'Slow Tide Shipping' })).body.verdict,
      'BLOCK',
    )
    await listed(entry)
    assert.equal(only(await alertsOf(party)).previousResult, 'CLEAR')
  })

  test('is not raised for one that was listed when it was first screened', async () => {
    const party = await api.party()
    const entry = designated('KNOWN FROM THE START')
    watchlists.set([entry])
    await api.screen(party, { cpWallet: undefined, cpName: 'Known From The Start' })
    await listed(entry)
    assert.deepEqual((await alertsOf(party)).alerts, [])
  })

  test('is not raised for a near match, a near miss or a list that only lost entries', async () => {
    const party = await api.party()
    await api.screen(party, { cpWallet: undefined, cpName: 'Harmless Bakery of Utrecht' })
    await listed(designated('HARMFUL BREWERY OF ANTWERP'))
    await listed()
    assert.deepEqual((await alertsOf(party)).alerts, [])
  })

  test('is raised again when one is taken off a list and comes back', async () => {
    const party = await api.party()
    await api.screen(party, { cpWallet: undefined, cpName: 'Come And Go Trading' })
    const entry = designated('COME AND GO TRADING')
    await listed(entry)
    watchlists.set([])
    clock.advance(10 * DAY_MS)
    await api.service.rescreening.tick()
    clock.advance(DAY_MS)
    await listed(entry)
    assert.equal((await alertsOf(party)).count, 2)
    clock.moveTo(START)
  })

  test('is raised once for an owner, however many its agents; and for a user', async () => {
    const party = await api.party({}, { legalName: 'Fallen Star Robotics' })
    for (const agentName of ['One', 'Two']) {
      await api.registerAgent(party, { agentName, operatorLegalName: 'Fallen Star Robotics' })
    }
    const agent = await api.registerAgent(party, AN_AGENT)
    const user = await api.call<{ userId: string }>('/v1/users/register', {
      headers: bearer(party.operatorToken),
      body: {
        userLegalName: 'Somebody Designated Later',
        userRole: 'payer',
        agentId: agent.body.agentId,
      },
    })
    assert.equal(user.status, 201, user.text)
    await listed(designated('FALLEN STAR ROBOTICS'), designated('SOMEBODY DESIGNATED LATER'))
    const { alerts } = await alertsOf(party)
    assert.deepEqual(
      alerts.map(({ subjectType, subjectId }) => [subjectType, subjectId]).toSorted(),
      [
        ['operator', party.operatorId],
        ['user', user.body.userId],
      ],
    )
  })

  test('is kept for 90 days', async () => {
    const party = await api.party()
    await api.screen(party, { cpWallet: undefined, cpName: 'Ninety Days Ltd' })
    await listed(designated('NINETY DAYS LTD'))
    clock.advance(90 * DAY_MS)
    assert.equal((await alertsOf(party)).count, 1)
    clock.advance(1)
    assert.equal((await alertsOf(party)).count, 0)
    clock.moveTo(START)
  })
})

describe('PATCH /v1/alerts/:alertId', () => {
  let names = 0
  const raised = async (party: Party): Promise<Alert> => {
    const name = `Patched Party ${'ABCDEFG'.charAt(names++)}`
    await api.screen(party, { cpWallet: undefined, cpName: name })
    await listed(designated(name.toUpperCase()))
    return only(await alertsOf(party, '?status=PENDING_REVIEW'))
  }

  for (const status of ['CONFIRMED', 'DISMISSED']) {
    test(`${status}, once; the list can be asked for it`, async () => {
      const party = await api.party()
      const { alertId } = await raised(party)
      const body = { status, reviewedBy: 'Ada', notes: 'checked' }
      const { body: decided } = await decide(party, alertId, body)
      assert.deepEqual(
        [decided.status, decided.reviewedBy, decided.notes, decided.reviewedAt],
        [status, 'Ada', 'checked', START],
      )
      assert.deepEqual((await alertsOf(party, `?status=${status}`)).alerts, [decided])
      assert.equal((await alertsOf(party, '?status=PENDING_REVIEW')).count, 0)
      for (const second of ['CONFIRMED', 'DISMISSED']) {
        assertError(await decide(party, alertId, { status: second }), 'invalid_transition')
      }
    })
  }

  test('of 20 decisions at once, one is taken', async () => {
    const party = await api.party()
    const { alertId } = await raised(party)
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        decide(party, alertId, { status: at % 2 === 0 ? 'CONFIRMED' : 'DISMISSED' }),
      ),
    )
    assert.equal(replies.filter(({ status }) => status === 200).length, 1)
    assert.equal(replies.filter(({ status }) => status === 409).length, 19)
  })

  test('404 for an unknown id, 400 for an unknown status and field', async () => {
    const party = await api.party()
    assertError(await decide(party, 'alert_nobody', { status: 'CONFIRMED' }), 'not_found')
    assertError(await decide(party, 'nonsense', { status: 'CONFIRMED' }), 'not_found')
    const back = await decide(party, 'alert_nobody', { status: 'PENDING_REVIEW' })
    assertError(back, 'invalid_request', { field: 'status' })
    const more = await decide(party, 'alert_nobody', { status: 'CONFIRMED', reviewer: 'Ada' })
    assertError(more, 'invalid_request', { field: 'reviewer' })
  })
})
