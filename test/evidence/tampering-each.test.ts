/** Each of 10,000 records, one at a time: edited, deleted, inserted, moved, cut off; all found. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  damageFinder,
  entryReader,
  type ExportClaims,
  type ExportEnd,
  type ExportEntry,
  type ExportHeader,
  jwsParts,
  type ReadLine,
  truncated,
} from '@portcullis/protocol'
import { sha256 } from '../../packages/server/src/adapters/vault.ts'
import { OPERATOR, testLog, txnIdOf } from '../support/evidence.ts'
import { random, range } from '../support/load.ts'

const RECORDS = 10_000
const HOLDS = 100
const SEED = 5

const log = await testLog()
after(() => log.close())
for (let filled = HOLDS; filled < RECORDS; filled += 1_100) await log.fill(1_100)
for (const n of range(HOLDS)) {
  const about = { txnId: txnIdOf(n * 7), operatorId: OPERATOR, at: log.env.clock.now() }
  const body = JSON.stringify({ by: 'counsel', reason: null })
  assert.ok(await log.env.store.addAuditEvent({ kind: 'hold', ...about, body }))
}
const whole = await log.export()
const header = JSON.parse(whole[0]!) as ExportHeader
const end = JSON.parse(whole.at(-1)!) as ExportEnd
const lines = whole.slice(1, -1)

// The verifier in its two parts, so that one line that changed does not cost reading 10,000. That
// both together are `verifyExport` is shown by tampering.test.ts on whole files.
const readEntry = entryReader(header.checkpoint, sha256)
const damageIn = damageFinder(jwsParts(end.manifest).payload as ExportClaims)
const read: readonly ReadLine[] = lines.map(readEntry)

test('the untouched log of 10,000 entries is good', () => {
  assert.equal(lines.length, RECORDS)
  assert.equal(damageIn(read), undefined)
})

const next = random(SEED)
const other = (index: number): number => (index + 1 + Math.floor(next() * (RECORDS - 1))) % RECORDS
/** The first entry stands on line 2. */
const lineOf = (index: number): number => index + 2

const flipped = (hex: string): string => `${hex.startsWith('0') ? '1' : '0'}${hex.slice(1)}`

/** Every member of an entry, and every member of what its leaf commits to. */
const EDITS: readonly ((entry: ExportEntry) => object)[] = [
  inLeaf('"record":"', '"record":" '),
  inLeaf('"kind":"', '"kind":"x'),
  inLeaf('"operatorId":"', '"operatorId":"x'),
  inLeaf('"at":"2', '"at":"3'),
  inLeaf('"hashVersion":1', '"hashVersion":2'),
  inLeaf('"txnId":"', '"txnId":"x'),
  ofScreen('"facts":"{', '"facts":"{ '),
  ofScreen('"verdict":"CLEAR"', '"verdict":"BLOCK"'),
  ofScreen('"agentId":null', '"agentId":"agt_x"'),
  ofScreen('"spendMicroUsd":"0"', '"spendMicroUsd":"1"'),
  ofScreen('"charge":0', '"charge":1'),
  ofScreen('receipt of', 'receipt 0f'),
  (entry) => ({ leafHash: flipped(entry.leafHash) }),
  (entry) => ({ leafIndex: entry.leafIndex + RECORDS }),
  (entry) => ({ leafIndex: other(entry.leafIndex) }),
  () => ({ txnId: 'txn_ZZZZZZZZ' }),
  () => ({ txnId: null }),
  (entry) => ({ kind: entry.kind === 'hold' ? 'release' : 'hold' }),
  (entry) => ({ receipt: `${entry.receipt ?? ''}x` }),
  () => ({ leafData: null }),
  () => ({ leafData: 'no base64' }),
  (entry) => ({ hashes: entry.hashes.slice(1) }),
  (entry) => ({ hashes: [...entry.hashes, ...entry.hashes.slice(0, 1)] }),
  (entry) => ({ hashes: entry.hashes.toReversed() }),
  (entry) => ({ hashes: entry.hashes.map((hash, at) => (at === 3 ? flipped(hash) : hash)) }),
  () => ({ type: 'note' }),
  () => ({ remark: 'nobody signed this' }),
]

function inLeaf(found: string, put: string) {
  return ({ leafData }: ExportEntry): object => {
    const text = Buffer.from(leafData ?? '', 'base64').toString()
    assert.ok(text.includes(found), `${found} in ${text}`)
    return { leafData: Buffer.from(text.replace(found, put)).toString('base64') }
  }
}

/** What only a screen has; of another entry its text is changed. */
function ofScreen(found: string, put: string) {
  const [screen, text] = [inLeaf(found, put), inLeaf('"record":"', '"record":" ')]
  return (entry: ExportEntry): object => (entry.kind === 'screen' ? screen : text)(entry)
}

test('edited, in every member in turn: found on its line', () => {
  for (const [index, line] of lines.entries()) {
    const entry = JSON.parse(line) as ExportEntry
    const edited = JSON.stringify({ ...entry, ...EDITS[index % EDITS.length]!(entry) })
    const damage = damageIn(read.with(index, readEntry(edited)))
    assert.equal(damage?.line, lineOf(index), edited)
  }
})

test('written otherwise, though it reads alike: found on its line', () => {
  for (const [index, line] of lines.entries()) {
    const alike = [
      line.replace('"txnId"', '"txnId":"txn_ZZZZZZZZ","txnId"'),
      line.replace('{', '{ '),
      `${line} `,
      line.replace('"hashes"', '"h\\u0061shes"'),
    ]
    const damage = damageIn(read.with(index, readEntry(alike[index % alike.length]!)))
    assert.equal(damage?.line, lineOf(index))
  }
})

test('deleted: found, with the leaf that is missing', () => {
  for (const index of range(RECORDS)) {
    const damage = damageIn(read.toSpliced(index, 1))
    assert.deepEqual([damage?.kind, damage?.leafIndex], ['missing', index])
  }
})

test('inserted, a copy or one of somebody’s own: found on its line', () => {
  for (const index of range(RECORDS)) {
    const copied = lines[other(index)]!
    const line = index % 2 === 0 ? copied : copied.replaceAll('txn_', 'txn_X')
    const damage = damageIn(read.toSpliced(index, 0, readEntry(line)))
    assert.match(damage?.kind ?? '', /^(inserted|reordered)$/)
    assert.equal(damage?.line, lineOf(index))
  }
})

test('changed places with another: found at the first of the two', () => {
  for (const index of range(RECORDS)) {
    const place = other(index)
    const damage = damageIn(read.with(index, read[place]!).with(place, read[index]!))
    const first = Math.min(index, place)
    assert.deepEqual([damage?.kind, damage?.line], ['reordered', lineOf(first)])
  }
})

test('cut off there: found, with and without the signed end', () => {
  for (const index of range(RECORDS)) {
    const cut = read.slice(0, index)
    const bare = truncated(cut)
    assert.deepEqual([bare.kind, bare.leafIndex], ['truncated', index === 0 ? null : index - 1])
    const damage = damageIn(cut)
    assert.deepEqual([damage?.kind, damage?.leafIndex], ['missing', index])
  }
})
