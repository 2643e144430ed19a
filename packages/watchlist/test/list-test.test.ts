import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanNames } from '../src/effectiveness/clean-names.ts'
import { seeded } from '../src/effectiveness/seeded.ts'
import {
  buildWatchlist,
  type ListTest,
  type ListTestReport,
  normalise,
  testLists,
  type WatchlistEntry,
} from '../src/index.ts'
import { entryOf, listOf } from './sample-lists.ts'

/** Parties with names that no other list has, some with wallets and weak aliases. */
const party = (list: 'OFAC_SDN' | 'UN_SC', at: number): WatchlistEntry => {
  const [first = '', second = ''] = cleanNames(400, seeded(list.length)).slice(at * 2)
  const name = `${second.split(' ')[0]} ${first.split(' ').at(-1)} ${at}TH HOLDING`.toUpperCase()
  return entryOf(name, {
    list,
    entryId: `${list} ${at}`,
    aliases: [
      { name: `${name} ALSO CALLED`, quality: 'strong', kind: 'aka' },
      { name: `WEAKLY KNOWN ${at}`, quality: 'weak', kind: 'aka' },
    ],
    addresses: [
      { ticker: 'ETH', address: `0x${(0xabcdef + at * 77).toString(16).padStart(40, '1')}` },
    ],
  })
}
const range = (length: number) => Array.from({ length }, (_, at) => at)
const parties = (['OFAC_SDN', 'UN_SC'] as const).map((id) => ({
  id,
  entries: range(40).map((at) => party(id, at)),
}))
const watchlist = buildWatchlist(parties.map(({ id, entries }) => listOf(id, entries)))

function reportOf(more: Partial<ListTest> = {}): ListTestReport {
  const work = testLists({ watchlist, parties, seed: 7, sample: 20, ...more })
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
const resultOf = ({ results }: ListTestReport, list: string | null, test: string) =>
  results.find((one) => one.list === list && one.test === test)

describe('a test of the lists', () => {
  const whole = reportOf()

  test('is the same for the same seed, byte for byte, and another one for another seed', () => {
    assert.equal(JSON.stringify(reportOf()), JSON.stringify(whole))
    assert.notEqual(JSON.stringify(reportOf({ seed: 8 })), JSON.stringify(whole))
  })

  test('says which lists it saw and how each is compared', () => {
    assert.deepEqual(
      whole.lists.map(({ id, compared, entries }) => [id, compared, entries]),
      [
        ['OFAC_SDN', 'similar', 40],
        ['UN_SC', 'exact', 40],
      ],
    )
    assert.equal(whole.watchlist, watchlist.version)
    assert.deepEqual([whole.seed, whole.sample], [7, 20])
  })

  test('asks each list what its way of comparing promises', () => {
    const testsOf = (list: string | null) =>
      whole.results.filter((one) => one.list === list).map((one) => one.test)
    const wallets = ['wallet, exact', 'wallet, disguised', 'wallet, near miss']
    assert.deepEqual(testsOf('OFAC_SDN'), [
      'exact',
      'weak alias',
      'level 1',
      'level 2',
      'level 3',
      ...wallets,
    ])
    assert.deepEqual(testsOf('UN_SC'), ['exact', 'weak alias', 'level 1', ...wallets])
    assert.deepEqual(testsOf(null), ['clean names'])
    assert.equal(resultOf(whole, 'UN_SC', 'exact')?.review, 40)
  })

  test('counts every question once, and finds the parties themselves', () => {
    for (const { list, test, asked, block, review, clear, transforms, found } of whole.results) {
      assert.equal(block + review + clear, asked, test)
      const parts = Object.values(transforms).reduce((sum, one) => sum + one.asked, 0)
      assert.equal(parts, asked, test)
      if (test === 'exact' || test === 'wallet, disguised') assert.equal(found, asked, test)
      if (list === null || test === 'wallet, near miss') assert.equal(found, 0, test)
    }
  })

  test('`all` asks every name as published, and disguises a sample', () => {
    const all = reportOf({ sample: 'all' })
    assert.equal(resultOf(all, 'OFAC_SDN', 'exact')?.asked, 80)
    assert.equal(resultOf(all, 'OFAC_SDN', 'wallet, exact')?.asked, 40)
  })

  const CRIPPLED: [string, Partial<ListTest['watchlist']>, string][] = [
    [
      'finds names as published only',
      {
        screenName: (name) =>
          watchlist
            .screenName(name)
            .filter(({ matchedName }) => normalise(matchedName) === normalise(name)),
      },
      'level 2',
    ],
    [
      'compares letters only',
      {
        screenName: (name) =>
          watchlist.screenName(name).filter(({ matchedName }) => matchedName === name),
      },
      'level 1',
    ],
    ['knows no name', { screenName: () => [] }, 'exact'],
    [
      'blocks everybody',
      { screenName: () => watchlist.screenName(parties[0]!.entries[0]!.primaryName) },
      'clean names',
    ],
    ['knows no wallet', { screenWallet: () => [] }, 'wallet, exact'],
    [
      'reads wallets as they stand',
      {
        screenWallet: (text) => (/^0x[0-9a-f]{40}$/.test(text) ? watchlist.screenWallet(text) : []),
      },
      'wallet, disguised',
    ],
    [
      'takes near wallets for listed ones',
      { screenWallet: () => watchlist.screenWallet(parties[0]!.entries[0]!.addresses[0]!.address) },
      'wallet, near miss',
    ],
  ]
  for (const [what, broken, failing] of CRIPPLED) {
    test(`a matcher that ${what} falls below the floor of \`${failing}\``, () => {
      const report = reportOf({ watchlist: { ...watchlist, ...broken } })
      const below = report.results.filter(({ met }) => !met)
      assert.ok(
        below.some(({ test }) => test === failing),
        JSON.stringify(below.map(({ test, share }) => [test, share])),
      )
      assert.equal(report.met, false)
      const misses = below.find(({ test }) => test === failing)?.misses ?? []
      assert.ok(misses.length > 0)
      for (const { query, party, outcome } of misses) assert.ok(query && party && outcome)
    })
  }

  test('a near miss that is listed by itself is not asked for', () => {
    const neighbours = ['0', '1', '2'].map((last) =>
      entryOf(`NEIGHBOUR ${last}`, {
        addresses: [{ ticker: 'ETH', address: `0x${'012'.repeat(13)}${last}` }],
      }),
    )
    const report = reportOf({
      watchlist: buildWatchlist([listOf('OFAC_SDN', neighbours)]),
      parties: [{ id: 'OFAC_SDN', entries: neighbours }],
    })
    const near = resultOf(report, 'OFAC_SDN', 'wallet, near miss')
    assert.equal(near?.met, true)
    assert.equal(near?.transforms['last_changed'], undefined)
    assert.ok((near?.transforms['one_missing']?.asked ?? 0) > 0)
  })

  test('a miss tells how near the two names are, though nothing was reported', () => {
    const report = reportOf({ watchlist: { ...watchlist, screenName: () => [] } })
    const miss = resultOf(report, 'OFAC_SDN', 'exact')?.misses[0]
    assert.deepEqual(
      [miss?.outcome, miss?.bestScore, miss?.pairScore, miss?.list],
      ['CLEAR', null, 1, 'OFAC_SDN'],
    )
  })
})
