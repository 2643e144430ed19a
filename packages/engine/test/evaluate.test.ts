import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VERDICTS } from '@portcullis/protocol'
import fc from 'fast-check'
import {
  ALL_CLEAR,
  ESCALATIONS,
  evaluate,
  type Evaluation,
  type Facts,
  type Finding,
  RULES,
  type Rule,
  signalsOf,
} from '../src/index.ts'
import { riskScore } from '../src/scores.ts'
import { anyFacts, worsenings } from './arbitrary-facts.ts'
import { bytesOf, factsFrom, frozen } from './facts-vectors.ts'

const CASES = { numRuns: 10_000 }
const POLICY: readonly Rule[] = [...RULES, ...ESCALATIONS]

/** 0 for UNKNOWN, the strongest, to 3 for CLEAR. */
const rank = ({ verdict }: Evaluation): number => VERDICTS.indexOf(verdict)

/** The same facts with their members in another order. */
function reordered<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(reordered) as T
  const members = Object.entries(value).map(([name, part]) => [name, reordered(part)] as const)
  return Object.fromEntries(members.reverse()) as T
}

test('evaluate is a function: the same facts give the same bytes, and stay as they are', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const before = bytesOf(facts)
      const first = bytesOf(evaluate(frozen(facts)))
      assert.equal(bytesOf(evaluate(facts)), first)
      assert.equal(bytesOf(evaluate(structuredClone(facts))), first)
      assert.equal(bytesOf(evaluate(reordered(facts))), first)
      assert.equal(bytesOf(facts), before)
    }),
    CASES,
  )
})

test('the same facts give the same bytes a thousand times', () => {
  const facts = factsFrom({ counterpartyName: { listed: ['counterparty name'] } })
  const first = bytesOf(evaluate(facts))
  for (let time = 0; time < 1_000; time++) assert.equal(bytesOf(evaluate(facts)), first)
})

test('the time of a screen alone decides nothing', () => {
  fc.assert(
    fc.property(anyFacts, fc.nat(2_000_000_000_000), (facts, now) => {
      assert.equal(bytesOf(evaluate({ ...facts, now })), bytesOf(evaluate(facts)))
    }),
    CASES,
  )
})

test('listing a party or adding a violation never softens a verdict', () => {
  fc.assert(
    fc.property(anyFacts, fc.constantFrom(...worsenings), (facts, { what, apply }) => {
      assert.ok(rank(evaluate(apply(facts))) <= rank(evaluate(facts)), what)
    }),
    CASES,
  )
})

test('each worsening of clean facts makes them not CLEAR, or leaves them as they are for a reason', () => {
  const needsALimit = ['a larger amount', 'more spent today']
  for (const { what, apply } of worsenings) {
    const { verdict } = evaluate(apply(factsFrom({})))
    assert.equal(verdict === 'CLEAR', needsALimit.includes(what), what)
  }
})

test('a listed counterparty or operator is never CLEAR and never REVIEW', () => {
  fc.assert(
    fc.property(
      anyFacts,
      fc.constantFrom(...worsenings.filter(({ what }) => what.startsWith('list: '))),
      (facts, { apply }) => {
        const { verdict, findings } = evaluate(apply(facts))
        assert.ok(verdict === 'BLOCK' || verdict === 'UNKNOWN')
        assert.ok(findings.some(({ rule }) => /^R[4567]_/.test(rule.id)))
      },
    ),
    CASES,
  )
})

test('a credential that is not ACTIVE is never CLEAR and never REVIEW', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      fc.pre(facts.credential.status !== 'ACTIVE')
      const absent =
        facts.credential.status === 'MISSING' || facts.credential.status === 'MALFORMED'
      assert.equal(evaluate(facts).verdict, absent ? 'UNKNOWN' : 'BLOCK')
    }),
    CASES,
  )
})

/** Decides by another road: asks each line by itself, then looks for the strongest. */
function decidedByHand(facts: Facts) {
  const fired = POLICY.filter(({ predicate }) => predicate?.(facts)?.fired === true)
  const strongest = Math.min(...fired.map(({ verdict }) => VERDICTS.indexOf(verdict)))
  const [first] = fired.filter(({ verdict }) => VERDICTS.indexOf(verdict) === strongest)
  return {
    fired: fired.map(({ id }) => id),
    verdict: first?.verdict ?? 'CLEAR',
    id: first?.id ?? null,
  }
}

test('the verdict is that of the strongest finding and, among those, of the earliest line', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const { verdict, ruleTriggered, findings } = evaluate(facts)
      const ids = findings.map(({ rule }) => rule.id)
      assert.deepEqual({ fired: ids, verdict, id: ruleTriggered }, decidedByHand(facts))
    }),
    CASES,
  )
})

