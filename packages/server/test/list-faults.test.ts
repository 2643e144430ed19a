import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { ListId } from '@portcullis/watchlist'
import { inlineBuilder } from '../src/adapters/lists/builders.ts'
import { openShelf } from '../src/adapters/lists/shelf.ts'
import { upstreamSource } from '../src/adapters/lists/upstream-source.ts'
import { systemClock, systemPause } from '../src/adapters/system.ts'
import type { Pause } from '../src/app/lists/list-ports.ts'
import { createListSync, type ListSync } from '../src/app/lists/list-sync.ts'
import { type Mirror, type Misbehaviour, sdnCsv, startMirror, tempFolder } from './list-mirror.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
/** Backoff without the waiting. */
const brief: Pause = {
  wait: (ms, signal) => systemPause.wait(ms / 50, signal),
  chance: () => 0.5,
}
const TIMEOUT_MS = 1_500
const MAX_BYTES = 5_000_000

function openFrom(url: string, dataDir: string): ListSync {
  const root = join(dataDir, 'lists')
  const bounds = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
  return createListSync({
    source: upstreamSource({ base: url, root, bounds }, systemClock, brief),
    shelf: openShelf(root, systemClock),
    startBuilder: inlineBuilder,
    builder: inlineBuilder,
    clock: systemClock,
    pause: brief,
    log: silent,
    settings: { pollMs: 60_000, fallback: true, writes: true },
  })
}

const statusOf = (lists: ListSync, id: ListId) => lists.status().find((one) => one.id === id)!
const listed = (lists: ListSync, name: string): boolean =>
  (lists.current()?.screenName(name) ?? []).some(({ method }) => method === 'exact')
const sourceOf = (lists: ListSync, id: ListId) =>
  lists.current()?.lists.find((one) => one.id === id)?.source

