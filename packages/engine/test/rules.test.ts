import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALL_CLEAR, BEHAVIOUR_WEIGHT, ESCALATIONS, evaluate, RULES } from '../src/index.ts'
import type { Check, Rule } from '../src/index.ts'
import { knownMixer } from '../src/rules/mixers.ts'
import { conformance, factsFrom, frozen, type LineVectors, rulesFile } from './facts-vectors.ts'

const escalations = conformance<{ rules: LineVectors[] }>('escalations.json').rules
const POLICY: readonly Rule[] = [...RULES, ...ESCALATIONS]
const VECTORS = [...rulesFile.rules, ...escalations]

const linesOf = ({ rule: id, verdict }: LineVectors): Rule[] =>
  POLICY.filter((line) => line.id === id && (verdict === undefined || line.verdict === verdict))

const lineOf = (vectors: LineVectors): Rule => {
  const [line, ...others] = linesOf(vectors)
  assert.equal(others.length, 0, `${vectors.rule} has several lines: name the verdict`)
  return line ?? assert.fail(`${vectors.rule} is no line of the policy`)
}

/** The weight of one line and the doubt about the agent, as independent doubts. */
const riskOf = ({ weight }: Rule, score: number): number =>
  Math.round(100 * (1 - (1 - weight / 100) * (1 - (BEHAVIOUR_WEIGHT * (100 - score)) / 10_000)))

const entryOf = (check: Check): 'passed' | 'warned' | 'absent' | 'fired' => {
  if (check === undefined) return 'absent'
  if (check.fired) return 'fired'
  return check.ok ? 'passed' : 'warned'
}

for (const vectors of VECTORS) {
  const line = lineOf(vectors)
  for (const { why, facts, reason = '' } of vectors.fires) {
    test(`${line.id} fires, alone, and gives ${line.verdict}: ${why}`, () => {
      const { verdict, ruleTriggered, riskScore, findings, log, agentScore, ...rest } = evaluate(
        frozen(factsFrom(facts)),
      )
      assert.deepEqual(
        findings.map(({ rule }) => rule),
        [line],
      )
      assert.equal(verdict, line.verdict)
      assert.equal(ruleTriggered, line.id)
      assert.equal(riskScore, riskOf(line, agentScore.score))
      assert.ok(rest.reason.includes(reason), rest.reason)
      const entries = log.filter(({ code }) => code === line.code)
      assert.deepEqual(entries, [{ ok: false, code: line.code, msg: rest.reason }])
      assert.equal(
        log.some(({ code }) => code === ALL_CLEAR),
        false,
      )
    })
  }
  for (const { why, facts: overlay, entry } of vectors.holds) {
    test(`${line.id} (${line.verdict}) does not fire and its check is ${entry}: ${why}`, () => {
      const facts = frozen(factsFrom(overlay))
      const { findings, log } = evaluate(facts)
      assert.equal(
        findings.some(({ rule }) => rule === line),
        false,
      )
      const check = line.predicate(facts)
      assert.equal(entryOf(check), entry)
      const entries = log.filter(({ code, msg }) => code === line.code && msg === check?.message)
      assert.deepEqual(
        entries.map(({ ok }) => ok),
        { passed: [true], warned: [false], absent: [] }[entry],
      )
    })
  }
}

test('every line has facts that fire it and facts that do not, in the order of the policy', () => {
  assert.deepEqual(rulesFile.rules.map(lineOf), RULES)
  assert.deepEqual(escalations.map(lineOf), ESCALATIONS)
  for (const { rule, fires, holds } of VECTORS) {
    assert.ok(fires.length > 0 && holds.length > 0, rule)
  }
})

test('the clean facts of the vectors are CLEAR and say so last', () => {
  const { verdict, ruleTriggered, reason, riskScore, findings, log } = evaluate(factsFrom({}))
  assert.deepEqual([verdict, ruleTriggered, riskScore, findings], ['CLEAR', null, 0, []])
  assert.deepEqual(log.at(-1), { ok: true, code: ALL_CLEAR, msg: reason })
  assert.ok(log.every(({ ok }) => ok))
})

test('the table has the 25 rules of the specification in its order, each once', () => {
  assert.deepEqual(
    RULES.map(({ id }) => Number(/^R(\d+)_/.exec(id)?.[1])),
    Array.from({ length: 25 }, (_, at) => at + 1),
  )
})

test('the escalations stand in the order of the decisions page, the extended BLOCK first', () => {
  assert.deepEqual(
    ESCALATIONS.map(({ id, verdict }) => `${id} ${verdict}`),
    [
      'EXTENDED_SANCTIONS_MATCH BLOCK',
      'ATTESTATION_STALE REVIEW',
      'GLOBAL_SANCTIONS_MATCH REVIEW',
      'PUBLIC_OFFICIAL_MATCH REVIEW',
      'OFAC_NEAR_MATCH REVIEW',
      'EXTENDED_SANCTIONS_MATCH REVIEW',
      'PEP_MATCH REVIEW',
      'ADVERSE_MEDIA_FLAG REVIEW',
      'EXTENDED_SCREENING_UNAVAILABLE REVIEW',
      'LISTS_STALE REVIEW',
    ],
  )
})

test('a code belongs to one id, and an id to one code', () => {
  const pairs = new Set(POLICY.map(({ id, code }) => `${code} ${id}`))
  assert.equal(new Set(POLICY.map(({ code }) => code)).size, pairs.size)
  assert.equal(new Set(POLICY.map(({ id }) => id)).size, pairs.size)
})

test('the verdicts of the table are those of the specification and the decisions page', () => {
  const of = (verdict: string) =>
    RULES.filter((line) => line.verdict === verdict).map(({ id }) => Number(/\d+/.exec(id)?.[0]))
  assert.deepEqual(of('UNKNOWN'), [1])
  assert.deepEqual(of('BLOCK'), [2, 3, 4, 5, 6, 7, 8, 14])
  const rest = [9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]
  assert.deepEqual(of('REVIEW'), rest)
})

test('every line has a weight from 1 to 100, a code in capitals, and a sentence', () => {
  for (const { weight, code, trigger, id } of POLICY) {
    assert.ok(Number.isInteger(weight) && weight >= 1 && weight <= 100, id)
    assert.match(code, /^[A-Z][A-Z_]+$/)
    assert.ok(trigger.length > 10, id)
  }
})

test('no line can be changed, added or taken away while the service runs', () => {
  assert.ok(Object.isFrozen(RULES) && Object.isFrozen(ESCALATIONS))
  assert.ok(POLICY.every(Object.isFrozen))
})

for (const [text, name] of rulesFile.mixers.known) {
  test(`\`${text}\` is known as the mixer ${name}`, () => {
    assert.equal(knownMixer(text), name)
  })
}

for (const text of rulesFile.mixers.unknown) {
  test(`\`${text}\` is no known mixer`, () => {
    assert.equal(knownMixer(text), undefined)
  })
}
