import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listFile, ListRefused, PUBLISHED_LISTS } from '../src/index.ts'
import { namesOf, readCurrent, readList } from './published-files.ts'

const HEADER =
  'Last Updated,Unique ID,Name 6,Name 1,Name 2,Name 3,Name 4,Name 5,Name type,Alias strength,Name non-latin script,Regime Name,Designation Type'
const ROWS = [
  '10/06/2026,RUS1,IVANOV,Ivan,Ivanovich,,,,Primary Name,,Иван ИВАНОВ,Russia,Individual',
  '10/06/2026,RUS1,IVANOFF,Ivan,,,,,Primary name variation,,,Russia,Individual',
  '10/06/2026,RUS1,VANYA,,,,,,Alias,Low quality,,Russia,Individual',
  '10/06/2026,SHP1,"STAR, OF THE SEA",,,,,,Primary Name,,,Russia,Ship',
]
const list = (rows: readonly string[], header = HEADER, date = 'Report Date: 10-Jun-2026') =>
  [date, header, ...rows, ''].join('\r\n')
const read = (text: string) => readList('UK_FCDO', { 'UK-Sanctions-List.csv': text })

test('the rows of one party are one UK entry, given names first', () => {
  const [person, ship] = read(list(ROWS))
  assert.deepEqual(person, {
    list: 'UK_FCDO',
    entryId: 'RUS1',
    type: 'individual',
    primaryName: 'Ivan Ivanovich IVANOV',
    aliases: [
      { name: 'Иван ИВАНОВ', quality: 'strong', kind: 'aka' },
      { name: 'Ivan IVANOFF', quality: 'strong', kind: 'aka' },
      { name: 'VANYA', quality: 'weak', kind: 'aka' },
    ],
    addresses: [],
    programs: ['Russia'],
  })
  assert.deepEqual([ship?.primaryName, ship?.type], ['STAR, OF THE SEA', 'vessel'])
})

test('the report date of the first line is the date of the list', () => {
  const dateOf = (date: string) =>
    PUBLISHED_LISTS.UK_FCDO.publishedAt(
      new Map([['uk-sanctions-list.csv', listFile(list(ROWS, HEADER, date))]]),
    )
  assert.equal(dateOf('Report Date: 10-Jun-2026'), '2026-06-10T00:00:00.000Z')
  assert.equal(dateOf('\uFEFFReport Date: 1-Feb-2026'), '2026-02-01T00:00:00.000Z')
  assert.equal(dateOf('Report Date: soon'), null)
})

test('a UK file that is cut, has lost a column or is a web page is refused', () => {
  const whole = list(ROWS)
  for (const text of [
    '',
    whole.slice(0, -8),
    whole.replace('Report Date', 'Date'),
    list(ROWS, HEADER.replace('Unique ID', 'ID')),
    list([...ROWS, 'too,few,columns']),
    list([]),
    list([...ROWS, '10/06/2026,,NAMED,,,,,,Alias,,,,']),
    list([...ROWS, '10/06/2026,NAMELESS,,,,,,,Alias,,,,']),
    '<!DOCTYPE html><html></html>\n',
  ])
    assert.throws(() => read(text), ListRefused, text)
})

test('the full UK list is read whole', (t) => {
  const entries = readCurrent(t, 'UK_FCDO')
  if (entries === undefined) return
  assert.equal(entries.length, 1_607)
  const khairullah = entries.find(({ entryId }) => entryId === 'GBR0001')
  assert.equal(khairullah?.primaryName, 'HAJI KHAIRULLAH HAJI SATTAR MONEY EXCHANGE')
  assert.ok(namesOf(khairullah).includes('Haji Alim Hawala'))
})
