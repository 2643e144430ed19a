/** Whatever is done to any of 10,000 records is found, and its place is named. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type DamageKind, type ExportEntry, verifyExport } from '@portcullis/protocol'
import { sha256 } from '../../packages/server/src/adapters/vault.ts'
import { verifyLog } from '../../packages/server/src/app/audit/verify-log.ts'
import { random, range } from '../support/load.ts'
import { testLog, txnIdOf } from '../support/evidence.ts'

const RECORDS = 10_000
const SAMPLES = 6
const SEED = 20_261_120

const log = await testLog()
after(() => log.close())
for (let filled = 0; filled < RECORDS; filled += 1_000) await log.fill(1_000)
const whole = await log.export()
const jwks = log.env.keyring.jwks()
const check = (lines: Iterable<string>) =>
  verifyExport(lines, { jwks, origin: 'did:test/audit', hash: sha256 })

const next = random(SEED)
/** Samples over the whole file, its first and last entry among them. */
const places = (count = SAMPLES): number[] => [
  0,
  RECORDS - 1,
  ...range(count - 2).map(() => Math.floor(next() * RECORDS)),
]
/** The entry with this index stands on this line, counted from 0. */
const LINE = 1

async function found(lines: string[], kind: DamageKind | RegExp, index: number) {
  const reading = await check(lines)
  assert.ok(!reading.ok, `${String(kind)} at ${index} was not found`)
  const { damage } = reading
  assert.match(damage.kind, kind instanceof RegExp ? kind : new RegExp(`^${kind}$`), damage.message)
  return damage
}

test('the untouched export of 10,000 records is good', async () => {
  const reading = await check(whole)
  assert.ok(reading.ok)
  assert.equal(reading.entries, RECORDS)
})

/** One change of each member of an entry. */
const EDITS: readonly ((entry: ExportEntry) => object)[] = [
  (entry) => ({
    leafData: Buffer.from(
      Buffer.from(entry.leafData ?? '', 'base64')
        .toString()
        .replace('CLEAR', 'BLOCK'),
    ).toString('base64'),
  }),
  (entry) => ({
    leafHash: `${entry.leafHash.slice(0, -1)}${entry.leafHash.endsWith('0') ? 1 : 0}`,
  }),
  () => ({ txnId: 'txn_ZZZZZZZZ' }),
  () => ({ receipt: 'another receipt' }),
  () => ({ leafData: null }),
  (entry) => ({ hashes: entry.hashes.slice(1) }),
  () => ({ kind: 'hold' }),
]

test('an edited record is found and named', async () => {
  for (const [sample, index] of places(EDITS.length).entries()) {
    const lines = [...whole]
    const entry = JSON.parse(lines[index + LINE]!) as ExportEntry
    const edit = EDITS[sample % EDITS.length]!
    lines[index + LINE] = JSON.stringify({ ...entry, ...edit(entry) })
    const damage = await found(lines, 'altered', index)
    assert.deepEqual([damage.line, damage.leafIndex], [index + 2, index])
  }
})

test('a deleted record is found, with its neighbours', async () => {
  for (const index of places()) {
    const damage = await found(whole.toSpliced(index + LINE, 1), 'missing', index)
    assert.equal(damage.leafIndex, index)
    if (index > 0) assert.ok(damage.message.includes(txnIdOf(index - 1)))
  }
})

test('an inserted record, copied or made up, is found', async () => {
  for (const [sample, index] of places().entries()) {
    const copied = whole[(index % (RECORDS - 7)) + LINE + 7]!
    const made = copied.replaceAll('txn_', 'txn_X')
    const damage = await found(
      whole.toSpliced(index + LINE, 0, sample % 2 === 0 ? copied : made),
      /inserted|reordered/,
      index,
    )
    assert.equal(damage.line, index + 2)
  }
})

test('two records that changed places are found', async () => {
  for (const index of places()) {
    const other = (index + 1 + Math.floor(next() * (RECORDS - 1))) % RECORDS
    const lines = [...whole]
    lines[index + LINE] = whole[other + LINE]!
    lines[other + LINE] = whole[index + LINE]!
    const damage = await found(lines, 'reordered', index)
    assert.equal(damage.line, Math.min(index, other) + 2)
  }
})

