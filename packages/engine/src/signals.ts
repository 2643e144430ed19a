/** The per-signal breakdown of a screen, from its facts and findings. */
import type { CredentialSignal, Signals } from '@portcullis/protocol'
import type { CredentialFact, Facts } from './facts.ts'
import type { Finding } from './rule.ts'
import { screeningsOf } from './rules/sanctions.ts'

const SPEND_POLICY_RULES = new Set([
  'R9_CHAIN_POLICY',
  'R10_SINGLE_TX_LIMIT',
  'R11_DAILY_LIMIT',
  'R14_MIXER_PROTOCOL',
  'R18_RAIL_POLICY',
])

export function signalsOf(facts: Facts, findings: readonly Finding[]): Signals {
  const screenings = screeningsOf(facts)
  const hit = screenings.some(({ listed }) => listed.length > 0)
  const near = screenings.some(({ near }) => near.length > 0)
  return {
    ofac: hit || facts.agent.operatorWalletListedAtIssuance === true ? 'HIT' : 'CLEAR',
    ofacNearMatch: near ? 'MATCH' : 'CLEAR',
    spendPolicy: spendPolicySignal(findings),
    credential: credentialSignal(facts),
    globalSanctions: 'NOT_SCREENED',
    publicOfficial: 'NOT_SCREENED',
    pep: 'NOT_SCREENED',
    adverseMedia: 'NOT_SCREENED',
    agentScore: null,
    erc8004: 'PENDING',
  }
}

function spendPolicySignal(findings: readonly Finding[]): Signals['spendPolicy'] {
  const verdicts = findings
    .filter(({ rule }) => SPEND_POLICY_RULES.has(rule.id))
    .map(({ rule }) => rule.verdict)
  if (verdicts.includes('BLOCK')) return 'BLOCK'
  return verdicts.length > 0 ? 'REVIEW' : 'CLEAR'
}

/** The specification has no value for "malformed": such a token is INVALID. */
const SIGNAL_OF: Record<CredentialFact['status'], CredentialSignal> = {
  ACTIVE: 'CLEAR',
  MISSING: 'MISSING',
  MALFORMED: 'INVALID',
  INVALID: 'INVALID',
  REVOKED: 'REVOKED',
  EXPIRED: 'EXPIRED',
  SUSPENDED: 'SUSPENDED',
}

function credentialSignal({ credential, agent }: Facts): CredentialSignal {
  const transferred = credential.status === 'ACTIVE' && agent.ownershipTransferred
  return transferred ? 'TRANSFERRED' : SIGNAL_OF[credential.status]
}
