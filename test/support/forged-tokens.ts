/**
 * Tokens that somebody made on purpose. Each attack changes one thing of a genuine token. MALFORMED
 * is what its structure gives away; FORGED needs the signature, the key or the claims to be judged.
 */
import { createHmac } from 'node:crypto'
import { base64url, newKey, signatureOf, signJson, signTexts, type TestKey } from './jws.ts'

type Claims = Readonly<Record<string, unknown>>

/** The header and claims of a genuine token. */
export interface Form {
  readonly header: Claims
  readonly claims: Claims
}

export type Kind = 'MALFORMED' | 'FORGED'

export interface Attack {
  readonly what: string
  readonly kind: Kind
  readonly make: (form: Form) => string
}

type Attacks = Readonly<Record<string, (form: Form) => string>>

const attacks = (kind: Kind, made: Attacks): Attack[] =>
  Object.entries(made).map(([what, make]) => ({ what, kind, make }))

const attacker = newKey('attacker')
const zero = Buffer.alloc(32)
const groupOrder = Buffer.from(
  'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551',
  'hex',
)

const unsigned = (form: Form, more: object, end: string): string =>
  `${base64url(JSON.stringify({ ...form.header, ...more }))}.${base64url(JSON.stringify(form.claims))}${end}`

/** Attacks on any token under `key`, which signs the genuine ones too. */
export const forgedTokens = (key: TestKey): Attack[] => [
  ...attacks('MALFORMED', {
    ...algorithms(key),
    ...malformedHeaders(key),
    ...malformedSignatures(key),
    ...malformedTexts(key),
    ...malformedPayloads(key),
  }),
  ...attacks('FORGED', { ...forgedKeys(key), ...forgedSignatures(key), ...forgedClaims(key) }),
]

function algorithms(key: TestKey): Attacks {
  const names = [
    ...['none', 'None', 'NONE', 'nOnE', '', 'null', 'HS256', 'HS384', 'RS256', 'PS256', 'ES384'],
    ...['ES512', 'ES256K', 'EdDSA', 'ES256 ', 'es256', 'ES521', undefined, null, 1, ['ES256']],
  ]
  const publicBytes = [
    JSON.stringify({ kty: 'EC', crv: 'P-256', x: key.jwk['x'], y: key.jwk['y'] }),
    String(key.jwk['x']),
  ]
  const named = names.map((alg) => [
    `alg ${JSON.stringify(alg)}`,
    (form: Form) => signJson(key, { ...form.header, alg }, form.claims),
  ])
  const keyed = publicBytes.map((secret, at) => [
    `HS256 keyed with the public key (${at})`,
    (form: Form) => {
      const input = unsigned(form, { alg: 'HS256' }, '')
      return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
    },
  ])
  return {
    ...(Object.fromEntries([...named, ...keyed]) as Attacks),
    'alg none without a signature': (form) => unsigned(form, { alg: 'none' }, '.'),
  }
}

function malformedHeaders(key: TestKey): Attacks {
  const forbidden = ['jwk', 'jku', 'x5u', 'x5c', 'x5t', 'x5t#S256', 'crit', 'b64', 'zip']
  const signed = (more: object) => (form: Form) =>
    signJson(key, { ...form.header, ...more }, form.claims)
  return {
    ...Object.fromEntries(
      forbidden.map((name) => [
        `header ${name}, even signed by us`,
        signed({ [name]: name === 'jwk' ? attacker.jwk : [] }),
      ]),
    ),
    'an embedded key of the sender': (form) =>
      signJson(attacker, { ...form.header, kid: 'attacker', jwk: attacker.jwk }, form.claims),
    'no kid': signed({ kid: undefined }),
    'kid ""': signed({ kid: '' }),
    'kid 1': signed({ kid: 1 }),
    'kid null': signed({ kid: null }),
    'no typ': signed({ typ: undefined }),
    'typ in a list': signed({ typ: ['JWT'] }),
    'alg twice': (form) =>
      signTexts(
        key,
        `{"alg":"none",${JSON.stringify(form.header).slice(1)}`,
        JSON.stringify(form.claims),
      ),
  }
}

function malformedSignatures(key: TestKey): Attacks {
  return {
    'signature in DER': changed(key, (s) =>
      Buffer.concat([
        Buffer.from([0x30, 0x44, 2, 32]),
        s.subarray(0, 32),
        Buffer.from([2, 32]),
        s.subarray(32),
      ]),
    ),
    '63 bytes': changed(key, (s) => s.subarray(0, 63)),
    '65 bytes': changed(key, (s) => Buffer.concat([s, Buffer.from([0])])),
    'no signature': changed(key, () => Buffer.alloc(0)),
  }
}

function malformedTexts(key: TestKey): Attacks {
  const signed = (form: Form) => signJson(key, form.header, form.claims)
  return {
    padding: (form) => `${signed(form)}==`,
    'the standard alphabet': (form) =>
      signed(form).replace(/\.[^.]*$/, (part) => `.+/${part.slice(3)}`),
    'a space inside': (form) => signed(form).replace('.', '. '),
    'two parts': (form) => unsigned(form, {}, ''),
    'four parts': (form) => `${signed(form)}.`,
    'five parts': (form) => `${signed(form)}.a.b`,
    'dots alone': () => '..',
    'full-width dots': (form) => signed(form).replaceAll('.', '．'),
    'more than 8 KiB': (form) =>
      signJson(key, form.header, { ...form.claims, x: 'a'.repeat(8_192) }),
  }
}

