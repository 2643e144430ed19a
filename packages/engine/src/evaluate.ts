/** Puts every rule to the facts; the strongest, then earliest, finding decides. */
import { type LogEntry, type Verdict, VERDICTS } from '@portcullis/protocol'
import type { Facts } from './facts.ts'
import type { Finding, Rule } from './rule.ts'
import { ESCALATIONS } from './rules/escalations.ts'
import { RULES } from './rules/table.ts'
import { type AgentScore, agentScore, riskScore } from './scores.ts'

export interface Evaluation {
  readonly verdict: Verdict
  /** Id of the deciding rule; null when clear. */
  readonly ruleTriggered: string | null
  readonly reason: string
  readonly riskScore: number
  readonly agentScore: AgentScore
  /** Every rule that fired, in table order. */
  readonly findings: readonly Finding[]
  /** One entry for each check that was made. */
  readonly log: readonly LogEntry[]
}

export const ALL_CLEAR = 'ALL_CLEAR'

const POLICY: readonly Rule[] = [...RULES, ...ESCALATIONS]

/**
 * A function of its argument: the same facts give the same evaluation, byte for byte. A rule that
 * throws fails the screen; it is never read as "did not fire".
 */
export function evaluate(facts: Facts, policy: readonly Rule[] = POLICY): Evaluation {
  const findings: Finding[] = []
  const log: LogEntry[] = []
  for (const rule of policy) {
    const check = rule.predicate(facts)
    if (check === undefined) continue
    if (check.fired) findings.push({ rule, reason: check.message })
    log.push({ ok: !check.fired && check.ok, code: rule.code, msg: check.message })
  }
  const behaviour = agentScore(facts)
  const deciding = strongest(findings)
  if (deciding === undefined) log.push({ ok: true, code: ALL_CLEAR, msg: 'no rule was triggered' })
  return {
    verdict: deciding?.rule.verdict ?? 'CLEAR',
    ruleTriggered: deciding?.rule.id ?? null,
    reason: deciding?.reason ?? 'no rule was triggered',
    riskScore: riskScore(findings, behaviour),
    agentScore: behaviour,
    findings,
    log,
  }
}

function strongest(findings: readonly Finding[]): Finding | undefined {
  for (const verdict of VERDICTS) {
    const first = findings.find(({ rule }) => rule.verdict === verdict)
    if (first !== undefined) return first
  }
  return undefined
}
