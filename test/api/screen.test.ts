/** POST /v1/screen: verdicts. What it refuses to screen stands in screen-refusals.test.ts. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { DAY_MS, type ScreenResult } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { newKey, partsOf, signJson } from '../support/jws.ts'
import { writeLists } from '../support/lists.ts'
import {
  bearer,
  LISTED,
  type Party,
  startTestService,
  tempDir,
  UNLISTED_WALLET,
} from '../support/service.ts'

const clock = movedClock('2026-11-20T12:00:00.000Z')
const signer = newKey('known')
const SIGNING_KEYS = JSON.stringify({ keys: [signer.jwk] })
const api = await startTestService({ SIGNING_KEYS }, { clock })
after(() => api.stop())

/** Changes what this version has no route for, in the file, as a later version would. */
function setAgent(party: Party, column: string, value: string | number): void {
  const db = new DatabaseSync(join(api.dataDir, 'portcullis.sqlite'))
  db.prepare(`update agents set ${column} = ? where agent_id = ?`).run(value, party.agentId)
  db.close()
}

async function screened(party: Party, payment: object = {}): Promise<ScreenResult> {
  const { status, body, text } = await api.screen(party, payment)
  assert.equal(status, 200, text)
  assertHolds(body)
  return body
}

const codes = ({ log }: ScreenResult, ok: boolean) =>
  log.filter((entry) => entry.ok === ok).map(({ code }) => code)

/** What is true of every result, whatever its verdict. */
function assertHolds(result: ScreenResult): void {
  const { header, payload } = partsOf(result.receipt)
  assert.deepEqual(header, { alg: 'ES256', typ: 'kya-receipt+jwt', kid: 'known' })
  const { verdict, txnId, riskScore, ruleTriggered, signals, agentId, screenedAt, lists } = result
  const { requestHash, validUntil, oldestList, demo, priorScreenings, ...claims } = payload
  assert.deepEqual(priorScreenings, result.priorScreenings)
  assert.deepEqual(claims, {
    iss: 'did:kya:service-alpha',
    txnId,
    verdict,
    riskScore,
    ruleTriggered,
    signals,
    authorizedBy: null,
    agentId,
    screenedAt,
    lists,
  })
  assert.equal(demo, undefined)
  assert.match(String(requestHash), /^[0-9a-f]{64}$/)
  assert.equal(Date.parse(String(validUntil)), Date.parse(screenedAt) + 300_000)
  assert.equal(oldestList, lists[0]?.date)
  assert.match(txnId, /^txn_[0-9A-Z]{8}$/)
  assert.ok(result.responseTimeMs >= 0 && result.responseTimeMs < 5_000)
  assert.ok(riskScore >= 0 && riskScore <= 100)
  assert.equal(verdict === 'CLEAR', ruleTriggered === null)
  assert.equal(codes(result, true).includes('ALL_CLEAR'), verdict === 'CLEAR')
  assert.equal(
    signals.ofac === 'HIT',
    result.matches.some(({ score }) => score >= 0.9),
  )
  assert.equal(result.authorizedBy, null)
}

const NOT_SCREENED = {
  globalSanctions: 'NOT_SCREENED',
  publicOfficial: 'NOT_SCREENED',
  pep: 'NOT_SCREENED',
  adverseMedia: 'NOT_SCREENED',
  agentScore: null,
  erc8004: 'PENDING',
}
const CLEAN = {
  ofac: 'CLEAR',
  ofacNearMatch: 'CLEAR',
  spendPolicy: 'CLEAR',
  credential: 'CLEAR',
  ...NOT_SCREENED,
}

