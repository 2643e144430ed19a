import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { listFile, ListRefused, PUBLISHED_LISTS } from '../src/index.ts'
import { namesOf, readCurrent, readList, sharedList } from './published-files.ts'

const person = (inside: string) => `<INDIVIDUAL><DATAID>1</DATAID>
  <FIRST_NAME>QUSAY</FIRST_NAME><SECOND_NAME>SADDAM</SECOND_NAME>
  <THIRD_NAME>HUSSEIN</THIRD_NAME><FOURTH_NAME>AL-TIKRITI</FOURTH_NAME>
  <UN_LIST_TYPE>Iraq</UN_LIST_TYPE><REFERENCE_NUMBER>IQi.002</REFERENCE_NUMBER>${inside}</INDIVIDUAL>`
const alias = (quality: string, name: string) =>
  `<INDIVIDUAL_ALIAS><QUALITY>${quality}</QUALITY><ALIAS_NAME>${name}</ALIAS_NAME></INDIVIDUAL_ALIAS>`
const list = (inside: string) => `<?xml version="1.0" encoding="UTF-8"?>
<CONSOLIDATED_LIST dateGenerated="2026-02-27T00:00:09.554Z"><INDIVIDUALS>${inside}</INDIVIDUALS>
<ENTITIES><ENTITY><DATAID>2</DATAID><FIRST_NAME>ACME &amp; SONS</FIRST_NAME>
<REFERENCE_NUMBER>IQe.001</REFERENCE_NUMBER><ENTITY_ALIAS><QUALITY/><ALIAS_NAME/></ENTITY_ALIAS>
</ENTITY></ENTITIES></CONSOLIDATED_LIST>`
const read = (text: string) => readList('UN_SC', { 'consolidated.xml': text })

test('a UN entry carries its four name parts, qualities and original script', () => {
  const inside = [
    alias('Good', 'Qusai Saddam; Qoussai Saddam'),
    alias('Low', 'Ustaz'),
    alias('f.k.a.', 'Old Name'),
    alias('Good', 'Jin Tiesan (金铁三)'),
    alias('', ''),
    '<NAME_ORIGINAL_SCRIPT>قصي صدام حسين التكريتي</NAME_ORIGINAL_SCRIPT>',
  ]
  const [first, company] = read(list(person(inside.join(''))))
  assert.deepEqual(first, {
    list: 'UN_SC',
    entryId: 'IQi.002',
    type: 'individual',
    primaryName: 'QUSAY SADDAM HUSSEIN AL-TIKRITI',
    aliases: [
      { name: 'Qusai Saddam', quality: 'strong', kind: 'aka' },
      { name: 'Qoussai Saddam', quality: 'strong', kind: 'aka' },
      { name: 'Ustaz', quality: 'weak', kind: 'aka' },
      { name: 'Old Name', quality: 'strong', kind: 'fka' },
      { name: 'Jin Tiesan', quality: 'strong', kind: 'aka' },
      { name: '金铁三', quality: 'strong', kind: 'aka' },
      { name: 'قصي صدام حسين التكريتي', quality: 'strong', kind: 'aka' },
    ],
    addresses: [],
    programs: ['Iraq'],
  })
  assert.deepEqual(
    [company?.primaryName, company?.type, company?.aliases],
    ['ACME & SONS', 'entity', []],
  )
})

test('the date is the one of the file', () => {
  const { publishedAt } = PUBLISHED_LISTS.UN_SC
  const at = publishedAt(new Map([['consolidated.xml', listFile(list(person('')))]]))
  assert.equal(at, '2026-02-27T00:00:09.554Z')
})

const WHOLE = list(person(''))
const REFUSED: [string, string, RegExp][] = [
  ['an empty file', '', /is empty|not well-formed/],
  ['a web page', '<!DOCTYPE html><html><body>Moved</body></html>', /is no CONSOLIDATED_LIST/],
  ['a file cut short', WHOLE.slice(0, -30), /not well-formed/],
  [
    'a file cut between two entries',
    WHOLE.slice(0, WHOLE.indexOf('<ENTITIES>')),
    /not well-formed/,
  ],
  ['an unescaped sign', WHOLE.replace('&amp;', '&'), /not well-formed/],
  ['a list of nobody', '<CONSOLIDATED_LIST></CONSOLIDATED_LIST>', /holds no entry/],
  ['an entry number twice', list(person('') + person('')), /the entry IQi.002 twice/],
  [
    'an entry without a name',
    list('<INDIVIDUAL><REFERENCE_NUMBER>X</REFERENCE_NUMBER></INDIVIDUAL>'),
    /no name for entry X/,
  ],
]
for (const [what, text, reason] of REFUSED) {
  test(`${what} is refused as the UN list`, () => {
    assert.throws(
      () => read(text),
      (error) => error instanceof ListRefused && reason.test(error.reason),
    )
  })
}

test('the real UN file that is not well-formed is not UTF-8, and so never becomes text', (t) => {
  const folder = sharedList(t, 'samples')
  if (folder === undefined) return
  const bytes = readFileSync(new URL('un-not-well-formed.xml', folder))
  assert.throws(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes), TypeError)
})

test('the small UN sample is read whole', (t) => {
  const folder = sharedList(t, 'samples')
  if (folder === undefined) return
  const entries = read(readFileSync(new URL('un.xml', folder), 'utf8'))
  const jaber = entries.find(({ entryId }) => entryId === 'QDi.237')
  assert.equal(jaber?.primaryName, 'JABER ABDALLAH JABER AHMAD AL-JALAHMAH')
  assert.ok(namesOf(jaber).includes('جابر عبد الله جابر أحمد الجلاهمة'))
})

test('the full UN list is read whole', (t) => {
  const entries = readCurrent(t, 'UN_SC')
  if (entries === undefined) return
  assert.equal(entries.length, 1_003)
  assert.equal(entries.filter(({ type }) => type === 'individual').length, 730)
  const zawahiri = entries.find(({ entryId }) => entryId === 'QDi.006')
  assert.ok(namesOf(zawahiri).includes('أيمن محمد ربيع الظواهري'))
  const weak = entries.flatMap(({ aliases }) => aliases).filter(({ quality }) => quality === 'weak')
  assert.ok(weak.length > 500)
})
