/**
 * Every attack of `../shared/data/vectors/own/jwt-attacks.json` that concerns structure, signature
 * or claims, built here with real keys: nothing is accepted, and each falls where it belongs. The
 * shared file is read only to see that none of its attacks was left out.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_JWS_CHARACTERS, readCompactJws } from '../src/compact-jws.ts'
import {
  CREDENTIAL_TYPES,
  judgeCredential,
  readCredential,
  withoutScheme,
} from '../src/credential.ts'
import { verifyReceipt } from '../src/receipt.ts'
import {
  attacks,
  bytes,
  FORMS,
  genuineToken,
  ORDER,
  withClaims,
  withHeader,
  withPayload,
  withSignature,
} from './attacks.ts'
import {
  ATTACKER,
  b64,
  type Form,
  genuine,
  ISSUER,
  type Judged,
  judge,
  JWKS,
  NOW,
  NOW_SECONDS,
  signToken,
} from './forge.ts'
import { sharedVectors } from './vectors.ts'

async function verdictOn(token: string, form: Form): Promise<Judged> {
  if (form !== 'receipt') return judge(token, form)
  const verified = await verifyReceipt(token, JWKS, ISSUER)
  return verified.ok
    ? 'VALID'
    : /signature does not verify/.test(verified.reason)
      ? 'FORGED'
      : 'MALFORMED'
}

for (const [id, { build, falls }] of attacks) {
  test(`no verifier accepts the attack ${id}: it is ${falls}`, async () => {
    for (const form of FORMS) assert.equal(await verdictOn(build(form), form), falls, form)
  })
}

test('a genuine token of each form is accepted: a refusal above means something', async () => {
  for (const form of FORMS) assert.equal(await verdictOn(genuineToken(form), form), 'VALID')
})

test('a refusal of structure says why in one sentence', () => {
  for (const { build, falls } of attacks.values()) {
    if (falls !== 'MALFORMED') continue
    const read = readCompactJws(build('agent'))
    assert.ok(!read.ok && read.reason.length > 10)
  }
})

test('a token of exactly the greatest length is read, and one character more is not', () => {
  const { header, claims } = genuine('agent')
  const length = (pad: number) => signToken(header, { ...claims, pad: 'x'.repeat(pad) }).length
  let pad = 0
  while (length(pad + 1) <= MAX_JWS_CHARACTERS)
    pad += Math.max(1, Math.floor((MAX_JWS_CHARACTERS - length(pad)) / 2))
  const token = signToken(header, { ...claims, pad: 'x'.repeat(pad) })
  assert.ok(token.length > MAX_JWS_CHARACTERS - 3 && readCompactJws(token).ok)
  assert.equal(readCompactJws(signToken(header, { ...claims, pad: 'x'.repeat(pad + 1) })).ok, false)
})

test('a token of 10 MB is refused without work', () => {
  const started = performance.now()
  assert.equal(readCompactJws(`${'A'.repeat(10_000_000)}.AA.AA`).ok, false)
  assert.ok(performance.now() - started < 50)
})

test('each of the 512 flipped signature bits makes a forged credential', () => {
  const [header = '', payload = '', signature = ''] = genuineToken('agent').split('.')
  for (let bit = 0; bit < 512; bit++) {
    const flipped = Buffer.from(signature, 'base64url')
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    assert.equal(judge(`${header}.${payload}.${b64(flipped)}`, 'agent'), 'FORGED', `bit ${bit}`)
  }
})

test('ECDSA malleability: (r, n - s) verifies, so the text of a token is no identity', () => {
  const twin = withSignature((signature) => {
    const s = BigInt(`0x${signature.subarray(32).toString('hex')}`)
    return Buffer.concat([signature.subarray(0, 32), bytes(ORDER - s)])
  })
  assert.equal(judge(twin('agent'), 'agent'), 'VALID')
})

/** Where a credential with these claims, signed by us, falls. */
const CLAIM_CASES: Record<string, [change: object, falls: Judged]> = {
  exp_past: [{ exp: NOW_SECONDS - 1 }, 'EXPIRED'],
  exp_now: [{ exp: NOW_SECONDS }, 'EXPIRED'],
  'exp one second ahead': [{ exp: NOW_SECONDS + 1 }, 'VALID'],
  exp_str: [{ exp: '9999999999' }, 'MALFORMED'],
  exp_null: [{ exp: null }, 'MALFORMED'],
  exp_missing: [{ exp: undefined }, 'MALFORMED'],
  exp_neg: [{ exp: -1 }, 'MALFORMED'],
  exp_ms: [{ exp: NOW + 1 }, 'MALFORMED'],
  exp_float: [{ exp: 4e9 + 0.5 }, 'MALFORMED'],
  exp_huge: [{ exp: 1e15 }, 'MALFORMED'],
  exp_obj: [{ exp: {} }, 'MALFORMED'],
  exp_bool: [{ exp: true }, 'MALFORMED'],
  'exp before iat': [{ exp: NOW_SECONDS - 3 * 86_400 }, 'INVALID'],
  'the last second of the year 9999': [{ exp: 253_402_300_799 }, 'VALID'],
  'the first second of the year 10000': [{ exp: 253_402_300_800 }, 'MALFORMED'],
  nbf_future: [{ nbf: NOW_SECONDS + 3_600 }, 'INVALID'],
  nbf_missing: [{ nbf: undefined }, 'MALFORMED'],
  iat_future: [{ iat: NOW_SECONDS + 86_400, exp: NOW_SECONDS + 2 * 86_400 }, 'INVALID'],
  'iat and nbf 60 s ahead': [{ iat: NOW_SECONDS + 60, nbf: NOW_SECONDS + 60 }, 'VALID'],
  'iat 61 s ahead': [{ iat: NOW_SECONDS + 61 }, 'INVALID'],
  'nbf 61 s ahead': [{ nbf: NOW_SECONDS + 61 }, 'INVALID'],
  iss_wrong: [{ iss: 'did:kya:other' }, 'INVALID'],
  iss_array: [{ iss: [ISSUER] }, 'MALFORMED'],
  iss_trailing: [{ iss: `${ISSUER} ` }, 'INVALID'],
  'sub missing': [{ sub: undefined }, 'MALFORMED'],
  'sub empty': [{ sub: '' }, 'MALFORMED'],
  'jti missing': [{ jti: undefined }, 'MALFORMED'],
  'vc missing': [{ vc: undefined }, 'MALFORMED'],
  'vc an array': [{ vc: [] }, 'MALFORMED'],
  'vc without a subject': [{ vc: { type: [], issuer: ISSUER } }, 'MALFORMED'],
  'vc type a text': [{ vc: { type: 'KYAAgentCredential', credentialSubject: {} } }, 'MALFORMED'],
}
for (const [id, [change, falls]] of Object.entries(CLAIM_CASES)) {
  test(`a credential that we signed with ${id} is ${falls}`, () => {
    assert.equal(judge(withClaims('agent', change), 'agent'), falls)
  })
}

