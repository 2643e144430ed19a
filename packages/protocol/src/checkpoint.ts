/** Checkpoints: signed statements of how long the audit log is and what it comes to. */
import { base64urlnopad, hex, utf8 } from '@scure/base'
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { canonicalJson } from './audit-entry.ts'
import { readCompactJws, type Reading, refused } from './compact-jws.ts'
import { HASH_BYTES } from './merkle.ts'
import { isoTime } from './time.ts'
import type { EpochMs } from './time.ts'

export const CHECKPOINT_TYP = 'kya-checkpoint+jwt'

export interface CheckpointClaims {
  /** Which log: the issuer and `/audit`. */
  readonly origin: string
  readonly size: number
  /** Lower-case hex. */
  readonly rootHash: string
  /** ISO 8601, UTC. */
  readonly timestamp: string
}

export interface Checkpoint extends CheckpointClaims {
  /** Compact ES256 JWS over the other four. */
  readonly signature: string
}

export const originOf = (issuer: string): string => `${issuer}/audit`

export const checkpointClaims = (
  origin: string,
  size: number,
  root: Uint8Array,
  now: EpochMs,
): CheckpointClaims => ({ origin, size, rootHash: hex.encode(root), timestamp: isoTime(now) })

/** Structure and agreement of the four members with the signed ones; not the signature itself. */
export function readCheckpoint(value: unknown, origin: string): Reading<Checkpoint> {
  if (typeof value !== 'object' || value === null) return refused('not a JSON object')
  const { size, rootHash, timestamp, signature, ...rest } = value as Record<string, unknown>
  if (rest['origin'] !== origin) return refused(`\`origin\` is not ${origin}`)
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) {
    return refused('`size` is not a number of leaves')
  }
  if (typeof rootHash !== 'string' || !ROOT_HASH.test(rootHash)) {
    return refused('`rootHash` is not a lower-case hex SHA-256')
  }
  if (typeof timestamp !== 'string' || typeof signature !== 'string') {
    return refused('`timestamp` or `signature` is missing')
  }
  const jws = readCompactJws(signature)
  if (!jws.ok) return refused(`signature: ${jws.reason}`)
  if (jws.value.typ !== CHECKPOINT_TYP) return refused(`header \`typ\` is not ${CHECKPOINT_TYP}`)
  const claims = { origin, size, rootHash, timestamp }
  if (canonicalJson(jws.value.payload) !== canonicalJson(claims)) {
    return refused('the signature is over another checkpoint')
  }
  return { ok: true, value: { ...claims, signature } }
}

const ROOT_HASH = new RegExp(`^[0-9a-f]{${2 * HASH_BYTES}}$`)

/** Verifies a checkpoint offline. Keys come from `jwks` alone. */
export async function verifyCheckpoint(
  value: unknown,
  jwks: JSONWebKeySet,
  origin: string,
): Promise<Reading<Checkpoint>> {
  const read = readCheckpoint(value, origin)
  if (!read.ok) return read
  return (await isSigned(read.value.signature, jwks))
    ? read
    : refused('the signature does not verify')
}

/** Whether a compact JWS of ES256 is signed with a key of the set; any length. */
export async function isSigned(jws: string, jwks: JSONWebKeySet): Promise<boolean> {
  try {
    await compactVerify(jws, createLocalJWKSet(jwks), { algorithms: ['ES256'] })
    return true
  } catch {
    return false
  }
}

/** Header type and payload of a compact JWS whose signature was verified. */
export function jwsParts(jws: string): { readonly typ: unknown; readonly payload: unknown } {
  const [header = '', payload = ''] = jws.split('.')
  const read = (part: string): unknown => JSON.parse(utf8.encode(base64urlnopad.decode(part)))
  return { typ: (read(header) as { typ?: unknown }).typ, payload: read(payload) }
}
