/** `portcullis audit`, as an examiner runs it; and a service killed while sealing. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inParallel, range } from '../support/load.ts'
import { spawnService } from '../support/process.ts'
import { tempDir } from '../support/service.ts'

const CLI = fileURLToPath(new URL('../../packages/server/src/cli/main.ts', import.meta.url))
const DATA_DIR = tempDir()
const at = (name: string): string => join(DATA_DIR, name)

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

const audit = (...args: string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], DATA_DIR, RETENTION_DAYS: '90' }
    const child = execFile(process.execPath, [CLI, 'audit', ...args], { env }, (_e, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    )
  })

test('a service killed while it seals leaves a log that is whole and goes on', async () => {
  const txnIds: string[] = []
  for (const moment of [430, 510, 620]) {
    const running = await spawnService({ DATA_DIR })
    const party = await running.client.party()
    const load = inParallel(range(600), 32, async () => {
      try {
        const { body } = await running.client.screen(party, { amount: 1, cpName: 'Acme Corp' })
        txnIds.push(body.txnId)
      } catch {
        // Whoever was not answered has no record to miss.
      }
    })
    await pause(moment)
    await running.end('SIGKILL')
    await load
    const { code, out } = await audit('verify', '--receipts')
    assert.equal(code, 0, out)
  }
  const verified = await audit('verify')
  assert.match(verified.out, /^good: \d+ entries, 0 of them purged/)
  const db = new DatabaseSync(at('portcullis.sqlite'), { readOnly: true })
  const count = (sql: string) => Number(db.prepare(sql).get()?.['n'])
  const records = count('select count(*) as n from audit_entries')
  assert.ok(records >= txnIds.length && txnIds.length > 100, `${records}, ${txnIds.length}`)
  const exported = await audit('export', '--out', at('all.jsonl'))
  assert.equal(exported.code, 0, exported.err)
  assert.equal(count('select sum(entries) as n from audit_runs'), records)
  db.close()
})

test('an export verifies offline with keys from elsewhere, and damage is named', async () => {
  const file = at('all.jsonl')
  const running = await spawnService({ DATA_DIR })
  writeFileSync(at('jwks.json'), JSON.stringify(await running.client.jwks()))
  await running.end('SIGTERM')
  const good = await audit('verify', file, '--jwks', at('jwks.json'))
  assert.deepEqual([good.code, good.out.slice(0, 5)], [0, 'good:'], good.err)
  const lines = readFileSync(file, 'utf8').split('\n')
  writeFileSync(at('bad.jsonl'), lines.toSpliced(40, 1).join('\n'))
  const bad = await audit('verify', at('bad.jsonl'), '--jwks', at('jwks.json'))
  assert.deepEqual([bad.code, /^MISSING: line 41,/.test(bad.out)], [4, true], bad.out)
  const { txnId } = JSON.parse(lines[5]!) as { txnId: string }
  writeFileSync(
    at('bad.jsonl'),
    lines.with(5, lines[5]!.replace('"leafData":"e', '"leafData":"f')).join('\n'),
  )
  const altered = await audit('verify', at('bad.jsonl'))
  assert.match(altered.out, new RegExp(`^ALTERED: line 6, ${txnId}`))
  assert.match(altered.err, /proves no origin/)
})

test('an interrupted export goes on from its last whole line', async () => {
  const lines = readFileSync(at('all.jsonl'), 'utf8')
  const cut = Math.floor(lines.length / 3)
  writeFileSync(at('again.jsonl.part'), lines.slice(0, cut))
  const { code, err } = await audit('export', '--out', at('again.jsonl'), '--resume')
  assert.equal(code, 0, err)
  const again = await audit('verify', at('again.jsonl'), '--jwks', at('jwks.json'))
  assert.match(again.out, /^good:/)
})

test('replay gives the recorded verdict, and a policy can be tried on the past', async () => {
  const { txnId } = JSON.parse(readFileSync(at('all.jsonl'), 'utf8').split('\n')[3]!) as {
    txnId: string
  }
  assert.match((await audit('replay', txnId)).out, /^the same: (CLEAR|REVIEW)/)
  assert.match((await audit('replay')).out, /screens replayed, 0 differ/)
  writeFileSync(at('policy.json'), JSON.stringify({ maxSingleTxUSDC: 0.5 }))
  const tried = await audit('replay', '--policy', at('policy.json'))
  assert.match(tried.out, /would change\n/)
  writeFileSync(at('policy.json'), JSON.stringify({ maxSingleTx: 0.5 }))
  assert.equal((await audit('replay', '--policy', at('policy.json'))).code, 2)
  assert.equal((await audit('replay', 'txn_00000000')).code, 2)
})

test('hold, purge and CSV from the command line', async () => {
  const csv = await audit('export', '--format', 'csv', '--from', '2000-01-01')
  const [head, row = ''] = csv.out.split('\r\n')
  assert.match(head ?? '', /^leafIndex,kind,txnId/)
  const [, , txnId = '', , operatorId = ''] = row.split(',')
  const held = await audit('hold', txnId, '--operator', operatorId, '--by', 'counsel')
  assert.match(held.out, /"legalHold":true/)
  assert.equal((await audit('purge')).out, '0 expired records were purged\n')
  assert.match((await audit('verify')).out, /^good:/)
})