test('an export that was cut off is found, between lines and within one', async () => {
  for (const [sample, index] of places().entries()) {
    const lines = whole.slice(0, index + LINE)
    if (sample % 2 === 0) lines.push(whole[index + LINE]!.slice(0, 100))
    const damage = await found(lines, 'truncated', index)
    assert.equal(damage.leafIndex, index === 0 ? null : index - 1)
  }
  await found(whole.slice(0, -1), 'truncated', RECORDS)
})

test('a header, or a signature, of another log is found', async () => {
  const header = JSON.parse(whole[0]!) as { checkpoint: { size: number } }
  const other = { ...header, checkpoint: { ...header.checkpoint, size: RECORDS - 1 } }
  await found([JSON.stringify(other), ...whole.slice(1)], 'altered', 0)
  const end = whole.at(-1)!.replace('"manifest":"', '"manifest":"x')
  await found([...whole.slice(0, -1), end], 'altered', RECORDS)
})

test('the store itself: each kind of damage is named by the check of the whole log', async () => {
  const store = await testLog()
  await store.fill(1_500)
  assert.equal((await verifyLog(store.env)).damage, undefined)
  const damages = async (sql: string, undo: string) => {
    store.tamper((db) => db.exec(sql))
    const { damage } = await verifyLog(store.env)
    store.tamper((db) => db.exec(undo))
    return damage
  }
  const cases: [string, string, DamageKind, string | null][] = [
    [
      `update audit_entries set verdict = 'BLOCK' where seq = 701`,
      `update audit_entries set verdict = 'CLEAR' where seq = 701`,
      'altered',
      txnIdOf(700),
    ],
    [
      `update audit_entries set facts = facts || ' ' where seq = 1`,
      `update audit_entries set facts = trim(facts) where seq = 1`,
      'altered',
      txnIdOf(0),
    ],
    [
      `create table kept as select * from audit_entries where seq = 1500; delete from audit_entries where seq = 1500`,
      `insert into audit_entries select * from kept; drop table kept`,
      'missing',
      null,
    ],
    [
      `update audit_entries set seq = 0 where seq = 10; update audit_entries set seq = 10 where seq = 900; update audit_entries set seq = 900 where seq = 0`,
      `update audit_entries set seq = 0 where seq = 10; update audit_entries set seq = 10 where seq = 900; update audit_entries set seq = 900 where seq = 0`,
      'reordered',
      txnIdOf(899),
    ],
    [
      `insert into audit_entries select -5, 'txn_FORGED00', operator_id, agent_id, verdict, screened_at_ms, spend_micro_usd, charge, record, facts, agent_ordinal, purged_at_ms, leaf from audit_entries where seq = 3`,
      `delete from audit_entries where seq = -5`,
      'inserted',
      'txn_FORGED00',
    ],
    [
      `update audit_entries set record = '', facts = '', purged_at_ms = 1 where seq = 20; `,
      '',
      'missing',
      txnIdOf(19),
    ],
  ]
  for (const [sql, undo, kind, txnId] of cases) {
    const damage = await damages(sql, undo)
    assert.deepEqual([damage?.kind, damage?.txnId], [kind, txnId], sql)
  }
  await store.close()
})

test('a store put back to an earlier state is found with a kept checkpoint', async () => {
  const [store, longer] = [await testLog(), await testLog()]
  await store.fill(300)
  await longer.fill(1)
  const kept = (await store.env.store.newestCheckpoint())!
  store.tamper((db) =>
    db.exec(
      `update audit_entries set facts = 'rewritten', leaf = null where seq = 300; delete from audit_runs; delete from audit_tiles; delete from audit_checkpoints;`,
    ),
  )
  await store.fill(1)
  assert.equal((await verifyLog(store.env)).damage, undefined)
  const { damage } = await verifyLog(store.env, { kept: [kept] })
  assert.equal(damage?.kind, 'altered')
  for (const one of [store, longer]) await one.close()
})