test('a credential with `exp` beyond all numbers is MALFORMED', () => {
  const claims = JSON.stringify(genuine('agent').claims).replace(/"exp":\d+/, '"exp":1e400')
  assert.ok(claims.includes('1e400'))
  assert.equal(judge(withPayload('agent', claims), 'agent'), 'MALFORMED')
})

test('an unsigned token is never called expired: only what we signed has a status', () => {
  const token = signToken(
    genuine('agent').header,
    { ...genuine('agent').claims, exp: NOW_SECONDS - 1 },
    ATTACKER,
  )
  assert.equal(judge(token, 'agent'), 'FORGED')
})

test('a clock that moves back an hour refuses what was issued meanwhile, and revives nothing expired', () => {
  const hour = 3_600
  const fresh = withClaims('agent', { iat: NOW_SECONDS, nbf: NOW_SECONDS })
  assert.equal(judge(fresh, 'agent', NOW - hour * 1_000), 'INVALID')
  assert.equal(judge(withClaims('agent', { exp: NOW_SECONDS }), 'agent', NOW), 'EXPIRED')
})

const vcOf = (claims: object) => (claims as { vc: object }).vc
const TYPES: Record<string, unknown[]> = {
  'of another kind': ['VerifiableCredential', 'KYAOperatorCredential'],
  'of two kinds at once': ['VerifiableCredential', 'KYAAgentCredential', 'KYAOperatorCredential'],
  'the wrong way round': ['KYAAgentCredential', 'VerifiableCredential'],
  'with another general type': ['VerifiablePresentation', 'KYAAgentCredential'],
  'without the general type': ['KYAAgentCredential'],
  'in another case': ['VerifiableCredential', 'kyaagentcredential'],
  'of a delegate': ['VerifiableCredential', 'KYADelegateCredential'],
  'of a user': ['VerifiableCredential', 'KYAUserCredential'],
  'wrapped in an array': ['VerifiableCredential', ['KYAAgentCredential']],
  'of no kind': [],
}
for (const [what, type] of Object.entries(TYPES)) {
  test(`an agent credential with types ${what} is INVALID`, () => {
    const vc = { ...vcOf(genuine('agent').claims), type }
    assert.equal(judge(withClaims('agent', { vc }), 'agent'), 'INVALID')
  })
}

