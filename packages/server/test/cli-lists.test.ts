/** `portcullis lists`, as a process, on a small folder of lists. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { writeLists } from '../../../test/support/lists.ts'
import { tempDir } from '../../../test/support/service.ts'
import { startMirror } from './list-mirror.ts'

const CLI = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))
const root = tempDir()
after(() => rmSync(root, { recursive: true }))
const WALLET = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96'
const LISTS_DIR = writeLists(join(root, 'lists'), [
  {
    id: 1,
    name: 'KONSTANTINOPOLSKY SHIPYARD HOLDING',
    aliases: ['KONSTANTINOPOLSKY WHARVES'],
    remarks: `a.k.a. 'THE YARD'; Digital Currency Address - ETH ${WALLET}; alt. Digital Currency Address - NEWCOIN 7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK.`,
  },
  { id: 2, name: 'PUTILOV BALLISTICS TRADING' },
])

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

async function lists(args: readonly string[], input = '', more: Record<string, string> = {}) {
  const env = { LISTS_DIR, DATA_DIR: join(root, 'data'), LISTS_SYNC: 'off', ...more }
  const child = spawn(process.execPath, [CLI, 'lists', ...args], { env })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  child.stdin.end(input)
  return new Promise<Ended>((resolve) => {
    child.on('close', (code) => {
      resolve({ code, out, err })
    })
  })
}

interface Report {
  readonly at: string
  readonly version: string
  readonly seed: number
  readonly lists: { id: string; contentHash: string; compared: string }[]
  readonly results: { list: string | null; test: string; share: number; asked: number }[]
  readonly met: boolean
}

describe('lists sync', () => {
  test('asks again, then ends by saying what it could not reach', async (t) => {
    const mirror = await startMirror({})
    t.after(() => {
      mirror.close()
    })
    mirror.misbehave.set('SDN.CSV', (response) => response.writeHead(503).end())
    const more = { LISTS_DIR: '', LISTS_SYNC: 'on', LISTS_BASE_URL: mirror.url }
    const { code, out, err } = await lists(['sync'], '', { ...more, DATA_DIR: join(root, 'sync') })
    assert.equal(code, 1, err)
    assert.match(out, /OFAC_SDN .*\n {2}not reached: SDN\.CSV: the publisher answers 503\n/)
    assert.equal(mirror.answers.filter((one) => one === '503 SDN.CSV').length, 3)
    const left = readdirSync(join(root, 'sync', 'lists'), { recursive: true })
    const unfinished = left.map(String).filter((one) => one.includes('incoming-'))
    assert.deepEqual(unfinished, [])
  })
})

describe('lists test', () => {
  test('reports on every list in a table, and says what repeats it', async () => {
    const { code, out, err } = await lists(['test', '--seed', '5'])
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, /Portcullis \d+\.\d+\.\d+, .* \d{4}-\d\d-\d\dT/)
    assert.match(out, /seed 5, sample 500; names: BLOCK from 0\.\d+, REVIEW from 0\.\d+/)
    assert.match(out, /OFAC_SDN: 3 entries, 6 names, 2 wallets\n {2}[0-9a-f]{64}\n/)
    assert.match(out, /compared: exact, similar and disguised names/)
    assert.match(out, /OFAC_SDN +exact +5 100\.00 %/)
    for (const name of ['weak alias', 'level 1', 'level 2', 'level 3', 'wallet, near miss'])
      assert.match(out, new RegExp(`OFAC_SDN +${name} +\\d+`), name)
    assert.match(out, /all lists +clean names +2000/)
  })

  test('is printed when the file for it cannot be written', async () => {
    const file = join(root, 'nowhere', 'report.json')
    const { code, out, err } = await lists(['test', '--sample', '1', '--out', file])
    assert.deepEqual([code, err], [2, `${file} cannot be written (ENOENT)\n`])
    assert.match(out, /test of the sanctions lists/)
  })

  test('is the same for the same seed but for the time, on paper and in a file', async () => {
    const file = join(root, 'report.json')
    const [first, second, other] = await Promise.all([
      lists(['test', '--json', '--seed', '5', '--out', file]),
      lists(['test', '--json', '--seed', '5']),
      lists(['test', '--json', '--seed', '6', '--sample', '1']),
    ])
    assert.equal(readFileSync(file, 'utf8'), first.out)
    const [one, two, three] = [first, second, other].map(({ out }) => {
      const { at, ...report } = JSON.parse(out) as Report
      assert.ok(!Number.isNaN(Date.parse(at)))
      return report
    })
    assert.deepEqual(one, two)
    assert.notDeepEqual(one?.results, three?.results)
    assert.deepEqual(
      one?.lists.map(({ id, compared }) => [id, compared]),
      [['OFAC_SDN', 'similar']],
    )
  })

  test('with --assert exits 1 exactly when a test is below its floor', async () => {
    // The embedded set has many names of one word, which never block in every disguise.
    for (const folder of [{}, { LISTS_DIR: '', DATA_DIR: join(root, 'none') }]) {
      const { code, out } = await lists(['test', '--json', '--assert'], '', folder)
      assert.equal(code, (JSON.parse(out) as Report).met ? 0 : 1)
    }
  })

  test('without a list, or with a sample that is none, says so', async () => {
    const empty = join(root, 'empty')
    mkdirSync(empty)
    const [none, zero, word] = await Promise.all([
      lists(['test'], '', { LISTS_DIR: empty }),
      lists(['test', '--sample', '0']),
      lists(['test', '--seed', 'x']),
    ])
    assert.deepEqual([none.code, zero.code, word.code], [6, 2, 2])
    assert.match(none.err, /No OFAC list is loaded/)
    assert.match(zero.err, /At least 1 is wanted/)
    assert.match(word.err, /A whole number/)
  })
})

describe('lists score', () => {
  const pair = (more: object = {}) =>
    JSON.stringify({
      query: 'Putilov Ballistics',
      candidate: 'PUTILOV BALLISTICS TRADING',
      ...more,
    })

  test('takes CRLF, empty lines, a byte order mark and pairs without a schema', async () => {
    const input = `\ufeff${pair()}\r\n\r\n${pair({ schema: null, more: 1 })}\r\n${pair({ schema: 'Company' })}`
    const { code, out, err } = await lists(['score', '--pairs', '-'], input)
    assert.deepEqual([code, err], [0, ''])
    const lines = out.trim().split('\n')
    assert.equal(lines.length, 3)
    for (const line of lines)
      assert.deepEqual(Object.keys(JSON.parse(line) as object), ['score', 'method', 'verdict'])
  })

  test('names a line that is no pair, and scores the others', async () => {
    const input = [pair(), 'no json', '{"query":1,"candidate":"x"}', '', 'null', pair()].join('\n')
    const { code, out, err } = await lists(['score', '--pairs', '-'], input)
    assert.equal(code, 2)
    assert.match(err, /line 2 is no JSON\nline 3 is no .*\nline 5 is no /)
    const answers = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { line?: number; verdict?: string })
    assert.deepEqual(
      answers.map(({ line }) => line),
      [undefined, 2, 3, 5, undefined],
    )
    assert.equal(answers[4]?.verdict, answers[0]?.verdict)
  })

  test('reads many lines as a stream', async () => {
    const { code, out } = await lists(['score', '--pairs', '-'], `${pair()}\n`.repeat(20_000))
    assert.equal(code, 0)
    assert.equal(out.split('\n').length, 20_001)
  })

  test('says in a sentence that a file cannot be read', async () => {
    const { code, err } = await lists(['score', '--pairs', join(root, 'not there')])
    assert.equal(code, 2)
    assert.match(err, /^\S.* cannot be read \(ENOENT\)\n$/)
  })
})

describe('lists search', () => {
  test('draws the alignment, and says what was looked up where', async () => {
    const { code, out } = await lists(['search', 'Константинопольский Шипярд Холдинг'])
    assert.equal(code, 0)
    assert.match(out, /OFAC_SDN entry 1: KONSTANTINOPOLSKY SHIPYARD HOLDING\n {2}[01]\.\d+ \w+: /)
    assert.match(out, /\n {4}konst\S+ += konstantinopolsky {2}\(\w+, [01]\.\d+\)\n/)
    assert.match(out, /Looked up in OFAC_SDN@[0-9a-f]{16}\n$/)
  })

  test('finds a wallet under any ticker, hidden in a text', async () => {
    const { out } = await lists(['search', `Payment to ${WALLET.toLowerCase()} now`])
    assert.match(out, new RegExp(`entry 1: .*\\n {2}wallet ${WALLET} \\[ETH\\]`))
    const other = await lists(['search', '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK'])
    assert.match(other.out, /\[NEWCOIN\]/)
  })

  test('prints JSON with the alignment and the versions', async () => {
    const { out } = await lists(['search', 'Putilov Balistics Trading', '--json'])
    const { names, lists: versions } = JSON.parse(out) as {
      names: { entryId: string; alignment: { parts: { query: string; listed: string }[] } }[]
      lists: string
    }
    assert.equal(names[0]?.entryId, '2')
    assert.ok(names[0].alignment.parts.some(({ query, listed }) => query !== listed))
    assert.match(versions, /^OFAC_SDN@/)
  })

  test('says that nothing is listed', async () => {
    const { code, out } = await lists(['search', 'Zephyrine Quillworks'])
    assert.equal(code, 0)
    assert.match(out, /^Nothing is listed like `Zephyrine Quillworks`\.\nLooked up in OFAC_SDN@/)
  })
})

describe('lists status, sync, diff and accept', () => {
  test('a folder with half of a list says which file is missing', async () => {
    const half = join(root, 'half')
    mkdirSync(half)
    writeFileSync(join(half, 'sdn.csv'), readFileSync(join(LISTS_DIR, 'sdn.csv')))
    const more = { LISTS_DIR: half, DATA_DIR: join(root, 'half-data') }
    const [status, search, sync] = await Promise.all([
      lists(['status'], '', more),
      lists(['search', 'x'], '', more),
      lists(['sync', '--json'], '', { ...more, DATA_DIR: join(root, 'half-data-2') }),
    ])
    assert.match(status.out, /OFAC_SDN +not loaded\n {2}refused: alt\.csv is missing/)
    assert.deepEqual([status.code, search.code, sync.code], [0, 6, 1])
  })

  test('a list that left the folder stands in from the shelf, and status says so', async () => {
    const folder = writeLists(join(root, 'leaving'), [{ id: 1, name: 'STAYS ON THE SHELF' }])
    const un = join(folder, 'consolidated.xml')
    writeFileSync(
      un,
      '<CONSOLIDATED_LIST><ENTITIES><ENTITY><DATAID>1</DATAID><FIRST_NAME>UNITED ENTITY</FIRST_NAME></ENTITY></ENTITIES></CONSOLIDATED_LIST>',
    )
    const more = { LISTS_DIR: folder, DATA_DIR: join(root, 'leaving-data') }
    assert.equal((await lists(['sync'], '', more)).code, 0)
    rmSync(un)
    const { out } = await lists(['status'], '', more)
    assert.match(
      out,
      /UN_SC .*1 entries.*\(last good\)\n {2}refused: the files of the list are gone/,
    )
  })

  test('what makes no sense is a usage error in a sentence', async () => {
    const [off, accept, last, unknown] = await Promise.all([
      lists(['sync'], '', { LISTS_DIR: '' }),
      lists(['accept', 'UN_SC']),
      lists(['diff', 'UN_SC', '--last', 'x']),
      lists(['diff', 'NOPE']),
    ])
    assert.deepEqual([off.code, accept.code, last.code, unknown.code], [2, 2, 2, 2])
    assert.match(off.err, /LISTS_SYNC is off/)
    assert.match(accept.err, /No version of UN_SC is refused/)
    assert.match(last.err, /A whole number/)
    assert.match(unknown.err, /Allowed choices are OFAC_SDN/)
  })
})
