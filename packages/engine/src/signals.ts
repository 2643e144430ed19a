/** The per-signal breakdown of a screen, from its facts and findings. */
import type { CredentialSignal, Signals } from '@portcullis/protocol'
import type { Evaluation } from './evaluate.ts'
import type { CredentialFact, Facts, Screening } from './facts.ts'
import type { Finding } from './rule.ts'
import { screeningsOf } from './rules/sanctions.ts'
import { RULES } from './rules/table.ts'

/** The rules that read the spend policy: what `signals.spendPolicy` speaks of. */
const SPEND_POLICY_RULES = new Set(
  RULES.filter(({ id }) => /^R(?:9|10|11|12|13|14|18|21|22)_/.test(id)).map(({ id }) => id),
)

export function signalsOf(facts: Facts, { findings, agentScore }: Evaluation): Signals {
  const screenings = screeningsOf(facts)
  const hit = screenings.some(({ listed }) => listed.length > 0)
  const near = screenings.some(({ near }) => near.length > 0)
  return {
    ofac: hit || facts.agent.operatorWalletListedAtIssuance === true ? 'HIT' : 'CLEAR',
    ofacNearMatch: near ? 'MATCH' : 'CLEAR',
    spendPolicy: spendPolicySignal(findings),
    credential: credentialSignal(facts),
    globalSanctions: listSignal(facts.globalSanctions, 'HIT'),
    publicOfficial: listSignal(facts.publicOfficial, 'MATCH'),
    pep: pepSignal(facts),
    adverseMedia: adverseMediaSignal(facts, findings),
    agentScore,
    erc8004: facts.erc8004,
    ...(facts.identity !== undefined && { identity: facts.identity }),
  }
}

function listSignal<Hit extends string>({ screened, listed }: Screening, hit: Hit) {
  if (!screened) return 'NOT_SCREENED'
  return listed.length > 0 ? hit : 'CLEAR'
}

function pepSignal({ extended }: Facts): Signals['pep'] {
  if (extended.status !== 'SCREENED') return extended.status
  return extended.peps.length > 0 ? 'MATCH' : 'CLEAR'
}

function adverseMediaSignal(
  { adverseMedia }: Facts,
  findings: readonly Finding[],
): Signals['adverseMedia'] {
  if (adverseMedia.status !== 'SCREENED') return adverseMedia.status
  return findings.some(({ rule }) => rule.id === 'ADVERSE_MEDIA_FLAG') ? 'FLAG' : 'CLEAR'
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
  const transferred = credential.status === 'ACTIVE' && agent.ownershipTransferred !== undefined
  return transferred ? 'TRANSFERRED' : SIGNAL_OF[credential.status]
}