test('the issuer inside the credential must be ours too', () => {
  for (const issuer of ['did:kya:other', undefined, [ISSUER], { id: ISSUER }]) {
    const vc = { ...vcOf(genuine('agent').claims), issuer }
    assert.equal(judge(withClaims('agent', { vc }), 'agent'), 'INVALID')
  }
})

const KINDS = FORMS.filter((form) => form !== 'receipt')

for (const shown of FORMS) {
  for (const asked of FORMS.filter((form) => form !== shown)) {
    const falls = shown === 'receipt' || asked === 'receipt' ? 'MALFORMED' : 'INVALID'
    test(`a genuine ${shown} token is ${falls} where ${asked} is asked for`, async () => {
      assert.equal(await verdictOn(genuineToken(shown), asked), falls)
    })
  }
}

test('where agents and delegates may speak, operators and users may not', () => {
  const allowed = ['agent', 'delegate'] as const
  for (const kind of KINDS) {
    const falls = kind === 'agent' || kind === 'delegate' ? 'VALID' : 'INVALID'
    assert.equal(judge(genuineToken(kind), allowed), falls, kind)
    assert.equal(judge(genuineToken(kind), []), 'INVALID', kind)
  }
})

test('a credential of two kinds at once passes for neither, in whichever order', () => {
  for (const kind of KINDS) {
    for (const other of KINDS.filter((name) => name !== kind)) {
      const types = [CREDENTIAL_TYPES[kind], CREDENTIAL_TYPES[other]]
      for (const type of [['VerifiableCredential', ...types], types]) {
        const vc = { ...vcOf(genuine(kind).claims), type }
        assert.equal(judge(withClaims(kind, { vc }), KINDS), 'INVALID')
      }
    }
  }
})

test('a credential under the `typ` of a receipt, or in another case, is INVALID', () => {
  for (const typ of ['kya-receipt+jwt', 'jwt', 'application/jwt', 'JWT ']) {
    assert.equal(judge(withHeader('agent', { typ }), 'agent'), 'INVALID', typ)
  }
  for (const typ of [undefined, 1, null, ['JWT']]) {
    assert.equal(judge(withHeader('agent', { typ }), 'agent'), 'MALFORMED')
  }
})

