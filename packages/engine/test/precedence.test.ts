import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluate } from '../src/index.ts'
import { conformance, factsFrom, frozen, type Overlay } from './facts-vectors.ts'

const { cases } = conformance<{
  cases: {
    name: string
    facts: Overlay
    verdict: string
    ruleTriggered: string | null
    findings: string[]
    riskScore: number
  }[]
}>('precedence.json')

for (const { name, facts, ...expected } of cases) {
  test(`precedence: ${name}`, () => {
    const { verdict, ruleTriggered, findings, riskScore, reason, log } = evaluate(
      frozen(factsFrom(facts)),
    )
    const ids = findings.map(({ rule }) => rule.id)
    assert.deepEqual({ verdict, ruleTriggered, findings: ids, riskScore }, expected)
    const deciding = findings.find(({ rule }) => rule.id === ruleTriggered)
    assert.equal(reason, deciding?.reason ?? 'no rule was triggered')
    for (const { rule, reason: why } of findings) {
      assert.deepEqual(
        log.filter(({ code }) => code === rule.code),
        [{ ok: false, code: rule.code, msg: why }],
      )
    }
  })
}
