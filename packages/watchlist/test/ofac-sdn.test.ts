import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressesByTicker, ListRefused, readOfacSdn, speakingOrder } from '../src/index.ts'
import type { OfacFiles } from '../src/index.ts'
import { sharedSdn, sharedText } from './shared-data.ts'

const NULLS = '-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- '
const END = '\u001a'

function row(id: string, name: string, type: string, remarks: string): string {
  return `${id},"${name}",${type},"SDGT, CYBER2",${NULLS},${remarks}\r\n`
}

const FILES: Required<OfacFiles> = {
  sdn:
    row(
      '1',
      'DOE, Jane Mary',
      '"individual"',
      `"DOB 70; a.k.a. 'EL D'ORO'; f.k.a. 'J'; Digital Currency Address - ETH 0x098B716B8Aaf2151"`,
    ) +
    row('2', 'ACME, INC.', '-0- ', '-0- ') +
    row('3', 'SEA ""STAR""', '"vessel"', '-0- ') +
    END,
  alt:
    '1,10,"aka","DOE, J.",-0- \r\n2,11,"fka","OLD ACME",-0- \r\n' +
    `2,12,"nka","NEW ACME",-0- \r\n${END}`,
  comments:
    '1,"2996dC57EB0615e2383E2f96; alt. Digital Currency Address - NEWCOIN abc123."\r\n' +
    `2,"a.k.a. 'WEAK ONE'."\r\n${END}`,
}

test('an entry carries names, qualities, programs and addresses as published', () => {
  const [person, company, vessel] = readOfacSdn(FILES)
  assert.deepEqual(person, {
    list: 'OFAC_SDN',
    entryId: '1',
    type: 'individual',
    primaryName: 'DOE, Jane Mary',
    aliases: [
      { name: 'DOE, J.', quality: 'strong', kind: 'aka' },
      { name: "EL D'ORO", quality: 'weak', kind: 'aka' },
      { name: 'J', quality: 'weak', kind: 'fka' },
    ],
    addresses: [
      { ticker: 'ETH', address: '0x098B716B8Aaf21512996dC57EB0615e2383E2f96' },
      { ticker: 'NEWCOIN', address: 'abc123' },
    ],
    programs: ['SDGT', 'CYBER2'],
  })
  assert.deepEqual(
    company?.aliases.map(({ kind }) => kind),
    ['fka', 'nka', 'aka'],
  )
  assert.equal(vessel?.primaryName, 'SEA "STAR"')
  assert.equal(vessel?.type, 'vessel')
})

test('only the name of an individual is turned into speaking order', () => {
  assert.equal(speakingOrder('DOE, Jane Mary', 'individual'), 'Jane Mary DOE')
  assert.equal(speakingOrder('ACME, INC.', 'entity'), 'ACME, INC.')
  assert.equal(speakingOrder('DOE Jane', 'individual'), 'DOE Jane')
})

test('an address cut in two without its continuation is not made up', () => {
  const { sdn, alt } = FILES
  assert.deepEqual(readOfacSdn({ sdn, alt })[0]?.addresses, [
    { ticker: 'ETH', address: '0x098B716B8Aaf2151' },
  ])
})

test('a file without the end mark is whole when its last line is', () => {
  const bare = Object.fromEntries(
    Object.entries(FILES).map(([key, text]) => [key, text.replace(END, '')]),
  )
  assert.equal(readOfacSdn(bare as unknown as OfacFiles).length, 3)
})

const REFUSED: [string, Partial<OfacFiles>, RegExp][] = [
  ['an empty file', { sdn: '' }, /ends in the middle of a line|holds no entry/],
  ['a file with the end mark alone', { sdn: END }, /sdn\.csv holds no entry/],
  ['a web page', { sdn: '<!DOCTYPE html><html></html>\n' }, /is a web page/],
  [
    'aliases cut at the end of a line',
    { alt: FILES.alt.split('\r\n').slice(0, 2).join('\r\n') + '\r\n' },
    /alt\.csv lacks the end mark/,
  ],
  [
    'remarks cut at the end of a line',
    { comments: FILES.comments.split('\r\n').slice(0, 1).join('') + '\r\n' },
    /sdn_comments\.csv lacks the end mark/,
  ],
  ['a file cut in a line', { sdn: FILES.sdn.slice(0, -60) }, /ends in the middle of a line/],
  [
    'a file cut in a quoted value',
    { sdn: `${FILES.sdn.slice(0, 300)}\r\n` },
    /does not parse|columns/,
  ],
  [
    'a row with a column too few',
    { sdn: `${FILES.sdn.replace(END, '')}4,"X",-0- \r\n` },
    /Record Length|columns/,
  ],
  [
    'rows that all have a column too few',
    { alt: '1,2,"aka","X"\r\n' },
    /has 4 columns instead of 5 in row 1/,
  ],
  ['an alias of nobody', { alt: '9,1,"aka","X",-0- \r\n' }, /alias for the unknown entry 9/],
  ['a comment on nobody', { comments: '9,"X"\r\n' }, /continues the unknown entry 9/],
  ['an entry number twice', { sdn: FILES.sdn.replace('3,', '1,') }, /entry number twice/],
  ['an entry without a name', { sdn: FILES.sdn.replace('ACME, INC.', '') }, /no name for entry 2/],
]

for (const [what, files, reason] of REFUSED) {
  test(`${what} is refused`, () => {
    assert.throws(
      () => readOfacSdn({ ...FILES, ...files }),
      (error) =>
        error instanceof ListRefused && error.list === 'OFAC_SDN' && reason.test(error.reason),
    )
  })
}

test('the reported tickers are counted even when nothing is listed under them', () => {
  assert.deepEqual(addressesByTicker(readOfacSdn(FILES)), {
    eth: 1,
    xbt: 0,
    trx: 0,
    usdt: 0,
    usdc: 0,
    sol: 0,
    newcoin: 1,
  })
})

test('the full list is read whole, with the addresses that stand across two files', (t) => {
  const entries = sharedSdn(t)
  if (entries === undefined) return
  assert.equal(entries.length, 19_073)
  assert.equal(
    entries.reduce((sum, entry) => sum + 1 + entry.aliases.length, 0),
    43_713,
  )
  const wallets = JSON.parse(sharedText(t, 'lists/wallets-2026-08.json')!) as {
    addresses: { address: string }[]
  }
  const listed = new Set(entries.flatMap((entry) => entry.addresses.map(({ address }) => address)))
  assert.deepEqual(
    wallets.addresses.map(({ address }) => address).filter((address) => !listed.has(address)),
    [],
  )
})

test('the list of July 2021 as published is read whole with its weak aliases', (t) => {
  const sdn = sharedText(t, 'lists/raw-2021-07/sdn.csv')
  if (sdn === undefined) return
  const entries = readOfacSdn({ sdn, alt: sharedText(t, 'lists/raw-2021-07/alt.csv')! })
  const weak = entries.flatMap((entry) => entry.aliases.filter(({ quality }) => quality === 'weak'))
  const published = sdn.match(/\b[afn]\.k\.a\. '/g)?.length
  // One alias is cut at a remark's 1,000th character, and the continuation is not among the files.
  assert.equal(weak.length, published! - 1)
  assert.ok(weak.every(({ name }) => !name.includes(';')))
})

test('a published sample whose aliases name entries that it does not have is refused', (t) => {
  const sdn = sharedText(t, 'lists/raw-tiny-2025/sdn.csv')
  if (sdn === undefined) return
  const alt = sharedText(t, 'lists/raw-tiny-2025/alt.csv')!
  assert.throws(() => readOfacSdn({ sdn, alt }), ListRefused)
})
