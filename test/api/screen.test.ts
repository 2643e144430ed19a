/**
 * POST /v1/screen: CLEAR, REVIEW and UNKNOWN. BLOCK stands in screen-block.test.ts, and what is not
 * screened at all in screen-refusals.test.ts.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import type { ScreenResult } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { partsOf } from '../support/jws.ts'
import { CLEAN, codes, screened, SIGNING_KEYS, signalsOf } from '../support/screening.ts'
import { A_PAYMENT, bearer, LISTED, startTestService, UNLISTED_WALLET } from '../support/service.ts'

const clock = movedClock('2026-11-20T12:00:00.000Z')
const api = await startTestService({ SIGNING_KEYS }, { clock })
after(() => api.stop())

describe('200 CLEAR', () => {
  test('logs every check that was made, none that was not, and ALL_CLEAR last', async () => {
    const party = await api.party({
      maxSingleTxUSDC: 100,
      dailyLimitUSDC: 1_000,
      allowedChains: ['BASE'],
      allowedRails: ['USDC'],
    })
    const result = await screened(api, party, {
      amount: 12.5,
      chain: 'base',
      rail: 'usdc',
      cpName: 'Example Coffee Roasters',
      cpWallet: UNLISTED_WALLET,
      protocol: 'Uniswap v4',
    })
    assert.equal(result.verdict, 'CLEAR')
    // Autonomous and never attested: 15 points less, and a fifth of them as risk.
    assert.deepEqual(result.signals.agentScore, { score: 85, grade: 'B' })
    assert.equal(result.riskScore, 3)
    assert.deepEqual(signalsOf(result), CLEAN)
    assert.deepEqual(result.matches, [])
    assert.deepEqual(
      [result.agentId, result.agentName, result.agentMode, result.credentialStatus],
      [party.agentId, 'Example Robotics default agent', 'autonomous', 'ACTIVE'],
    )
    assert.deepEqual(codes(result, true), [
      'CREDENTIAL_PRESENT',
      'CREDENTIAL_VALID',
      'OFAC_OP_NAME',
      'OFAC_CP_WALLET',
      'OFAC_CP_NAME',
      'OWNERSHIP_TRANSFER',
      'CHAIN_POLICY',
      'SINGLE_TX_LIMIT',
      'DAILY_LIMIT',
      'MIXER_PROTOCOL',
      'VELOCITY_SPIKE',
      'RAIL_POLICY',
      'CHAIN_RAIL_MISMATCH',
      'COUNTERPARTY_IDENTIFIED',
      'WALLET_CHAIN_MISMATCH',
      'OFAC_NEAR_MATCH',
      'ALL_CLEAR',
    ])
    // The embedded fallback is old, and the log of every screen says so.
    assert.deepEqual(codes(result, false), ['LISTS_FRESH'])
  })

  test('says nothing of a wallet, limit, chain or rail that was not given', async () => {
    const result = await screened(api, await api.party(), { cpWallet: undefined })
    assert.equal(result.verdict, 'CLEAR')
    assert.deepEqual(codes(result, true), [
      'CREDENTIAL_PRESENT',
      'CREDENTIAL_VALID',
      'OFAC_OP_NAME',
      'OFAC_CP_NAME',
      'OWNERSHIP_TRANSFER',
      'VELOCITY_SPIKE',
      'COUNTERPARTY_IDENTIFIED',
      'OFAC_NEAR_MATCH',
      'ALL_CLEAR',
    ])
  })

  test('binds the receipt to the request by the specified hash', async () => {
    const payment = {
      amount: 250.5,
      chain: ' base ',
      cpName: '  Acme   CORP ',
      cpWallet: ` ${UNLISTED_WALLET} `,
    }
    const { receipt } = await screened(api, await api.party(), payment)
    const text = `acme corp|${UNLISTED_WALLET.toLowerCase()}|250.5|BASE`
    const hash = createHash('sha256').update(text, 'utf8').digest('hex')
    assert.equal(partsOf(receipt).payload['requestHash'], hash)
  })

  test('allows an amount of zero, and -0 is zero', async () => {
    const party = await api.party({ maxSingleTxUSDC: 0, dailyLimitUSDC: 0 })
    assert.equal((await screened(api, party, { amount: 0 })).verdict, 'CLEAR')
    const raw = `{"token":"${party.agentToken}","amount":-0,"cpName":"${A_PAYMENT.cpName}"}`
    const negative = await api.call<ScreenResult>('/v1/screen', {
      headers: bearer(party.operatorToken),
      body: raw,
    })
    assert.equal(negative.body.verdict, 'CLEAR')
  })

  for (const prefix of [
    'Bearer ',
    'VerifiableCredential ',
    'ProofPack ',
    'JWT ',
    'bearer ',
    'JWT\t',
    'ProofPack  ',
    '  ',
  ]) {
    test(`accepts the token after ${JSON.stringify(prefix)}`, async () => {
      const party = await api.party()
      assert.equal(
        (await screened(api, party, { token: `${prefix}${party.agentToken}` })).verdict,
        'CLEAR',
      )
    })
  }

  test('names unknown fields in the log and screens on', async () => {
    const result = await screened(api, await api.party(), { memo: 'invoice 7', zzz: [1] })
    assert.equal(result.verdict, 'CLEAR')
    const strangers = result.log.filter(({ code }) => code === 'UNKNOWN_FIELD')
    assert.deepEqual(
      strangers.map(({ ok, msg }) => [ok, /`(.*)`/.exec(msg)?.[1]]),
      [
        [false, 'memo'],
        [false, 'zzz'],
      ],
    )
  })

  test('says in the log that the extended lists that were asked for are not there, and what an identity token came to', async () => {
    const result = await screened(api, await api.party(), { lists: 'all', identityToken: 'x.y.z' })
    assert.deepEqual(codes(result, false), ['IDENTITY_TOKEN', 'EXTENDED_SCREENING', 'LISTS_FRESH'])
    assert.equal(result.verdict, 'CLEAR')
    assert.equal(result.signals.identity, 'INVALID')
    const without = await screened(api, await api.party())
    assert.equal('identity' in without.signals, false)
  })

  test('gives each screen its own transaction id', async () => {
    const party = await api.party()
    const all = await Promise.all(Array.from({ length: 50 }, () => screened(api, party)))
    assert.equal(new Set(all.map(({ txnId }) => txnId)).size, 50)
  })
})

describe('200 REVIEW', () => {
  const cases: { rule: string; code: string; policy: object; within: object; above: object }[] = [
    {
      rule: 'R9_CHAIN_POLICY',
      code: 'CHAIN_POLICY',
      policy: { allowedChains: ['BASE', 'ETH'] },
      within: { chain: 'eth' },
      above: { chain: 'SOL' },
    },
    {
      rule: 'R10_SINGLE_TX_LIMIT',
      code: 'SINGLE_TX_LIMIT',
      policy: { maxSingleTxUSDC: 100.5 },
      within: { amount: 100.5 },
      above: { amount: 100.500001 },
    },
    {
      rule: 'R11_DAILY_LIMIT',
      code: 'DAILY_LIMIT',
      policy: { dailyLimitUSDC: 30 },
      within: { amount: 30 },
      above: { amount: 0.000001 },
    },
    {
      rule: 'R18_RAIL_POLICY',
      code: 'RAIL_POLICY',
      policy: { allowedRails: ['USDC'] },
      within: { rail: 'usdc' },
      above: { rail: 'WIRE' },
    },
  ]
  for (const { rule, code, policy, within, above } of cases) {
    test(`${rule}: at the limit is within it, past it is REVIEW`, async () => {
      const party = await api.party(policy)
      const fine = await screened(api, party, within)
      assert.equal(fine.verdict, 'CLEAR')
      assert.ok(codes(fine, true).includes(code))
      const result = await screened(api, party, above)
      assert.deepEqual([result.verdict, result.ruleTriggered], ['REVIEW', rule])
      assert.deepEqual(signalsOf(result), { ...CLEAN, spendPolicy: 'REVIEW' })
      assert.ok(codes(result, false).includes(code))
      assert.equal(result.reason, result.log.find((entry) => entry.code === code)?.msg)
      assert.ok(result.riskScore > 0)
    })
  }

  test('R11 counts CLEAR payments only, on their UTC day', async () => {
    const party = await api.party({ dailyLimitUSDC: 20, maxSingleTxUSDC: 15 })
    clock.moveTo('2026-11-20T23:59:59.999Z')
    assert.equal((await screened(api, party, { amount: 16 })).ruleTriggered, 'R10_SINGLE_TX_LIMIT')
    assert.equal((await screened(api, party, { amount: 15, cpName: LISTED.name })).verdict, 'BLOCK')
    assert.equal((await screened(api, party, { amount: 15 })).verdict, 'CLEAR')
    assert.equal((await screened(api, party, { amount: 5.01 })).ruleTriggered, 'R11_DAILY_LIMIT')
    assert.equal((await screened(api, party, { amount: 5 })).verdict, 'CLEAR')
    clock.moveTo('2026-11-21T00:00:00.000Z')
    assert.equal((await screened(api, party, { amount: 15 })).verdict, 'CLEAR')
    clock.moveTo('2026-11-20T12:00:00.000Z')
  })

  test('logs every rule that fired; the first of the table decides', async () => {
    const party = await api.party({
      allowedChains: ['BASE'],
      maxSingleTxUSDC: 1,
      dailyLimitUSDC: 1,
      allowedRails: ['ACH'],
    })
    const result = await screened(api, party, { amount: 5, chain: 'SOL', rail: 'USDC' })
    assert.equal(result.ruleTriggered, 'R9_CHAIN_POLICY')
    assert.deepEqual(codes(result, false), [
      'CHAIN_POLICY',
      'SINGLE_TX_LIMIT',
      'DAILY_LIMIT',
      'RAIL_POLICY',
      'WALLET_CHAIN_MISMATCH',
      'LISTS_FRESH',
    ])
  })

  test('an empty selection allows all', async () => {
    const party = await api.party({ allowedChains: [], allowedRails: [] })
    assert.equal((await screened(api, party, { chain: 'ETH', rail: 'USDC' })).verdict, 'CLEAR')
  })
})

describe('200 UNKNOWN', () => {
  const malformed = [
    'x',
    'a.b.c',
    'Bearer Bearer x.y.z',
    '....',
    'Bearer',
    'a'.repeat(9_000),
    '\u0000',
    '🦄',
  ]
  for (const token of malformed) {
    test(`R1 for the token ${JSON.stringify(token.slice(0, 20))}`, async () => {
      const result = await screened(api, await api.party(), { token })
      assert.deepEqual([result.verdict, result.ruleTriggered], ['UNKNOWN', 'R1_NO_CREDENTIAL'])
      assert.deepEqual(
        [result.agentId, result.agentName, result.agentMode, result.credentialStatus],
        [null, null, null, null],
      )
      assert.equal(result.signals.credential, 'INVALID')
    })
  }

  test('outranks BLOCK: without a credential a listed counterparty is UNKNOWN, and the log and signals tell of the hit', async () => {
    const result = await screened(api, await api.party(), { token: 'x', cpName: LISTED.name })
    assert.deepEqual(
      [result.verdict, result.ruleTriggered, result.signals.ofac],
      ['UNKNOWN', 'R1_NO_CREDENTIAL', 'HIT'],
    )
    assert.ok(codes(result, false).includes('OFAC_CP_NAME'))
  })
})
