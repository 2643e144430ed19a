/** Lists as they are published, read through every step from bytes to parties. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  addressesByTicker,
  LIST_IDS,
  type ListId,
  PUBLISHED_LISTS,
  type WatchlistEntry,
} from '@portcullis/watchlist'
import { partiesOf } from '../src/adapters/lists/build-lists.ts'
import { inlineBuilder } from '../src/adapters/lists/builders.ts'
import { readEdition } from '../src/adapters/lists/edition-files.ts'
import { folderSource } from '../src/adapters/lists/folder-source.ts'
import { openShelf } from '../src/adapters/lists/shelf.ts'
import { upstreamSource } from '../src/adapters/lists/upstream-source.ts'
import { systemClock, systemPause } from '../src/adapters/system.ts'
import type { Edition } from '../src/app/lists/list-ports.ts'
import { createListSync } from '../src/app/lists/list-sync.ts'
import { startMirror, tempFolder } from './list-mirror.ts'

const SHARED = fileURLToPath(new URL('../../../../shared/data/lists/', import.meta.url))

function leftOut(t: TestContext, path: string): boolean {
  if (existsSync(join(SHARED, path))) return false
  t.skip(`left out: ../shared/data/lists/${path} is not beside this repository`)
  return true
}

async function editionOf(id: ListId): Promise<Edition> {
  const source = folderSource(join(SHARED, 'current'), systemClock)
  const look = await source.look(id, [], new AbortController().signal, () => undefined)
  assert.ok(look.kind === 'changed', id)
  return look.edition
}

const letters = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()
const isOtherScript = (name: string) =>
  /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(name)
const qualitiesOf = ({ primaryName, aliases }: WatchlistEntry) =>
  new Map([
    [letters(primaryName), 'strong'],
    ...aliases.map(({ name, quality }) => [letters(name), quality] as const),
  ])

test('CONS_ENHANCED.ZIP says of every party what the CSV files say, and more', async (t) => {
  if (leftOut(t, 'current/CONS_ENHANCED.ZIP')) return
  const edition = await editionOf('OFAC_CONS')
  const files = readEdition(edition)
  assert.ok(files.has('cons_enhanced.xml'))
  const whole = PUBLISHED_LISTS.OFAC_CONS.read(files)
  const plain = PUBLISHED_LISTS.OFAC_CONS.read(
    new Map([...files].filter(([name]) => name !== 'cons_enhanced.xml')),
  )
  assert.deepEqual(whole, partiesOf(edition))
  assert.deepEqual(
    whole.map(({ entryId }) => entryId),
    plain.map(({ entryId }) => entryId),
  )
  const added = whole.flatMap((entry, at) => entry.aliases.slice(plain[at]?.aliases.length))
  const foreign = added.filter(({ name }) => isOtherScript(name))
  t.diagnostic(`${added.length} aliases more, ${foreign.length} of them in another script`)
  assert.ok(foreign.length >= 40)
  // What is weak in the remarks is weak in the XML file: one name never has both qualities.
  for (const [at, { aliases }] of plain.entries())
    for (const { name, quality } of aliases)
      assert.equal(qualitiesOf(whole[at]!).get(letters(name)), quality, name)
})

test('the tickers of the published wallets are all counted, the reported ones first', async (t) => {
  if (leftOut(t, 'wallets-2026-08.json')) return
  const { addresses } = JSON.parse(readFileSync(join(SHARED, 'wallets-2026-08.json'), 'utf8')) as {
    addresses: { address: string; ofac_tickers: string[] }[]
  }
  const wanted = new Map<string, Set<string>>()
  for (const { address, ofac_tickers } of addresses)
    for (const ticker of ofac_tickers) {
      const key = ticker.toLowerCase()
      const spelt = address.startsWith('0x') ? address.toLowerCase() : address
      wanted.set(key, (wanted.get(key) ?? new Set()).add(spelt))
    }
  const counted = addressesByTicker(partiesOf(await editionOf('OFAC_SDN')))
  assert.deepEqual(Object.keys(counted).slice(0, 6), ['eth', 'xbt', 'trx', 'usdt', 'usdc', 'sol'])
  assert.ok((counted['sol'] ?? 0) > 0)
  const expected = Object.fromEntries([...wanted].map(([ticker, all]) => [ticker, all.size]))
  assert.deepEqual(counted, { ...counted, ...expected })
})

test('every published list reads whole, with a name and a number for everybody', async (t) => {
  if (leftOut(t, 'current/sdn.csv')) return
  for (const id of LIST_IDS) {
    const parties = partiesOf(await editionOf(id))
    assert.ok(parties.length > 400, id)
    assert.equal(new Set(parties.map(({ entryId }) => entryId)).size, parties.length, id)
    for (const { list, entryId, primaryName, aliases } of parties) {
      assert.equal(list, id)
      for (const name of [primaryName, ...aliases.map((alias) => alias.name)])
        assert.ok(/[\p{L}\p{N}]/u.test(name), `${id} ${entryId}: ${JSON.stringify(name)}`)
    }
  }
})

test('a real UN file that is not well-formed leaves the last good list, and why', async (t) => {
  if (leftOut(t, 'samples/un-not-well-formed.xml')) return
  const mirror = await startMirror()
  t.after(() => {
    mirror.close()
  })
  const root = join(tempFolder(), 'lists')
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const lists = createListSync({
    source: upstreamSource({ base: mirror.url, root }, systemClock, systemPause),
    shelf: openShelf(root, systemClock),
    startBuilder: inlineBuilder,
    builder: inlineBuilder,
    clock: systemClock,
    pause: systemPause,
    log: silent,
    settings: { pollMs: 60_000, fallback: true, writes: true },
  })
  await lists.load()
  await lists.syncNow()
  const good = lists.current()?.version
  const broken = readFileSync(join(SHARED, 'samples/un-not-well-formed.xml'))
  mirror.misbehave.set('consolidated.xml', (response) => response.writeHead(200).end(broken))
  await lists.syncNow()
  const un = lists.status().find(({ id }) => id === 'UN_SC')
  assert.match(un?.refused?.reason ?? '', /consolidated\.xml is not valid UTF-8/)
  assert.equal(lists.current()?.version, good)
  assert.equal(lists.current()?.screenName('UNITED 7')[0]?.list, 'UN_SC')

  // In the encoding that it should have it is still not well-formed.
  const reencoded = Buffer.from(broken.toString('latin1'), 'utf8')
  mirror.misbehave.set('consolidated.xml', (response) => response.writeHead(200).end(reencoded))
  await lists.syncNow()
  const again = lists.status().find(({ id }) => id === 'UN_SC')
  assert.match(again?.refused?.reason ?? '', /consolidated\.xml is not well-formed/)
  assert.equal(lists.current()?.version, good)
})
