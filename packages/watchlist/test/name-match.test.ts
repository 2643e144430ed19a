import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { buildWatchlist, LIST_IDS, normalise } from '../src/index.ts'
import type { EntryType, ListId, NameQuality, WatchlistEntry } from '../src/index.ts'
import { entryOf, listOf, verdictOf, watchlistOf } from './sample-lists.ts'

interface Vectors {
  entries: {
    list: ListId
    entryId: string
    type: EntryType
    primaryName: string
    aliases: [string, NameQuality][]
  }[]
  cases: { name: string; verdict: string; method?: string; entryId?: string; score?: number }[]
}

const vectors = JSON.parse(
  readFileSync(new URL('../../../conformance/names.json', import.meta.url), 'utf8'),
) as Vectors

const entries = vectors.entries.map((entry) =>
  entryOf(entry.primaryName, {
    ...entry,
    aliases: entry.aliases.map(([name, quality]) => ({ name, quality, kind: 'aka' })),
  }),
)
const watchlist = buildWatchlist(
  LIST_IDS.map((id) =>
    listOf(
      id,
      entries.filter(({ list }) => list === id),
    ),
  ),
)

for (const { name, verdict, ...evidence } of vectors.cases) {
  test(`${JSON.stringify(name)} is ${verdict}`, () => {
    const matches = watchlist.screenName(name)
    const { method, entryId, score } = matches[0] ?? {}
    assert.equal(verdictOf(matches), verdict)
    assert.deepEqual(matches.length === 0 ? {} : { method, entryId, score }, evidence)
  })
}

const word = fc.string({
  unit: fc.constantFrom(..."abcdilo015 -.'éж"),
  minLength: 1,
  maxLength: 12,
})
const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
const entry = fc
  .record({
    primaryName: name,
    aliases: fc.array(name, { maxLength: 3 }),
    type: fc.constantFrom<EntryType>('individual', 'entity', 'vessel'),
  })
  .map(({ primaryName, aliases, type }) => ({ primaryName, type, aliases }))

function numbered(
  drafts: readonly { primaryName: string; type: EntryType; aliases: string[] }[],
): WatchlistEntry[] {
  return drafts.map(({ primaryName, type, aliases }, at) =>
    entryOf(primaryName, {
      entryId: String(at),
      type,
      aliases: aliases.map((alias) => ({ name: alias, quality: 'strong', kind: 'aka' })),
    }),
  )
}

test('every strong name as published finds its entry exactly, with score 1', () => {
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 8 }), (drafts) => {
      const listed = numbered(drafts)
      const { screenName } = watchlistOf(...listed)
      for (const { entryId, primaryName, aliases } of listed) {
        for (const published of [primaryName, ...aliases.map((alias) => alias.name)]) {
          if (normalise(published) === '') continue
          const found = screenName(published).find((match) => match.entryId === entryId)
          assert.deepEqual([found?.method, found?.score], ['exact', 1], published)
        }
      }
    }),
  )
})

test('listing one more party never takes an exact match away', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 8 }), entry, name, (drafts, added, asked) => {
      const listed = numbered(drafts)
      const before = watchlistOf(...listed)
        .screenName(asked)
        .filter(({ method }) => method === 'exact')
      const more = [...listed, ...numbered([added]).map((one) => ({ ...one, entryId: 'added' }))]
      const after = watchlistOf(...more)
        .screenName(asked)
        .filter(({ method }) => method === 'exact')
      assert.deepEqual(
        after.filter(({ entryId }) => entryId !== 'added'),
        before,
      )
    }),
  )
})

test('no text throws, and snapshots of the same lists give the same answer', () => {
  const again = buildWatchlist(
    LIST_IDS.toReversed().map((id) =>
      listOf(
        id,
        entries.filter(({ list }) => list === id),
      ),
    ),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      assert.deepEqual(watchlist.screenName(text), again.screenName(text))
      assert.deepEqual(
        watchlist.screenName(`Usama BIN LADIN ${text}`),
        again.screenName(`Usama BIN LADIN ${text}`),
      )
    }),
  )
})

test('matches stand in order of score, then list, then entry', () => {
  const twins = buildWatchlist([
    listOf('OFAC_CONS', [entryOf('ACME STAR', { list: 'OFAC_CONS', entryId: '1' })]),
    listOf('OFAC_SDN', [
      entryOf('ACME STAR', { entryId: '9' }),
      entryOf('ACME STAR', { entryId: '2' }),
      entryOf('ACME STAR OIL', { entryId: '0' }),
    ]),
  ])
  const order = twins.screenName('Acme Star').map(({ list, entryId }) => `${list} ${entryId}`)
  assert.deepEqual(order, ['OFAC_SDN 2', 'OFAC_SDN 9', 'OFAC_CONS 1', 'OFAC_SDN 0'])
})

test('however many parties bear one name, all of them are returned', () => {
  const many = Array.from({ length: 300 }, (_, at) =>
    entryOf('COMMON NAME', { entryId: String(at) }),
  )
  assert.equal(watchlistOf(...many).screenName('Common Name').length, 300)
})

test('a weak alias alone never blocks, however well it matches', () => {
  const weak = entryOf('SOMEBODY ELSE', {
    aliases: [{ name: 'DARK RIDER', quality: 'weak', kind: 'aka' }],
  })
  for (const asked of ['DARK RIDER', 'Dark Rider LLC', 'D4rk R1der', 'DarkRider', 'Dark Rideer']) {
    assert.notEqual(verdictOf(watchlistOf(weak).screenName(asked)), 'BLOCK', asked)
  }
})

test('a name that folds to nothing finds itself and nothing else', () => {
  const { screenName } = watchlistOf(entryOf('★★★'), entryOf('\u200b'), entryOf('ACME STAR'))
  assert.deepEqual(
    screenName('★★★').map(({ primaryName }) => primaryName),
    ['★★★'],
  )
  assert.deepEqual(screenName('☆'), [])
  assert.deepEqual(screenName('\u200b\u2060'), [])
})

test('a short name in disguise, or with a small company behind it, blocks as the name does', () => {
  const { screenName } = watchlistOf(
    entryOf('SELENGA', { type: 'vessel' }),
    entryOf('I&S HOLDING SA'),
  )
  for (const asked of [
    'Selenga LLC',
    '53L3NG4',
    'S E L E N G A',
    'ЅЕLЕNGА',
    'I&S Holding, S.A. LLC',
  ])
    assert.equal(verdictOf(screenName(asked)), 'BLOCK', asked)
  for (const asked of ['Selenga Corp.', 'Selenga Group', 'SEL ENGA', 'Seleng', 'Olga Selenga'])
    assert.notEqual(verdictOf(screenName(asked)), 'BLOCK', asked)
})
