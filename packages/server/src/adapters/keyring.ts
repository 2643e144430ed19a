/**
 * ES256 keys: made at first start, kept with mode 0600, published as a JWKS. The first key signs;
 * the others stay published for what they have signed. Signing is synchronous on purpose: measured
 * here, `node:crypto` signs in about 30 microseconds, a fifth of the asynchronous way.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { JwksDocument } from '@portcullis/protocol'
import type { Keyring } from '../app/ports.ts'

interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly published: JwksDocument['keys'][number]
}

/** A private EC key as RFC 7517 writes it. */
interface PrivateJwk {
  readonly kty?: string
  readonly crv?: string
  readonly d?: string
  readonly kid?: string
  readonly [member: string]: unknown
}

/** RFC 7518 section 3.4: r || s, not DER. */
const DSA_ENCODING = 'ieee-p1363'

/** `source` is a path or the JSON of a private JWK set; without it, `file` is made when missing. */
export function loadKeyring(source: string | undefined, file: string): Keyring {
  if (source === undefined && !existsSync(file)) writePrivate(file, newKeySet())
  return keyringOf(parseKeySet(source ?? file))
}

function parseKeySet(source: string): PrivateJwk[] {
  const inline = source.trimStart().startsWith('{')
  let parsed: unknown
  try {
    parsed = JSON.parse(inline ? source : readFileSync(source, 'utf8'))
  } catch (cause) {
    throw new Error(`signing keys cannot be read${inline ? '' : ` from \`${source}\``}`, { cause })
  }
  const { keys } = parsed as { keys?: PrivateJwk[] }
  if (!Array.isArray(keys) || keys.length === 0) {
    throw new Error('signing keys must be a JSON object `{ "keys": [ ... ] }` with a private JWK')
  }
  return keys
}

const newKeySet = (): string => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return `${JSON.stringify({ keys: [privateKey.export({ format: 'jwk' })] }, null, 2)}\n`
}

/** Written beside and renamed, so that a crash leaves a whole file or none. */
function writePrivate(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.new`
  writeFileSync(draft, text, { mode: 0o600, flush: true })
  chmodSync(draft, 0o600)
  renameSync(draft, file)
}

/** Node's own base64url: on the way of every payment, a third of the cost of a portable one. */
const jsonPart = (value: object): string =>
  Buffer.from(JSON.stringify(value), 'utf8').toString('base64url')

function keyringOf(jwks: readonly PrivateJwk[]): Keyring {
  const keys = new Map(jwks.map(signingKey).map((key) => [key.kid, key]))
  const [current] = keys.values()
  if (current === undefined) throw new Error('there is no signing key')
  return {
    sign(typ, claims) {
      const input = `${jsonPart({ alg: 'ES256', typ, kid: current.kid })}.${jsonPart(claims)}`
      const signature = sign('sha256', Buffer.from(input, 'ascii'), {
        key: current.privateKey,
        dsaEncoding: DSA_ENCODING,
      })
      return `${input}.${signature.toString('base64url')}`
    },
    verify(kid, signingInput, signature) {
      const key = keys.get(kid)
      if (key === undefined) return false
      return verify(
        'sha256',
        Buffer.from(signingInput, 'ascii'),
        { key: key.publicKey, dsaEncoding: DSA_ENCODING },
        signature,
      )
    },
    jwks: () => ({ keys: [...keys.values()].map(({ published }) => published) }),
  }
}

function signingKey(jwk: PrivateJwk): SigningKey {
  if (jwk.kty !== 'EC' || jwk.crv !== 'P-256' || typeof jwk.d !== 'string') {
    throw new Error('a signing key must be a private EC JWK on P-256')
  }
  const privateKey = createPrivateKey({ key: { ...jwk }, format: 'jwk' })
  const publicKey = createPublicKey(privateKey)
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const kid = jwk.kid ?? thumbprint(x, y)
  const published = { kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256', kid, x, y }
  return { kid, privateKey, publicKey, published }
}

/** RFC 7638: the SHA-256 of the required members in lexical order. */
const thumbprint = (x: string, y: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url')
