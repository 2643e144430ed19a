import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ListRefused } from '../src/index.ts'
import { namesOf, readCurrent, readList, sharedList } from './published-files.ts'

const alias = (whole: string, strong = 'true') =>
  `<nameAlias firstName="Abid" middleName="" lastName="Hammadou" wholeName="${whole}" strong="${strong}"/>`
const entity = (id: string, inside: string) =>
  `<sanctionEntity euReferenceNumber="${id}" logicalId="7">
    <regulation programme="TAQA"><publicationUrl>x?a=b&amp;c</publicationUrl></regulation>
    <regulation programme="TAQA"/><subjectType code="person" classificationCode="P"/>
    ${inside}</sanctionEntity>`
const list = (inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="2026-06-05T14:00:13.000+02:00">${inside}</export>`
const read = (text: string) => readList('EU_FSF', { 'xmlFullSanctionsList_1_1.xml': text })

test('an EU entry is named by its first strong name; names that are not strong are weak', () => {
  const names = [alias('Zeid', 'false'), alias('Abid Hammadou'), alias('Абид'), alias('')]
  assert.deepEqual(read(list(entity('EU.2026.82', names.join('')))), [
    {
      list: 'EU_FSF',
      entryId: 'EU.2026.82',
      type: 'individual',
      primaryName: 'Abid Hammadou',
      aliases: [
        { name: 'Zeid', quality: 'weak', kind: 'aka' },
        { name: 'Абид', quality: 'strong', kind: 'aka' },
      ],
      addresses: [],
      programs: ['TAQA'],
    },
  ])
})

test('an EU file that is cut or another document is refused', () => {
  const whole = list(entity('EU.1', alias('A')))
  for (const text of [
    '',
    whole.slice(0, -9),
    whole.replace('export', 'exports'),
    list(''),
    list('<sanctionEntity euReferenceNumber="EU.1"></sanctionEntity>'),
    '<html><body>Service unavailable</body></html>',
  ])
    assert.throws(() => read(text), ListRefused, text)
})

test('a party that stands in the EU file twice has the names of both elements', () => {
  const entries = read(list(entity('EU.1', alias('A')) + entity('EU.1', alias('B') + alias('A'))))
  assert.deepEqual(entries.map(namesOf), [['A', 'B']])
})

test('the EU sample as published is read whole', (t) => {
  const folder = sharedList(t, 'samples')
  if (folder === undefined) return
  const entries = read(readFileSync(new URL('eu-fsf.xml', folder), 'utf8'))
  const zeid = entries.find(({ entryId }) => entryId === 'EU.2026.82')
  assert.ok(zeid?.type === 'individual' && namesOf(zeid).includes('Abdelhamid Abou Zeid'))
})

test('the full EU list is read whole', (t) => {
  const entries = readCurrent(t, 'EU_FSF')
  if (entries === undefined) return
  assert.equal(entries.length, 5_994)
  // Of 30,242 names some stand twice under one entry.
  assert.equal(entries.flatMap(namesOf).length, 29_928)
  assert.ok(namesOf(entries.at(-1)).includes('Кирилл Рамилевич АБДРАХМАНОВ'))
})
