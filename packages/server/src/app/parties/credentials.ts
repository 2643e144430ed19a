/** Issues credentials, and reads them as strictly as they are issued. */
import {
  CREDENTIAL_TYP,
  type CredentialClaims,
  credentialClaims,
  type CredentialKind,
  type CredentialToIssue,
  type EpochMs,
  isoTime,
  judgeCredential,
  readCredential,
  type UnverifiedCredential,
  withoutScheme,
} from '@portcullis/protocol'
import type { Keyring } from '../ports.ts'
import type { Agent, Operator, User } from '../records.ts'

/** What a token proved to be. MALFORMED: its structure; INVALID: its signature, issuer or type. */
export type CredentialReading =
  | { readonly status: 'MISSING' }
  | { readonly status: 'MALFORMED' | 'INVALID'; readonly reason: string }
  | { readonly status: 'EXPIRED'; readonly reason: string; readonly claims: CredentialClaims }
  | { readonly status: 'VALID'; readonly claims: CredentialClaims }

export interface CredentialReader {
  read(
    token: string | null | undefined,
    kinds: readonly CredentialKind[],
    now: EpochMs,
  ): CredentialReading
}

/** Tokens whose signature was checked lately; what time changes is judged anew at every reading. */
const REMEMBERED_TOKENS = 2_000

type Genuine =
  | { readonly ok: true; readonly credential: UnverifiedCredential }
  | { readonly ok: false; readonly status: 'MALFORMED' | 'INVALID'; readonly reason: string }

/**
 * A signature over the same text under the same key stays good, so it is checked once; lifetime and
 * kind are judged every time, and the live status is the ledger's.
 */
export function credentialReader(keyring: Keyring, issuer: string): CredentialReader {
  const genuine = new Map<string, Genuine & { ok: true }>()

  function check(token: string): Genuine {
    const known = genuine.get(token)
    if (known !== undefined) return known
    const checked = checkSignature(keyring, token)
    if (!checked.ok) return checked
    if (genuine.size >= REMEMBERED_TOKENS) {
      const [oldest = ''] = genuine.keys()
      genuine.delete(oldest)
    }
    genuine.set(token, checked)
    return checked
  }

  return {
    read(token, kinds, now) {
      const text = withoutScheme(token ?? '')
      if (text === '') return { status: 'MISSING' }
      const checked = check(text)
      if (!checked.ok) return { status: checked.status, reason: checked.reason }
      const { credential } = checked
      const { claims } = credential
      const judged = judgeCredential(credential, { kinds, issuer, now })
      return judged.status === 'INVALID' ? judged : { ...judged, claims }
    },
  }
}

function checkSignature(keyring: Keyring, token: string): Genuine {
  const read = readCredential(token)
  if (!read.ok) return { ok: false, status: 'MALFORMED', reason: read.reason }
  const { kid, signingInput, signature } = read.value.jws
  if (!keyring.verify(kid, signingInput, signature)) {
    const reason = 'signature does not verify against a published key'
    return { ok: false, status: 'INVALID', reason }
  }
  return { ok: true, credential: read.value }
}

export interface Issued {
  readonly token: string
  readonly claims: CredentialClaims
}

const issue = (keyring: Keyring, toIssue: CredentialToIssue): Issued => {
  const claims = credentialClaims(toIssue)
  return { token: keyring.sign(CREDENTIAL_TYP, claims), claims }
}

export const issueOperatorCredential = (
  keyring: Keyring,
  issuer: string,
  operator: Operator,
): Issued =>
  issue(keyring, {
    kind: 'operator',
    issuer,
    subjectId: operator.operatorId,
    credentialId: operator.credentialId,
    subject: {
      operatorId: operator.operatorId,
      legalName: operator.legalName,
      complianceAttestation: attestation(operator.issuedAt),
    },
    issuedAt: operator.issuedAt,
    expiresAt: operator.expiresAt,
  })

/** The credential of an agent, or of a delegate. */
export const issueAgentCredential = (keyring: Keyring, issuer: string, agent: Agent): Issued =>
  issue(keyring, {
    kind: agent.parentAgentId === null ? 'agent' : 'delegate',
    issuer,
    subjectId: agent.agentId,
    credentialId: agent.credentialId,
    subject: {
      agentId: agent.agentId,
      agentName: agent.agentName,
      agentType: agent.agentType,
      operatorLegalName: agent.operatorLegalName,
      ...(agent.parentAgentId === null
        ? {}
        : { parentAgentId: agent.parentAgentId, depth: agent.depth }),
      spendPolicy: agent.spendPolicy,
      complianceAttestation: attestation(agent.issuedAt),
    },
    issuedAt: agent.issuedAt,
    expiresAt: agent.expiresAt,
  })

export const issueUserCredential = (keyring: Keyring, issuer: string, user: User): Issued =>
  issue(keyring, {
    kind: 'user',
    issuer,
    subjectId: user.userId,
    credentialId: user.credentialId,
    subject: {
      userId: user.userId,
      userLegalName: user.legalName,
      userRole: user.role,
      agentId: user.agentId,
      complianceAttestation: attestation(user.issuedAt),
    },
    issuedAt: user.issuedAt,
    expiresAt: user.expiresAt,
  })

/** Nothing is issued to a party that matched, so the value at issuance is always CLEAR. */
const attestation = (issuedAt: EpochMs) => ({
  ofacAtIssuance: 'CLEAR',
  screenedAt: isoTime(issuedAt),
  credentialStatus: 'ACTIVE',
})
