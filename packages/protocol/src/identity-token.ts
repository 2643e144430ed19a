/**
 * Identity tokens of agent-payment networks. Their claims are read and never trusted: the signature
 * is not checked, the outcome is a signal, and no value of it softens a verdict (spec: Signals).
 */
import { base64urlnopad, utf8 } from '@scure/base'
import { isJsonObject } from './compact-jws.ts'
import { parseForeignJson } from './strict-json.ts'
import { type EpochMs, isoTime, SECOND_MS } from './time.ts'
import type { IdentitySignal } from './vocabulary.ts'

/** Longer tokens are not read. */
const MAX_CHARACTERS = 16_384
/** Claims end up in receipts: longer texts are cut. */
const MAX_CLAIM_CHARACTERS = 200
const LAST_NUMERIC_DATE = 253_402_300_799

/** What the token says of itself (spec: identityAssertions). */
export interface IdentityAssertions {
  readonly issuer: string | null
  readonly agentId: string | null
  readonly verifiedName: string | null
  readonly verificationLevel: string | null
  readonly issuedAt: string | null
  readonly expiresAt: string | null
}

export interface IdentityReading {
  readonly signal: IdentitySignal
  /** Undefined when the token cannot be parsed. */
  readonly assertions: IdentityAssertions | undefined
}

/** A list as the last step is read as one text: the names of a person in their parts. */
type Path = readonly (string | readonly string[])[]

const PERSON = ['given_name', 'middle_name', 'family_name']

/**
 * Where real tokens keep what we report, best first: plain claims in both spellings, then KYAPay's
 * `hid` (human), `bid` (its older name), `apd` (agent platform) and `aid` (agent).
 */
const CLAIMS: Readonly<Record<'agentId' | 'verifiedName' | 'verificationLevel', readonly Path[]>> =
  {
    agentId: [['agentId'], ['agent_id'], ['aid', 'id'], ['aid'], ['sub']],
    verifiedName: [
      ['verifiedName'],
      ['verified_name'],
      ['hid', 'organization_name'],
      ['hid', 'name'],
      ['hid', PERSON],
      ['bid', 'organization_name'],
      ['bid', 'name'],
      ['bid', PERSON],
      ['apd', 'organization_name'],
      ['apd', 'name'],
      ['aid', 'name'],
    ],
    verificationLevel: [
      ['verificationLevel'],
      ['verification_level'],
      ['hid', 'verification_level'],
      ['hid', 'verified'],
      ['bid', 'verified'],
      ['apd', 'verified'],
    ],
  }

/** Reads the token at `now`; `issuers` are those that the operator of the service recognises. */
export function readIdentityToken(
  token: string,
  issuers: readonly string[],
  now: EpochMs,
): IdentityReading {
  const claims = readClaims(token)
  if (claims === undefined) return { signal: 'INVALID', assertions: undefined }
  const assertions: IdentityAssertions = {
    issuer: text(claims['iss']),
    agentId: firstOf(claims, CLAIMS.agentId, text),
    verifiedName: firstOf(claims, CLAIMS.verifiedName, text),
    verificationLevel: firstOf(claims, CLAIMS.verificationLevel, level),
    issuedAt: time(claims['iat']),
    expiresAt: time(claims['exp']),
  }
  return { signal: signalOf(claims, assertions, issuers, now), assertions }
}

function signalOf(
  { iss, exp }: Record<string, unknown>,
  { expiresAt }: IdentityAssertions,
  issuers: readonly string[],
  now: EpochMs,
): IdentitySignal {
  if (exp !== undefined && expiresAt === null) return 'INVALID'
  if (typeof exp === 'number' && exp * SECOND_MS <= now) return 'EXPIRED'
  return issuers.some((issuer) => issuer === iss) ? 'VERIFIED' : 'UNRECOGNIZED_ISSUER'
}

/** The second of three parts; the first must be a JSON object too, whatever its `alg` says. */
function readClaims(token: string): Record<string, unknown> | undefined {
  const parts = token.trim().split('.')
  if (token.length > MAX_CHARACTERS || parts.length !== 3) return undefined
  const [header, payload] = parts.map(readPart)
  return header === undefined ? undefined : payload
}

function readPart(part: string): Record<string, unknown> | undefined {
  try {
    const value = parseForeignJson(utf8.encode(base64urlnopad.decode(part)))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function firstOf(
  claims: Record<string, unknown>,
  paths: readonly Path[],
  read: (value: unknown) => string | null,
): string | null {
  for (const path of paths) {
    const value = read(path.reduce<unknown>(member, claims))
    if (value !== null) return value
  }
  return null
}

function member(value: unknown, step: Path[number]): unknown {
  if (typeof step !== 'string') {
    const parts = step.map((part) => text(member(value, part)))
    return parts.filter((part) => part !== null).join(' ')
  }
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
}

function text(value: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null
  return value.trim().slice(0, MAX_CLAIM_CHARACTERS).toWellFormed()
}

/** Booleans stand for levels in KYAPay: `verified: true`. */
function level(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? 'verified' : 'unverified'
  return text(value)
}

function time(value: unknown): string | null {
  const valid = typeof value === 'number' && value >= 0 && value <= LAST_NUMERIC_DATE
  return valid ? isoTime(Math.floor(value) * SECOND_MS) : null
}