describe('200 CLEAR', () => {
  test('logs every check that was made, none that was not, and ALL_CLEAR last', async () => {
    const party = await api.party({
      maxSingleTxUSDC: 100,
      dailyLimitUSDC: 1_000,
      allowedChains: ['BASE'],
      allowedRails: ['USDC'],
    })
    const result = await screened(party, {
      amount: 12.5,
      chain: 'base',
      rail: 'usdc',
      cpName: 'Example Coffee Roasters',
      cpWallet: UNLISTED_WALLET,
      protocol: 'Uniswap v4',
    })
    assert.equal(result.verdict, 'CLEAR')
    assert.equal(result.riskScore, 0)
    assert.deepEqual(result.signals, CLEAN)
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
      'RAIL_POLICY',
      'OFAC_NEAR_MATCH',
      'ALL_CLEAR',
    ])
    // The embedded fallback is old, and the log of every screen says so.
    assert.deepEqual(codes(result, false), ['LISTS_FRESH'])
  })

  test('says nothing of a wallet, name, limit or chain that was not given', async () => {
    const result = await screened(await api.party())
    assert.deepEqual(codes(result, true), [
      'CREDENTIAL_PRESENT',
      'CREDENTIAL_VALID',
      'OFAC_OP_NAME',
      'OWNERSHIP_TRANSFER',
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
    const { receipt } = await screened(await api.party(), payment)
    const text = `acme corp|${UNLISTED_WALLET.toLowerCase()}|250.5|BASE`
    const hash = createHash('sha256').update(text, 'utf8').digest('hex')
    assert.equal(partsOf(receipt).payload['requestHash'], hash)
  })

  test('allows an amount of zero, and -0 is zero', async () => {
    const party = await api.party({ maxSingleTxUSDC: 0, dailyLimitUSDC: 0 })
    assert.equal((await screened(party, { amount: 0 })).verdict, 'CLEAR')
    const raw = `{"token":"${party.agentToken}","amount":-0}`
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
        (await screened(party, { token: `${prefix}${party.agentToken}` })).verdict,
        'CLEAR',
      )
    })
  }

  test('names unknown fields in the log and screens on', async () => {
    const result = await screened(await api.party(), { memo: 'invoice 7', zzz: [1] })
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

  test('says in the log that extended lists and identity tokens were asked for and not read', async () => {
    const result = await screened(await api.party(), { lists: 'all', identityToken: 'x.y.z' })
    assert.deepEqual(codes(result, false), ['IDENTITY_TOKEN', 'EXTENDED_SCREENING', 'LISTS_FRESH'])
    assert.equal('identity' in result.signals, false)
  })

  test('gives each screen its own transaction id', async () => {
    const party = await api.party()
    const all = await Promise.all(Array.from({ length: 50 }, () => screened(party)))
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
      policy: { allowedRails: ['ACH'] },
      within: { rail: 'ach' },
      above: { rail: 'WIRE' },
    },
  ]
  for (const { rule, code, policy, within, above } of cases) {
    test(`${rule}: at the limit is within it, past it is REVIEW`, async () => {
      const party = await api.party(policy)
      const fine = await screened(party, within)
      assert.equal(fine.verdict, 'CLEAR')
      assert.ok(codes(fine, true).includes(code))
      const result = await screened(party, above)
      assert.deepEqual([result.verdict, result.ruleTriggered], ['REVIEW', rule])
      assert.deepEqual(result.signals, { ...CLEAN, spendPolicy: 'REVIEW' })
      assert.ok(codes(result, false).includes(code))
      assert.equal(result.reason, result.log.find((entry) => entry.code === code)?.msg)
      assert.ok(result.riskScore > 0)
    })
  }

  test('R11 counts CLEAR payments only, on their UTC day', async () => {
    const party = await api.party({ dailyLimitUSDC: 20, maxSingleTxUSDC: 15 })
    clock.moveTo('2026-11-20T23:59:59.999Z')
    assert.equal((await screened(party, { amount: 16 })).ruleTriggered, 'R10_SINGLE_TX_LIMIT')
    assert.equal((await screened(party, { amount: 15, cpName: LISTED.name })).verdict, 'BLOCK')
    assert.equal((await screened(party, { amount: 15 })).verdict, 'CLEAR')
    assert.equal((await screened(party, { amount: 5.01 })).ruleTriggered, 'R11_DAILY_LIMIT')
    assert.equal((await screened(party, { amount: 5 })).verdict, 'CLEAR')
    clock.moveTo('2026-11-21T00:00:00.000Z')
    assert.equal((await screened(party, { amount: 15 })).verdict, 'CLEAR')
    clock.moveTo('2026-11-20T12:00:00.000Z')
  })

  test('logs every rule that fired; the first of the table decides', async () => {
    const party = await api.party({
      allowedChains: ['BASE'],
      maxSingleTxUSDC: 1,
      dailyLimitUSDC: 1,
      allowedRails: ['ACH'],
    })
    const result = await screened(party, { amount: 5, chain: 'SOL', rail: 'USDC' })
    assert.equal(result.ruleTriggered, 'R9_CHAIN_POLICY')
    assert.deepEqual(codes(result, false), [
      'CHAIN_POLICY',
      'SINGLE_TX_LIMIT',
      'DAILY_LIMIT',
      'RAIL_POLICY',
      'LISTS_FRESH',
    ])
  })

  test('an empty selection allows all', async () => {
    const party = await api.party({ allowedChains: [], allowedRails: [] })
    assert.equal((await screened(party, { chain: 'SOL', rail: 'WIRE' })).verdict, 'CLEAR')
  })
})

