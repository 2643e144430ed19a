/** Tokens and receipts made on purpose: every verifier refuses each for its reason. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CreateDelegateResponse, RegisterUserResponse } from '@portcullis/protocol'
import { assertError } from './support/errors.ts'
import type { ErrorAnswer } from './support/http.ts'
import { type Attack, type Form, forgedTokens, timeAttacks } from './support/forged-tokens.ts'
import { partsOf, signJson } from './support/jws.ts'
import { SIGNER, SIGNING_KEYS } from './support/screening.ts'
import { ANY_RATE, bearer, type Party, startTestService } from './support/service.ts'

const api = await startTestService({ SIGNING_KEYS, ...ANY_RATE })
const DAILY_LIMIT = 1_000
const party = await api.party({ dailyLimitUSDC: DAILY_LIMIT })
const supervised = await api.registerAgent(party)
const human: Party = {
  ...party,
  agentId: supervised.body.agentId,
  agentToken: supervised.body.token,
}

const asOperator = <Body>(path: string, body: object) =>
  api.call<Body>(path, { headers: bearer(party.operatorToken), body })

const delegateOf = (parentToken: string) => ({
  parentToken,
  agentName: 'Delegate',
  purpose: 'paying one supplier',
})
const mint = (parentToken: string) =>
  asOperator<CreateDelegateResponse>('/v1/delegates/create', delegateOf(parentToken))

const TOKENS = {
  operator: party.operatorToken,
  agent: party.agentToken,
  delegate: (await mint(party.agentToken)).body.token,
  user: (
    await asOperator<RegisterUserResponse>('/v1/users/register', {
      userLegalName: 'Grace Example',
      userRole: 'Treasurer',
      agentId: human.agentId,
    })
  ).body.token,
  receipt: (await api.screen(await api.party())).body.receipt,
}
type TokenKind = keyof typeof TOKENS

const formOf = (token: string): Form => {
  const { header, payload } = partsOf(token)
  return { header, claims: payload }
}

/** Printable ASCII, as a header must be. */
const fitsInHeader = (token: string): boolean => /^[\x21-\x7e ]*$/.test(token)

/** What a screen makes of a token: verdict, rule and signal. */
async function judged(token: string) {
  const { status, body, text } = await api.screen(party, { token, amount: 0 })
  assert.equal(status, 200, text)
  return [body.verdict, body.ruleTriggered, body.signals.credential]
}

async function refusedAsBearer(token: string): Promise<void> {
  if (!fitsInHeader(token)) return
  const reply = await api.call('/v1/audit/txn_AAAAAAAA', { headers: bearer(token) })
  assertError(reply, 'unauthorized')
}

async function refusedAsParent(token: string): Promise<void> {
  const reply = await asOperator<ErrorAnswer>('/v1/delegates/create', delegateOf(token))
  assertError(reply, 'invalid_request', { field: 'parentToken' })
}

async function refusedAsUser(userToken: string): Promise<void> {
  const reply = await api.screen(human, { userToken, amount: 0 })
  assertError(reply, 'invalid_request', { field: 'userToken' })
  assert.equal('verdict' in reply.body, false)
}

async function assertCredentialRefused({ make, kind, expired }: Attack & { expired?: true }) {
  const expected =
    kind === 'MALFORMED'
      ? ['UNKNOWN', 'R1_NO_CREDENTIAL', 'INVALID']
      : ['BLOCK', 'R2_CREDENTIAL_STATUS', expired ? 'EXPIRED' : 'INVALID']
  for (const name of ['agent', 'delegate'] as const) {
    assert.deepEqual(await judged(make(formOf(TOKENS[name]))), expected, name)
    await refusedAsParent(make(formOf(TOKENS[name])))
  }
  await refusedAsBearer(make(formOf(TOKENS.operator)))
  await refusedAsUser(make(formOf(TOKENS.user)))
}

describe('every verifier refuses an attack, forged as R2 and malformed as R1', () => {
  for (const attack of forgedTokens(SIGNER)) {
    test(`${attack.kind}: ${attack.what}`, async () => {
      await assertCredentialRefused(attack)
      const verified = await api.verify(attack.make(formOf(TOKENS.receipt)))
      assert.equal(verified.body.valid, false, verified.text)
    })
  }
})

