/**
 * Identity tokens of agent-payment networks. Their claims are read and never trusted: the signature
 * is not checked, the outcome is a signal, and no value of it softens a verdict (spec: Signals).
 */
import { base64urlnopad, utf8 } from '@scure/base'
import { isJsonObject } from './compact-jws.ts'
import { parseStrictJson } from './strict-json.ts'
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

type Path = readonly string[]

/**
 * Where real tokens keep what we report, best first. KYAPay: `hid` (human), `apd` (agent platform),
 * `aid` (agent), and `bid`, the older name of `hid`; then plain claims in both spellings.
 */
const CLAIMS: Readonly<Record<'agentId' | 'verifiedName' | 'verificationLevel', readonly Path[]>> =
  {
    agentId: [['agentId'], ['agent_id'], ['aid', 'id'], ['aid'], ['sub']],
    verifiedName: [
      ['verifiedName'],
      ['verified_name'],
      ['hid', 'organization_name'],
      ['hid', 'name'],
      ['bid', 'organization_name'],
      ['bid', 'name'],
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

/** Persons give their name in parts. */
const NAME_PARTS = ['given_name', 'middle_name', 'family_name']

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
    agentId: firstOf(claims, CLAIMS.agentId),
    verifiedName: firstOf(claims, CLAIMS.verifiedName) ?? personName(claims),
    verificationLevel: firstOf(claims, CLAIMS.verificationLevel),
    issuedAt: time(claims['iat']),
    expiresAt: time(claims['exp']),
  }
  return { signal: signalOf(claims, assertions, issuers, now), assertions }
}

function signalOf(
  { exp }: Record<string, unknown>,
  { issuer, expiresAt }: IdentityAssertions,
  issuers: readonly string[],
  now: EpochMs,
): IdentitySignal {
  if (exp !== undefined && expiresAt === null) return 'INVALID'
  if (typeof exp === 'number' && exp * SECOND_MS <= now) return 'EXPIRED'
  return issuer !== null && issuers.includes(issuer) ? 'VERIFIED' : 'UNRECOGNIZED_ISSUER'
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
    const value = parseStrictJson(utf8.encode(base64urlnopad.decode(part)))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function firstOf(claims: Record<string, unknown>, paths: readonly Path[]): string | null {
  for (const path of paths) {
    const value = text(path.reduce<unknown>(member, claims))
    if (value !== null) return value
  }
  return null
}

const member = (value: unknown, name: string): unknown =>
  isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

function personName(claims: Record<string, unknown>): string | null {
  for (const holder of [claims['hid'], claims['bid']]) {
    const parts = NAME_PARTS.map((part) => text(member(holder, part)))
    const name = parts.filter((part) => part !== null).join(' ')
    if (name !== '') return text(name)
  }
  return null
}

/** Booleans stand for levels in KYAPay: `verified: true`. */
function text(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? 'verified' : 'unverified'
  if (typeof value !== 'string' || value.trim() === '') return null
  return value.trim().slice(0, MAX_CLAIM_CHARACTERS).toWellFormed()
}

function time(value: unknown): string | null {
  const valid = typeof value === 'number' && value >= 0 && value <= LAST_NUMERIC_DATE
  return valid ? isoTime(Math.floor(value) * SECOND_MS) : null
}
