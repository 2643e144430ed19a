/** Attacks on signed tokens, made alike on every form of token, and where each must fall. */
import assert from 'node:assert/strict'
import { sign as ecSign } from 'node:crypto'
import {
  ATTACKER,
  b64,
  type Form,
  genuine,
  hmac,
  type Judged,
  OURS,
  signTexts,
  signToken,
} from './forge.ts'

export const FORMS = ['operator', 'agent', 'delegate', 'user', 'receipt'] as const
export const genuineToken = (form: Form): string =>
  signToken(genuine(form).header, genuine(form).claims)

export const attacks = new Map<string, { build: (form: Form) => string; falls: Judged }>()
const attack = (id: string, falls: Judged, build: (form: Form) => string): void => {
  attacks.set(id, { build, falls })
}

export const withHeader = (form: Form, change: object, key = OURS): string =>
  signToken({ ...genuine(form).header, ...change }, genuine(form).claims, key)

const ALGORITHMS = [
  ...['none', 'None', 'NONE', 'nOnE', '', 'HS256', 'HS384', 'HS512', 'RS256', 'PS256', 'ES384'],
  ...['null', 'ES512', 'ES256K', 'EdDSA', 'ES256 ', 'es256', 'ES521'],
]
for (const alg of ALGORITHMS) {
  attack(`alg_${JSON.stringify(alg)}`, 'MALFORMED', (form) => withHeader(form, { alg }))
}
attack('alg_missing', 'MALFORMED', (form) => withHeader(form, { alg: undefined }))
attack('alg_array', 'MALFORMED', (form) => withHeader(form, { alg: ['ES256'] }))
attack('alg_dup_none_first', 'MALFORMED', (form) => {
  const { header, claims } = genuine(form)
  return signTexts(`{"alg":"none",${JSON.stringify(header).slice(1)}`, JSON.stringify(claims))
})
attack('dup_claim', 'MALFORMED', (form) => {
  const { header, claims } = genuine(form)
  const text = JSON.stringify(claims)
  return signTexts(JSON.stringify(header), `${text.slice(0, -1)},${text.slice(1)}`)
})
attack('alg_none without a signature', 'MALFORMED', (form) =>
  withHeader(form, { alg: 'none' }).replace(/[^.]+$/, ''),
)
attack('alg_HS256 keyed with the public key', 'MALFORMED', (form) => {
  const input = withHeader(form, { alg: 'HS256' }).split('.').slice(0, 2).join('.')
  return `${input}.${hmac(input, OURS.publicKey.export({ type: 'spki', format: 'pem' }))}`
})

/** Structure is sound, but no such key is published. */
const STRAY_KIDS: Record<string, string> = {
  kid_eab19b: '../../../../dev/null',
  kid_738663: '/dev/null',
  kid_4c323c: '..\\..\\x',
  kid_859bc9: 'file:///etc/passwd',
  kid_44ee92: 'https://evil.example/jwks.json',
  kid_f9c78d: "k' OR 1=1--",
  kid_f6a20f: '__proto__',
  kid_8a1c13: 'constructor',
  kid_a7edc6: 'toString',
  kid_5ba93c: '\0',
  kid_c4d4b3: 'a'.repeat(5_000),
  kid_bfa71b: 'kid with newline\n',
  kid_ef5e57: '$(id)',
  kid_fd1d75: '%2e%2e%2f',
}
for (const [id, kid] of Object.entries(STRAY_KIDS)) {
  attack(id, 'FORGED', (form) => withHeader(form, { kid }))
}
attack('kid_da39a3', 'MALFORMED', (form) => withHeader(form, { kid: '' }))
attack('kid_missing', 'MALFORMED', (form) => withHeader(form, { kid: undefined }))
attack('kid_number', 'MALFORMED', (form) => withHeader(form, { kid: 1 }))
attack('kid_other_key', 'FORGED', (form) => withHeader(form, {}, ATTACKER))

const BROUGHT_ALONG: Record<string, unknown> = {
  hdr_jwk: { jwk: ATTACKER.jwk },
  hdr_jku: { jku: 'https://evil.example/jwks.json' },
  hdr_x5u: { x5u: 'https://evil.example/cert.pem' },
  hdr_x5c: { x5c: ['MIIB'] },
  hdr_x5t: { x5t: 'AAAA' },
  'hdr_x5t#S256': { 'x5t#S256': 'AAAA' },
  crit_unknown: { crit: ['exp2'] },
  crit_empty: { crit: [] },
  b64_false: { b64: false, crit: ['b64'] },
  zip: { zip: 'DEF' },
}
for (const [id, header] of Object.entries(BROUGHT_ALONG)) {
  attack(id, 'MALFORMED', (form) => withHeader(form, header as object, ATTACKER))
  attack(`${id} signed by us`, 'MALFORMED', (form) => withHeader(form, header as object))
}

export const withSignature =
  (change: (signature: Buffer, input: string) => Buffer) => (form: Form) => {
    const [header = '', payload = '', signature = ''] = genuineToken(form).split('.')
    const input = `${header}.${payload}`
    return `${input}.${b64(change(Buffer.from(signature, 'base64url'), input))}`
  }
