/** Compact JWS by hand, so that a test can sign anything. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

export interface TestKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly jwk: Readonly<Record<string, unknown>>
}

export function newKey(kid: string): TestKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { kid, privateKey, jwk: { ...privateKey.export({ format: 'jwk' }), kid } }
}

export const base64url = (text: string | Uint8Array): string =>
  Buffer.from(text as never).toString('base64url')

/** Header and payload as texts, so that duplicates and odd numbers survive. */
export function signTexts(key: TestKey, header: string, payload: string | Buffer): string {
  const input = `${base64url(header)}.${base64url(payload)}`
  return `${input}.${base64url(signatureOf(key, input))}`
}

export const signJson = (key: TestKey, header: object, payload: unknown): string =>
  signTexts(key, JSON.stringify(header), JSON.stringify(payload))

export const signatureOf = (key: TestKey, input: string): Buffer =>
  sign('sha256', Buffer.from(input, 'utf8'), { key: key.privateKey, dsaEncoding: 'ieee-p1363' })

export interface Parts {
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
  readonly signature: Buffer
}

export function partsOf(jws: string): Parts {
  const [header = '', payload = '', signature = ''] = jws.split('.')
  const json = (part: string) =>
    JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>
  return {
    header: json(header),
    payload: json(payload),
    signature: Buffer.from(signature, 'base64url'),
  }
}
