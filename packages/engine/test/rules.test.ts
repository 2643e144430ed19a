import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ESCALATIONS, evaluate, RULES, type Rule } from '../src/index.ts'
import { knownMixer } from '../src/rules/mixers.ts'
import { conformance, factsFrom, frozen, type LineVectors, rulesFile } from './facts-vectors.ts'

const escalations = conformance<{ rules: LineVectors[] }>('escalations.json').rules
const evaluated = (lines: readonly Rule[]) =>
  lines.filter(({ predicate }) => predicate !== undefined)

const lineOf = (id: string): Rule =>
  evaluated([...RULES, ...ESCALATIONS]).find((line) => line.id === id) ??
  assert.fail(`${id} is not evaluated`)

for (const { rule: id, fires, holds } of [...rulesFile.rules, ...escalations]) {
  const line = lineOf(id)
  for (const { why, facts, reason = '' } of fires) {
    test(`${id} fires, alone, and gives ${line.verdict}: ${why}`, () => {
      const { verdict, ruleTriggered, riskScore, findings, log, ...rest } = evaluate(
        frozen(factsFrom(facts)),
      )
      assert.deepEqual(
        findings.map(({ rule }) => rule.id),
        [id],
      )
      assert.equal(verdict, line.verdict)
      assert.equal(ruleTriggered, id)
      assert.equal(riskScore, line.weight)
      assert.ok(rest.reason.includes(reason), rest.reason)
      const entries = log.filter(({ code }) => code === line.code)
      assert.deepEqual(entries, [{ ok: false, code: line.code, msg: rest.reason }])
      assert.equal(
        log.some(({ code }) => code === 'ALL_CLEAR'),
        false,
      )
    })
  }
  for (const { why, facts, entry } of holds) {
    test(`${id} does not fire and its check is ${entry}: ${why}`, () => {
      const { findings, log } = evaluate(frozen(factsFrom(facts)))
      assert.equal(
        findings.some(({ rule }) => rule.id === id),
        false,
      )
      const entries = log.filter(({ code }) => code === line.code).map(({ ok }) => ok)
      assert.deepEqual(entries, { passed: [true], warned: [false], absent: [] }[entry])
    })
  }
}

test('every evaluated line has facts that fire it and facts that do not, and no planned line has', () => {
  const covered = (vectors: LineVectors[]) => vectors.map(({ rule }) => rule)
  const ids = (lines: readonly Rule[]) => evaluated(lines).map(({ id }) => id)
  assert.deepEqual(covered(rulesFile.rules), ids(RULES))
  assert.deepEqual(covered(escalations), ids(ESCALATIONS))
  for (const { rule, fires, holds } of [...rulesFile.rules, ...escalations]) {
    assert.ok(fires.length > 0 && holds.length > 0, rule)
  }
})

test('a planned line leaves no log entry and no finding, whatever the facts', () => {
  const planned = [...RULES, ...ESCALATIONS].filter(({ predicate }) => predicate === undefined)
  const overlays = [...rulesFile.rules, ...escalations].flatMap(({ fires, holds }) => [
    ...fires,
    ...holds,
  ])
  for (const { facts } of overlays) {
    const { log, findings } = evaluate(factsFrom(facts))
    for (const { code, id } of planned) {
      assert.equal(log.filter((entry) => entry.code === code).length, 0, code)
      assert.equal(findings.filter(({ rule }) => rule.id === id).length, 0, id)
    }
  }
})

test('the clean facts of the vectors are CLEAR and say so last', () => {
  const { verdict, ruleTriggered, reason, riskScore, findings, log } = evaluate(factsFrom({}))
  assert.deepEqual([verdict, ruleTriggered, riskScore, findings], ['CLEAR', null, 0, []])
  assert.deepEqual(log.at(-1), { ok: true, code: 'ALL_CLEAR', msg: reason })
  assert.ok(log.every(({ ok }) => ok))
})

test('the table has the 25 rules of the specification in its order, each once, with one code each', () => {
  assert.deepEqual(
    RULES.map(({ id }) => Number(/^R(\d+)_/.exec(id)?.[1])),
    Array.from({ length: 25 }, (_, at) => at + 1),
  )
  assert.equal(new Set(RULES.map(({ id }) => id)).size, 25)
  const codes = [...RULES, ...ESCALATIONS].map(({ id, code }) => `${code} ${id}`)
  assert.equal(new Set(codes.map((text) => text.split(' ')[0])).size, new Set(codes).size)
})

test('the verdicts of the table are those of the specification and the decisions page', () => {
  const of = (verdict: string) =>
    RULES.filter((line) => line.verdict === verdict).map(({ id }) => Number(/\d+/.exec(id)?.[0]))
  assert.deepEqual(of('UNKNOWN'), [1])
  assert.deepEqual(of('BLOCK'), [2, 3, 4, 5, 6, 7, 8, 14])
  assert.deepEqual(of('REVIEW').length, 16)
  const blocking = ESCALATIONS.filter(({ verdict }) => verdict !== 'REVIEW').map(({ id }) => id)
  assert.deepEqual(blocking, ['EXTENDED_SANCTIONS_MATCH'])
})

test('the rules that stand from the first screen are evaluated', () => {
  const live = new Set(evaluated(RULES).map(({ id }) => Number(/\d+/.exec(id)?.[0])))
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14]) assert.ok(live.has(number))
})

test('every line has a weight from 1 to 100, a code in capitals, and a sentence', () => {
  for (const { weight, code, trigger, id } of [...RULES, ...ESCALATIONS]) {
    assert.ok(Number.isInteger(weight) && weight >= 1 && weight <= 100, id)
    assert.match(code, /^[A-Z][A-Z_]+$/)
    assert.ok(trigger.length > 10, id)
  }
})

test('a stored limit that is no money fails the screen and is not read as "no limit"', () => {
  for (const limit of [-1, 1e-7, 1e9, NaN, Infinity]) {
    for (const name of ['maxSingleTxUSDC', 'dailyLimitUSDC']) {
      const facts = { ...factsFrom({}), spendPolicy: { [name]: limit } }
      assert.throws(() => evaluate(facts), RangeError)
    }
  }
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
