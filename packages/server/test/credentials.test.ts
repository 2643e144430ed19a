import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import {
  CREDENTIAL_TYP,
  credentialClaims,
  CREDENTIAL_TYPES,
  type CredentialKind,
} from '@portcullis/protocol'
import { loadKeyring } from '../src/adapters/keyring.ts'
import { credentialReader } from '../src/app/parties/credentials.ts'
import type { Keyring } from '../src/app/ports.ts'

const NOW = Date.UTC(2026, 10, 20)
const ISSUER = 'did:kya:service-alpha'
const keyring = loadKeyring(
  JSON.stringify({
    keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })],
  }),
  'unused',
)
const tokenFor = (kind: CredentialKind, expiresAt: number, subjectId = 'agt_1') =>
  keyring.sign(
    CREDENTIAL_TYP,
    credentialClaims({
      kind,
      issuer: ISSUER,
      subjectId,
      credentialId: 'cred_1',
      subject: {},
      issuedAt: NOW,
      expiresAt,
    }),
  )

test('a token that was read before its expiry is EXPIRED after it: memory revives nothing', () => {
  const reader = credentialReader(keyring, ISSUER)
  const token = tokenFor('agent', NOW + 60_000)
  assert.equal(reader.read(token, ['agent'], NOW).status, 'VALID')
  assert.equal(reader.read(token, ['agent'], NOW + 59_999).status, 'VALID')
  assert.equal(reader.read(token, ['agent'], NOW + 60_000).status, 'EXPIRED')
  assert.equal(reader.read(token, ['agent'], NOW + 86_400_000).status, 'EXPIRED')
})

test('a token that was read as one kind is no other kind, and passes where its kind is among those asked for', () => {
  const reader = credentialReader(keyring, ISSUER)
  const kinds = Object.keys(CREDENTIAL_TYPES) as CredentialKind[]
  for (const kind of kinds) {
    const token = tokenFor(kind, NOW + 60_000)
    const others = kinds.filter((other) => other !== kind)
    for (const asked of [[kind], kinds]) {
      assert.equal(reader.read(token, asked, NOW).status, 'VALID')
    }
    for (const asked of [others, ...others.map((other) => [other])]) {
      assert.equal(reader.read(token, asked, NOW).status, 'INVALID')
    }
  }
})

test('a good signature is checked once, a bad one every time', () => {
  let checks = 0
  const counting: Keyring = {
    ...keyring,
    verify(...args) {
      checks++
      return keyring.verify(...args)
    },
  }
  const reader = credentialReader(counting, ISSUER)
  const token = tokenFor('agent', NOW + 60_000)
  const forged = `${token.slice(0, -20)}${'A'.repeat(20)}`
  for (let i = 0; i < 3; i++) reader.read(`Bearer ${token}`, ['agent'], NOW)
  assert.equal(checks, 1)
  for (let i = 0; i < 3; i++) assert.equal(reader.read(forged, ['agent'], NOW).status, 'INVALID')
  assert.equal(checks, 4)
})

test('memory is bounded, and a token that fell out of it is read again', () => {
  const reader = credentialReader(keyring, ISSUER)
  const tokens = Array.from({ length: 2_001 }, (_, at) =>
    tokenFor('agent', NOW + 60_000, `agt_${at}`),
  )
  for (const token of [...tokens, ...tokens.slice(0, 2)])
    assert.equal(reader.read(token, ['agent'], NOW).status, 'VALID')
})

test('nothing, blank and null are MISSING; text is MALFORMED', () => {
  const reader = credentialReader(keyring, ISSUER)
  for (const token of [undefined, null, '', '  '])
    assert.equal(reader.read(token, ['agent'], NOW).status, 'MISSING')
  for (const token of ['x', 'Bearer', 'JWT JWT x'])
    assert.equal(reader.read(token, ['agent'], NOW).status, 'MALFORMED')
})
