/** What a command says that cannot do its work, and how it ends. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { tempDir } from '../../../test/support/service.ts'

const CLI = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))
const folder = tempDir()
after(() => rmSync(folder, { recursive: true }))

interface Ended {
  readonly code: unknown
  readonly out: string
  readonly err: string
}

function portcullis(line: string, variables: Record<string, string> = {}): Promise<Ended> {
  const env = { PORT: '0', LISTS_SYNC: 'off', DATA_DIR: join(folder, 'data'), ...variables }
  return new Promise((resolve) => {
    const args = [CLI, ...line.split(' ').filter((word) => word !== '')]
    execFile(process.execPath, args, { env, timeout: 60_000 }, (error, out, err) => {
      resolve({ code: error === null ? 0 : error.code, out, err })
    })
  })
}

/** It failed, with one line that names the setting. */
function assertSaid({ code, err }: Ended, ...words: RegExp[]): void {
  assert.equal(code, 1, err)
  assert.equal(err.trimEnd().split('\n').length, 1, err)
  for (const word of words) assert.match(err, word)
}

test('a command that is not understood ends with 2, in every group', async () => {
  const lines = [
    'nope',
    'serve --nope',
    'screen --amount -1',
    'receipt verify',
    'lists',
    'lists sync --nope',
    'lists diff NOPE',
    'lists diff OFAC_SDN --last 0',
    'lists status more',
    'audit nope',
  ]
  const ends = await Promise.all(lines.map((line) => portcullis(line)))
  for (const [at, { code, err, out }] of ends.entries()) {
    assert.deepEqual([lines[at], code, out], [lines[at], 2, ''])
    assert.notEqual(err.trim(), '')
  }
})

test('help and version are no failures', async () => {
  for (const line of ['--version', 'lists sync --help'])
    assert.equal((await portcullis(line)).code, 0, line)
})

test('where nothing can be written, whoever writes says so at once', async () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  const DATA_DIR = join(file, 'data')
  // Were it asked for anything, this would be reached and refuse: nothing is asked for.
  const variables = { DATA_DIR, LISTS_SYNC: 'on', LISTS_BASE_URL: 'http://127.0.0.1:9' }
  for (const line of ['serve', 'lists sync', 'rescreen']) {
    const ended = await portcullis(line, variables)
    assertSaid(ended, /DATA_DIR/, /not a directory/, /name a folder/)
    assert.equal(ended.out, '')
  }
})

test('a start that is refused names the setting and what to do', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const PORT = String((taken.address() as AddressInfo).port)
  assertSaid(await portcullis('serve', { PORT, LOG_LEVEL: 'silent' }), /PORT/, /another PORT/)
  taken.close()
  const silent = { LOG_LEVEL: 'silent' }
  assertSaid(await portcullis('serve', { ...silent, HOST: '192.0.2.1' }), /HOST/, /such address/)
  assertSaid(
    await portcullis('serve', { ...silent, SIGNING_KEYS: '/nowhere/keys.json' }),
    /SIGNING_KEYS/,
    /cannot be read/,
  )
  assertSaid(await portcullis('serve', { ...silent, TRUSTED_PROXIES: 'x' }), /TRUSTED_PROXIES/)
  const DATA_DIR = join(folder, 'not-a-store')
  mkdirSync(DATA_DIR)
  writeFileSync(join(DATA_DIR, 'portcullis.sqlite'), 'no store at all, but some bytes')
  assertSaid(await portcullis('serve', { ...silent, DATA_DIR }), /DATA_DIR/, /not a database/)
})

test('a configuration that is not valid is a usage error that names every variable', async () => {
  const { code, err } = await portcullis('serve', { PORT: 'x', LISTS_SYNC: 'maybe' })
  assert.equal(code, 2)
  assert.match(err, /PORT[^]*LISTS_SYNC/)
})
