import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IDENTITY_SIGNALS, VERDICTS } from '@portcullis/protocol'
import fc from 'fast-check'
import {
  ALL_CLEAR,
  ESCALATIONS,
  evaluate,
  type Evaluation,
  type Facts,
  RULES,
  type Rule,
} from '../src/index.ts'
import { anyFacts } from './arbitrary-facts.ts'
import { bytesOf, factsFrom, frozen } from './facts-vectors.ts'
import { MILD, ofacListings, worsenings } from './worsenings.ts'

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

test('listing a party or adding a violation never softens a verdict', () => {
  fc.assert(
    fc.property(anyFacts, fc.constantFrom(...worsenings), (facts, { what, apply }) => {
      assert.ok(rank(evaluate(apply(facts))) <= rank(evaluate(facts)), what)
    }),
    CASES,
  )
})

test('violations after violations never soften a verdict, whatever their order', () => {
  const some = fc.shuffledSubarray([...worsenings], { minLength: 2, maxLength: 8 })
  fc.assert(
    fc.property(anyFacts, some, (facts, several) => {
      let before = facts
      for (const { what, apply } of several) {
        const after = apply(before)
        assert.ok(rank(evaluate(after)) <= rank(evaluate(before)), what)
        before = after
      }
    }),
    CASES,
  )
})

test('each violation of clean facts makes them not CLEAR, or leaves them so for a reason', () => {
  for (const { what, apply } of worsenings) {
    const { verdict } = evaluate(apply(factsFrom({})))
    const notNeeded = what.includes('not needed')
    assert.equal(verdict === 'CLEAR', MILD.includes(what) || notNeeded, what)
  }
})

test('no value of the identity changes a verdict, a finding, a score or the log', () => {
  fc.assert(
    fc.property(
      anyFacts,
      fc.constantFrom(undefined, ...IDENTITY_SIGNALS),
      fc.option(fc.constantFrom(...worsenings), { nil: undefined }),
      (facts, identity, worsening) => {
        const worse = worsening?.apply(facts) ?? facts
        assert.equal(bytesOf(evaluate({ ...worse, identity })), bytesOf(evaluate(worse)))
      },
    ),
    CASES,
  )
})

test('a counterparty or operator on an OFAC list is never CLEAR and never REVIEW', () => {
  fc.assert(
    fc.property(anyFacts, fc.constantFrom(...ofacListings), (facts, { apply }) => {
      const { verdict, findings } = evaluate(apply(facts))
      assert.ok(verdict === 'BLOCK' || verdict === 'UNKNOWN')
      assert.ok(findings.some(({ rule }) => /^R[4567]_/.test(rule.id)))
    }),
    CASES,
  )
})

test('a credential that is not ACTIVE is never CLEAR and never REVIEW', () => {
  fc.assert(
    fc.property(
      anyFacts.filter(({ credential }) => credential.status !== 'ACTIVE'),
      (facts) => {
        const absent =
          facts.credential.status === 'MISSING' || facts.credential.status === 'MALFORMED'
        assert.equal(evaluate(facts).verdict, absent ? 'UNKNOWN' : 'BLOCK')
      },
    ),
    CASES,
  )
})

/** Decides by another road: asks each line by itself, then looks for the strongest. */
function decidedByHand(facts: Facts) {
  const fired = POLICY.filter(({ predicate }) => predicate(facts)?.fired === true)
  const strongest = Math.min(...fired.map(({ verdict }) => VERDICTS.indexOf(verdict)))
  const [first] = fired.filter(({ verdict }) => VERDICTS.indexOf(verdict) === strongest)
  return { fired, verdict: first?.verdict ?? 'CLEAR', id: first?.id ?? null }
}

test('the verdict is that of the strongest finding and, among those, of the earliest line', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const { verdict, ruleTriggered, findings } = evaluate(facts)
      const fired = findings.map(({ rule }) => rule)
      assert.deepEqual({ fired, verdict, id: ruleTriggered }, decidedByHand(facts))
    }),
    CASES,
  )
})

test('the log has one entry for each check that was made, in the order of the policy', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const { log, findings, verdict } = evaluate(facts)
      const made = POLICY.filter(({ predicate }) => predicate(facts) !== undefined)
      const codes = made.map(({ code }) => code)
      const expected = verdict === 'CLEAR' ? [...codes, ALL_CLEAR] : codes
      assert.deepEqual(
        log.map(({ code }) => code),
        expected,
      )
      assert.equal(new Set(codes).size, codes.length)
      for (const { rule, reason } of findings) {
        assert.ok(log.some(({ ok, code, msg }) => !ok && code === rule.code && msg === reason))
      }
      assert.ok(log.every(({ msg }) => msg !== ''))
    }),
    CASES,
  )
})

test('every line of the policy fires, and does not, within the facts of these properties', () => {
  const samples = fc.sample(anyFacts, { numRuns: 3_000, seed: 20_261_120 })
  for (const { id, verdict, predicate } of POLICY) {
    const fired = samples.filter((facts) => predicate(facts)?.fired === true)
    assert.ok(fired.length > 5 && fired.length < samples.length, `${id} ${verdict}`)
  }
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
