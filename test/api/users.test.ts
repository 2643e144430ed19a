/** POST /v1/users/register, and `userToken` in a screen: who stands behind a supervised agent. */
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { assertError } from '../support/errors.ts'
import { newKey, partsOf, signJson } from '../support/jws.ts'
import { A_USER, assertRefusesBadBodies, assertSameAnswer, policyCalls } from '../support/policy.ts'
import { assertProven, type Listed, swappedLists } from '../support/policy-lists.ts'
import { type Party, startTestService } from '../support/service.ts'

const START = '2026-11-20T12:00:00.000Z'
const UNKNOWN_ID = 'agt_0000000000000000'
const LISTED: readonly Listed[] = [
  { name: 'VOSTOK ARMAMENTS CONCERN' },
  { name: 'Ottokar Feuerbringer', person: true },
]
const clock = movedClock(START)
const lists = swappedLists(LISTED, START)
const signer = newKey('known')
const SIGNING_KEYS = JSON.stringify({ keys: [signer.jwk] })
const api = await startTestService({ SIGNING_KEYS }, { clock, watchlists: lists })
const calls = policyCalls(api)
after(() => api.stop())
beforeEach(() => {
  clock.moveTo(START)
  lists.swap(LISTED)
})

const supervised = async (): Promise<Party> => calls.agentOf(await api.party())

async function registered(party: Party, body: object = {}) {
  const reply = await calls.registerUser(party, body)
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}

const screen = (party: Party, userToken: unknown, payment: object = {}) =>
  api.screen(party, { cpName: 'Example Coffee Roasters', userToken, ...payment })

describe('POST /v1/users/register', () => {
  test('201 is a credential for 30 days, of this user and agent', async () => {
    const party = await supervised()
    const { userId, token, credential, expiresAt } = await registered(party, {
      userLegalName: ' Wilhelmina Oakenfold ',
    })
    assert.match(userId, /^usr_[0-9a-z]{16}$/)
    assert.equal(expiresAt, new Date(Date.parse(START) + 30 * DAY_MS).toISOString())
    const { header, payload } = partsOf(token)
    assert.deepEqual([header['alg'], header['typ'], payload['sub']], ['ES256', 'JWT', userId])
    assert.equal(Number(payload['exp']) - Number(payload['iat']), (30 * DAY_MS) / 1_000)
    assert.deepEqual(payload['vc'], credential)
    const { type, credentialSubject } = credential as Record<string, unknown>
    assert.deepEqual(type, ['VerifiableCredential', 'KYAUserCredential'])
    assert.deepEqual(credentialSubject, {
      ...A_USER,
      userId,
      agentId: party.agentId,
      complianceAttestation: {
        ofacAtIssuance: 'CLEAR',
        screenedAt: START,
        credentialStatus: 'ACTIVE',
      },
    })
  })

  const wrong: [object, string][] = [
    [{ userLegalName: undefined }, 'userLegalName'],
    [{ userLegalName: ' ' }, 'userLegalName'],
    [{ userLegalName: 5 }, 'userLegalName'],
    [{ userLegalName: 'x'.repeat(501) }, 'userLegalName'],
    [{ userRole: undefined }, 'userRole'],
    [{ userRole: '\t' }, 'userRole'],
    [{ userRole: null }, 'userRole'],
    [{ agentId: undefined }, 'agentId'],
    [{ agentId: '' }, 'agentId'],
    [{ userRoles: 'treasurer' }, 'userRoles'],
  ]
  for (const [body, field] of wrong) {
    test(`400 names \`${field}\` for ${JSON.stringify(body).slice(0, 40)}`, async () => {
      const reply = await calls.registerUser(await supervised(), body)
      assertError(reply, 'invalid_request', { field })
    })
  }

  test('400, 401, 413, 415 for bodies that are none and callers that are nobody', async () => {
    const { operatorToken: token } = await api.party()
    await assertRefusesBadBodies(api, { method: 'POST', path: '/v1/users/register', token })
  })

  test('403 for a listed name, 503 while no list is loaded', async () => {
    const party = await supervised()
    const listed = { userLegalName: 'Ottokar FEUERBRINGER' }
    const reply = await calls.registerUser(party, listed)
    assertError(reply, 'sanctions_match')
    assert.doesNotMatch(reply.text, /feuerbringer|1001/i)
    lists.unload()
    assertError(await calls.registerUser(party), 'lists_unavailable')
  })

  test('404 for an unknown agent and another operator’s, word for word', async () => {
    const [party, other] = [await supervised(), await supervised()]
    const unknown = await calls.registerUser(party, { agentId: UNKNOWN_ID })
    assertError(unknown, 'not_found')
    assertSameAnswer(await calls.registerUser(party, { agentId: other.agentId }), unknown)
    assertSameAnswer(await calls.registerUser(party, { agentId: 'nobody' }), unknown)
  })

  test('422 for an autonomous agent', async () => {
    assertError(await calls.registerUser(await api.party()), 'autonomous_agent')
  })

  test('Idempotency-Key: one user; 422 for another body; 400 for a key that is none', async () => {
    const party = await supervised()
    const key = { 'idempotency-key': 'user-1' }
    const first = await calls.registerUser(party, {}, key)
    const second = await calls.registerUser(party, {}, key)
    assert.deepEqual([second.status, second.text], [201, first.text])
    const another = await calls.registerUser(party, { userRole: 'clerk' }, key)
    assertError(another, 'idempotency_key_reused')
    const bad = await calls.registerUser(party, {}, { 'idempotency-key': 'a b' })
    assertError(bad, 'invalid_request', { field: 'Idempotency-Key' })
  })
})

