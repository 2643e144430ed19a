/** Lists that change under a service that runs, and processes that are killed while they change. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { HealthRecord } from '@portcullis/protocol'
import {
  type Mirror,
  sdnCsv,
  startMirror,
  tempFolder,
} from '../packages/server/test/list-mirror.ts'

const CLI = fileURLToPath(new URL('../packages/server/src/cli/main.ts', import.meta.url))
const PATIENCE_MS = 60_000

type Variables = Readonly<Record<string, string>>

const environment = (variables: Variables) => ({ PORT: '0', LOG_LEVEL: 'silent', ...variables })

async function portcullis(args: readonly string[], variables: Variables): Promise<string> {
  const options = { env: environment(variables) }
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], options)
  return stdout
}

interface Status {
  readonly list: string
  readonly contentHash?: string
  readonly source?: string
  readonly entries?: number
}

const statusOf = async (variables: Variables): Promise<Status[]> =>
  JSON.parse(await portcullis(['lists', 'status', '--json'], variables)) as Status[]

async function serve(variables: Variables): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [CLI, 'serve'], {
    env: environment(variables),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  for await (const text of child.stdout) {
    printed += String(text)
    const url = /listens on (\S+)/.exec(printed)?.[1]
    if (url !== undefined) return { child, url }
  }
  throw new Error(`the service did not listen: ${printed}`)
}

const healthOf = async (url: string): Promise<HealthRecord> =>
  (await (await fetch(`${url}/v1/health`)).json()) as HealthRecord

/** Health, once it is as wanted. */
async function healthWhen(url: string, wanted: (health: HealthRecord) => boolean) {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const health = await healthOf(url)
    if (wanted(health)) return health
    if (performance.now() > until) assert.fail(JSON.stringify(health, null, 1))
    await sleep(100)
  }
}

describe('a service whose lists change', () => {
  const DATA_DIR = tempFolder()
  let mirror: Mirror
  before(async () => {
    mirror = await startMirror()
  })
  after(() => {
    mirror.close()
  })

  test('health tells of every list, a designation made meanwhile, and a refusal', async () => {
    const variables = { DATA_DIR, LISTS_BASE_URL: mirror.url }
    const { child, url } = await serve(variables)
    try {
      const health = await healthWhen(url, ({ syncHealthy }) => syncHealthy)
      assert.deepEqual(
        [health.sanctionedEntities, health.ofacAddresses, health.ofac.eth.addresses],
        [13_000, 700, 700],
      )
      assert.equal(health.ofac.sol.note, 'OFAC lists no address under this ticker now')
      assert.deepEqual(
        [health.globalSanctions.enabled, health.globalSanctions.sources],
        [true, 'UN 802, EU 3502, UK 1701'],
      )
      assert.deepEqual([health.publicOfficials.enabled, health.publicOfficials.count], [true, 450])
      assert.equal(Object.keys(health.syncFreshness).length, 6)

      mirror.files['SDN.CSV'] = sdnCsv([{ name: 'SUDDENLY LISTED' }])
      await portcullis(['lists', 'sync'], variables)
      await healthWhen(url, ({ sanctionedEntities }) => sanctionedEntities === 13_001)
      assert.match(
        await portcullis(['lists', 'diff', 'OFAC_SDN'], variables),
        /\+ 13001 {2}SUDDENLY/,
      )
      assert.match(await portcullis(['lists', 'search', 'Suddenly Listed'], variables), /OFAC_SDN/)

      mirror.files['SDN.CSV'] = '<html>Moved</html>'
      await assert.rejects(portcullis(['lists', 'sync'], variables), /web page/)
      const status = await statusOf(variables)
      assert.equal(status.filter(({ contentHash }) => contentHash !== undefined).length, 6)
      await assert.rejects(portcullis(['lists', 'accept', 'OFAC_SDN'], variables))
      assert.equal((await healthOf(url)).sanctionedEntities, 13_001)
    } finally {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  })

  test('kill -9 of the service inside a swap leaves whole lists, old or new', async (t) => {
    const variables = { DATA_DIR, LISTS_BASE_URL: mirror.url }
    const offline = { DATA_DIR, LISTS_SYNC: 'off' }
    const folder = join(DATA_DIR, 'lists', 'OFAC_SDN')
    const publish = (version: number) => {
      mirror.files['SDN.CSV'] = sdnCsv([{ name: `VERSION ${version}` }])
    }
    publish(100)
    await portcullis(['lists', 'sync'], variables)
    let [stands] = await statusOf(offline)
    const seen = { old: 0, new: 0, inside: 0 }
    for (const [round, moment] of MOMENTS.entries()) {
      publish(round)
      await killedAt(folder, moment, variables)
      if (isBetween(folder)) seen.inside++
      const status = await statusOf(offline)
      assert.deepEqual(
        status.map(({ source }) => source),
        new Array(6).fill('last good'),
      )
      const [now] = status
      assert.equal(now?.entries, 13_001)
      seen[now.contentHash === stands?.contentHash ? 'old' : 'new']++
      stands = now
    }
    t.diagnostic(
      `${MOMENTS.length} kills: the old list stood ${seen.old} times, the new one ${seen.new}; ` +
        `${seen.inside} fell between the first file of the new one and its page`,
    )
    assert.ok(seen.old > 0 && seen.new > 0, JSON.stringify(seen))
    assert.ok(seen.inside > 0, 'no kill fell inside a swap')
    assert.match(await portcullis(['lists', 'sync'], variables), /13001 entries/)
  })
})

const EDITION = /^[0-9a-f]{32}$/
const DRAFT = /^[0-9a-f]{32}\.\d+\.tmp$/

/** Names that appear in the folder of a list while it is swapped, in that order. */
const MOMENTS = [
  /^incoming-/,
  DRAFT,
  EDITION,
  /^previous\.json$/,
  /^current\.json\..*tmp$/,
  /^current\.json$/,
]

/** Starts the service, and kills it as soon as such a name is seen in the folder. */
async function killedAt(folder: string, name: RegExp, variables: Variables): Promise<void> {
  const watcher = watch(folder)
  const isSeen = new Promise<void>((resolve) => {
    watcher.on('change', (_, changed) => {
      if (name.test(String(changed))) resolve()
    })
  })
  const child = spawn(process.execPath, [CLI, 'serve'], {
    env: environment(variables),
    stdio: 'ignore',
  })
  const gone = once(child, 'exit')
  await Promise.race([isSeen, gone])
  child.kill('SIGKILL')
  await gone
  watcher.close()
  assert.equal(child.signalCode, 'SIGKILL')
}

/** Whether files of an edition stand there that no page names yet, or a page is half written. */
function isBetween(folder: string): boolean {
  const named = ['current', 'previous', 'refused'].map((page) => {
    const file = join(folder, `${page}.json`)
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '{}'
    return (JSON.parse(text) as Status).contentHash?.slice(0, 32)
  })
  const found = readdirSync(folder).filter((name) => {
    const isNew = DRAFT.test(name) || /\.json\..*tmp$/.test(name)
    return isNew || (EDITION.test(name) && !named.includes(name))
  })
  // What this kill left is not counted again at the next.
  for (const name of found) rmSync(join(folder, name), { recursive: true })
  return found.length > 0
}
