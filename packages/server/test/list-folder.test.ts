import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, test } from 'node:test'
import { openLists } from '../src/adapters/lists/open-lists.ts'
import { systemClock, systemPause } from '../src/adapters/system.ts'
import type { ListSync } from '../src/app/lists/list-sync.ts'
import { sdnCsv, tempFolder, wholeLists } from './list-mirror.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const WHOLE = wholeLists()
/** A small list that no download gate would pass. */
const small = (...names: string[]) =>
  sdnCsv(
    names.map((name) => ({ name })),
    44,
  )
const ALT = '1,1,"aka","OTHERWISE",-0- \r\n\u001a'

describe('lists from LISTS_DIR', () => {
  const root = tempFolder()
  let folder: string
  let dataDir: string
  let cases = 0
  beforeEach(() => {
    cases++
    folder = join(root, `lists${cases}`)
    dataDir = join(root, `data${cases}`)
    mkdirSync(folder)
    put('sdn.csv', small())
    put('alt.csv', ALT)
  })
  const put = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
  }
  async function open(production = false, listsDir = folder): Promise<ListSync> {
    const settings = { listsSync: true, listsPollMs: 60_000, listsBaseUrl: undefined }
    const machine = { clock: systemClock, pause: systemPause, log: silent }
    const lists = openLists({ dataDir, listsDir, production, ...settings }, machine)
    await lists.load()
    return lists
  }
  const sdn = (lists: ListSync) => lists.current()?.lists.find(({ id }) => id === 'OFAC_SDN')
  const refusal = (lists: ListSync) => lists.status()[0]?.refused?.reason

  test('no canary, no plausible count is asked for; file names may be in any case', async () => {
    renameSync(join(folder, 'sdn.csv'), join(folder, 'SDN.CSV'))
    const lists = await open()
    assert.deepEqual([sdn(lists)?.entries, sdn(lists)?.source], [44, 'LISTS_DIR'])
    assert.deepEqual(
      lists.current()?.lists.map(({ id }) => id),
      ['OFAC_SDN'],
    )
    assert.deepEqual(
      lists.status().flatMap(({ id, expected }) => (expected ? [id] : [])),
      ['OFAC_SDN'],
    )
  })

  test('the date of a list is the date of its oldest file', async () => {
    utimesSync(join(folder, 'alt.csv'), new Date(0), new Date('2026-01-02T03:04:05Z'))
    assert.equal(sdn(await open())?.loadedAt, '2026-01-02T03:04:05.000Z')
  })

  test('a file from the future is as old as its first look, so that it ages', async () => {
    const future = new Date(systemClock.now() + 1_000_000_000)
    for (const name of ['sdn.csv', 'alt.csv']) utimesSync(join(folder, name), future, future)
    const before = systemClock.now()
    const lists = await open()
    const loadedAt = Date.parse(sdn(lists)?.loadedAt ?? '')
    assert.ok(before <= loadedAt && loadedAt <= systemClock.now())
    await lists.syncNow()
    assert.equal(Date.parse(sdn(lists)?.loadedAt ?? ''), loadedAt)
  })

  test('a change of the files is in force after the next look, without a restart', async () => {
    const lists = await open()
    put('sdn.csv', small('NEWLY LISTED'))
    put('consolidated.xml', WHOLE['consolidated.xml']!)
    await lists.syncNow()
    assert.equal(lists.current()?.screenName('Newly Listed')[0]?.method, 'exact')
    assert.deepEqual(
      lists.current()?.lists.map(({ id }) => id),
      ['OFAC_SDN', 'UN_SC'],
    )
  })

  for (const [what, spoil, reason] of [
    ['is cut short', () => small().slice(0, -20), /middle of a line/],
    ['has shrunk by 6 %', () => sdnCsv([], 41), /fewer/],
    ['is empty', () => '', /middle of a line|no entry/],
  ] as const) {
    test(`a file that ${what} is refused, while running and at the next start`, async () => {
      const lists = await open()
      put('sdn.csv', spoil())
      await lists.syncNow()
      assert.match(refusal(lists) ?? '', reason)
      assert.equal(sdn(lists)?.entries, 44)
      const next = await open()
      assert.match(refusal(next) ?? '', reason)
      assert.deepEqual([sdn(next)?.entries, sdn(next)?.source], [44, 'last good'])
    })
  }

  test('bytes in another encoding, and an archive that is none, are refused', async () => {
    const latin1 = Buffer.from(
      WHOLE['consolidated.xml']!.replace('UNITED 1', 'UNIT\u00c9 1'),
      'latin1',
    )
    writeFileSync(join(folder, 'consolidated.xml'), latin1)
    put('cons_prim.csv', small())
    put('cons_alt.csv', ALT)
    put('CONS_ENHANCED.ZIP', 'PK no archive')
    const lists = await open()
    const reasons = lists.status().map(({ refused }) => refused?.reason)
    assert.match(reasons[1] ?? '', /cons_enhanced\.zip does not/)
    assert.match(reasons[2] ?? '', /consolidated\.xml is not valid UTF-8/)
    assert.deepEqual(
      lists.current()?.lists.map(({ id }) => id),
      ['OFAC_SDN'],
    )
  })

  test('files that are gone leave the last good list while running', async () => {
    const lists = await open()
    rmSync(join(folder, 'sdn.csv'))
    rmSync(join(folder, 'alt.csv'))
    await lists.syncNow()
    assert.match(refusal(lists) ?? '', /gone/)
    assert.equal(sdn(lists)?.entries, 44)
    put('sdn.csv', small())
    put('alt.csv', ALT)
    await lists.syncNow()
    assert.equal(refusal(lists), undefined)
  })

  test('a start on a folder without lists loads nothing at all', async () => {
    await open()
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    assert.equal((await open()).current(), undefined)
    assert.equal((await open(false, join(root, 'not there'))).current(), undefined)
  })

  test('another folder is another choice: the first one’s list does not stand in', async () => {
    await open()
    const other = join(root, `other${cases}`)
    mkdirSync(other)
    writeFileSync(join(other, 'sdn.csv'), small().slice(0, -20))
    writeFileSync(join(other, 'alt.csv'), ALT)
    const lists = await open(false, other)
    assert.equal(lists.current(), undefined)
    assert.match(refusal(lists) ?? '', /middle of a line/)
  })

  test('without a folder the lists on the shelf are used; without those the fallback, but in production nothing', async () => {
    const settings = { dataDir, listsDir: undefined, listsSync: false, listsPollMs: 60_000 }
    const machine = { clock: systemClock, pause: systemPause, log: silent }
    const start = async (production: boolean) => {
      const lists = openLists({ ...settings, production, listsBaseUrl: undefined }, machine)
      await lists.load()
      return lists
    }
    assert.equal(sdn(await start(false))?.source, 'embedded fallback')
    assert.equal((await start(true)).current(), undefined)
    await open()
    assert.deepEqual(
      [sdn(await start(true))?.source, sdn(await start(true))?.entries],
      ['last good', 44],
    )
  })
})