describe('userToken in a screen', () => {
  test('fills authorizedBy in result, record and receipt; else that is null', async () => {
    const party = await supervised()
    const { userId, token } = await registered(party)
    for (const [userToken, expected] of [
      [token, { userId, ...A_USER }],
      [`Bearer ${token}`, { userId, ...A_USER }],
      [null, null],
      [' ', null],
    ] as const) {
      const { status, body, text } = await screen(party, userToken)
      assert.equal(status, 200, text)
      assert.deepEqual([body.verdict, body.authorizedBy], ['CLEAR', expected])
      assert.deepEqual((await api.audit(party, body.txnId)).body.authorizedBy, expected)
      await assertProven(body, await api.jwks())
    }
  })

  test('counts on a REVIEW and a BLOCK as well, and softens neither', async () => {
    const party = await calls.agentOf(await api.party(), { spendPolicy: { maxSingleTxUSDC: 5 } })
    const { userId, token } = await registered(party)
    for (const [payment, verdict] of [
      [{}, 'REVIEW'],
      [{ cpName: 'Vostok Armaments Concern' }, 'BLOCK'],
    ] as const) {
      const { body } = await screen(party, token, payment)
      assert.deepEqual([body.verdict, body.authorizedBy?.userId], [verdict, userId])
    }
  })

  test('400 names `userToken` for one that is forged, altered or another’s', async () => {
    const spendPolicy = { maxScreensPerMinute: 2 }
    const party = await calls.agentOf(await api.party(), { spendPolicy })
    const [sibling, stranger] = [await calls.agentOf(party), await supervised()]
    const { token, userId } = await registered(party)
    const { header, payload } = partsOf(token)
    const claims = (change: object) => signJson(signer, header, { ...payload, ...change })
    assert.equal((await screen(party, claims({}))).status, 200)
    const tokens = {
      text: 'user',
      'an altered signature': token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA'),
      'another key': signJson(newKey('known'), header, payload),
      'an unknown key': signJson(newKey('other'), { ...header, kid: 'other' }, payload),
      'a user nobody registered': claims({ sub: 'usr_0000000000000000' }),
      'another credential id': claims({ jti: 'cred_other' }),
      'another issuer': claims({ iss: 'did:kya:other' }),
      'a time to come': claims({ iat: clock.now() / 1_000 + 3_600 }),
      'the agent’s own credential': party.agentToken,
      'the operator’s credential': party.operatorToken,
      'a user of a sibling agent': (await registered(sibling)).token,
      'a user of another operator': (await registered(stranger)).token,
      'text that is too long': 'x'.repeat(9_000),
    }
    for (const [what, userToken] of Object.entries(tokens)) {
      const reply = await screen(party, userToken)
      assertError(reply, 'invalid_request', { field: 'userToken' })
      assert.equal(reply.body.verdict, undefined, what)
    }
    assertError(await screen(party, 5), 'invalid_request', { field: 'userToken' })
    // None of them was a screen: with the one above this is the second, and not one too many.
    const { body } = await screen(party, token)
    assert.deepEqual([body.verdict, body.authorizedBy?.userId], ['CLEAR', userId])
    assert.equal((await screen(party, token)).body.ruleTriggered, 'R16_VELOCITY_FLAG')
  })

  test('400 from the moment it has expired', async () => {
    const party = await supervised()
    const { token } = await registered(party)
    clock.advance(30 * DAY_MS - 1)
    assert.equal((await screen(party, token)).body.verdict, 'CLEAR')
    clock.advance(1)
    assertError(await screen(party, token), 'invalid_request', { field: 'userToken' })
  })

  test('422 with an autonomous agent', async () => {
    const party = await api.party()
    const { token } = await registered(await calls.agentOf(party))
    assertError(await screen(party, token), 'autonomous_agent')
  })

  test('a user of the parent does not speak for its delegate, which may have its own', async () => {
    const party = await supervised()
    const delegate = await calls.delegateOf(party)
    const { token } = await registered(party)
    assertError(await screen(delegate, token), 'invalid_request', { field: 'userToken' })
    const own = await registered(delegate)
    assert.equal((await screen(delegate, own.token)).body.authorizedBy?.userId, own.userId)
  })

  test('a refused user token spends nothing of the day', async () => {
    const party = await calls.agentOf(await api.party(), { spendPolicy: { dailyLimitUSDC: 10 } })
    assertError(await screen(party, 'x.y.z'), 'invalid_request', { field: 'userToken' })
    assert.equal((await screen(party, null)).body.verdict, 'CLEAR')
  })

  test('a user who becomes listed is BLOCK R5 at the next screen', async () => {
    const party = await supervised()
    lists.swap([])
    const { token, userId } = await registered(party, { userLegalName: 'Ottokar Feuerbringer' })
    assert.equal((await screen(party, token)).body.verdict, 'CLEAR')
    lists.swap(LISTED)
    const { body } = await screen(party, token)
    assert.deepEqual(
      [body.verdict, body.ruleTriggered, body.signals.ofac],
      ['BLOCK', 'R5_OPERATOR_NAME_OFAC', 'HIT'],
    )
    assert.equal(body.authorizedBy?.userId, userId)
    assert.deepEqual(
      body.matches.map(({ field }) => field),
      ['userLegalName'],
    )
    assert.equal((await screen(party, null)).body.verdict, 'CLEAR')
  })
})
