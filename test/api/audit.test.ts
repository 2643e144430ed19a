/** GET /v1/audit/:txnId */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DAY_MS } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { assertError } from '../support/errors.ts'
import { partsOf } from '../support/jws.ts'
import { startTestService, UNLISTED_WALLET } from '../support/service.ts'

const clock = movedClock('2026-11-20T12:00:00.000Z')
const api = await startTestService({}, { clock })
after(() => api.stop())

describe('200', () => {
  test('is the result of the screen, the operator, the request hash and the request', async () => {
    const party = await api.party()
    const payment = {
      amount: 12.345678,
      chain: 'base',
      rail: 'usdc',
      cpName: ' Acme  Corp',
      cpWallet: UNLISTED_WALLET,
      cpType: 'BUSINESS',
      protocol: 'Uniswap',
    }
    const screened = await api.screen(party, payment)
    const { body, headers } = await api.audit(party, screened.body.txnId)
    const { _request, operatorId, requestHash, ...result } = body
    assert.deepEqual(result, screened.body)
    assert.equal(operatorId, party.operatorId)
    assert.equal(requestHash, partsOf(screened.body.receipt).payload['requestHash'])
    assert.deepEqual(_request, {
      amount: 12.345678,
      chain: 'BASE',
      cpWallet: UNLISTED_WALLET,
      cpName: ' Acme  Corp',
      rail: 'USDC',
      cpType: 'business',
      protocol: 'Uniswap',
    })
    assert.equal(headers['cache-control'], 'no-store')
  })

  test('holds null for what the request did not give', async () => {
    const party = await api.party()
    const { txnId } = (
      await api.screen(party, {
        token: '',
        amount: undefined,
        cpName: null,
        cpWallet: undefined,
      })
    ).body
    assert.deepEqual((await api.audit(party, txnId)).body._request, {
      amount: null,
      chain: null,
      cpWallet: null,
      cpName: null,
      rail: null,
      cpType: null,
      protocol: null,
    })
  })

  test('never holds a credential', async () => {
    const party = await api.party()
    const { txnId } = (await api.screen(party)).body
    const { text } = await api.audit(party, txnId)
    assert.equal(text.includes(party.agentToken) || text.includes(party.operatorToken), false)
  })
})

describe('401 unauthorized', () => {
  test('refuses a caller without a credential', async () => {
    assertError(await api.call('/v1/audit/txn_AAAAAAAA'), 'unauthorized')
  })
})

describe('404 not_found', () => {
  test("answers another operator's record like one that does not exist", async () => {
    const [mine, other] = [await api.party(), await api.party()]
    const { txnId } = (await api.screen(other)).body
    const [stranger, nobody] = [await api.audit(mine, txnId), await api.audit(mine, 'txn_00000000')]
    assertError(stranger, 'not_found')
    assertError(nobody, 'not_found')
    assert.equal(stranger.body.message, nobody.body.message)
    assert.equal((await api.audit(other, txnId)).status, 200)
  })

  test('answers an id that is no transaction id', async () => {
    const party = await api.party()
    for (const id of [
      'x',
      'txn_',
      'txn_aaaaaaaa',
      'txn_AAAAAAAAA',
      "txn_'OR'1'='1",
      '%00',
      '%ff',
      '..%2f..',
    ]) {
      assertError(await api.audit(party, id), 'not_found')
    }
  })

  test('keeps a record for 90 days and not a millisecond longer', async () => {
    const party = await api.party()
    const { txnId } = (await api.screen(party)).body
    clock.advance(90 * DAY_MS)
    assert.equal((await api.audit(party, txnId)).status, 200)
    clock.advance(1)
    assertError(await api.audit(party, txnId), 'not_found')
    clock.moveTo('2026-11-20T12:00:00.000Z')
  })
})
