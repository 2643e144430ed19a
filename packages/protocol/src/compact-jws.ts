/**
 * Reads a compact JWS (RFC 7515 section 7.1) by its strictest reading. One signed statement has one
 * spelling: canonical base64url without padding or white space, no duplicate members, one
 * algorithm, and no key that the sender brought along. Signatures are checked by the caller, over
 * `signingInput`, with a key that it already holds.
 */
import { base64urlnopad, utf8 } from '@scure/base'
import { JsonRefused, parseStrictJson } from './strict-json.ts'

/** Anything longer is refused before it costs any work. */
export const MAX_JWS_CHARACTERS = 8_192

/** A P-256 signature as r || s, base64url: 64 bytes, 86 characters. */
const SHAPE = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})$/

/** Header members that would let a sender choose the key or change what is signed. */
const FORBIDDEN_HEADERS = ['jwk', 'jku', 'x5u', 'x5c', 'x5t', 'x5t#S256', 'crit', 'b64', 'zip']

export interface CompactJws {
  readonly typ: string
  readonly kid: string
  readonly payload: Readonly<Record<string, unknown>>
  /** The ASCII text that the signature covers. */
  readonly signingInput: string
  /** r || s, 64 bytes. */
  readonly signature: Uint8Array
}

/** What a reader answers: the value, or the sentence that says why there is none. */
export type Reading<T> = { readonly ok: true; readonly value: T } | Refused
export interface Refused {
  readonly ok: false
  readonly reason: string
}

export const refused = (reason: string): Refused => ({ ok: false, reason })

/** Structure only: says nothing about who signed. */
export function readCompactJws(text: string): Reading<CompactJws> {
  if (text.length > MAX_JWS_CHARACTERS) return refused('longer than 8192 characters')
  const parts = SHAPE.exec(text)
  if (parts === null) return refused('not a compact ES256 JWS of three base64url parts')
  const [, headerText = '', payloadText = '', signatureText = ''] = parts
  const header = readJsonPart('header', headerText)
  if (!header.ok) return header
  const names = readHeader(header.value)
  if (!names.ok) return names
  const payload = readJsonPart('payload', payloadText)
  if (!payload.ok) return payload
  const signature = decodeBase64Url(signatureText)
  if (signature === undefined) return refused('signature is not canonical base64url')
  const signingInput = `${headerText}.${payloadText}`
  return {
    ok: true,
    value: { ...names.value, payload: payload.value, signingInput, signature },
  }
}

function readHeader(header: Record<string, unknown>): Reading<{ typ: string; kid: string }> {
  const { alg, typ, kid } = header
  if (alg !== 'ES256') return refused('header `alg` is not ES256')
  if (typeof typ !== 'string') return refused('header `typ` is missing')
  if (typeof kid !== 'string' || kid === '') return refused('header `kid` is missing')
  const forbidden = FORBIDDEN_HEADERS.find((name) => Object.hasOwn(header, name))
  if (forbidden !== undefined) return refused(`header \`${forbidden}\` is not accepted`)
  return { ok: true, value: { typ, kid } }
}

function readJsonPart(part: string, text: string): Reading<Record<string, unknown>> {
  const bytes = decodeBase64Url(text)
  if (bytes === undefined) return refused(`${part} is not canonical base64url`)
  try {
    const value = parseStrictJson(utf8.encode(bytes))
    if (isJsonObject(value)) return { ok: true, value }
    return refused(`${part} is not a JSON object`)
  } catch (error) {
    if (error instanceof JsonRefused) return refused(`${part}: ${error.message}`)
    if (error instanceof TypeError) return refused(`${part} is not UTF-8`)
    throw error
  }
}

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Undefined for padding, a foreign alphabet, or bits that the last character leaves over. */
function decodeBase64Url(text: string): Uint8Array | undefined {
  try {
    return base64urlnopad.decode(text)
  } catch {
    return undefined
  }
}

const jsonPart = (value: object): string =>
  base64urlnopad.encode(utf8.decode(JSON.stringify(value)))

/** The text to sign for a header and claims; append `.` and the base64url signature. */
export const signingInputOf = (header: object, claims: object): string =>
  `${jsonPart(header)}.${jsonPart(claims)}`
