import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type LoadedList, openWatchlist, prepareWatchlist } from '@portcullis/watchlist'
import { openLists } from '../src/adapters/lists/open-lists.ts'
import { readSnapshot, writeSnapshot } from '../src/adapters/lists/snapshots.ts'
import { systemClock, systemPause } from '../src/adapters/system.ts'
import { sdnCsv, tempFolder, wholeLists } from './list-mirror.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

const listOf = (contentHash: string, name: string): LoadedList => ({
  id: 'OFAC_SDN',
  contentHash,
  publishedAt: null,
  loadedAt: '2026-11-01T00:00:00.000Z',
  source: 'a test',
  entries: [
    {
      list: 'OFAC_SDN',
      entryId: '7',
      type: 'entity',
      primaryName: name,
      aliases: [{ name: `${name} TRADING`, quality: 'weak', kind: 'aka' }],
      addresses: [{ ticker: 'ETH', address: '0x098B716B8Aaf21512996dC57EB0615e2383E2f96' }],
      programs: [],
    },
  ],
})

describe('a snapshot on disk', () => {
  const prepared = prepareWatchlist([listOf('aa', 'LISTED PARTY')])
  const folder = tempFolder()
  const file = () => join(folder, readdirSync(folder)[0] ?? '')

  test('reads as it was written, with memory of its own', () => {
    writeSnapshot(folder, prepared)
    const read = readSnapshot(folder, prepared.lists)!
    assert.deepEqual(read, prepared)
    assert.equal(read.index.nameWeight.buffer.byteLength, read.index.nameWeight.byteLength)
    const { screenName, screenWallet } = openWatchlist(read)
    assert.equal(screenName('Listed Party')[0]?.entryId, '7')
    assert.equal(screenWallet('0x098b716b8aaf21512996dc57eb0615e2383e2f96').length, 1)
  })

  test('is none of other lists, or of none', () => {
    const [list] = prepared.lists
    assert.equal(readSnapshot(folder, [{ ...list!, contentHash: 'bb' }]), undefined)
    assert.equal(readSnapshot(folder, [list!, { id: 'UN_SC', contentHash: 'cc' }]), undefined)
    assert.equal(readSnapshot(folder, []), undefined)
    assert.equal(readSnapshot(join(folder, 'not there'), prepared.lists), undefined)
  })

  test('with a byte changed or missing is none', () => {
    const whole = readFileSync(file())
    for (const at of [0, 40, whole.length >> 1, whole.length - 1]) {
      const changed = Buffer.from(whole)
      changed[at] = changed[at]! ^ 1
      writeFileSync(file(), changed)
      assert.equal(readSnapshot(folder, prepared.lists), undefined, `byte ${at}`)
    }
    writeFileSync(file(), whole.subarray(0, -1))
    assert.equal(readSnapshot(folder, prepared.lists), undefined)
    writeFileSync(file(), whole)
    assert.notEqual(readSnapshot(folder, prepared.lists), undefined)
  })

  test('takes the place of the one before, and of a draft that was left', () => {
    writeFileSync(join(folder, 'left.snapshot.1.tmp'), 'half')
    writeSnapshot(folder, prepareWatchlist([listOf('dd', 'ANOTHER PARTY')]))
    assert.equal(readdirSync(folder).length, 1)
    assert.equal(readSnapshot(folder, prepared.lists), undefined)
    assert.notEqual(readSnapshot(folder, [{ id: 'OFAC_SDN', contentHash: 'dd' }]), undefined)
  })

  test('that cannot be written is left out', () => {
    const blocked = join(tempFolder(), 'a file')
    writeFileSync(blocked, '')
    writeSnapshot(blocked, prepared)
    assert.equal(readSnapshot(blocked, prepared.lists), undefined)
  })
})

describe('a start after a start', () => {
  const root = tempFolder()
  const dataDir = join(root, 'data')
  const folder = join(root, 'lists')
  mkdirSync(folder)
  writeFileSync(join(folder, 'sdn.csv'), sdnCsv())
  writeFileSync(join(folder, 'alt.csv'), wholeLists()['ALT.CSV']!)
  async function start(listsDir: string | undefined, writes = true) {
    const settings = { listsSync: false, listsPollMs: 60_000, listsBaseUrl: undefined }
    const machine = { clock: systemClock, pause: systemPause, log: silent }
    const all = { dataDir, listsDir, production: true, ...settings }
    const lists = openLists(all, machine, { writes })
    await lists.load()
    return lists
  }
  const snapshots = join(dataDir, 'lists', 'snapshots')

  test('that may not write keeps no snapshot, and one that may keeps one', async () => {
    await start(folder, false)
    assert.throws(() => readdirSync(snapshots))
    await start(folder)
    assert.equal(readdirSync(snapshots).length, 1)
  })

  test('has the lists from the snapshot alone, as of when they were', async () => {
    const before = await start(folder)
    const again = await start(folder)
    assert.deepEqual(again.current()?.lists, before.current()?.lists)
    const shelf = join(dataDir, 'lists', 'OFAC_SDN')
    for (const edition of readdirSync(shelf).filter((name) => !name.endsWith('.json')))
      for (const file of ['sdn.csv', 'alt.csv'])
        writeFileSync(join(shelf, edition, file), 'damaged '.repeat(100_000))
    const fromShelf = await start(undefined)
    const [list] = fromShelf.current()?.lists ?? []
    assert.deepEqual([list?.entries, list?.source], [13_000, 'last good'])
    assert.equal(list?.loadedAt, before.current()?.lists[0]?.loadedAt)
    assert.equal(fromShelf.current()?.screenName('HAMAS')[0]?.method, 'exact')
  })

  test('is blind to a snapshot that is damaged, and reads the files', async () => {
    rmSync(join(dataDir), { recursive: true })
    await start(folder)
    const [name = ''] = readdirSync(snapshots)
    writeFileSync(join(snapshots, name), 'damaged')
    assert.equal((await start(folder)).current()?.lists[0]?.entries, 13_000)
  })

  test('judges what is new in the folder, whatever the snapshot holds', async () => {
    writeFileSync(join(folder, 'sdn.csv'), sdnCsv([], 12_000))
    const lists = await start(folder)
    assert.match(lists.status()[0]?.refused?.reason ?? '', /fewer/)
    assert.equal(lists.current()?.lists[0]?.entries, 13_000)
  })
})
