/** A list change is an alert at once: over the difference, whatever comes in between, and once. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type AlertsResponse, DAY_MS } from '@portcullis/protocol'
import { RESCREEN_JOB } from '../packages/server/src/app/history/rescreen.ts'
import { changeOf, changeSlot } from '../packages/server/src/app/history/rescreen-scope.ts'
import { movedClock } from './support/clock.ts'
import { writeLists } from './support/lists.ts'
import { range } from './support/load.ts'
import { addPastCounterparties, pastName, pastWallet } from './support/past-counterparties.ts'
import { bearer, type Party, startTestService, tempDir } from './support/service.ts'
import { designated, swappedWatchlists } from './support/watchlists.ts'

const CLI = fileURLToPath(new URL('../packages/server/src/cli/main.ts', import.meta.url))
const START = '2026-11-20T12:00:00.000Z'
const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const newFolder = (): string => {
  const folder = tempDir()
  folders.push(folder)
  return folder
}

interface Run {
  readonly slot: string
  readonly subjects: number
  readonly alerts: number
  readonly finishedAt: number | null
}

function rows(dataDir: string, sql: string): Record<string, unknown>[] {
  const db = new DatabaseSync(join(dataDir, 'portcullis.sqlite'))
  try {
    return db.prepare(sql).all()
  } finally {
    db.close()
  }
}

/** The oldest first. */
const runsOf = (dataDir: string): Run[] =>
  rows(dataDir, 'select * from job_runs order by announced_at_ms').map((row) => ({
    slot: String(row['slot']),
    subjects: Number(row['subjects']),
    alerts: Number(row['alerts']),
    finishedAt: row['finished_at_ms'] as number | null,
  }))

const afterChanges = (dataDir: string): Run[] =>
  runsOf(dataDir).filter(({ slot }) => changeOf(slot).from !== undefined)

/** A service with counterparties of the past, whose base version is announced. */
async function started(count: number, { forgets } = { forgets: false }) {
  const dataDir = newFolder()
  const clock = movedClock(START)
  const watchlists = swappedWatchlists({ forgets })
  const service = await startTestService({ DATA_DIR: dataDir }, { watchlists, clock })
  const party = await service.party()
  const { rescreening, env } = service.service
  await rescreening.listsChanged()
  await rescreening.tick()
  addPastCounterparties(dataDir, [party.operatorId], count, clock.now())
  const alerted = async (of: Party = party): Promise<(string | null)[]> => {
    const headers = bearer(of.operatorToken)
    const { body } = await service.call<AlertsResponse>('/v1/alerts', { headers })
    return body.alerts.map(({ counterparty }) => counterparty).toSorted()
  }
  const listed = async (...entries: Parameters<typeof watchlists.set>[0]) => {
    clock.advance(1_000)
    watchlists.set(entries)
    await rescreening.listsChanged()
  }
  return { dataDir, clock, watchlists, service, rescreening, env, alerted, listed }
}

const byName = (n: number) => designated(pastName(n).toUpperCase())
const byWallet = (n: number) => designated(`Owner Of Wallet Number ${n}`, [pastWallet(n)])