describe('a credential is refused for its claims alone', () => {
  for (const attack of timeAttacks(SIGNER, Math.floor(Date.now() / 1_000))) {
    test(`${attack.kind}: ${attack.what}`, () => assertCredentialRefused(attack))
  }
})

describe('a receipt is refused for its claims alone', () => {
  const { header, claims } = formOf(TOKENS.receipt)
  for (const [what, more] of Object.entries({
    'no iss': { iss: undefined },
    'no txnId': { txnId: undefined },
    'a number as txnId': { txnId: 1 },
    'no verdict': { verdict: undefined },
    'a verdict that is none': { verdict: 'FINE' },
    'a risk score as text': { riskScore: '0' },
    'no time': { screenedAt: undefined },
    'issuer in a list': { iss: [claims['iss']] },
  })) {
    test(what, async () => {
      const verified = await api.verify(signJson(SIGNER, header, { ...claims, ...more }))
      assert.equal(verified.body.valid, false, verified.text)
    })
  }
})

test('signed anew without a change all pass: the refusals have their own reason', async () => {
  const anew = (name: TokenKind) => {
    const { header, claims } = formOf(TOKENS[name])
    return signJson(SIGNER, header, claims)
  }
  const asBearer = await api.call('/v1/audit/txn_AAAAAAAA', { headers: bearer(anew('operator')) })
  assertError(asBearer, 'not_found')
  for (const name of ['agent', 'delegate'] as const) {
    assert.deepEqual(await judged(anew(name)), ['CLEAR', null, 'CLEAR'])
    assert.equal((await mint(anew(name))).status, 201)
  }
  const spoken = await api.screen(human, { userToken: anew('user'), amount: 0 })
  assert.equal(spoken.body.authorizedBy?.userLegalName, 'Grace Example', spoken.text)
  assert.equal((await api.verify(anew('receipt'))).body.valid, true)
})

describe('one kind of token never passes for another', () => {
  const kinds = Object.keys(TOKENS) as TokenKind[]
  for (const kind of kinds) {
    test(`${kind} is that and nothing else`, async () => {
      const token = TOKENS[kind]
      if (kind !== 'operator') await refusedAsBearer(token)
      if (kind !== 'user') await refusedAsUser(token)
      if (kind !== 'receipt') assert.equal((await api.verify(token)).body.valid, false)
      if (kind === 'agent' || kind === 'delegate') return
      await refusedAsParent(token)
      // A receipt has no claims of a credential: its structure gives it away.
      const expected =
        kind === 'receipt' ? ['UNKNOWN', 'R1_NO_CREDENTIAL'] : ['BLOCK', 'R2_CREDENTIAL_STATUS']
      assert.deepEqual(await judged(token), [...expected, 'INVALID'])
    })
  }

  test('a genuine token that names a party of another kind is none of ours', async () => {
    const named = (kind: 'agent' | 'operator' | 'user', sub: unknown) => {
      const { header, claims } = formOf(TOKENS[kind])
      return signJson(SIGNER, header, { ...claims, sub })
    }
    const subjects = kinds.map((kind) => formOf(TOKENS[kind]).claims['sub'])
    const [operatorId, agentId, , userId] = subjects
    for (const sub of [agentId, userId]) await refusedAsBearer(named('operator', sub))
    for (const sub of [operatorId, userId]) {
      assert.deepEqual((await judged(named('agent', sub))).slice(0, 2), [
        'BLOCK',
        'R2_CREDENTIAL_STATUS',
      ])
      await refusedAsParent(named('agent', sub))
    }
    for (const sub of [operatorId, agentId]) await refusedAsUser(named('user', sub))
  })
})

test('nothing of all this was spent, and no delegate but the genuine ones was minted', async () => {
  const fresh = await api.screen(party, { amount: DAILY_LIMIT + 0.01 })
  assert.match(fresh.body.reason, /after 0 USD today/)
  const { body } = await api.call<{ items: { parentAgentId: string | null }[] }>('/v1/agents', {
    headers: bearer(party.operatorToken),
  })
  assert.equal(body.items.filter(({ parentAgentId }) => parentAgentId !== null).length, 3)
})