test('a receipt under any other `typ` is refused', async () => {
  const others = [
    undefined,
    'KYA-Receipt+JWT',
    'application/kya-receipt+jwt',
    'JWT',
    'kya-receipt+jwt ',
    'kya-receipt',
  ]
  for (const typ of others) {
    assert.equal(
      await verdictOn(withHeader('receipt', { typ }), 'receipt'),
      'MALFORMED',
      String(typ),
    )
  }
})

test('a receipt of another issuer, though signed by us, is refused', async () => {
  for (const iss of ['did:kya:other', [ISSUER], `${ISSUER} `, undefined]) {
    assert.equal(await verdictOn(withClaims('receipt', { iss }), 'receipt'), 'MALFORMED')
  }
})

test('`__proto__` in a payload changes no claim', () => {
  const claims = JSON.stringify(genuine('agent').claims)
  const token = withPayload('agent', `{"__proto__":{"sub":"agt_evil"},${claims.slice(1)}`)
  const read = readCredential(token)
  assert.ok(read.ok)
  assert.equal(read.value.claims.sub, 'agt_1')
  assert.equal(judge(token, 'agent'), 'VALID')
  const only = withPayload('agent', `{"__proto__":${claims}}`)
  assert.equal(judge(only, 'agent'), 'MALFORMED')
})

test('a token field may carry one scheme in any case, and a second one is no token', () => {
  const token = genuineToken('agent')
  for (const prefix of [
    '',
    'Bearer ',
    'bearer ',
    'JWT\t',
    'ProofPack  ',
    'VerifiableCredential ',
  ]) {
    assert.equal(withoutScheme(`${prefix}${token}`), token)
    assert.equal(withoutScheme(` ${prefix}${token}\n`), token)
  }
  for (const prefix of ['Bearer Bearer ', 'Bearer JWT ', 'Basic ', 'Bearer']) {
    assert.equal(judge(withoutScheme(`${prefix}${token}`), 'agent'), 'MALFORMED', prefix)
  }
})

test('claims that are issued are read back and judged valid until they expire', () => {
  const read = readCredential(genuineToken('operator'))
  assert.ok(read.ok)
  const { claims } = read.value
  assert.deepEqual(claims.vc.type, ['VerifiableCredential', 'KYAOperatorCredential'])
  assert.equal(claims.vc.expirationDate, new Date(claims.exp * 1_000).toISOString())
  const at = (now: number) =>
    judgeCredential(read.value, { kinds: ['operator'], issuer: ISSUER, now }).status
  assert.equal(at(claims.exp * 1_000 - 1), 'VALID')
  assert.equal(at(claims.exp * 1_000), 'EXPIRED')
})

/** Attacks of the shared file that are proved under another name in this file. */
const ELSEWHERE_HERE =
  /^(?:sig_flip_each|sig_malleate|exp_inf|clock_back|size_10m|payload_proto|prefix_double|receipt_typ_\w+|confuse_(?:agent|receipt)_as_Authorization_Bearer|confuse_(?:operator|receipt)_as_screen_token|confuse_(?:operator|agent)_as_receipts_verify)$/

/** Attacks on what does not exist yet, or on the running service; each needs a test there. */
const OF_THE_SERVICE =
  /^(?:kid_retired|agent_\w+|aud_other|curve_mismatch|jwks_\w+|identity_unsigned|confuse_\w*(?:delegate|user|identityToken)\w*|confuse_receipt_as_delegates_create_parent|confuse_\w+_as_(?:delegates_create_parent|authorizedBy_user_slot))$/

test('no attack of the shared list is left out', (t) => {
  const shared = sharedVectors<{ id: string }[]>(t, 'own/jwt-attacks.json')
  if (shared === undefined) return
  assert.equal(shared.length, 134)
  const left = shared
    .map(({ id }) => id)
    .filter(
      (id) =>
        !attacks.has(id) &&
        !(id in CLAIM_CASES) &&
        !ELSEWHERE_HERE.test(id) &&
        !OF_THE_SERVICE.test(id),
    )
  assert.deepEqual(left, [])
})
