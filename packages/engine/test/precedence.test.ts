import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ESCALATIONS, evaluate, RULES, type Rule } from '../src/index.ts'
import { conformance, factsFrom, frozen, type Overlay } from './facts-vectors.ts'

const { cases } = conformance<{
  cases: {
    name: string
    facts: Overlay
    verdict: string
    ruleTriggered: string | null
    findings: string[]
    agentScore: number
    riskScore: number
  }[]
}>('precedence.json')

const POLICY: readonly Rule[] = [...RULES, ...ESCALATIONS]
const twice = (id: string) => POLICY.filter((line) => line.id === id).length > 1
/** The id, and the verdict where two lines have one id. */
const nameOf = ({ id, verdict }: Rule): string => (twice(id) ? `${id} ${verdict}` : id)

for (const { name, facts, ...expected } of cases) {
  test(`precedence: ${name}`, () => {
    const { verdict, ruleTriggered, findings, riskScore, agentScore, reason, log } = evaluate(
      frozen(factsFrom(facts)),
    )
    const names = findings.map(({ rule }) => nameOf(rule))
    assert.deepEqual(
      { verdict, ruleTriggered, findings: names, agentScore: agentScore.score, riskScore },
      expected,
    )
    const deciding = findings.find(
      ({ rule }) => rule.id === ruleTriggered && rule.verdict === verdict,
    )
    assert.equal(reason, deciding?.reason ?? 'no rule was triggered')
    for (const { rule, reason: why } of findings) {
      assert.deepEqual(
        log.filter(({ code }) => code === rule.code),
        [{ ok: false, code: rule.code, msg: why }],
      )
    }
  })
}

/** R2 speaks of a credential that R1 does not have, and R3 of one that R1 and R2 let pass. */
const NEVER_SECOND = ['R1_NO_CREDENTIAL', 'R2_CREDENTIAL_STATUS', 'R3_OPERATOR_OFAC_ISSUANCE']

test('every line of the policy decides in one case and gives way in another', () => {
  const deciding = new Set(cases.map(({ ruleTriggered, verdict }) => `${ruleTriggered} ${verdict}`))
  for (const line of POLICY) {
    const { id, verdict } = line
    assert.ok(deciding.has(`${id} ${verdict}`), `${id} ${verdict} decides`)
    if (NEVER_SECOND.includes(id)) continue
    const givesWay = cases.some(
      ({ findings, ruleTriggered }) => findings.includes(nameOf(line)) && ruleTriggered !== id,
    )
    assert.ok(givesWay, `${id} ${verdict} gives way`)
  }
})
