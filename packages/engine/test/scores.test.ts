/** The two scores against their formulas in docs/decisions/0006. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, VERDICTS } from '@portcullis/protocol'
import fc from 'fast-check'
import {
  addScreen,
  AGENT_SCORE_PARTS,
  type AgentScore,
  BEHAVIOUR_WEIGHT,
  ESCALATIONS,
  evaluate,
  type Facts,
  type Finding,
  RULES,
  type Rule,
} from '../src/index.ts'
import { agentScore, riskScore } from '../src/scores.ts'
import { anyFacts } from './arbitrary-facts.ts'
import { factsFrom } from './facts-vectors.ts'
import { worsenings } from './worsenings.ts'

const CASES = { numRuns: 10_000 }
const POLICY: readonly Rule[] = [...RULES, ...ESCALATIONS]

const findingOf = (rule: Rule): Finding => ({ rule, reason: 'x' })
const someFindings = fc.subarray([...POLICY]).map((rules) => rules.map(findingOf))
const behaviour: fc.Arbitrary<AgentScore> = fc.nat(100).map((score) => ({ score, grade: 'A' }))
const PERFECT: AgentScore = { score: 100, grade: 'A' }

const isScore = (score: number): boolean => Number.isInteger(score) && score >= 0 && score <= 100

test('the risk score is a whole number from 0 to 100, and 0 only without any doubt', () => {
  fc.assert(
    fc.property(someFindings, behaviour, (findings, agent) => {
      const score = riskScore(findings, agent)
      assert.ok(isScore(score))
      if (findings.length > 0) assert.ok(score > 0)
    }),
    CASES,
  )
  assert.equal(riskScore([], PERFECT), 0)
})

test('no finding and no worse behaviour lowers the risk score; a weight is the least of it', () => {
  fc.assert(
    fc.property(
      someFindings,
      fc.constantFrom(...POLICY),
      behaviour,
      fc.nat(100),
      (findings, rule, agent, less) => {
        const before = riskScore(findings, agent)
        const more = riskScore([...findings, findingOf(rule)], agent)
        assert.ok(more >= before && more >= rule.weight)
        const worse = { ...agent, score: Math.max(0, agent.score - less) }
        assert.ok(riskScore(findings, worse) >= before)
      },
    ),
    CASES,
  )
})

test('one finding with a perfect agent weighs its weight, and the worst agent alone 20', () => {
  for (const rule of POLICY) assert.equal(riskScore([findingOf(rule)], PERFECT), rule.weight)
  assert.equal(riskScore([], { score: 0, grade: 'F' }), BEHAVIOUR_WEIGHT)
  assert.equal(riskScore([], { score: 50, grade: 'F' }), BEHAVIOUR_WEIGHT / 2)
})

test('the risk score of an evaluation is that of its findings and its agent', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const { findings, agentScore: agent, riskScore: score, verdict } = evaluate(facts)
      assert.deepEqual(agent, agentScore(facts))
      const doubts = [(20 * (100 - agent.score)) / 100, ...findings.map((f) => f.rule.weight)]
      const trust = doubts.reduce((product, doubt) => product * (1 - doubt / 100), 1)
      assert.ok(Math.abs(score - 100 * (1 - trust)) <= 0.5 + 1e-9)
      if (verdict === 'CLEAR') assert.ok(score <= BEHAVIOUR_WEIGHT)
    }),
    CASES,
  )
})

test('the parts of the agent score add up to 100', () => {
  const parts = Object.values(AGENT_SCORE_PARTS)
  assert.equal(
    parts.reduce((sum, part) => sum + part, 0),
    100,
  )
})

test('the agent score is a whole number from 0 to 100 with its grade, and 0 when fallen', () => {
  const grades = [
    ['A', 90, 100],
    ['B', 80, 89],
    ['C', 70, 79],
    ['D', 60, 69],
    ['F', 0, 59],
  ] as const
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const { score, grade } = agentScore(facts)
      assert.ok(isScore(score))
      const [, from, to] = grades.find(([name]) => name === grade) ?? assert.fail(grade)
      assert.ok(score >= from && score <= to)
      if (facts.credential.status !== 'ACTIVE') assert.deepEqual([score, grade], [0, 'F'])
    }),
    CASES,
  )
})

const scoreWith = (facts: Facts, history: Partial<Facts['history']>): number =>
  agentScore({ ...facts, history: { ...facts.history, ...history } }).score

test('more blocks or reviews among the same screens never raise the agent score', () => {
  fc.assert(
    fc.property(anyFacts, fc.nat(), fc.nat(), (facts, more, others) => {
      const { screens, reviews, blocks } = facts.history
      const clear = screens - reviews - blocks
      const blocked = Math.min(clear, more % (clear + 1))
      const reviewed = Math.min(clear - blocked, others % (clear - blocked + 1))
      const worse = { blocks: blocks + blocked, reviews: reviews + reviewed }
      const before = agentScore(facts).score
      assert.ok(scoreWith(facts, worse) <= before)
      assert.ok(scoreWith(facts, { blocks: blocks + reviews, reviews: 0 }) <= before)
    }),
    CASES,
  )
})

test('one more BLOCK never raises the agent score, and one more CLEAR never lowers it', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const before = agentScore(facts).score
      assert.ok(scoreWith(facts, addScreen(facts.history, facts.now, 'BLOCK')) <= before)
      assert.ok(scoreWith(facts, addScreen(facts.history, facts.now, 'CLEAR')) >= before)
    }),
    CASES,
  )
})

test('time without a screen or an attestation, and a fast minute, never raise the score', () => {
  fc.assert(
    fc.property(anyFacts, fc.nat(200 * DAY_MS), (facts, later) => {
      const still = { ...facts, velocity: { ...facts.velocity, markAt: undefined } }
      const before = agentScore(still).score
      assert.ok(agentScore({ ...still, now: still.now + later }).score <= before)
      const fast = { ...facts.velocity, markAt: facts.now }
      assert.ok(agentScore({ ...facts, velocity: fast }).score <= before)
    }),
    CASES,
  )
})

test('no violation raises the agent score', () => {
  fc.assert(
    fc.property(anyFacts, fc.constantFrom(...worsenings), (facts, { what, apply }) => {
      assert.ok(agentScore(apply(facts)).score <= agentScore(facts).score, what)
    }),
    CASES,
  )
})

const NOON = Date.UTC(2026, 10, 20, 12)
const history = (screens: number, reviews: number, blocks: number) => ({
  history: { screens, reviews, blocks },
})
const attested = (hours: number) => ({ agent: { attestedAt: NOON - hours * HOUR_MS } })
const aged = (days: number) => ({ credential: { issuedAt: NOON - days * DAY_MS } })

/** Each part at its ends and in its middle. */
const EXAMPLES: [what: string, facts: Parameters<typeof factsFrom>[0], score: number][] = [
  ['clean facts', {}, 100],
  ['no screens at all', history(0, 0, 0), 100],
  ['20 screens, all blocked', history(20, 0, 20), 60],
  ['20 screens, all reviewed', history(20, 20, 0), 75],
  ['20 screens, half blocked and half reviewed', history(20, 10, 10), 68],
  ['one blocked screen alone is little evidence', history(1, 0, 1), 98],
  ['10 screens, all blocked, are half of the evidence', history(10, 0, 10), 80],
  ['1,000 screens, one in ten blocked', history(1_000, 0, 100), 96],
  ['never attested', { agent: { attestedAt: null } }, 85],
  ['never attested, but supervised', { agent: { type: 'supervised', attestedAt: null } }, 100],
  ['attested 24 hours ago', attested(24), 100],
  ['attested 36 hours ago', attested(36), 93],
  ['attested 48 hours ago', attested(48), 85],
  ['attested a year ago', attested(8_760), 85],
  ['a credential of 30 days', aged(30), 100],
  ['a credential of 60.5 days', aged(60.5), 95],
  ['a credential of 91 days', aged(91), 90],
  ['a fast minute', { velocity: { markAt: NOON } }, 90],
  [
    'everything at its worst',
    {
      ...history(20, 0, 20),
      agent: { attestedAt: null },
      ...aged(91),
      velocity: { markAt: NOON },
    },
    25,
  ],
]
for (const [what, facts, score] of EXAMPLES) {
  test(`the agent score of ${what} is ${score}`, () => {
    assert.equal(agentScore(factsFrom(facts)).score, score)
  })
}

test('the verdicts that the score counts are those of the vocabulary', () => {
  const counted = VERDICTS.map((verdict) => {
    const { reviews, blocks } = addScreen(factsFrom({}).history, NOON, verdict)
    return [verdict, reviews, blocks]
  })
  assert.deepEqual(counted, [
    ['UNKNOWN', 0, 0],
    ['BLOCK', 0, 1],
    ['REVIEW', 1, 0],
    ['CLEAR', 0, 0],
  ])
})
