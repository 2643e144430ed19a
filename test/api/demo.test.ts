/** POST /v1/demo/screen */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { ScreenResult } from '@portcullis/protocol'
import { assertError } from '../support/errors.ts'
import type { ErrorAnswer } from '../support/http.ts'
import { partsOf } from '../support/jws.ts'
import { startTestService } from '../support/service.ts'

const api = await startTestService({ PLAN_FREE_SCREENS: '0' })
after(() => api.stop())
const demo = (scenario: unknown) =>
  api.call<ScreenResult & ErrorAnswer & { demo: boolean }>('/v1/demo/screen', {
    body: { scenario },
  })

describe('200', () => {
  const scenarios = [
    [1, 'CLEAR', null],
    [2, 'REVIEW', 'R10_SINGLE_TX_LIMIT'],
    [3, 'BLOCK', 'R6_COUNTERPARTY_WALLET_OFAC'],
    [4, 'BLOCK', 'R14_MIXER_PROTOCOL'],
  ] as const
  for (const [scenario, verdict, rule] of scenarios) {
    test(`scenario ${scenario} is ${verdict} by the real engine, marked as a demo, with a real receipt that says so`, async () => {
      const { status, body } = await demo(scenario)
      assert.equal(status, 200)
      assert.deepEqual([body.demo, body.verdict, body.ruleTriggered], [true, verdict, rule])
      assert.equal((await api.verify(body.receipt)).body.claims?.verdict, verdict)
      assert.equal(partsOf(body.receipt).payload['demo'], true)
      if (scenario === 4) assert.equal(body.signals.spendPolicy, 'BLOCK')
    })
  }
})

describe('400 invalid_request', () => {
  for (const scenario of [0, 5, 1.5, '1', null, undefined]) {
    test(`refuses scenario ${JSON.stringify(scenario) ?? 'nothing'}`, async () => {
      assertError(await demo(scenario), 'invalid_request', { field: 'scenario' })
    })
  }
})

describe('429 rate_limit_exceeded', () => {
  test('30 calls an hour from one address; X-Forwarded-For alone makes no other', async () => {
    const fresh = await startTestService()
    const from = (at: number) =>
      fresh.call('/v1/demo/screen', {
        body: { scenario: 1 },
        headers: { 'x-forwarded-for': `10.0.0.${at}` },
      })
    for (let at = 0; at < 30; at++) assert.equal((await from(at)).status, 200)
    assertError(await from(31), 'rate_limit_exceeded')
    await fresh.stop()
  })

  test('counts by the forwarded address when the proxy is a configured one', async () => {
    const fresh = await startTestService({ TRUSTED_PROXIES: '127.0.0.0/8' })
    const from = (address: string) =>
      fresh.call('/v1/demo/screen', {
        body: { scenario: 1 },
        headers: { 'x-forwarded-for': address },
      })
    for (let at = 0; at < 30; at++) assert.equal((await from('192.0.2.1')).status, 200)
    assertError(await from('192.0.2.1'), 'rate_limit_exceeded')
    assert.equal((await from('192.0.2.2')).status, 200)
    await fresh.stop()
  })
})
