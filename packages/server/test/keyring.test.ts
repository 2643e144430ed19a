import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readCompactJws } from '@portcullis/protocol'
import { loadKeyring } from '../src/adapters/keyring.ts'
import type { Keyring } from '../src/app/ports.ts'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-keys-'))
after(() => rmSync(folder, { recursive: true }))
const jwk = (curve = 'P-256') =>
  generateKeyPairSync('ec', { namedCurve: curve }).privateKey.export({ format: 'jwk' })

function verifies(keyring: Keyring, text: string): boolean {
  const read = readCompactJws(text)
  assert.ok(read.ok)
  return keyring.verify(read.value.kid, read.value.signingInput, read.value.signature)
}

test('keys are made at first start, readable by their owner only, and survive a restart', () => {
  const file = join(folder, 'made', 'signing-keys.json')
  const first = loadKeyring(undefined, file)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(join(file, '..')).mode & 0o777, 0o700)
  const signed = first.sign('JWT', { a: 1 })
  const second = loadKeyring(undefined, file)
  assert.deepEqual(second.jwks(), first.jwks())
  assert.ok(verifies(second, signed))
})

test('no private member is ever published', () => {
  const file = join(folder, 'made', 'signing-keys.json')
  loadKeyring(undefined, file)
  const { d } = (JSON.parse(readFileSync(file, 'utf8')) as { keys: { d: string }[] }).keys[0]!
  assert.equal(JSON.stringify(loadKeyring(undefined, file).jwks()).includes(d), false)
})

test('the first key signs, and what an older one signed still verifies', () => {
  const [older, newer] = [
    { ...jwk(), kid: 'older' },
    { ...jwk(), kid: 'newer' },
  ]
  const unused = join(folder, 'unused.json')
  const signed = loadKeyring(JSON.stringify({ keys: [older] }), unused).sign('JWT', {})
  const rotated = loadKeyring(JSON.stringify({ keys: [newer, older] }), unused)
  assert.ok(verifies(rotated, signed))
  assert.deepEqual(
    rotated.jwks().keys.map(({ kid }) => kid),
    ['newer', 'older'],
  )
  assert.match(
    Buffer.from(rotated.sign('JWT', {}).split('.')[0]!, 'base64url').toString(),
    /"kid":"newer"/,
  )
  assert.equal(verifies(loadKeyring(JSON.stringify({ keys: [newer] }), unused), signed), false)
  assert.equal(existsSync(unused), false)
})

const bad: Record<string, string> = {
  'text that is no JSON': '{nothing',
  'a file that is not there': join(folder, 'nowhere.json'),
  'no keys': '{"keys":[]}',
  'a bare key': JSON.stringify(jwk()),
  'a public key': JSON.stringify({ keys: [{ ...jwk(), d: undefined }] }),
  'another curve': JSON.stringify({ keys: [jwk('P-384')] }),
  'a symmetric key': JSON.stringify({ keys: [{ kty: 'oct', k: 'AAAA' }] }),
  'a broken key': JSON.stringify({ keys: [{ ...jwk(), d: 'AA' }] }),
}
for (const [what, source] of Object.entries(bad)) {
  test(`${what}: refused, and no other key is made in its place`, () => {
    const file = join(folder, 'never.json')
    assert.throws(() => loadKeyring(source, file))
    assert.equal(existsSync(file), false)
  })
}
