/** Numbers that summarise: how an agent behaves, and how much doubt a screen leaves. */
import { DAY_MS } from '@portcullis/protocol'
import type { Facts } from './facts.ts'
import type { Finding } from './rule.ts'
import { isFastMinute } from './rules/behaviour.ts'
import { ATTESTATION_FRESH_MS } from './thresholds.ts'

export interface AgentScore {
  /** 0 to 100, whole. */
  readonly score: number
  readonly grade: 'A' | 'B' | 'C' | 'D' | 'F'
}

/** What each part can take from 100. They add up to 100: the worst agent has nothing left. */
export const AGENT_SCORE_PARTS = {
  blockRate: 40,
  reviewRate: 25,
  attestation: 15,
  credentialAge: 10,
  velocity: 10,
} as const

/** Rates weigh fully from this many screens on; one bad screen of two says little. */
const FULL_EVIDENCE_SCREENS = 20
/** A credential loses points from this age on, and all of them at its longest lifetime. */
const CREDENTIAL_YOUNG_MS = 30 * DAY_MS
const CREDENTIAL_OLD_MS = 91 * DAY_MS
/** An attestation loses all its points when it has been stale for as long as it was fresh. */
const ATTESTATION_LOST_MS = 2 * ATTESTATION_FRESH_MS

/**
 * Behaviour of the agent, 0 to 100: 100 less what its block rate, review rate, attestation,
 * credential age and velocity cost. An agent whose credential does not stand scores 0.
 */
export function agentScore(facts: Facts): AgentScore {
  if (facts.credential.status !== 'ACTIVE') return { score: 0, grade: 'F' }
  const { screens, blocks, reviews } = facts.history
  const rate = (count: number) => count / Math.max(screens, FULL_EVIDENCE_SCREENS)
  const lost =
    AGENT_SCORE_PARTS.blockRate * rate(blocks) +
    AGENT_SCORE_PARTS.reviewRate * rate(reviews) +
    AGENT_SCORE_PARTS.attestation * attestationDoubt(facts) +
    AGENT_SCORE_PARTS.credentialAge *
      ramp(facts.now - facts.credential.issuedAt, CREDENTIAL_YOUNG_MS, CREDENTIAL_OLD_MS) +
    AGENT_SCORE_PARTS.velocity * (isFastMinute(facts) ? 1 : 0)
  const score = Math.max(0, Math.round(100 - lost))
  return { score, grade: gradeOf(score) }
}

/** Supervised agents have a human beside them; others need a fresh attestation. */
function attestationDoubt({ agent, now }: Facts): number {
  if (agent.type !== 'autonomous') return 0
  if (agent.attestedAt === undefined) return 1
  return ramp(now - agent.attestedAt, ATTESTATION_FRESH_MS, ATTESTATION_LOST_MS)
}

/** 0 up to `from`, 1 from `to` on, straight between. */
const ramp = (value: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (value - from) / (to - from)))

const gradeOf = (score: number): AgentScore['grade'] => {
  if (score >= 90) return 'A'
  if (score >= 80) return 'B'
  if (score >= 70) return 'C'
  return score >= 60 ? 'D' : 'F'
}

/** How much of the doubt about an agent's behaviour becomes doubt about the payment, at most. */
export const BEHAVIOUR_WEIGHT = 20

/**
 * 0 to 100: the weights of all findings and the behaviour as independent doubts,
 * 100 x (1 - product of (1 - w/100)). No finding lowers it.
 */
export function riskScore(findings: readonly Finding[], behaviour: AgentScore): number {
  const behaviourDoubt = (BEHAVIOUR_WEIGHT * (100 - behaviour.score)) / 100
  const doubts = [behaviourDoubt, ...findings.map(({ rule }) => rule.weight)]
  const trust = doubts.reduce((product, weight) => product * (1 - weight / 100), 1)
  return Math.round(100 * (1 - trust))
}
