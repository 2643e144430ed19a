/** The command line, as a process. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { spawnService } from '../../../test/support/process.ts'
import {
  LISTED,
  startTestService,
  tempDir,
  UNLISTED_WALLET,
} from '../../../test/support/service.ts'

const CLI = fileURLToPath(new URL('../bin/portcullis.js', import.meta.url))
const folder = tempDir()
after(() => rmSync(folder, { recursive: true }))
const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

const run = (file: string, args: string[], env: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(file, args, { env: { PATH, ...env }, timeout: 20_000 }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err })
    })
  })
const portcullis = (args: string[], env?: Record<string, string>) =>
  run(process.execPath, [CLI, ...args], env)

test('portcullis --help explains itself and names every command', async () => {
  const { code, out } = await portcullis(['--help'])
  assert.equal(code, 0)
  for (const word of ['serve', 'screen', 'receipt', 'Examples:'])
    assert.ok(out.includes(word), word)
})

test('portcullis screen exits with the verdict and prints its evidence', async () => {
  const complete = ['--name', 'Acme Corp', '--wallet', UNLISTED_WALLET]
  const [clear, block, mixer, nowhere] = await Promise.all([
    portcullis(['screen', ...complete, '--amount', '250', '--chain', 'BASE']),
    portcullis(['screen', '--name', 'Acme', '--wallet', LISTED.wallet]),
    portcullis(['screen', '--protocol', 'Tornado Cash']),
    portcullis(['screen', '--name', 'Acme Corp', '--chain', 'BASE']),
  ])
  assert.deepEqual([clear.code, block.code, mixer.code, nowhere.code], [0, 4, 4, 3])
  assert.match(clear.out, /CLEAR/)
  assert.match(block.out, /R6_COUNTERPARTY_WALLET_OFAC[^]*LAZARUS GROUP/)
})

test('portcullis screen --json prints the evaluation', async () => {
  const { code, out } = await portcullis(['screen', '--name', LISTED.name, '--json'])
  assert.equal(code, 4)
  const printed = JSON.parse(out) as {
    verdict: string
    ruleTriggered: string
    matches: unknown[]
    lists: unknown[]
  }
  assert.deepEqual([printed.verdict, printed.ruleTriggered], ['BLOCK', 'R7_COUNTERPARTY_NAME_OFAC'])
  assert.ok(printed.matches.length > 0 && printed.lists.length === 1)
})

test('portcullis screen gives no verdict on bad usage or without a list', async () => {
  const [amount, chain, lists, config] = await Promise.all([
    portcullis(['screen', '--name', 'x', '--amount', '-1']),
    portcullis(['screen', '--name', 'x', '--chain', 'DOGE']),
    portcullis(['screen', '--name', 'x'], { LISTS_DIR: folder }),
    portcullis(['screen', '--name', 'x'], { PORT: 'x', DATABASE_URL: 'postgres://x' }),
  ])
  assert.deepEqual([amount.code, chain.code, lists.code, config.code], [2, 2, 6, 2])
  for (const { out } of [amount, chain, lists, config]) assert.doesNotMatch(out, /CLEAR/)
  assert.match(config.err, /PORT[^]*DATABASE_URL/)
})

test('portcullis receipt verify judges a receipt offline', async () => {
  const api = await startTestService()
  const { receipt } = (await api.screen(await api.party())).body
  const [good, bad, jwks] = ['good', 'bad', 'jwks'].map((name) => join(folder, name))
  writeFileSync(good!, `${receipt}\n`)
  writeFileSync(bad!, receipt.replace(/.{4}$/, 'AAAA'))
  writeFileSync(jwks!, JSON.stringify(await api.jwks()))
  const online = await portcullis([
    'receipt',
    'verify',
    good!,
    '--jwks',
    `${api.url}/v1/.well-known/jwks.json`,
  ])
  await api.stop()
  const [valid, invalid, other] = await Promise.all([
    portcullis(['receipt', 'verify', good!, '--jwks', jwks!]),
    portcullis(['receipt', 'verify', bad!, '--jwks', jwks!]),
    portcullis(['receipt', 'verify', good!, '--jwks', jwks!, '--issuer', 'did:kya:other']),
  ])
  assert.deepEqual([online.code, valid.code, invalid.code, other.code], [0, 0, 4, 4])
  assert.match(invalid.out, /^NOT VALID/)
})

test('the commands that serve prints work as printed', async () => {
  const running = await spawnService({ DATA_DIR: join(folder, 'served') })
  const commands = running.printed().split('Try it (paste into a shell):')[1] ?? ''
  assert.match(running.printed(), /embedded fallback/)
  const { code, out } = await run('bash', ['-c', commands])
  assert.equal(code, 0)
  const [registered, screened, verified] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  assert.equal(registered?.['status'], 'ACTIVE')
  assert.equal(screened?.['verdict'], 'CLEAR')
  assert.equal(verified?.['valid'], true)
  assert.equal(await running.end('SIGTERM'), 0)
})

test('lists score answers every pair in its order, and names the line that is none', async () => {
  const pairs = [
    { query: 'Usama bin Ladin', candidate: 'BIN LADIN, Usama', schema: 'Person' },
    { query: 'Example Coffee Roasters', candidate: 'BIN LADIN, Usama' },
  ]
  const input = `${pairs.map((pair) => JSON.stringify(pair)).join('\n')}\n\n`
  const file = join(folder, 'pairs.jsonl')
  writeFileSync(file, input)
  const scored = await portcullis(['lists', 'score', '--pairs', file])
  assert.equal(scored.code, 0)
  const lines = scored.out.trim().split('\n')
  const answers = lines.map((line) => JSON.parse(line) as { verdict: string; score: number })
  assert.deepEqual(
    answers.map(({ verdict }) => verdict),
    ['BLOCK', 'CLEAR'],
  )
  writeFileSync(file, `${input}{"query":1}\n`)
  const refused = await portcullis(['lists', 'score', '--pairs', file])
  assert.equal(refused.code, 2)
  assert.match(refused.err, /line 4/)
})
