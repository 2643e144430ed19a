/** Numbers that summarise findings. */
import type { Finding } from './rule.ts'

/**
 * 0 to 100: the weights of all findings as independent doubts, 100 x (1 - product of (1 - w/100)).
 * No finding lowers it, and none is needed to reach 100 but a weight of 100.
 */
export function riskScore(findings: readonly Finding[]): number {
  const trust = findings.reduce((product, { rule }) => product * (1 - rule.weight / 100), 1)
  return Math.round(100 * (1 - trust))
}
