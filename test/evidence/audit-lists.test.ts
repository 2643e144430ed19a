/** `GET /v1/audit` and its exports: pages that stand still, fields that are named, safe CSV. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { assertError } from '../support/errors.ts'
import { range } from '../support/load.ts'
import { bearer, type Party, startTestService } from '../support/service.ts'

const api = await startTestService({ VELOCITY_PER_MINUTE: '1000000' })
after(() => api.stop())

interface Listed {
  readonly items: readonly { readonly txnId: string }[]
  readonly nextCursor: string | null
}

const get = <Body>(party: Party, path: string) =>
  api.call<Body>(path, { headers: bearer(party.operatorToken) })

test('pages hold every record that was there, each once, while others arrive', async () => {
  const party = await api.party()
  const before = await Promise.all(range(60).map(async () => (await api.screen(party)).body.txnId))
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const path: string = `/v1/audit?limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`
    const [page] = await Promise.all([
      get<Listed>(party, path),
      ...range(5).map(() => api.screen(party)),
    ])
    seen.push(...page.body.items.map(({ txnId }) => txnId))
    cursor = page.body.nextCursor
  }
  assert.equal(new Set(seen).size, seen.length)
  assert.deepEqual(seen.slice(-60).toSorted(), before.toSorted())
})

describe('400 names the field', () => {
  const WRONG: readonly (readonly [query: string, field: string])[] = [
    ['from=yesterday', 'from'],
    ['from=2026-13-01', 'from'],
    ['from=2026-02-30', 'from'],
    ['from=2026-02-30T10:00:00Z', 'from'],
    ['from=2026-02-28T24:30:00Z', 'from'],
    ['from=2026-02-28T10:00', 'from'],
    ['to=1', 'to'],
    ['from=2026-03-02&to=2026-03-01', 'from'],
    ['from=2026-03-02T00:00:00.001Z&to=2026-03-02T00:00:00Z', 'from'],
    ['verdict=MAYBE', 'verdict'],
    ['agentId=x', 'agentId'],
    ['unknown=1', 'unknown'],
  ]
  const OF_LISTS = [
    ['cursor=x', 'cursor'],
    ['cursor=1-', 'cursor'],
    ['limit=0', 'limit'],
    ['limit=1000', 'limit'],
  ] as const
  test('of lists and of exports', async () => {
    const party = await api.party()
    for (const [query, field] of [...WRONG, ...OF_LISTS]) {
      assertError(await get(party, `/v1/audit?${query}`), 'invalid_request', { field })
    }
    for (const [query, field] of [...WRONG, ['format=xml', 'format']] as const) {
      assertError(await get(party, `/v1/audit/export?${query}`), 'invalid_request', { field })
    }
  })

  test('a range of one day, and of one instant, is a range', async () => {
    const party = await api.party()
    for (const time of ['2026-03-01', '2026-03-01T00:00:00Z']) {
      const { status } = await get(party, `/v1/audit?from=${time}&to=${time}`)
      assert.equal(status, 200)
    }
  })
})

/** RFC 4180, by its grammar. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [[]]
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|$)/y
  while (field.lastIndex < text.length) {
    const [, value = '', end = ''] = field.exec(text) ?? assert.fail(`at ${field.lastIndex}`)
    const plain = value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value
    rows.at(-1)?.push(plain)
    if (end === '\r\n') rows.push([])
  }
  assert.deepEqual(rows.pop(), [], 'the last row ends with CRLF')
  return rows
}

test('CSV is RFC 4180, and no field is a formula', async () => {
  const party = await api.party()
  const names = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    'a "quoted", one',
    'two\r\nlines',
    '\t=1',
    'Žluťoučký',
  ]
  for (const cpName of names) assert.equal((await api.screen(party, { cpName })).status, 200)
  const { text, headers } = await get(party, '/v1/audit/export?format=csv')
  assert.match(String(headers['content-type']), /^text\/csv/)
  const [head = [], ...rows] = csvRows(text)
  assert.equal(rows.length, names.length)
  const column = head.indexOf('cpName')
  for (const [index, row] of rows.entries()) {
    assert.equal(row.length, head.length)
    for (const field of row) assert.doesNotMatch(field, /^[=+\-@\t\r]/)
    const shown = row[column] ?? ''
    assert.equal(shown.replace(/^'/, ''), names[index])
  }
})

describe('a legal hold', () => {
  test('shows in the record and in the list, for as long as it stands', async () => {
    const party = await api.party()
    const ids: string[] = []
    for (const n of range(5)) ids.push((await api.screen(party, { amount: n })).body.txnId)
    const held = [ids[1]!, ids[3]!]
    const put = (txnId: string, legalHold: boolean) =>
      api.call(`/v1/audit/${txnId}`, {
        method: 'PATCH',
        headers: bearer(party.operatorToken),
        body: { legalHold, by: 'counsel', reason: 'case 7' },
      })
    for (const txnId of held) await put(txnId, true)
    const listed = async (query: string) =>
      (await get<Listed>(party, `/v1/audit?${query}`)).body.items.map(({ txnId }) => txnId)
    const others = [ids[4]!, ids[2]!, ids[0]!]
    assert.deepEqual(await listed('legalHold=true'), held.toReversed())
    assert.deepEqual(await listed('legalHold=false'), others)
    assert.deepEqual(await listed('legalHold=true&verdict=BLOCK'), [])
    const { body: first } = await get<Listed>(party, '/v1/audit?legalHold=true&limit=1')
    assert.deepEqual(await listed(`legalHold=true&limit=1&cursor=${first.nextCursor}`), [held[0]])

    const record = async (txnId: string) => {
      const { body } = await api.audit(party, txnId)
      const { items } = (await get<Listed>(party, '/v1/audit')).body
      assert.deepEqual(
        items.find((item) => item.txnId === txnId),
        body,
      )
      return { legalHold: body.legalHold, by: body.hold?.by, reason: body.hold?.reason }
    }
    const standing = { legalHold: true, by: 'counsel', reason: 'case 7' }
    assert.deepEqual(await record(held[0]!), standing)
    const none = { legalHold: undefined, by: undefined, reason: undefined }
    assert.deepEqual(await record(ids[0]!), none)
    await put(held[0]!, false)
    assert.deepEqual(await record(held[0]!), none)
    assert.deepEqual(await listed('legalHold=true'), [held[1]])
    await put(held[0]!, true)
    assert.deepEqual(await record(held[0]!), standing)
    for (const path of ['/v1/audit?legalHold=yes', '/v1/audit/export?legalHold=true']) {
      assert.equal((await get(party, path)).status, 400, path)
    }
  })
})