export const ORDER = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')
export const bytes = (value: bigint): Buffer =>
  Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const ZERO = bytes(0n)
attack('sig_der', 'MALFORMED', (form) =>
  withSignature((_, input) => ecSign('sha256', Buffer.from(input), OURS.privateKey))(form),
)
attack(
  'sig_63',
  'MALFORMED',
  withSignature((signature) => signature.subarray(1)),
)
attack(
  'sig_65',
  'MALFORMED',
  withSignature((signature) => Buffer.concat([signature, ZERO.subarray(31)])),
)
attack(
  'sig_0',
  'FORGED',
  withSignature((signature) => Buffer.concat([ZERO, signature.subarray(32)])),
)
attack(
  'sig_0 in s',
  'FORGED',
  withSignature((signature) => Buffer.concat([signature.subarray(0, 32), ZERO])),
)
attack(
  'sig_n',
  'FORGED',
  withSignature((signature) => Buffer.concat([bytes(ORDER), signature.subarray(32)])),
)
attack(
  'sig_n in s',
  'FORGED',
  withSignature((signature) => Buffer.concat([signature.subarray(0, 32), bytes(ORDER)])),
)
attack(
  'sig_rn',
  'FORGED',
  withSignature((signature) => {
    // r + n modulo 2^256: what a verifier without a range check could take for r.
    const r = BigInt(`0x${signature.subarray(0, 32).toString('hex')}`)
    return Buffer.concat([bytes((r + ORDER) % (1n << 256n)), signature.subarray(32)])
  }),
)
attack(
  'sig_all0',
  'FORGED',
  withSignature(() => Buffer.alloc(64)),
)
attack(
  'sig_allff',
  'FORGED',
  withSignature(() => Buffer.alloc(64, 0xff)),
)
attack(
  'sig_swap',
  'FORGED',
  withSignature((signature) => Buffer.concat([signature.subarray(32), signature.subarray(0, 32)])),
)

attack('enc_pad', 'MALFORMED', (form) => `${genuineToken(form)}==`)
attack('enc_std', 'MALFORMED', (form) => genuineToken(form).replace(/[A-Za-z]$/, '+'))
attack('enc_trail_bits', 'MALFORMED', (form) => {
  const token = genuineToken(form)
  const last = token.at(-1) ?? ''
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const twin = alphabet[alphabet.indexOf(last) + 1] ?? assert.fail('the last character has a twin')
  assert.deepEqual(
    Buffer.from(token.slice(-86), 'base64url'),
    Buffer.from(token.slice(-86, -1) + twin, 'base64url'),
  )
  return token.slice(0, -1) + twin
})
attack('enc_ws_inside', 'MALFORMED', (form) => genuineToken(form).replace('.', '. '))
attack('enc_nl_end', 'MALFORMED', (form) => `${genuineToken(form)}\n`)
attack('enc_4parts', 'MALFORMED', (form) => `${genuineToken(form)}.`)
attack('enc_2parts', 'MALFORMED', (form) => genuineToken(form).split('.').slice(0, 2).join('.'))
attack('enc_empty', 'MALFORMED', () => '')
attack('enc_dots', 'MALFORMED', () => '..')
attack('enc_unicode', 'MALFORMED', (form) => genuineToken(form).replaceAll('.', '\uff0e'))
attack('enc_nul', 'MALFORMED', (form) => genuineToken(form).replace('.', '.\0'))
attack('enc_jwe', 'MALFORMED', (form) => `${genuineToken(form)}.AAAA.AAAA`)
attack('white space before the token', 'MALFORMED', (form) => ` ${genuineToken(form)}`)

export const withPayload = (form: Form, payload: string | Uint8Array) =>
  signTexts(JSON.stringify(genuine(form).header), payload)
attack('payload_array', 'MALFORMED', (form) => withPayload(form, '[]'))
attack('payload_null', 'MALFORMED', (form) => withPayload(form, 'null'))
attack('payload_deep', 'MALFORMED', (form) =>
  withPayload(form, '{"a":'.repeat(1_000) + '1' + '}'.repeat(1_000)),
)
attack('payload_invalid_utf8', 'MALFORMED', (form) => {
  const text = JSON.stringify({ ...genuine(form).claims, note: '??' })
  return withPayload(
    form,
    Buffer.from(text).map((byte) => (byte === 0x3f ? 0xff : byte)),
  )
})
attack('payload with a byte order mark', 'MALFORMED', (form) =>
  withPayload(form, `\ufeff${JSON.stringify(genuine(form).claims)}`),
)
attack('size_8k', 'MALFORMED', (form) =>
  withPayload(form, JSON.stringify({ ...genuine(form).claims, pad: 'x'.repeat(6_200) })),
)
attack('size_100k', 'MALFORMED', () => 'A'.repeat(100_000))

export const withClaims = (form: Form, change: object): string =>
  signToken(genuine(form).header, { ...genuine(form).claims, ...change })
