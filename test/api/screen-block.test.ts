/** POST /v1/screen: BLOCK. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { DAY_MS } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { newKey, partsOf, signJson } from '../support/jws.ts'
import { writeLists } from '../support/lists.ts'
import { CLEAN, codes, screened, SIGNER, SIGNING_KEYS, signalsOf } from '../support/screening.ts'
import {
  LISTED,
  type Party,
  startTestService,
  tempDir,
  UNLISTED_WALLET,
} from '../support/service.ts'

const clock = movedClock('2026-11-20T12:00:00.000Z')
const api = await startTestService({ SIGNING_KEYS }, { clock })
after(() => api.stop())

/** Changes what this version has no route for, in the file, as a later version would. */
function setAgent(party: Party, column: string, value: string | number): void {
  const db = new DatabaseSync(join(api.dataDir, 'portcullis.sqlite'))
  db.prepare(`update agents set ${column} = ? where agent_id = ?`).run(value, party.agentId)
  db.close()
}

describe('200 BLOCK', () => {
  test('R6: a listed wallet in any case and on any chain, with its entry as evidence', async () => {
    const party = await api.party()
    for (const [cpWallet, chain] of [
      [LISTED.wallet, 'ETH'],
      [LISTED.wallet.toLowerCase(), 'SOL'],
      [`0X${LISTED.wallet.slice(2).toUpperCase()}`, 'ACH'],
    ]) {
      const result = await screened(api, party, { cpWallet, chain })
      assert.deepEqual(
        [result.verdict, result.ruleTriggered, result.riskScore],
        ['BLOCK', 'R6_COUNTERPARTY_WALLET_OFAC', 100],
      )
      assert.deepEqual(signalsOf(result), { ...CLEAN, ofac: 'HIT' })
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
      const result = await screened(api, party, { cpName })
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
    const result = await screened(api, party, { protocol: 'Tornado.Cash' })
    assert.deepEqual(
      [result.verdict, result.ruleTriggered, result.signals.spendPolicy],
      ['BLOCK', 'R14_MIXER_PROTOCOL', 'BLOCK'],
    )
    const allowed = await api.party({ noMixerProtocols: false })
    assert.equal((await screened(api, allowed, { protocol: 'Tornado.Cash' })).verdict, 'CLEAR')
  })

  test('outranks REVIEW: a mixer on a forbidden chain is R14, and the log has both', async () => {
    const party = await api.party({ allowedChains: ['BASE'] })
    const result = await screened(api, party, { chain: 'ETH', protocol: 'Tornado Cash' })
    assert.equal(result.ruleTriggered, 'R14_MIXER_PROTOCOL')
    assert.ok(codes(result, false).includes('CHAIN_POLICY'))
    assert.ok(codes(result, false).includes('MIXER_PROTOCOL'))
  })

  test('R2: an expired credential', async () => {
    const party = await api.party()
    clock.advance(90 * DAY_MS - 1)
    assert.equal((await screened(api, party)).verdict, 'CLEAR')
    clock.advance(1)
    const result = await screened(api, party)
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
      const result = await screened(api, party)
      assert.deepEqual(
        [result.verdict, result.ruleTriggered, result.signals.credential, result.credentialStatus],
        ['BLOCK', 'R2_CREDENTIAL_STATUS', status, status],
      )
    })
  }

  test('R2: a credential that a newer one replaced', async () => {
    const party = await api.party()
    setAgent(party, 'credential_id', 'cred_newer')
    const result = await screened(api, party)
    assert.deepEqual(
      [result.ruleTriggered, result.signals.credential],
      ['R2_CREDENTIAL_STATUS', 'INVALID'],
    )
  })

  test('R3: an operator wallet that was listed at issuance', async () => {
    const party = await api.party()
    setAgent(party, 'operator_wallet', UNLISTED_WALLET)
    assert.equal((await screened(api, party)).verdict, 'CLEAR')
    setAgent(party, 'wallet_listed_at_issuance', 1)
    assert.equal((await api.screen(party)).body.ruleTriggered, 'R3_OPERATOR_OFAC_ISSUANCE')
  })

  test('R8: an agent whose ownership was transferred', async () => {
    const party = await api.party()
    setAgent(party, 'ownership_transferred', 1)
    const result = await screened(api, party)
    assert.deepEqual(
      [result.verdict, result.ruleTriggered, result.signals.credential],
      ['BLOCK', 'R8_OWNERSHIP_TRANSFER', 'TRANSFERRED'],
    )
  })

  test('R4, R5: an operator or owner who becomes listed is blocked at once', async () => {
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
    // The counterparty's wallet is the one that will be listed: these payments go without.
    const payment = { cpWallet: undefined }
    for (const party of [named, withWallet, owner])
      assert.equal((await first.screen(party, payment)).body.verdict, 'CLEAR')
    await first.stop()

    const second = await startTestService({ DATA_DIR, LISTS_DIR: listed })
    const byName = (await second.screen(named, payment)).body
    assert.deepEqual(
      [byName.verdict, byName.ruleTriggered, byName.signals.ofac],
      ['BLOCK', 'R5_OPERATOR_NAME_OFAC', 'HIT'],
    )
    assert.equal(byName.matches[0]?.entryId, '2')
    const byWallet = (await second.screen(withWallet, payment)).body
    assert.deepEqual(
      [byWallet.ruleTriggered, byWallet.matches[0]?.field, byWallet.matches[0]?.entryId],
      ['R4_OPERATOR_WALLET_LIVE', 'wallet', '3'],
    )
    const byAgent = (await second.screen({ ...owner, agentToken: agent.body.token }, payment)).body
    assert.deepEqual(
      [byAgent.ruleTriggered, byAgent.matches[0]?.field],
      ['R4_OPERATOR_WALLET_LIVE', 'operatorWallet'],
    )
    assert.equal((await second.screen(owner, payment)).body.verdict, 'CLEAR')
    await second.stop()
    rmSync(folder, { recursive: true })
  })

  describe('R2 for a token of sound structure that is not an agent credential of ours', () => {
    const forged = (
      party: Party,
      changes: { header?: object; claims?: object; vc?: object; key?: typeof SIGNER },
    ) => {
      const { header, payload } = partsOf(party.agentToken)
      const vc = { ...(payload['vc'] as object), ...changes.vc }
      return signJson(
        changes.key ?? SIGNER,
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
        const result = await screened(api, party, { token: make(party) })
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
      assert.equal((await screened(api, party, { token: forged(party, {}) })).verdict, 'CLEAR')
    })
  })

  test('a BLOCK, REVIEW or UNKNOWN spends nothing of the day', async () => {
    const party = await api.party({ dailyLimitUSDC: 10, allowedChains: ['BASE'] })
    for (const payment of [{ cpName: LISTED.name }, { chain: 'ETH' }, { token: 'x' }]) {
      assert.notEqual((await screened(api, party, { amount: 10, ...payment })).verdict, 'CLEAR')
    }
    const whole = { amount: 10, chain: 'BASE' }
    assert.equal((await screened(api, party, whole)).verdict, 'CLEAR')
  })
})
