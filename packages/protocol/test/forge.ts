/**
 * Keys and forged tokens. Signing and verifying are called exactly as
 * `packages/server/src/adapters/keyring.ts` calls them, so what is proved here holds there.
 */
import {
  createHmac,
  generateKeyPairSync,
  type KeyObject,
  sign as ecSign,
  verify as ecVerify,
} from 'node:crypto'
import { signingInputOf } from '../src/compact-jws.ts'
import {
  CREDENTIAL_TYP,
  credentialClaims,
  type CredentialKind,
  judgeCredential,
  readCredential,
} from '../src/credential.ts'
import { RECEIPT_TYP } from '../src/receipt.ts'
import { DAY_MS } from '../src/time.ts'

export const ISSUER = 'did:kya:service-alpha'
export const NOW = Date.UTC(2026, 10, 20, 12, 0, 0)
export const NOW_SECONDS = NOW / 1_000

export interface TestKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly jwk: Record<string, unknown> & { kty: string }
}

export function newKey(kid: string): TestKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const jwk = { kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256', kid, x, y }
  return { kid, privateKey, publicKey, jwk }
}

/** The published key, and one that nobody published. */
export const OURS = newKey('key-1')
export const ATTACKER = newKey('key-1')
export const JWKS = { keys: [OURS.jwk] }

export const b64 = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString('base64url')

export const signBytes = (input: string, { privateKey }: TestKey): Buffer =>
  ecSign('sha256', Buffer.from(input, 'ascii'), { key: privateKey, dsaEncoding: 'ieee-p1363' })

export const verifyBytes = (
  input: string | Buffer,
  signature: Uint8Array,
  key: KeyObject,
): boolean => {
  const bytes = typeof input === 'string' ? Buffer.from(input, 'ascii') : input
  return ecVerify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

export const hmac = (input: string, secret: string | Buffer): string =>
  createHmac('sha256', secret).update(input).digest('base64url')

/** Signs header and payload texts as they stand, however odd they are. */
export function signTexts(header: string, payload: string | Uint8Array, key = OURS): string {
  const input = `${b64(header)}.${b64(payload)}`
  return `${input}.${signBytes(input, key).toString('base64url')}`
}

export const signToken = (header: object, claims: object, key = OURS): string => {
  const input = signingInputOf(header, claims)
  return `${input}.${signBytes(input, key).toString('base64url')}`
}

export type Form = CredentialKind | 'receipt'

const credential = (kind: CredentialKind, subjectId: string) =>
  credentialClaims({
    kind,
    issuer: ISSUER,
    subjectId,
    credentialId: 'crd_1',
    subject: { name: 'x' },
    issuedAt: NOW - DAY_MS,
    expiresAt: NOW + DAY_MS,
  })

const SUBJECTS = { operator: 'op_1', agent: 'agt_1', delegate: 'agt_1', user: 'usr_1' } as const

const RECEIPT = {
  iss: ISSUER,
  txnId: 'txn_0A9Z0A9Z',
  verdict: 'CLEAR',
  riskScore: 0,
  ruleTriggered: null,
  screenedAt: '2026-11-20T12:00:00.000Z',
  requestHash: '00'.repeat(32),
}

/** Header and claims of a genuine token of each form. */
export const genuine = (form: Form): { header: Record<string, unknown>; claims: object } => ({
  header: { alg: 'ES256', typ: form === 'receipt' ? RECEIPT_TYP : CREDENTIAL_TYP, kid: OURS.kid },
  claims: form === 'receipt' ? RECEIPT : credential(form, SUBJECTS[form]),
})

export type Judged = 'MALFORMED' | 'FORGED' | 'INVALID' | 'EXPIRED' | 'VALID'

/** What a credential verifier does: structure, then signature, then issuer, kind and time. */
export function judge(
  token: string,
  kinds: CredentialKind | readonly CredentialKind[],
  now = NOW,
): Judged {
  const read = readCredential(token)
  if (!read.ok) return 'MALFORMED'
  const { kid, signingInput, signature } = read.value.jws
  const known = kid === OURS.kid
  if (!known || !verifyBytes(signingInput, signature, OURS.publicKey)) return 'FORGED'
  return judgeCredential(read.value, { kinds: [kinds].flat(), issuer: ISSUER, now }).status
}
