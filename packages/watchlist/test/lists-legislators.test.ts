import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildWatchlist, ListRefused } from '../src/index.ts'
import { namesOf, readCurrent, readList } from './published-files.ts'
import { listOf } from './sample-lists.ts'
import { sharedText } from './shared-data.ts'

const MEMBER = {
  id: { bioguide: 'J000288' },
  name: {
    first: 'Henry',
    middle: 'Calvin',
    last: 'Johnson',
    suffix: 'Jr.',
    nickname: 'Hank',
    official_full: 'Henry C. "Hank" Johnson, Jr.',
  },
}
const read = (value: unknown) =>
  readList('US_LEGISLATORS', { 'legislators-current.json': JSON.stringify(value) })

test('every usual way to write a member of Congress is a name of the member', () => {
  const [member] = read([MEMBER])
  assert.deepEqual([member?.entryId, member?.type], ['J000288', 'individual'])
  for (const name of ['Hank Johnson', 'Henry C. Johnson', 'Henry Calvin Johnson Jr.'])
    assert.ok(namesOf(member).includes(name), name)
})

test('anything but a list of named and numbered persons is refused', () => {
  for (const value of [{}, [], [{}], [{ id: { bioguide: 'X' } }], [MEMBER, MEMBER], 'text', null])
    assert.throws(() => read(value), ListRefused)
  assert.throws(
    () => readList('US_LEGISLATORS', { 'legislators-current.json': '[{"id"' }),
    ListRefused,
  )
})

test('every current member who is asked for by name is found', (t) => {
  const entries = readCurrent(t, 'US_LEGISLATORS')
  const queries = sharedText(t, 'names/congress-queries.jsonl')
  if (entries === undefined || queries === undefined) return
  assert.equal(entries.length, 537)
  const { screenName } = buildWatchlist([listOf('US_LEGISLATORS', entries)])
  const asked = queries
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { query: string }).query)
  const found = asked.filter((query) => screenName(query).length > 0)
  // The rest of the queries are former members, who are not on the list of current ones.
  assert.ok(found.length >= 531, `${found.length} of ${asked.length}`)
})
