import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IDENTITY_SIGNALS } from '@portcullis/protocol'
import fc from 'fast-check'
import { evaluate, type Facts, signalsOf } from '../src/index.ts'
import { anyFacts } from './arbitrary-facts.ts'
import { factsFrom, type Overlay } from './facts-vectors.ts'

const CASES = { numRuns: 10_000 }

const signals = (facts: Facts) => signalsOf(facts, evaluate(facts))
const of = (overlay: Overlay) => signals(factsFrom(overlay))

test('clean facts give clear signals', () => {
  assert.deepEqual(of({}), {
    ofac: 'CLEAR',
    ofacNearMatch: 'CLEAR',
    spendPolicy: 'CLEAR',
    credential: 'CLEAR',
    globalSanctions: 'CLEAR',
    publicOfficial: 'CLEAR',
    pep: 'CLEAR',
    adverseMedia: 'CLEAR',
    agentScore: { score: 100, grade: 'A' },
    erc8004: 'PENDING',
  })
})

test('nothing that was not screened is called clear', () => {
  const none = { screened: false }
  const unasked = { status: 'NOT_SCREENED' }
  const { globalSanctions, publicOfficial, pep, adverseMedia } = of({
    globalSanctions: none,
    publicOfficial: none,
    extended: unasked,
    adverseMedia: unasked,
  })
  const all = [globalSanctions, publicOfficial, pep, adverseMedia]
  assert.deepEqual(new Set(all), new Set(['NOT_SCREENED']))
  const failed = of({
    extended: { status: 'UNAVAILABLE' },
    adverseMedia: { status: 'UNAVAILABLE' },
  })
  assert.deepEqual([failed.pep, failed.adverseMedia], ['UNAVAILABLE', 'UNAVAILABLE'])
})

test('each list beside OFAC has its signal', () => {
  assert.equal(of({ globalSanctions: { listed: ['global'] } }).globalSanctions, 'HIT')
  assert.equal(of({ publicOfficial: { listed: ['official'] } }).publicOfficial, 'MATCH')
  assert.equal(of({ extended: { peps: ['pep'] } }).pep, 'MATCH')
  assert.equal(of({ adverseMedia: { hits: { terrorism: 1 } } }).adverseMedia, 'FLAG')
  assert.equal(of({ adverseMedia: { hits: { political: 1 } } }).adverseMedia, 'CLEAR')
})

test('the identity is a signal only when a token was given, and then as it was read', () => {
  assert.equal('identity' in of({}), false)
  for (const identity of IDENTITY_SIGNALS) assert.equal(of({ identity }).identity, identity)
})

test('each credential status has its signal', () => {
  const signalOf = (credential: Facts['credential']) =>
    signals({ ...factsFrom({}), credential }).credential
  const reason = 'x'
  assert.equal(signalOf({ status: 'MISSING' }), 'MISSING')
  assert.equal(signalOf({ status: 'MALFORMED', reason }), 'INVALID')
  for (const status of ['INVALID', 'REVOKED', 'EXPIRED', 'SUSPENDED'] as const) {
    assert.equal(signalOf({ status, reason }), status)
  }
  const transferred = { ownershipTransferred: 'agt_parent' }
  assert.equal(of({ agent: transferred }).credential, 'TRANSFERRED')
  const both = { agent: transferred, credential: { status: 'REVOKED', reason } }
  assert.equal(of(both).credential, 'REVOKED')
})

test('the signal `ofac` is HIT exactly when a sanctions rule fired or a party was listed', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const { findings } = evaluate(facts)
      const fired = findings.some(({ rule }) => /^R[34567]_/.test(rule.id))
      const thenListed = facts.agent.operatorWalletListedAtIssuance === true
      assert.equal(signals(facts).ofac === 'HIT', fired || thenListed)
      const near = findings.some(({ rule }) => rule.id === 'OFAC_NEAR_MATCH')
      assert.equal(signals(facts).ofacNearMatch === 'MATCH', near)
    }),
    CASES,
  )
})

test('the signal `spendPolicy` is the strongest verdict of the policy rules that fired', () => {
  const review: Overlay[] = [
    { spendPolicy: { allowedChains: ['SOL'] } },
    { spendPolicy: { maxSingleTx: '1' } },
    { dailyLimits: [{ holder: 'agt_self', limit: '1', spentToday: '0' }] },
    { fleetLimits: [{ holder: 'flt_one', limit: '1', spentToday: '0' }] },
    { counterpartyWhitelisted: false },
    { spendPolicy: { allowedRails: [] }, payment: { rail: 'USDC' } },
    { spendPolicy: { allowedCounterpartyTypes: [] } },
    { spendPolicy: { allowedProtocols: [] }, payment: { protocol: 'Aave' } },
  ]
  for (const overlay of review) assert.equal(of(overlay).spendPolicy, 'REVIEW')
  assert.equal(of({ payment: { protocol: 'tornado.cash' } }).spendPolicy, 'BLOCK')
  const both = { spendPolicy: { maxSingleTx: '1' }, payment: { protocol: 'tornado.cash' } }
  assert.equal(of(both).spendPolicy, 'BLOCK')
  const others: Overlay[] = [
    { counterpartyName: { listed: ['counterparty name'] } },
    { payment: { rail: 'ACH' } },
    { lists: { stale: ['ofac_sdn'], reviewWhenStale: true } },
  ]
  for (const overlay of others) assert.equal(of(overlay).spendPolicy, 'CLEAR')
})