test('the log has one entry for each check that was made, in table order, and ALL_CLEAR only at the end of a CLEAR', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const { log, findings, verdict } = evaluate(facts)
      const made = POLICY.filter(({ predicate }) => predicate?.(facts) !== undefined)
      const codes = made.map(({ code }) => code)
      const expected = verdict === 'CLEAR' ? [...codes, ALL_CLEAR] : codes
      assert.deepEqual(
        log.map(({ code }) => code),
        expected,
      )
      for (const { rule, reason } of findings) {
        assert.ok(log.some(({ ok, code, msg }) => !ok && code === rule.code && msg === reason))
      }
      assert.ok(log.every(({ msg }) => msg !== ''))
    }),
    CASES,
  )
})

const findingOf = (rule: Rule): Finding => ({ rule, reason: 'x' })
const someFindings = fc.subarray([...POLICY]).map((rules) => rules.map(findingOf))

test('the risk score is a whole number from 0 to 100, and 0 only without a finding', () => {
  fc.assert(
    fc.property(someFindings, (findings) => {
      const score = riskScore(findings)
      assert.ok(Number.isInteger(score) && score >= 0 && score <= 100)
      assert.equal(score === 0, findings.length === 0)
    }),
    CASES,
  )
})

test('no finding lowers the risk score, and its own weight is the least it can be', () => {
  fc.assert(
    fc.property(someFindings, fc.constantFrom(...POLICY), (findings, rule) => {
      const more = riskScore([...findings, findingOf(rule)])
      assert.ok(more >= riskScore(findings))
      assert.ok(more >= rule.weight)
    }),
    CASES,
  )
})

test('the risk score of one finding is its weight', () => {
  for (const rule of POLICY) assert.equal(riskScore([findingOf(rule)]), rule.weight)
})

test('a score of 100 while the verdict is REVIEW or CLEAR does not occur', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const { verdict, riskScore: score } = evaluate(facts)
      if (verdict === 'CLEAR') assert.equal(score, 0)
      if (verdict === 'REVIEW') assert.ok(score < 100)
    }),
    CASES,
  )
})

const fails: Rule = {
  id: 'R0_FAILS',
  code: 'FAILS',
  verdict: 'REVIEW',
  weight: 1,
  trigger: 'always throws',
  predicate: () => {
    throw new Error('the rule cannot tell')
  },
}

test('a rule that throws makes evaluate throw, wherever it stands', () => {
  for (const policy of [[fails], [fails, ...POLICY], [...POLICY, fails]]) {
    assert.throws(() => evaluate(factsFrom({}), policy), /the rule cannot tell/)
    const listed = factsFrom({ counterpartyName: { listed: ['counterparty name'] } })
    assert.throws(() => evaluate(listed, policy), /the rule cannot tell/)
  }
})

test('a policy without lines is CLEAR and logs nothing but that', () => {
  assert.deepEqual(
    evaluate(factsFrom({}), []).log.map(({ code }) => code),
    [ALL_CLEAR],
  )
})

const signals = (facts: Facts) => signalsOf(facts, evaluate(facts).findings)

test('clean facts give clear signals, and nothing that was not screened is called clear', () => {
  assert.deepEqual(signals(factsFrom({})), {
    ofac: 'CLEAR',
    ofacNearMatch: 'CLEAR',
    spendPolicy: 'CLEAR',
    credential: 'CLEAR',
    globalSanctions: 'NOT_SCREENED',
    publicOfficial: 'NOT_SCREENED',
    pep: 'NOT_SCREENED',
    adverseMedia: 'NOT_SCREENED',
    agentScore: null,
    erc8004: 'PENDING',
  })
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
  assert.equal(
    signals(factsFrom({ agent: { ownershipTransferred: true } })).credential,
    'TRANSFERRED',
  )
  const both = { agent: { ownershipTransferred: true }, credential: { status: 'REVOKED', reason } }
  assert.equal(signals(factsFrom(both)).credential, 'REVOKED')
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
  const of = (overlay: Parameters<typeof factsFrom>[0]) => signals(factsFrom(overlay)).spendPolicy
  assert.equal(of({ spendPolicy: { maxSingleTxUSDC: 1 } }), 'REVIEW')
  assert.equal(of({ spendPolicy: { dailyLimitUSDC: 1 } }), 'REVIEW')
  assert.equal(of({ spendPolicy: { allowedChains: ['SOL'] } }), 'REVIEW')
  assert.equal(of({ spendPolicy: { allowedRails: ['ACH'] }, payment: { rail: 'WIRE' } }), 'REVIEW')
  assert.equal(of({ payment: { protocol: 'tornado.cash' } }), 'BLOCK')
  const both = { spendPolicy: { maxSingleTxUSDC: 1 }, payment: { protocol: 'tornado.cash' } }
  assert.equal(of(both), 'BLOCK')
  assert.equal(of({ counterpartyName: { listed: ['counterparty name'] } }), 'CLEAR')
})
