/** Lists that change under a service that runs, and processes that are killed while they change. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
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

  test('kill -9 at any moment of a swap leaves the old lists whole, or the new', async (t) => {
    const variables = { DATA_DIR, LISTS_BASE_URL: mirror.url }
    const offline = { DATA_DIR, LISTS_SYNC: 'off' }
    const publish = (version: number) => {
      mirror.files['SDN.CSV'] = sdnCsv([{ name: `VERSION ${version}` }])
    }
    publish(100)
    await portcullis(['lists', 'sync'], variables)
    let stands = (await statusOf(offline))[0]?.contentHash
    const seen = { old: 0, new: 0 }
    for (const [round, isReached] of MOMENTS.entries()) {
      publish(round)
      const { child } = await serve(variables)
      const gone = once(child, 'exit')
      await moment(join(DATA_DIR, 'lists', 'OFAC_SDN'), isReached)
      child.kill('SIGKILL')
      await gone
      const status = await statusOf(offline)
      assert.deepEqual(
        status.map(({ source }) => source),
        new Array(6).fill('last good'),
      )
      const hash = status[0]?.contentHash
      seen[hash === stands ? 'old' : 'new']++
      stands = hash
    }
    t.diagnostic(`after a kill the old list stood ${seen.old} times, the new one ${seen.new}`)
    assert.ok(seen.old > 0 && seen.new > 0, 'no kill fell on either side of the swap')
    assert.match(await portcullis(['lists', 'sync'], variables), /13001 entries/)
  })
})

/** What is to be seen on the shelf of a list, which only a swap that is under way leaves there. */
type Moment = (names: readonly string[], before: readonly string[]) => boolean

const isEdition = (name: string): boolean => /^[0-9a-f]{32}$/.test(name)

const MOMENTS: readonly Moment[] = [
  // Being downloaded, or read and judged.
  (names) => names.some((name) => name.startsWith('incoming-')),
  // Its files stand there, and perhaps no page names them yet.
  (names, before) => names.some((name) => isEdition(name) && !before.includes(name)),
  // A page is being written.
  (names) => names.some((name) => name.endsWith('.json') || /\.json\..*tmp$/.test(name)),
].flatMap((one) => [one, one])
