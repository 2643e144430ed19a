/** `identityToken`: its claims are read and reported, never trusted. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type IdentityAssertions, numericDate } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { assertError } from '../support/errors.ts'
import { base64url } from '../support/jws.ts'
import { policyCalls } from '../support/policy.ts'
import { assertProven, swappedLists } from '../support/policy-lists.ts'
import { startTestService } from '../support/service.ts'

const START = '2026-11-20T12:00:00.000Z'
const ISSUER = 'https://app.skyfire.xyz'
const clock = movedClock(START)
const replaced = { clock, watchlists: swappedLists([{ name: 'VOSTOK ARMAMENTS CONCERN' }], START) }
const api = await startTestService({}, replaced)
const calls = policyCalls(api)
after(() => api.stop())
const party = await api.party({ maxScreensPerMinute: 1_000 })

const now = numericDate(clock.now())
const CLAIMS = { iss: ISSUER, iat: now, exp: now + 60, sub: 'subject-1' }

/** A token that nobody signed: three parts, and that is all that is looked at. */
const token = (claims: object, header: object = { alg: 'none' }): string =>
  [JSON.stringify(header), JSON.stringify(claims), 'x'].map(base64url).join('.')

async function screened(identityToken: unknown, payment: object = {}, on = api, by = party) {
  const body = { cpName: 'Example Coffee Roasters', identityToken, ...payment }
  const reply = await on.screen(by, body)
  assert.equal(reply.status, 200, reply.text)
  return reply.body
}

describe('signals.identity', () => {
  const cases: Record<string, [identityToken: string, signal: string]> = {
    'a recognised issuer and time left': [token(CLAIMS), 'VERIFIED'],
    'the other recognised issuer': [
      token({ ...CLAIMS, iss: 'https://api.skyfire.xyz' }),
      'VERIFIED',
    ],
    'no expiry at all': [token({ iss: ISSUER }), 'VERIFIED'],
    'the last second': [token({ ...CLAIMS, exp: now + 1 }), 'VERIFIED'],
    'the second it expires': [token({ ...CLAIMS, exp: now }), 'EXPIRED'],
    'long expired, of a stranger': [token({ ...CLAIMS, iss: 'x', exp: 1 }), 'EXPIRED'],
    'another issuer': [token({ ...CLAIMS, iss: 'https://evil.example' }), 'UNRECOGNIZED_ISSUER'],
    'an issuer that begins like ours': [
      token({ ...CLAIMS, iss: `${ISSUER}.evil.example` }),
      'UNRECOGNIZED_ISSUER',
    ],
    'no issuer': [token({ exp: now + 60 }), 'UNRECOGNIZED_ISSUER'],
    'an expiry in words': [token({ ...CLAIMS, exp: 'never' }), 'INVALID'],
    'two parts': [token(CLAIMS).split('.').slice(0, 2).join('.'), 'INVALID'],
    'a payload that is no object': [token([CLAIMS]), 'INVALID'],
    'no base64': ['a.#.c', 'INVALID'],
    'plain text': ['I am an agent', 'INVALID'],
    'more than 16 KiB': [token({ ...CLAIMS, pad: 'x'.repeat(16_384) }), 'INVALID'],
  }
  for (const [what, [identityToken, signal]] of Object.entries(cases)) {
    test(`${what} is ${signal}, and decides nothing`, async () => {
      const result = await screened(identityToken)
      assert.deepEqual([result.verdict, result.signals.identity], ['CLEAR', signal])
      const entry = result.log.find(({ code }) => code === 'IDENTITY_TOKEN')
      assert.equal(entry?.ok, signal === 'VERIFIED')
      const claims = await assertProven(result, await api.jwks())
      const unread = signal === 'INVALID' && what !== 'an expiry in words'
      assert.equal(result.identityAssertions === undefined, unread)
      assert.deepEqual(claims.identityAssertions, result.identityAssertions)
    })
  }

  test('is not there without a token, and neither is anything else of it', async () => {
    for (const none of [undefined, null, '', '  ']) {
      const result = await screened(none)
      const claims = await assertProven(result, await api.jwks())
      for (const said of [result.signals, result, claims] as object[]) {
        assert.deepEqual(
          Object.keys(said).filter((name) => name.startsWith('identity')),
          [],
        )
      }
      assert.ok(!result.log.some(({ code }) => code === 'IDENTITY_TOKEN'))
    }
  })

  test('400 names `identityToken` when it is no text', async () => {
    const reply = await api.screen(party, { identityToken: CLAIMS })
    assertError(reply, 'invalid_request', { field: 'identityToken' })
  })

  test('goes by the configured issuers', async () => {
    const other = await startTestService({ IDENTITY_ISSUERS: 'https://id.example, x' }, replaced)
    const by = await other.party()
    for (const [iss, signal] of [
      ['https://id.example', 'VERIFIED'],
      ['x', 'VERIFIED'],
      [ISSUER, 'UNRECOGNIZED_ISSUER'],
    ]) {
      const { signals } = await screened(token({ ...CLAIMS, iss }), {}, other, by)
      assert.equal(signals.identity, signal)
    }
    await other.stop()
  })
})