function malformedPayloads(key: TestKey): Attacks {
  const withPayload = (payload: string | Buffer) => (form: Form) =>
    signTexts(key, JSON.stringify(form.header), payload)
  return {
    'a list as payload': withPayload('[]'),
    'null as payload': withPayload('null'),
    'a payload nested 1,000 deep': withPayload(`{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`),
    'a payload that is not UTF-8': withPayload(Buffer.from([0xff, 0xfe])),
    'a claim twice': (form) =>
      signTexts(
        key,
        JSON.stringify(form.header),
        `{"iss":"x",${JSON.stringify(form.claims).slice(1)}`,
      ),
  }
}

function forgedKeys(key: TestKey): Attacks {
  const strange = [
    ...['../../../../dev/null', '/dev/null', 'file:///etc/passwd'],
    ...['https://evil.example/jwks.json', "k' OR 1=1--", '__proto__', 'constructor', 'toString'],
    ...['\u0000', 'known\n', 'KNOWN', '$(id)'],
  ]
  return {
    ...Object.fromEntries(
      strange.map((kid) => [
        `kid ${JSON.stringify(kid)}`,
        (form: Form) => signJson(key, { ...form.header, kid }, form.claims),
      ]),
    ),
    'our kid, signed by another key': (form) => signJson(attacker, form.header, form.claims),
    'another typ': (form) => signJson(key, { ...form.header, typ: 'application/x' }, form.claims),
  }
}

function forgedSignatures(key: TestKey): Attacks {
  const halves = (change: (r: Buffer, s: Buffer) => Buffer[]) =>
    changed(key, (signature) =>
      Buffer.concat(change(signature.subarray(0, 32), signature.subarray(32))),
    )
  return {
    'r = 0': halves((_r, s) => [zero, s]),
    's = 0': halves((r) => [r, zero]),
    'r = n': halves((_r, s) => [groupOrder, s]),
    's = n': halves((r) => [r, groupOrder]),
    'r and s swapped': halves((r, s) => [s, r]),
    '64 zero bytes': changed(key, () => Buffer.alloc(64)),
    '64 bytes of ff': changed(key, () => Buffer.alloc(64, 255)),
    'a claim changed after signing': (form) => {
      const [head = '', , signature = ''] = signJson(key, form.header, form.claims).split('.')
      const payload = base64url(JSON.stringify({ ...form.claims, added: true }))
      return `${head}.${payload}.${signature}`
    },
  }
}

const forgedClaims = (key: TestKey): Attacks => ({
  'another issuer': withClaims(key, { iss: 'did:kya:other' }),
  'issuer with a space': withClaims(key, { iss: 'did:kya:service-alpha ' }),
})

/**
 * Attacks on what a credential says of its time; a receipt has no such claims. `now` in seconds.
 * EXPIRED is told apart, since the caller may mend it.
 */
export function timeAttacks(key: TestKey, now: number): (Attack & { expired?: true })[] {
  const structure: Record<string, Claims> = {
    'exp as text': { exp: '9999999999' },
    'exp null': { exp: null },
    'no exp': { exp: undefined },
    'exp negative': { exp: -1 },
    'exp in milliseconds': { exp: now * 1_000_000 },
    'exp with a fraction': { exp: 4e9 + 0.5 },
    'exp 1e15': { exp: 1e15 },
    'exp an object': { exp: {} },
    'exp true': { exp: true },
    'no iat': { iat: undefined },
    'no nbf': { nbf: undefined },
    'no jti': { jti: undefined },
    'issuer in a list': { iss: ['did:kya:service-alpha'] },
  }
  const untimely = {
    'nbf in an hour': { nbf: now + 3_600 },
    'iat in a day': { iat: now + 86_400 },
    'exp before iat': { exp: now - 86_400 },
  }
  // Issued a day before, since a token that ends before it begins is forged.
  const issued = { iat: now - 86_400, nbf: now - 86_400 }
  const late = {
    'exp a minute ago': { ...issued, exp: now - 60 },
    'exp one second ago': { ...issued, exp: now - 1 },
  }
  const made = (table: Record<string, Claims>): Attacks =>
    Object.fromEntries(
      Object.entries(table).map(([what, claims]) => [what, withClaims(key, claims)]),
    )
  return [
    ...attacks('MALFORMED', {
      ...made(structure),
      'exp 1e400': (form) =>
        signTexts(
          key,
          JSON.stringify(form.header),
          JSON.stringify(form.claims).replace(/"exp":\d+/, '"exp":1e400'),
        ),
    }),
    ...attacks('FORGED', made(untimely)),
    ...attacks('FORGED', made(late)).map((attack) => ({ ...attack, expired: true as const })),
  ]
}

const withClaims =
  (key: TestKey, claims: Claims) =>
  (form: Form): string =>
    signJson(key, form.header, { ...form.claims, ...claims })

const changed =
  (key: TestKey, change: (signature: Buffer) => Buffer) =>
  (form: Form): string => {
    const input = unsigned(form, {}, '')
    return `${input}.${base64url(change(signatureOf(key, input)))}`
  }
