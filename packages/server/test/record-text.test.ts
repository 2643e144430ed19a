/** A record lies in its row without what it says twice, and comes back byte for byte. */
import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { after, test } from 'node:test'
import type { AuditRecord, TxnId } from '@portcullis/protocol'
import fc from 'fast-check'
import { OPERATOR, testLog, txnIdOf } from '../../../test/support/evidence.ts'
import { verifyLog } from '../src/app/audit/verify-log.ts'

const log = await testLog()
after(() => log.close())
/** Beside the ids of `fill`. */
let written = 1_000_000

async function keep(parts: { readonly receipt: string; readonly lists?: unknown }) {
  const txnId: TxnId = txnIdOf(written++)
  const record = { txnId, verdict: 'CLEAR', ...parts, log: [] } as unknown as AuditRecord
  const key = {
    operatorId: OPERATOR,
    agentId: undefined,
    userId: undefined,
    date: '2026-11-20',
    month: '2026-11',
    screensPerMinute: () => 60,
    newTxnId: () => txnId,
  }
  const audit = { txnId, operatorId: OPERATOR, agentId: null, verdict: 'CLEAR' as const }
  await log.env.store.commitScreen(key, () => ({
    audit: { ...audit, screenedAt: 1, record, facts: '{}' },
    spend: 0n as never,
    charge: 0,
    history: undefined,
    effects: [],
  }))
  return { txnId, text: JSON.stringify(record) }
}

const lists = fc.array(fc.record({ list: fc.string(), date: fc.string({ unit: 'binary' }) }))
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const receipts = fc.oneof(
  fc.tuple(lists, fc.string({ unit: 'binary' })).map(([of, name]) => {
    return `head.${base64url({ lists: of, name })}.signature`
  }),
  fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 }).map((parts) => parts.join('.')),
)

test('whatever a record says comes back as it was', async () => {
  const drawn = fc.sample(fc.record({ receipt: receipts, lists }), { numRuns: 300, seed: 3 })
  const kept = await Promise.all(drawn.map(keep))
  await log.fill(0)
  const { leaves } = await log.env.store.leaves(0, drawn.length)
  const found = new Map(leaves.map(({ txnId, entry }) => [txnId, entry?.record]))
  for (const { txnId, text } of kept) assert.equal(found.get(txnId), text)
  assert.equal((await verifyLog(log.env)).damage, undefined)
})

test('list versions lie there once, however many records name them', async () => {
  const versions = [{ list: 'OFAC_SDN', contentHash: 'f'.repeat(64), date: '2026-11-20' }]
  const receipt = `head.${base64url({ lists: versions })}.signature`
  for (let n = 0; n < 3; n++) await keep({ receipt, lists: versions })
  let rows: { record: unknown; texts: unknown } | undefined
  log.tamper((db) => {
    rows = db
      .prepare(
        `select (select count(*) from audit_entries where record like '%ffffffff%') as record,
           (select count(*) from audit_texts where text like '%ffffffff%') as texts`,
      )
      .get() as typeof rows
  })
  assert.deepEqual({ ...rows }, { record: 0, texts: 1 })
})

test('who changes or takes away what records share is found', async () => {
  await log.fill(1)
  const change = async (sql: string) => {
    log.tamper((db) => db.exec(sql))
    return (await verifyLog(log.env)).damage?.kind
  }
  const where = `where text like '%ffffffff%'`
  assert.equal(await change(`update audit_texts set text = text || ' ' ${where}`), 'altered')
  assert.equal(await change(`update audit_texts set text = rtrim(text) ${where}`), undefined)
  assert.equal(await change(`delete from audit_texts ${where}`), 'altered')
})