describe('identityAssertions', () => {
  const NOTHING = { agentId: null, verifiedName: null, verificationLevel: null }
  const times = { issuedAt: START, expiresAt: '2026-11-20T12:01:00.000Z' }
  const { sub: _sub, ...plain } = CLAIMS
  const cases: Record<string, [claims: object, expected: Partial<IdentityAssertions>]> = {
    'plain claims': [
      { agentId: 'a-1', verifiedName: 'Example Robotics', verificationLevel: 'kyb' },
      { agentId: 'a-1', verifiedName: 'Example Robotics', verificationLevel: 'kyb' },
    ],
    'snake case': [
      { agent_id: 'a-1', verified_name: 'Example Robotics', verification_level: 'kyb' },
      { agentId: 'a-1', verifiedName: 'Example Robotics', verificationLevel: 'kyb' },
    ],
    'KYAPay: hid, apd, aid': [
      {
        hid: { organization_name: 'Example Robotics', verified: true },
        apd: { name: 'A platform', verified: false },
        aid: { id: 'a-2', name: 'An agent' },
      },
      { agentId: 'a-2', verifiedName: 'Example Robotics', verificationLevel: 'verified' },
    ],
    'KYAPay: the older bid, a person in parts': [
      { bid: { given_name: 'Wilhelmina', family_name: 'Oakenfold', verified: false }, sub: 's-1' },
      { agentId: 's-1', verifiedName: 'Wilhelmina Oakenfold', verificationLevel: 'unverified' },
    ],
    'claims of other types': [{ agentId: 5, verifiedName: { x: 1 }, verificationLevel: [] }, {}],
    nothing: [{}, {}],
  }
  for (const [what, [claims, expected]] of Object.entries(cases)) {
    test(`of ${what}: in the result, the record and the receipt`, async () => {
      const result = await screened(token({ ...plain, ...claims }))
      const assertions = { issuer: ISSUER, ...NOTHING, ...times, ...expected }
      assert.deepEqual(result.identityAssertions, assertions)
      const { body } = await api.audit(party, result.txnId)
      assert.deepEqual(body.identityAssertions, assertions)
      const receipt = await assertProven(result, await api.jwks())
      assert.deepEqual(receipt.identityAssertions, assertions)
      assert.equal(receipt.identityIssuer, ISSUER)
      assert.equal(receipt.identityVerificationLevel, assertions.verificationLevel)
    })
  }

  test('long claims are cut, so that a receipt stays small', async () => {
    const { identityAssertions } = await screened(token({ ...CLAIMS, agentId: 'x'.repeat(9_000) }))
    assert.equal(identityAssertions?.agentId, 'x'.repeat(200))
  })
})

test('a VERIFIED identity softens no verdict, and a bad one hardens none', async () => {
  const transferred = await api.party()
  await calls.patchAgent(transferred, { ownershipTransferred: true })
  const verified = token({ ...CLAIMS, verificationLevel: 'kyb' })
  for (const [by, payment, verdict, rule] of [
    [party, { cpName: 'Vostok Armaments Concern' }, 'BLOCK', 'R7_COUNTERPARTY_NAME_OFAC'],
    [transferred, {}, 'BLOCK', 'R8_OWNERSHIP_TRANSFER'],
    [party, { protocol: 'tornado cash' }, 'BLOCK', 'R14_MIXER_PROTOCOL'],
    [party, { amount: 10_001 }, 'REVIEW', 'ATTESTATION_STALE'],
    [party, { token: 'x' }, 'UNKNOWN', 'R1_NO_CREDENTIAL'],
    [party, {}, 'CLEAR', null],
  ] as const) {
    const results = [
      await screened(undefined, payment, api, by),
      await screened(verified, payment, api, by),
      await screened('nonsense', payment, api, by),
    ]
    for (const result of results) {
      assert.deepEqual([result.verdict, result.ruleTriggered], [verdict, rule])
      assert.equal(result.reason, results[0]?.reason)
    }
  }
})
