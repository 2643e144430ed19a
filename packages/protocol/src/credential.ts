/**
 * Credentials: W3C Verifiable Credentials carried as ES256 JWTs (VC Data Model 1.1 section 6.3.1).
 * What each kind is called, how long it lives, and which claims it must have.
 */
import {
  type CompactJws,
  isJsonObject,
  readCompactJws,
  type Reading,
  refused,
} from './compact-jws.ts'
import { DAY_MS, type EpochMs, isoTime, MINUTE_MS, numericDate } from './time.ts'

export const CREDENTIAL_TYPES = {
  operator: 'KYAOperatorCredential',
  agent: 'KYAAgentCredential',
  delegate: 'KYADelegateCredential',
  user: 'KYAUserCredential',
} as const
export type CredentialKind = keyof typeof CREDENTIAL_TYPES

/** Lifetimes (spec: Limits). The default agent credential comes with operator registration. */
export const CREDENTIAL_LIFETIME_MS = {
  operator: 365 * DAY_MS,
  agent: 91 * DAY_MS,
  defaultAgent: 90 * DAY_MS,
  user: 30 * DAY_MS,
} as const

/** `typ` of every credential; receipts have their own, so neither passes for the other. */
export const CREDENTIAL_TYP = 'JWT'

/** The W3C context, and ours for the `KYA...` types and claims. */
const CONTEXTS = ['https://www.w3.org/2018/credentials/v1', 'urn:kya:credentials:v1'] as const

/** How far another clock may run ahead of ours before its `iat` and `nbf` are refused. */
const CLOCK_SKEW_MS = MINUTE_MS

/** NumericDate of the last second of the year 9999: no later time has an ISO 8601 text. */
const LAST_NUMERIC_DATE = 253_402_300_799

/** The JSON body of a credential (spec: Agent, "Credential body shape"). */
export interface CredentialBody {
  readonly '@context': readonly string[]
  readonly type: readonly string[]
  readonly issuer: string
  readonly credentialSubject: Readonly<Record<string, unknown>>
  readonly expirationDate: string
}

/** The claims of RFC 7519 that every credential has, and its body under `vc`. */
export interface CredentialClaims {
  readonly iss: string
  readonly sub: string
  readonly iat: number
  readonly nbf: number
  readonly exp: number
  readonly jti: string
  readonly vc: CredentialBody
}

export interface CredentialToIssue {
  readonly kind: CredentialKind
  readonly issuer: string
  readonly subjectId: string
  readonly credentialId: string
  readonly subject: Readonly<Record<string, unknown>>
  readonly issuedAt: EpochMs
  readonly expiresAt: EpochMs
}

/** The claims to sign; a function of its argument. */
export function credentialClaims(issue: CredentialToIssue): CredentialClaims {
  return {
    iss: issue.issuer,
    sub: issue.subjectId,
    iat: numericDate(issue.issuedAt),
    nbf: numericDate(issue.issuedAt),
    exp: numericDate(issue.expiresAt),
    jti: issue.credentialId,
    vc: {
      '@context': CONTEXTS,
      type: ['VerifiableCredential', CREDENTIAL_TYPES[issue.kind]],
      issuer: issue.issuer,
      credentialSubject: issue.subject,
      expirationDate: isoTime(numericDate(issue.expiresAt) * 1_000),
    },
  }
}

const SCHEME = /^(?:Bearer|VerifiableCredential|ProofPack|JWT)[ \t]+/i

/** A token field may carry one scheme prefix (spec: POST /v1/screen). A second one fails. */
export const withoutScheme = (text: string): string => text.trim().replace(SCHEME, '')

export interface UnverifiedCredential {
  readonly jws: CompactJws
  readonly claims: CredentialClaims
}

/**
 * Reads a credential's structure. What fails here is structurally invalid (rule R1); whether it is
 * genuine and current is {@link judgeCredential}'s, after the signature was checked.
 */
export function readCredential(token: string): Reading<UnverifiedCredential> {
  const jws = readCompactJws(token)
  if (!jws.ok) return jws
  const { iss, sub, iat, nbf, exp, jti, vc } = jws.value.payload
  if (![iss, sub, jti].every(isText)) return refused('claims `iss`, `sub` and `jti` must be text')
  if (![iat, nbf, exp].every(isNumericDate)) {
    return refused('claims `iat`, `nbf` and `exp` must be whole seconds')
  }
  if (!isJsonObject(vc) || !isJsonObject(vc['credentialSubject']) || !Array.isArray(vc['type'])) {
    return refused('claim `vc` is not a credential')
  }
  return { ok: true, value: { jws: jws.value, claims: jws.value.payload as never } }
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

const isNumericDate = (value: unknown): boolean =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= LAST_NUMERIC_DATE

export type CredentialJudgement =
  | { readonly status: 'VALID' }
  | { readonly status: 'EXPIRED'; readonly reason: string }
  | { readonly status: 'INVALID'; readonly reason: string }

/** Whether a credential with a good signature is ours, of this kind, and current. */
export function judgeCredential(
  { jws, claims }: UnverifiedCredential,
  expected: { kinds: readonly CredentialKind[]; issuer: string; now: EpochMs },
): CredentialJudgement {
  const invalid = (reason: string) => ({ status: 'INVALID', reason }) as const
  const { kinds, issuer, now } = expected
  if (jws.typ !== CREDENTIAL_TYP) return invalid('header `typ` is not that of a credential')
  if (claims.iss !== issuer || claims.vc.issuer !== issuer)
    return invalid('issued by another issuer')
  if (!kinds.some((kind) => isOfType(claims.vc.type, CREDENTIAL_TYPES[kind]))) {
    return invalid(`not a ${kinds.map((kind) => CREDENTIAL_TYPES[kind]).join(' or ')}`)
  }
  if (claims.exp <= claims.iat) return invalid('expires before it was issued')
  const latestStart = numericDate(now + CLOCK_SKEW_MS)
  if (claims.iat > latestStart || claims.nbf > latestStart) return invalid('not valid yet')
  if (claims.exp <= numericDate(now)) {
    return { status: 'EXPIRED', reason: `credential expired at ${isoTime(claims.exp * 1_000)}` }
  }
  return { status: 'VALID' }
}

const isOfType = (types: readonly string[], wanted: string): boolean =>
  types.length === 2 && types[0] === 'VerifiableCredential' && types[1] === wanted