describe('200 BLOCK', () => {
  test('R6: a listed wallet in any case and on any chain, with its entry as evidence', async () => {
    const party = await api.party()
    for (const [cpWallet, chain] of [
      [LISTED.wallet, 'ETH'],
      [LISTED.wallet.toLowerCase(), 'SOL'],
      [`0X${LISTED.wallet.slice(2).toUpperCase()}`, 'ACH'],
    ]) {
      const result = await screened(party, { cpWallet, chain })
      assert.deepEqual(
        [result.verdict, result.ruleTriggered, result.riskScore],
        ['BLOCK', 'R6_COUNTERPARTY_WALLET_OFAC', 100],
      )
      assert.deepEqual(result.signals, { ...CLEAN, ofac: 'HIT' })
      const [match] = result.matches
      assert.equal(match?.field, 'cpWallet')
      assert.equal(match?.list, 'OFAC_SDN')
      assert.equal(match?.method, 'address')
      assert.equal(match?.score, 1)
      assert.equal(match?.primaryName, LISTED.name)
      assert.equal(match?.matched.toLowerCase(), LISTED.wallet.toLowerCase())
      assert.deepEqual(match?.tickers, ['ETH'])
    }
  })

  test('R7: a listed name or alias, with its entry as evidence', async () => {
    const party = await api.party()
    for (const cpName of [LISTED.name, 'Lazarus Group', 'hidden  cobra']) {
      const result = await screened(party, { cpName })
      assert.deepEqual(
        [result.verdict, result.ruleTriggered],
        ['BLOCK', 'R7_COUNTERPARTY_NAME_OFAC'],
      )
      assert.equal(result.signals.ofac, 'HIT')
      assert.equal(result.matches[0]?.field, 'cpName')
      assert.equal(result.matches[0]?.primaryName, LISTED.name)
      assert.equal(result.matches[0]?.method, 'exact')
      assert.match(result.reason, /LAZARUS GROUP/)
    }
  })

  test('R14: a mixer, unless the policy allows mixers', async () => {
    const party = await api.party()
    const result = await screened(party, { protocol: 'Tornado.Cash' })
    assert.deepEqual(
      [result.verdict, result.ruleTriggered, result.signals.spendPolicy],
      ['BLOCK', 'R14_MIXER_PROTOCOL', 'BLOCK'],
    )
    const allowed = await api.party({ noMixerProtocols: false })
    assert.equal((await screened(allowed, { protocol: 'Tornado.Cash' })).verdict, 'CLEAR')
  })

  test('outranks REVIEW: a mixer on a forbidden chain is R14, and the log has both', async () => {
    const party = await api.party({ allowedChains: ['BASE'] })
    const result = await screened(party, { chain: 'ETH', protocol: 'Tornado Cash' })
    assert.equal(result.ruleTriggered, 'R14_MIXER_PROTOCOL')
    assert.ok(codes(result, false).includes('CHAIN_POLICY'))
    assert.ok(codes(result, false).includes('MIXER_PROTOCOL'))
  })

  test('R2: an expired credential', async () => {
    const party = await api.party()
    clock.advance(90 * DAY_MS - 1)
    assert.equal((await screened(party)).verdict, 'CLEAR')
    clock.advance(1)
    const result = await screened(party)
    assert.deepEqual(
      [result.verdict, result.ruleTriggered, result.signals.credential, result.credentialStatus],
      ['BLOCK', 'R2_CREDENTIAL_STATUS', 'EXPIRED', 'EXPIRED'],
    )
    clock.moveTo('2026-11-20T12:00:00.000Z')
  })

  for (const status of ['REVOKED', 'SUSPENDED', 'EXPIRED'] as const) {
    test(`R2: an agent that is ${status} now, whatever its token says`, async () => {
      const party = await api.party()
      setAgent(party, 'status', status)
      const result = await screened(party)
      assert.deepEqual(
        [result.verdict, result.ruleTriggered, result.signals.credential, result.credentialStatus],
        ['BLOCK', 'R2_CREDENTIAL_STATUS', status, status],
      )
    })
  }

  test('R2: a credential that a newer one replaced', async () => {
    const party = await api.party()
    setAgent(party, 'credential_id', 'cred_newer')
    const result = await screened(party)
    assert.deepEqual(
      [result.ruleTriggered, result.signals.credential],
      ['R2_CREDENTIAL_STATUS', 'INVALID'],
    )
  })

  test('R3: an operator wallet that was listed at issuance', async () => {
    const party = await api.party()
    setAgent(party, 'operator_wallet', UNLISTED_WALLET)
    assert.equal((await screened(party)).verdict, 'CLEAR')
    setAgent(party, 'wallet_listed_at_issuance', 1)
    assert.equal((await api.screen(party)).body.ruleTriggered, 'R3_OPERATOR_OFAC_ISSUANCE')
  })

  test('R8: an agent whose ownership was transferred', async () => {
    const party = await api.party()
    setAgent(party, 'ownership_transferred', 1)
    const result = await screened(party)
    assert.deepEqual(
      [result.verdict, result.ruleTriggered, result.signals.credential],
      ['BLOCK', 'R8_OWNERSHIP_TRANSFER', 'TRANSFERRED'],
    )
  })

  test('R4 and R5: an operator or agent owner who becomes listed is blocked at the next screen', async () => {
    const folder = tempDir()
    const wallet = UNLISTED_WALLET
    const before = writeLists(join(folder, 'before'), [{ id: 1, name: 'SOMEBODY ELSE ENTIRELY' }])
    const listed = writeLists(join(folder, 'after'), [
      { id: 2, name: 'SUDDENLY LISTED TRADING' },
      { id: 3, name: 'OTHER NAME', remarks: `Digital Currency Address - ETH ${wallet}.` },
    ])
    const DATA_DIR = join(folder, 'data')
    const first = await startTestService({ DATA_DIR, LISTS_DIR: before })
    const named = await first.party({}, { legalName: 'Suddenly Listed Trading' })
    const withWallet = await first.party({}, { wallet })
    const owner = await first.party()
    const agent = await first.registerAgent(owner, { operatorWallet: wallet })
    for (const party of [named, withWallet, owner])
      assert.equal((await first.screen(party)).body.verdict, 'CLEAR')
    await first.stop()

    const second = await startTestService({ DATA_DIR, LISTS_DIR: listed })
    const byName = (await second.screen(named)).body
    assert.deepEqual(
      [byName.verdict, byName.ruleTriggered, byName.signals.ofac],
      ['BLOCK', 'R5_OPERATOR_NAME_OFAC', 'HIT'],
    )
    assert.equal(byName.matches[0]?.entryId, '2')
    const byWallet = (await second.screen(withWallet)).body
    assert.deepEqual(
      [byWallet.ruleTriggered, byWallet.matches[0]?.field, byWallet.matches[0]?.entryId],
      ['R4_OPERATOR_WALLET_LIVE', 'wallet', '3'],
    )
    const byAgent = (await second.screen({ ...owner, agentToken: agent.body.token })).body
    assert.deepEqual(
      [byAgent.ruleTriggered, byAgent.matches[0]?.field],
      ['R4_OPERATOR_WALLET_LIVE', 'operatorWallet'],
    )
    assert.equal((await second.screen(owner)).body.verdict, 'CLEAR')
    await second.stop()
    rmSync(folder, { recursive: true })
  })

  describe('R2 for a token of sound structure that is not an agent credential of ours', () => {
    const forged = (
      party: Party,
      changes: { header?: object; claims?: object; vc?: object; key?: typeof signer },
    ) => {
      const { header, payload } = partsOf(party.agentToken)
      const vc = { ...(payload['vc'] as object), ...changes.vc }
      return signJson(
        changes.key ?? signer,
        { ...header, ...changes.header },
        { ...payload, vc, ...changes.claims },
      )
    }
    const cases: Record<string, (party: Party) => string> = {
      'another key under our kid': (party) => forged(party, { key: newKey('known') }),
      'a kid that is not ours': (party) => forged(party, { header: { kid: 'stranger' } }),
      'an unknown agent': (party) => forged(party, { claims: { sub: 'agt_nobody' } }),
      'an operator credential': (party) => party.operatorToken,
      'another issuer': (party) => forged(party, { claims: { iss: 'did:kya:other' } }),
      'another issuer in the credential': (party) =>
        forged(party, { vc: { issuer: 'did:kya:other' } }),
      'another type': (party) =>
        forged(party, { vc: { type: ['VerifiableCredential', 'KYAUserCredential'] } }),
      'two types at once': (party) =>
        forged(party, {
          vc: { type: ['VerifiableCredential', 'KYAAgentCredential', 'KYAOperatorCredential'] },
        }),
      'another typ': (party) => forged(party, { header: { typ: 'kya-receipt+jwt' } }),
      'a start in the future': (party) =>
        forged(party, { claims: { nbf: clock.now() / 1_000 + 3_600 } }),
    }
    for (const [what, make] of Object.entries(cases)) {
      test(what, async () => {
        const party = await api.party()
        const result = await screened(party, { token: make(party) })
        assert.deepEqual(
          [
            result.verdict,
            result.ruleTriggered,
            result.signals.credential,
            result.credentialStatus,
          ],
          ['BLOCK', 'R2_CREDENTIAL_STATUS', 'INVALID', null],
        )
      })
    }

    test('a genuine token that is re-signed with the same claims still passes: the cases above fail for their own reason', async () => {
      const party = await api.party()
      assert.equal((await screened(party, { token: forged(party, {}) })).verdict, 'CLEAR')
    })
  })

  test('a BLOCK, REVIEW or UNKNOWN spends nothing of the day', async () => {
    const party = await api.party({ dailyLimitUSDC: 10, allowedChains: ['BASE'] })
    for (const payment of [{ cpName: LISTED.name }, { chain: 'ETH' }, { token: 'x' }]) {
      assert.notEqual((await screened(party, { amount: 10, ...payment })).verdict, 'CLEAR')
    }
    assert.equal((await screened(party, { amount: 10 })).verdict, 'CLEAR')
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
      const result = await screened(await api.party(), { token })
      assert.deepEqual([result.verdict, result.ruleTriggered], ['UNKNOWN', 'R1_NO_CREDENTIAL'])
      assert.deepEqual(
        [result.agentId, result.agentName, result.agentMode, result.credentialStatus],
        [null, null, null, null],
      )
      assert.equal(result.signals.credential, 'INVALID')
    })
  }

  test('outranks BLOCK: without a credential a listed counterparty is UNKNOWN, and the log and signals tell of the hit', async () => {
    const result = await screened(await api.party(), { token: 'x', cpName: LISTED.name })
    assert.deepEqual(
      [result.verdict, result.ruleTriggered, result.signals.ofac],
      ['UNKNOWN', 'R1_NO_CREDENTIAL', 'HIT'],
    )
    assert.ok(codes(result, false).includes('OFAC_CP_NAME'))
  })
})
