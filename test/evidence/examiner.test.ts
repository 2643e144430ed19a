/** What would mislead an examiner: parts that pass for the whole, options that were passed over. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { verifyExport } from '@portcullis/protocol'
import { sha256 } from '../../packages/server/src/adapters/vault.ts'
import { sealAll } from '../../packages/server/src/app/audit/sealer.ts'
import { testLog } from '../support/evidence.ts'
import { assertError } from '../support/errors.ts'
import { bearer, type Party, startTestService, tempDir } from '../support/service.ts'

const CLI = fileURLToPath(new URL('../../packages/server/src/cli/main.ts', import.meta.url))

const api = await startTestService()
const log = await testLog()
after(async () => {
  await api.stop()
  await log.close()
})

const audit = (variables: Readonly<Record<string, string>>, ...args: string[]) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const env = { PATH: process.env['PATH'], ...variables }
    const child = execFile(process.execPath, [CLI, 'audit', ...args], { env }, (_e, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    )
  })

const exported = async (party: Party, query: string): Promise<string[]> => {
  const path = `/v1/audit/export?${query}`
  const { text } = await api.call(path, { headers: bearer(party.operatorToken) })
  return text.trimEnd().split('\n')
}

const read = async (lines: readonly string[]) =>
  verifyExport(lines, {
    jwks: await api.jwks(),
    origin: 'did:kya:service-alpha/audit',
    hash: sha256,
  })

describe('an export of some records does not pass for one of all', () => {
  test('its filters are said, and signed', async () => {
    const party = await api.party()
    await api.screen(party)
    const filters = { verdict: 'CLEAR', agentId: party.agentId }
    const query = new URLSearchParams(filters).toString()
    const lines = await exported(party, query)
    const header = JSON.parse(lines[0]!) as object
    assert.deepEqual({ ...header, ...filters }, header)
    const good = await read(lines)
    assert.ok(good.ok)
    assert.deepEqual({ ...good.scope, ...filters }, good.scope)
    for (const name of Object.keys(filters)) {
      const whole = JSON.stringify({ ...header, [name]: null })
      const reading = await read(lines.with(0, whole))
      assert.ok(!reading.ok && reading.damage.line === 1, name)
    }
    const file = join(mkdtempSync(join(tempDir(), 'export-')), 'part.jsonl')
    writeFileSync(file, `${lines.join('\n')}\n`)
    const { out } = await audit({}, 'verify', file)
    assert.match(out, new RegExp(`only, verdict CLEAR only`))
  })

  test('a file of another kind is named as that', async () => {
    for (const line of ['{"origin":"did:test/audit","size":1}', 'leafIndex,kind', '']) {
      const other = await read([line])
      assert.ok(!other.ok)
      assert.equal(other.damage.message, 'it is not the header of an export')
    }
  })

  test('a header or an end that says two things is damage', async () => {
    const lines = await exported(await api.party(), '')
    const [header = '', end = ''] = lines
    const twice = header.replace('{', '{"operatorId":"op_another",')
    const other = await read([twice, end])
    assert.ok(!other.ok && other.damage.line === 1)
    const more = await read([header, end.replace('{', '{"entries":7,')])
    assert.ok(!more.ok)
  })
})

test('no cell of the CSV is a formula, behind a space or in full width either', async () => {
  const party = await api.party()
  for (const cpName of [' =1+1', '\n=1', '＝1+1', '＠SUM']) await api.screen(party, { cpName })
  const csv = (await exported(party, 'format=csv')).join('\n')
  assert.equal(/(^|[,"])\s*[=＝＠]/m.test(csv.replaceAll('\n=', '=')), false, csv)
})

describe('portcullis audit verify', () => {
  test('refuses options that it would pass over', async () => {
    for (const args of [
      ['--jwks', 'x'],
      ['--issuer', 'x'],
      ['file', '--receipts'],
      ['file', '--checkpoint', 'x'],
    ]) {
      const { code, err } = await audit(log.variables, 'verify', ...args)
      assert.equal(code, 2)
      assert.match(err, /^--\w+ is for /)
    }
  })

  test('as does `replay` of one screen: a policy is not tried on it', async () => {
    for (const args of [
      ['--policy', 'new.json'],
      ['--from', '2026-01-01'],
    ]) {
      const { code, err } = await audit(log.variables, 'replay', 'txn_00000000', ...args)
      assert.deepEqual([code, /is for screens between two times/.test(err)], [2, true], err)
    }
  })

  test('says that there are entries which it did not check', async () => {
    await log.fill(3)
    const good = await audit(log.variables, 'verify')
    assert.deepEqual(
      [good.code, good.out],
      [0, 'good: 3 entries, 0 of them purged, 1 checkpoints\n'],
    )
    log.tamper((db) => {
      for (const table of ['audit_runs', 'audit_tiles', 'audit_checkpoints']) {
        db.exec(`delete from ${table}`)
      }
    })
    assert.match((await audit(log.variables, 'verify')).out, /not checked: there are newer entries/)
    await sealAll(log.env)
  })

  test('without the keys of the log it says so, and makes none', async () => {
    const { code, err } = await audit({ DATA_DIR: log.dataDir }, 'verify')
    assert.equal(code, 2)
    assert.match(err, /the keys of the log are not at/)
    assert.deepEqual(readdirSync(log.dataDir).includes('keys'), false)
  })
})

describe('who decides', () => {
  const INVISIBLE = ['\u200B\u200B', '\u3164', '---', '\u00AD.']
  const held = async (party: Party): Promise<string> =>
    (await api.screen(party, { amount: 5 })).body.txnId
  const LIMIT = { maxSingleTxUSDC: 1 }

  test('is nobody when nothing can be read', async () => {
    const party = await api.party(LIMIT)
    const txnId = await held(party)
    const headers = bearer(party.operatorToken)
    for (const name of INVISIBLE) {
      const body = { disposition: 'APPROVED', reviewedBy: name }
      assertError(
        await api.call(`/v1/reviews/${txnId}`, { method: 'POST', headers, body }),
        'missing_reviewer',
        { field: 'reviewedBy' },
      )
      const hold = { legalHold: true, by: name }
      assertError(
        await api.call(`/v1/audit/${txnId}`, { method: 'PATCH', headers, body: hold }),
        'invalid_request',
        { field: 'by' },
      )
    }
  })

  test('four eyes switched on and off is in the log, once for each change', async () => {
    const party = await api.party(LIMIT)
    for (const fourEyes of [false, true, true, false]) {
      const headers = bearer(party.operatorToken)
      await api.call('/v1/operators/me', { method: 'PATCH', headers, body: { fourEyes } })
    }
    await sealAll(api.service.env)
    const { leaves } = await api.service.env.store.leaves(0, 512)
    const switched = leaves.flatMap(({ entry }) =>
      entry?.operatorId === party.operatorId && entry.txnId === null ? [entry.kind] : [],
    )
    assert.deepEqual(switched, ['four-eyes-on', 'four-eyes-off'])
  })

  test('is one person in whatever order the words of the name stand', async () => {
    const party = await api.party(LIMIT)
    const headers = bearer(party.operatorToken)
    await api.call('/v1/operators/me', { method: 'PATCH', headers, body: { fourEyes: true } })
    const path = `/v1/reviews/${await held(party)}`
    const by = (reviewedBy: string) =>
      api.call(path, { method: 'POST', headers, body: { disposition: 'APPROVED', reviewedBy } })
    assert.equal((await by('Jo Smith')).status, 200)
    assertError(await by('SMITH, Jo'), 'second_reviewer_needed', { field: 'reviewedBy' })
    assert.equal((await by('Ada')).status, 200)
  })
})
