/**
 * Receipts: the signed claim that a screen gave this verdict, which anyone can check offline
 * against the published key set (spec: Receipt, Authentication 6).
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { utf8 } from '@scure/base'
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { type CompactJws, readCompactJws, type Reading, refused } from './compact-jws.ts'
import type { IdentityAssertions } from './identity-token.ts'
import type { PriorScreenings } from './schemas/prior-screenings.ts'
import type { AuthorizedBy } from './schemas/screen.ts'
import { VERDICTS, type Verdict } from './vocabulary.ts'

/** Compared letter by letter: `KYA-Receipt+JWT` and `application/kya-receipt+jwt` are refused. */
export const RECEIPT_TYP = 'kya-receipt+jwt'

/** Why a receipt with sound structure fails: the sentence the specification asks for. */
export const SIGNATURE_DOES_NOT_VERIFY = 'signature does not verify against the published key'

/** One list that a screen rested on. */
export interface ListVersion {
  readonly list: string
  /** Lower-case hex SHA-256 of the files as read. */
  readonly contentHash: string
  /** When the list was fetched or written, ISO 8601. */
  readonly date: string
}

/** Claims of a receipt: the specification's, the list versions, and how long it may be used. */
export interface ReceiptClaims {
  readonly iss: string
  readonly txnId: string
  readonly verdict: Verdict
  readonly riskScore: number
  readonly ruleTriggered: string | null
  readonly signals: Readonly<Record<string, unknown>>
  readonly authorizedBy: AuthorizedBy | null
  readonly agentId: string | null
  readonly screenedAt: string
  readonly validUntil: string
  readonly requestHash: string
  readonly lists: readonly ListVersion[]
  /** Date of the oldest list that the verdict rests on, ISO 8601. */
  readonly oldestList: string | null
  readonly identityAssertions?: IdentityAssertions
  readonly identityIssuer?: string | null
  readonly identityVerificationLevel?: string | null
  /** REVIEW only: what was known before. */
  readonly priorScreenings?: PriorScreenings
  readonly demo?: true
}

/** The inputs that a receipt is bound to. */
export interface HashedRequest {
  readonly cpName?: string | null
  readonly cpWallet?: string | null
  readonly amount?: unknown
  readonly chain?: string | null
}

/** The text behind `requestHash`: `<cpName>|<cpWallet>|<amount>|<chain>` (spec: Receipt). */
export function requestHashText(request: HashedRequest): string {
  const name = (request.cpName ?? '').trim().toLowerCase().replace(/\s+/g, ' ')
  const wallet = (request.cpWallet ?? '').trim().toLowerCase()
  const chain = (request.chain ?? '').trim().toUpperCase()
  return `${name}|${wallet}|${amountText(request.amount)}|${chain}`
}

function amountText(amount: unknown): string {
  const valid = typeof amount === 'number' && Number.isFinite(amount) && amount !== 0
  return valid ? String(amount) : '0'
}

/**
 * Lower-case hex SHA-256 of {@link requestHashText} in UTF-8. It binds a receipt to a request and
 * is no identity: two base58 wallets that differ in case hash alike.
 */
export const requestHash = (request: HashedRequest): string =>
  bytesToHex(sha256(utf8.decode(requestHashText(request).toWellFormed())))

export interface UnverifiedReceipt {
  readonly jws: CompactJws
  readonly claims: ReceiptClaims
}

/** Reads a receipt's structure and issuer; the signature is still to be checked. */
export function readReceipt(receipt: string, issuer: string): Reading<UnverifiedReceipt> {
  const jws = readCompactJws(receipt)
  if (!jws.ok) return jws
  if (jws.value.typ !== RECEIPT_TYP) return refused(`header \`typ\` is not ${RECEIPT_TYP}`)
  const { iss, txnId, verdict, riskScore, screenedAt } = jws.value.payload
  if (iss !== issuer) return refused('claim `iss` is not the issuer of this service')
  const complete =
    typeof txnId === 'string' &&
    VERDICTS.includes(verdict as Verdict) &&
    typeof riskScore === 'number' &&
    typeof screenedAt === 'string'
  if (!complete) return refused('claims of a receipt are missing')
  return { ok: true, value: { jws: jws.value, claims: jws.value.payload as never } }
}

/**
 * Verifies a receipt offline. `jwks` is the document at `/v1/.well-known/jwks.json`; `issuer` the
 * DID that the caller trusts. Keys come from `jwks` alone, never from the receipt.
 */
export async function verifyReceipt(
  receipt: string,
  jwks: JSONWebKeySet,
  issuer: string,
): Promise<Reading<ReceiptClaims>> {
  const read = readReceipt(receipt, issuer)
  if (!read.ok) return read
  try {
    await compactVerify(receipt, createLocalJWKSet(jwks), { algorithms: ['ES256'] })
    return { ok: true, value: read.value.claims }
  } catch {
    return refused(SIGNATURE_DOES_NOT_VERIFY)
  }
}