describe('lists from a publisher that misbehaves', () => {
  let mirror: Mirror
  let lists: ListSync
  let good: string
  const dataDir = tempFolder()
  const shelf = openShelf(join(dataDir, 'lists'), systemClock)
  before(async () => {
    mirror = await startMirror()
    lists = openFrom(mirror.url, dataDir)
    await lists.load()
    assert.equal(sourceOf(lists, 'OFAC_SDN'), 'embedded fallback')
    await lists.syncNow()
    good = lists.current()!.version
    assert.equal(lists.current()!.lists.length, 6)
    assert.ok(listed(lists, 'FILLER0, Person 0') && listed(lists, 'UNITED 7'))
  })

  after(() => {
    mirror.close()
  })

  /** The answer of a misbehaving publisher leaves the last good lists, and a reason. */
  async function keepsLastGood(id: ListId, reason: RegExp): Promise<void> {
    await lists.syncNow()
    const { refused, unreachable } = statusOf(lists, id)
    assert.match(refused?.reason ?? unreachable ?? 'nothing said', reason)
    assert.equal(lists.current()!.version, good)
    assert.ok(listed(lists, 'FILLER0, Person 0') && listed(lists, 'UNITED 7'))
    for (const other of lists.status())
      if (other.id !== id) assert.equal(other.refused ?? other.unreachable, undefined, other.id)
  }

  /** What is published is whole again, and the list is in order again. */
  async function recovers(id: ListId): Promise<void> {
    mirror.misbehave.clear()
    await lists.syncNow()
    const { refused, unreachable } = statusOf(lists, id)
    assert.deepEqual([refused, unreachable], [undefined, undefined])
    assert.equal(lists.current()!.version, good)
  }

  test('what has not changed is not sent again, and counts as fresh', async () => {
    mirror.answers.length = 0
    const earlier = lists.current()!.lists[0]!.loadedAt
    await lists.syncNow()
    assert.ok(
      mirror.answers.every((answer) => /^(304|404)/.test(answer)),
      mirror.answers.join(),
    )
    assert.ok(lists.current()!.lists[0]!.loadedAt > earlier)
    assert.equal(lists.current()!.version, good)
  })

  const few = (text: string) => `${text.split('\r\n').slice(0, 9).join('\r\n')}\r\n`
  const REFUSED: [string, ListId, string, (text: string) => string, RegExp][] = [
    ['a file cut short', 'OFAC_SDN', 'SDN.CSV', (text) => text.slice(0, -40), /middle of a line/],
    ['a web page', 'OFAC_SDN', 'ALT.CSV', () => '<!DOCTYPE html><p>Moved</p>\n', /web page/],
    ['an empty file', 'OFAC_SDN', 'SDN.CSV', () => '', /middle of a line|no entry/],
    ['a list shrunk by 6 %', 'OFAC_SDN', 'SDN.CSV', () => sdnCsv([], 12_220), /6\.0 % fewer/],
    ['a lost canary', 'OFAC_SDN', 'SDN.CSV', (t) => t.replace('HIZBALLAH', 'X'), /HIZBALLAH/],
    ['XML cut short', 'UN_SC', 'consolidated.xml', (text) => text.slice(0, -30), /well-formed/],
    [
      'another document',
      'EU_FSF',
      'xmlFullSanctionsList_1_1.xml',
      () => '<html><body>Service unavailable</body></html>',
      /is no export/,
    ],
    ['a list of nobody', 'US_LEGISLATORS', 'legislators-current.json', () => '[]', /no entry/],
    ['a handful', 'UK_FCDO', 'UK-Sanctions-List.csv', few, /not between/],
  ]
  for (const [what, id, name, spoil, reason] of REFUSED) {
    test(`${what} as ${name} is refused`, async () => {
      const whole = mirror.files[name]!
      mirror.files[name] = spoil(whole)
      await keepsLastGood(id, reason)
      mirror.files[name] = whole
      await recovers(id)
    })
  }

  const UNREACHED: [string, (url: string) => Misbehaviour, RegExp][] = [
    ['that answers 500', () => (response) => response.writeHead(500).end(), /answers 500/],
    ['that lost the file', () => (response) => response.writeHead(404).end(), /no such file/],
    ['that hangs', () => () => undefined, /not had within/],
    [
      'that sends a byte now and then',
      () => (response) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write('1'), 50)
        response.on('close', () => {
          clearInterval(timer)
        })
      },
      /not had within/,
    ],
    [
      'that breaks off',
      () => (response) => {
        response.writeHead(200, { 'content-length': '100000' }).write('1,"A"')
        setTimeout(() => response.destroy(), 20)
      },
      /connection failed/,
    ],
    [
      'that redirects in a circle',
      (url) => (response) => response.writeHead(302, { location: `${url}/SDN.CSV` }).end(),
      /more than 5 redirects/,
    ],
    [
      'that redirects to a file of this machine',
      () => (response) => response.writeHead(302, { location: 'file:///etc/hosts' }).end(),
      /unsafe address/,
    ],
    [
      'that announces too much',
      () => (response) =>
        response.writeHead(200, { 'content-length': `${MAX_BYTES + 1}` }).write('x'),
      /bytes that are allowed/,
    ],
    [
      'that sends too much without saying so',
      () => (response) => {
        response.writeHead(200)
        const more = () => {
          if (!response.destroyed) response.write('x'.repeat(100_000), () => setImmediate(more))
        }
        more()
      },
      /bytes that are allowed/,
    ],
  ]
  for (const [what, answer, reason] of UNREACHED) {
    test(`a publisher ${what} costs no coverage`, async () => {
      mirror.misbehave.set('SDN.CSV', answer(mirror.url))
      await keepsLastGood('OFAC_SDN', reason)
      await recovers('OFAC_SDN')
    })
  }

  test('a redirect to where the file is now is followed', async () => {
    mirror.misbehave.set('SDN.CSV', (response) =>
      response.writeHead(302, { location: `${mirror.url}/moved` }).end(),
    )
    mirror.files['moved'] = sdnCsv([{ name: 'REDIRECTED PARTY' }])
    await lists.syncNow()
    assert.ok(listed(lists, 'Redirected Party'))
    good = lists.current()!.version
    mirror.files['SDN.CSV'] = mirror.files['moved']
    await recovers('OFAC_SDN')
  })

  test('a passing failure is tried again at once', async () => {
    mirror.misbehave.set('ALT.CSV', (response) => {
      mirror.misbehave.delete('ALT.CSV')
      response.writeHead(503).end()
    })
    await lists.syncNow()
    assert.ok(!mirror.misbehave.has('ALT.CSV'))
    assert.equal(statusOf(lists, 'OFAC_SDN').unreachable, undefined)
  })

  test('a designation made upstream is in force after a sync; the difference is kept', async () => {
    assert.ok(!listed(lists, 'Suddenly Listed Trading'))
    const remarks = 'Digital Currency Address - SOL 4Nd1mY.'
    const added = [{ name: 'REDIRECTED PARTY' }, { name: 'SUDDENLY LISTED TRADING', remarks }]
    mirror.files['SDN.CSV'] = sdnCsv(added)
    await lists.syncNow()
    assert.ok(listed(lists, 'Suddenly Listed Trading'))
    assert.equal(lists.current()!.addressesByTicker['sol'], 1)
    const [kept] = await shelf.diffs('OFAC_SDN')
    const names = kept?.diff.added.map(({ primaryName }) => primaryName)
    assert.deepEqual(names, ['SUDDENLY LISTED TRADING'])
    good = lists.current()!.version
  })

  test('a refused list that is accepted is in force in a service that runs', async () => {
    mirror.files['SDN.CSV'] = sdnCsv([{ name: 'AFTER THE GREAT DELISTING' }], 12_100)
    await keepsLastGood('OFAC_SDN', /fewer/)
    const { refused } = await shelf.read('OFAC_SDN')
    await shelf.accept('OFAC_SDN', refused!.contentHash)
    await lists.noticeNow('OFAC_SDN')
    assert.ok(listed(lists, 'After the Great Delisting'))
    assert.equal(statusOf(lists, 'OFAC_SDN').refused, undefined)
    good = lists.current()!.version
    await recovers('OFAC_SDN')
  })

  test('the next start uses the last good lists when nobody answers', async () => {
    const offline = openFrom('http://127.0.0.1:9', dataDir)
    await offline.load()
    await offline.syncNow()
    assert.equal(offline.current()!.version, good)
    assert.equal(sourceOf(offline, 'OFAC_SDN'), 'last good')
    assert.match(statusOf(offline, 'UN_SC').unreachable ?? '', /connection failed/)
    await offline.stop()
  })

  test('a damaged copy on disk gives way to the one before, and is fetched again', async () => {
    const { current } = await shelf.read('OFAC_SDN')
    writeFileSync(current!.files[0]!.path, 'damaged')
    const damaged = openFrom(mirror.url, dataDir)
    await damaged.load()
    assert.ok(listed(damaged, 'Suddenly Listed Trading'))
    await damaged.syncNow()
    // What is published is the accepted version, which is smaller than the one before.
    assert.equal(damaged.current()!.version, good)
    await damaged.stop()
  })

  test('files that vanish under a running service cost no list its coverage', async () => {
    rmSync(join(dataDir, 'lists', 'EU_FSF'), { recursive: true })
    mirror.files['SDN.CSV'] = sdnCsv([{ name: 'LISTED MEANWHILE' }], 12_100)
    for (let round = 0; round < 3; round++) {
      await lists.syncNow()
      assert.equal(lists.current()!.lists.length, 6)
      assert.ok(listed(lists, 'EUROPEAN 5'))
    }
    assert.ok(listed(lists, 'Listed Meanwhile'))
    await lists.stop()
  })
})