describe('a list change', () => {
  test('raises each alert once, in the difference and the daily run together', async () => {
    const { dataDir, clock, service, rescreening, alerted, listed } = await started(3_000)
    const first = [byName(17), byWallet(1_234), byName(2_999)]
    await listed(...first)
    await rescreening.tick()
    const names = [17, 1_234, 2_999].map(pastName).toSorted()
    assert.deepEqual(await alerted(), names)
    assert.deepEqual(
      afterChanges(dataDir).map(({ subjects, alerts }) => [subjects, alerts]),
      [[3_002, 3]],
    )
    clock.advance(DAY_MS)
    await rescreening.tick()
    assert.equal(runsOf(dataDir).at(-1)?.alerts, 0)
    assert.deepEqual(await alerted(), names)
    // Off the list, and on it again: another alert.
    await listed(...first.slice(1))
    await rescreening.tick()
    await listed(...first)
    await rescreening.tick()
    assert.deepEqual(await alerted(), [...names, pastName(17)].toSorted())
    await service.stop()
  })

  test('that comes, goes and comes again within a day is told of each time', async () => {
    const { dataDir, service, rescreening, alerted, listed } = await started(40)
    const same = byName(17)
    for (const times of [1, 2, 3]) {
      await listed(same)
      await rescreening.tick()
      assert.deepEqual(await alerted(), new Array(times).fill(pastName(17)))
      await listed()
      await rescreening.tick()
    }
    assert.equal(afterChanges(dataDir).length, 6)
    await service.stop()
  })

  test('whose difference is not known concerns everybody', async () => {
    const { service, rescreening, alerted, listed } = await started(600, { forgets: true })
    await listed(byName(5), byWallet(599))
    await rescreening.tick()
    assert.deepEqual(await alerted(), [5, 599].map(pastName).toSorted())
    await service.stop()
  })

  test('that comes while another is worked on adds to it', async () => {
    const { dataDir, service, rescreening, alerted, listed } = await started(5_000)
    const first = [byName(3), byName(4_990)]
    await listed(...first)
    while ((afterChanges(dataDir)[0]?.subjects ?? 0) === 0) await sleep(1)
    const second = [...first, byWallet(4), byWallet(4_991)]
    await listed(...second)
    await listed(...second, byName(2_500))
    await rescreening.tick()
    const expected = [3, 4, 2_500, 4_990, 4_991].map(pastName).toSorted()
    assert.deepEqual(await alerted(), expected)
    const runs = afterChanges(dataDir)
    assert.equal(runs.length, 3)
    assert.ok(runs.every(({ finishedAt }) => finishedAt !== null))
    await service.stop()
  })

  test('does not wait until everybody is looked at', async () => {
    const { dataDir, clock, service, rescreening, alerted, listed } = await started(5_000)
    clock.advance(DAY_MS)
    const day = rescreening.tick()
    while ((runsOf(dataDir).at(-1)?.subjects ?? 0) === 0) await sleep(1)
    await listed(byName(4_999))
    clock.advance(1_000)
    await day
    await rescreening.tick()
    const daily = runsOf(dataDir).find(({ slot }) => slot === '2026-11-21')
    assert.deepEqual([daily?.subjects, daily?.finishedAt !== null], [5_002, true])
    assert.deepEqual([afterChanges(dataDir)[0]?.alerts, daily?.alerts], [1, 0])
    assert.deepEqual(await alerted(), [pastName(4_999)])
    await service.stop()
  })

  test('is left to whoever has the lists that it came with', async () => {
    const one = await started(300)
    const older = one.watchlists.current()
    const watchlists = { ...one.watchlists, current: () => older }
    const behind = await startTestService(
      { DATA_DIR: one.dataDir },
      { watchlists, clock: one.clock },
    )
    one.watchlists.set([byName(42)])
    const { version } = one.watchlists.current() ?? {}
    const slot = changeSlot(one.clock.now(), older?.version, version ?? '')
    await one.env.store.announceRun({ job: RESCREEN_JOB, slot }, one.clock.now())
    await behind.service.rescreening.tick()
    assert.equal(afterChanges(one.dataDir)[0]?.finishedAt, null)
    await behind.stop()
    await one.rescreening.tick()
    assert.deepEqual(await one.alerted(), [pastName(42)])
    await one.service.stop()
  })
})

const COUNT = 30_000
const PLANTED = range(20).map((n) => n * 1_499 + 7)

test('a difference that is killed is finished after a restart, no alert twice', async () => {
  const dataDir = newFolder()
  const LISTS_DIR = writeLists(newFolder(), [{ id: 1, name: 'ALWAYS LISTED HOLDINGS' }])
  const variables = { DATA_DIR: dataDir, LISTS_DIR }
  const before = await startTestService(variables)
  const party = await before.party()
  await before.service.rescreening.listsChanged()
  await before.service.rescreening.tick()
  await before.stop()
  addPastCounterparties(dataDir, [party.operatorId], COUNT, Date.now())
  writeLists(LISTS_DIR, [
    { id: 1, name: 'ALWAYS LISTED HOLDINGS' },
    ...PLANTED.map((n) => ({ id: 1_000 + n, name: pastName(n).toUpperCase() })),
  ])
  // The difference is kept when the list that changed is read, at a start too.
  const changed = await startTestService(variables)
  await changed.service.rescreening.listsChanged()
  const [run] = afterChanges(dataDir)
  const { from = '', to = '' } = changeOf(run?.slot ?? '')
  const entries = await changed.service.env.watchlists.difference?.(from, to)
  assert.equal(entries?.length, PLANTED.length)
  await changed.stop()
  assert.ok(run !== undefined && run.finishedAt === null, 'the difference was not announced')
  const command = () =>
    spawn(process.execPath, [CLI, 'rescreen'], {
      env: { PATH: process.env['PATH'], ...variables },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  const screened = () => afterChanges(dataDir)[0]?.subjects ?? 0
  for (const share of [0.2, 0.6]) {
    const child = command()
    const gone = once(child, 'exit')
    while (screened() < COUNT * share) await sleep(5)
    child.kill('SIGKILL')
    await gone
    assert.ok(screened() < COUNT, 'the kill came too late')
    rows(dataDir, 'update job_runs set lease_until_ms = 0')
  }
  const [code] = (await once(command(), 'exit')) as [number]
  assert.equal(code, 0)
  const { subjects, alerts } = afterChanges(dataDir)[0] ?? {}
  assert.deepEqual([subjects, alerts], [COUNT + 2, PLANTED.length])
  const told = rows(dataDir, 'select name from alerts').map(({ name }) => String(name))
  assert.deepEqual(told.toSorted(), PLANTED.map(pastName).toSorted())
})
