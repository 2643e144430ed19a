/** A case file is proven offline: whatever it says of the past, the log says it too. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  type AuditProof,
  CASE_NAME,
  type CaseFile,
  hexOf,
  type JwksDocument,
  leafHash,
  verifyCaseFile,
  verifyProof,
} from '@portcullis/protocol'
import { sha256 } from '../../packages/server/src/adapters/vault.ts'
import { bearer, startTestService } from '../support/service.ts'

const api = await startTestService()
after(() => api.stop())
const CLI = fileURLToPath(new URL('../../packages/server/src/cli/main.ts', import.meta.url))

const party = await api.party({ maxSingleTxUSDC: 1 })
const headers = bearer(party.operatorToken)
const post = (path: string, body: object, method = 'POST') =>
  api.call(path, { headers, body, method })
await api.screen(party, { amount: 1 })
const { txnId } = (await api.screen(party, { amount: 5 })).body
await post('/v1/operators/me', { fourEyes: true }, 'PATCH')
for (const [disposition, reviewedBy] of [
  ['APPROVED', 'Ada'],
  ['ESCALATE_SAR', 'Grace'],
  ['ESCALATE_SAR', 'Ada'],
]) {
  const notes = `what ${reviewedBy} saw`
  assert.equal((await post(`/v1/reviews/${txnId}`, { disposition, reviewedBy, notes })).status, 200)
}
await post(`/v1/audit/${txnId}`, { legalHold: true, by: 'counsel' }, 'PATCH')
const read = await api.call<CaseFile>(`/v1/reviews/${txnId}/case`, { headers })
const file = read.body
const jwks: JwksDocument = await api.jwks()
const check = {
  jwks,
  issuer: 'did:kya:service-alpha',
  origin: 'did:kya:service-alpha/audit',
  hash: sha256,
}

test('holds facts, evidence, history, receipt and proof, down to a signed checkpoint', async () => {
  const reading = await verifyCaseFile(file, check)
  assert.ok(reading.ok, JSON.stringify(reading))
  assert.equal(file.record.disposition, 'ESCALATE_SAR')
  // Two proposals, the disposition and the hold.
  assert.equal(file.furtherProofs.length, 4)
  assert.ok(file.history.atScreen !== undefined)
})

type Path = readonly (string | number)[]

function* scalarPaths(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null) {
    yield path
    return
  }
  for (const [name, member] of Object.entries(value)) yield* scalarPaths(member, [...path, name])
}

/** The file with another value at one place. */
function changed(path: Path): CaseFile {
  const copy = structuredClone(file) as unknown as Record<string, unknown>
  const last = path.at(-1) ?? ''
  const holder = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>((at, name) => at[name] as Record<string, unknown>, copy)
  const before = holder[last]
  holder[last] =
    typeof before === 'number'
      ? before + 1
      : typeof before === 'boolean'
        ? !before
        : `${String(before)}x`
  return copy as unknown as CaseFile
}

test('no value in it can be another without being found', async () => {
  let tried = 0
  for (const path of scalarPaths(file)) {
    const reading = await verifyCaseFile(changed(path), check)
    assert.equal(reading.ok, false, path.join('.'))
    tried++
  }
  assert.ok(tried > 100, String(tried))
})

test('nothing can be left out of it', async () => {
  const without: [string, (copy: CaseFile) => object][] = [
    ['a proof', (copy) => ({ ...copy, furtherProofs: copy.furtherProofs.slice(1) })],
    [
      'the disposition',
      ({ record: { disposition: _, ...record }, ...copy }) => ({ ...copy, record }),
    ],
    [
      'a fact',
      ({ facts: { now: _, ...facts }, ...copy }: CaseFile & { facts: { now?: unknown } }) => ({
        ...copy,
        facts,
      }),
    ],
    ['a proposal', (copy) => ({ ...copy, history: { ...copy.history, proposals: [] } })],
    ['the history', (copy) => ({ ...copy, history: { ...copy.history, atScreen: undefined } })],
    ['what is known now', (copy) => ({ ...copy, history: { ...copy.history, now: undefined } })],
    ['the hold', (copy) => ({ ...copy, furtherProofs: copy.furtherProofs.slice(0, -1) })],
    ['a key', (copy) => ({ ...copy, receipt: { ...copy.receipt, keys: [] } })],
    ['the signature', ({ manifest: _, ...copy }) => copy],
    [
      'the signature of before',
      ({ manifest: _, ...copy }) => ({ ...copy, format: `${CASE_NAME}1` }),
    ],
  ]
  for (const [what, change] of without) {
    const reading = await verifyCaseFile(change(file) as CaseFile, check)
    assert.equal(reading.ok, false, what)
  }
})

describe('portcullis audit verify', () => {
  const verify = (value: unknown) =>
    new Promise<{ code: number; out: string }>((resolve) => {
      const [name, keys] = [join(api.dataDir, 'file.json'), join(api.dataDir, 'jwks.json')]
      writeFileSync(name, JSON.stringify(value, null, 2))
      writeFileSync(keys, JSON.stringify(jwks))
      const args = [CLI, 'audit', 'verify', name, '--jwks', keys]
      const child = execFile(process.execPath, args, (_error, out) =>
        resolve({ code: child.exitCode ?? -1, out }),
      )
    })

  test('verifies a case file and a proof without store or service', async () => {
    assert.match((await verify(file)).out, new RegExp(`^good: the case file of ${txnId}, leaf 1`))
    const { body } = await api.call<AuditProof>(`/v1/audit/${txnId}/proof`, { headers })
    assert.match((await verify(body)).out, new RegExp(`^good: the proof of ${txnId}, leaf 1`))
    const bad = await verify({ ...file, record: { ...file.record, riskScore: 0 } })
    assert.deepEqual([bad.code, bad.out.includes('`record.riskScore`')], [4, true], bad.out)
    const otherLeaf = await verify({ ...body, leafIndex: 0 })
    assert.equal(otherLeaf.code, 4)
  })
})

test('a proof made by hand does not verify: its root is signed', async () => {
  const data = new TextEncoder().encode(JSON.stringify({ txnId, kind: 'screen' }))
  const forged = {
    ...file.proof,
    leafData: Buffer.from(data).toString('base64'),
    leafHash: hexOf(leafHash(data)),
  }
  assert.equal((await verifyProof(forged, check)).ok, false)
})
