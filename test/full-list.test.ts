/** The whole OFAC list as published, screened over HTTP; and lists that must not load. */
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { ScreenResult } from '@portcullis/protocol'
import { parse } from 'csv-parse/sync'
import { assertError } from './support/errors.ts'
import { inParallel } from './support/load.ts'
import { writeLists } from './support/lists.ts'
import { ANY_RATE, bearer, startTestService, tempDir } from './support/service.ts'
import { leftOut, sharedPath, sharedText } from './support/shared.ts'

const LISTS = 'lists/current'
const CONNECTIONS = 24
/** Sixty thousand screens take most of a minute, and several on a busy machine. */
const WHOLE_LIST = { timeout: 400_000 }
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
after(() => agent.destroy())

interface Subject {
  readonly entryId: string
  readonly text: string
}

/** Rows of a published file, read here and not by the product. The last line is Ctrl-Z alone. */
const rowsOf = (file: string): string[][] =>
  parse(readFileSync(sharedPath(`${LISTS}/${file}`), 'latin1').replace(/\u001a\s*$/, ''), {
    relax_column_count: true,
  })

const isGiven = (text: string | undefined): text is string =>
  (text ?? '').trim() !== '' && text?.trim() !== '-0-'

/** Every primary name and alias; a person's also with the given names first. */
function listedNames(): Subject[] {
  const sdn = rowsOf('sdn.csv')
  const people = new Set(sdn.filter((row) => row[2]?.trim() === 'individual').map(([id]) => id))
  const published = [
    ...sdn.map(([entryId = '', text = '']) => ({ entryId, text })),
    ...rowsOf('alt.csv').map(([entryId = '', , , text = '']) => ({ entryId, text })),
  ].filter(({ text }) => isGiven(text))
  const turned = published.flatMap(({ entryId, text }) => {
    const [last = '', first, suffix] = text.split(', ')
    return people.has(entryId) && first !== undefined && suffix === undefined
      ? [{ entryId, text: `${first} ${last}` }]
      : []
  })
  return [...published, ...turned]
}

/** Every wallet of the remarks, which are cut and go on in the comments file. */
function listedWallets(): Subject[] {
  const more = new Map<string, string>()
  for (const [id = '', text = ''] of rowsOf('sdn_comments.csv'))
    more.set(id, (more.get(id) ?? '') + text)
  return rowsOf('sdn.csv').flatMap((row) => {
    const entryId = row[0] ?? ''
    const remarks = (row[11] ?? '') + (more.get(entryId) ?? '')
    return [...remarks.matchAll(/Digital Currency Address - \S+ ([^;\s]+?)[.;\s]/g)].map(
      ([, text = '']) => ({ entryId, text }),
    )
  })
}

describe('the full OFAC list', { skip: leftOut(`${LISTS}/sdn.csv`) }, async () => {
  if (leftOut(`${LISTS}/sdn.csv`) !== false) return
  const api = await startTestService({ ...ANY_RATE, LISTS_DIR: sharedPath(LISTS) })
  const party = await api.party({}, { legalName: 'Zephyrine Quillworks' })
  const screen = async (payment: object) => {
    const { status, body, text } = await api.call<ScreenResult>('/v1/screen', {
      agent,
      headers: bearer(party.operatorToken),
      body: { token: party.agentToken, amount: 1, ...payment },
    })
    assert.equal(status, 200, text)
    return body
  }

  async function notBlocked(
    subjects: readonly Subject[],
    field: 'cpName' | 'cpWallet',
    rule: string,
  ) {
    const missed: string[] = []
    await inParallel(subjects, CONNECTIONS, async ({ entryId, text }) => {
      const { verdict, ruleTriggered, matches } = await screen({ [field]: text })
      const evidence = matches.some(
        (match) => match.field === field && match.entryId === entryId && match.list === 'OFAC_SDN',
      )
      if (verdict !== 'BLOCK' || ruleTriggered !== rule || !evidence) {
        missed.push(
          `${entryId} ${text}: ${verdict} ${ruleTriggered}${evidence ? '' : ', entry not in the evidence'}`,
        )
      }
    })
    return missed
  }

  test('every primary name and alias is BLOCK R7, with its entry', WHOLE_LIST, async (t) => {
    const names = listedNames()
    assert.ok(names.length > 30_000, `only ${names.length} names were read`)
    const missed = await notBlocked(names, 'cpName', 'R7_COUNTERPARTY_NAME_OFAC')
    t.diagnostic(`${names.length} listed names screened`)
    assert.equal(
      missed.length,
      0,
      `${missed.length} of ${names.length}:\n${missed.slice(0, 40).join('\n')}`,
    )
  })

  test('every listed wallet is BLOCK R6, with its entry in the evidence', async (t) => {
    const wallets = listedWallets()
    assert.ok(wallets.length > 700, `only ${wallets.length} wallets were read`)
    const missed = await notBlocked(wallets, 'cpWallet', 'R6_COUNTERPARTY_WALLET_OFAC')
    t.diagnostic(`${wallets.length} listed wallets screened`)
    assert.deepEqual(missed, [])
  })

  test(
    'of 1,000 clean names fewer than a tenth are not CLEAR',
    { skip: leftOut('names/clean-companies.txt') },
    async (t) => {
      const companies = sharedText('names/clean-companies.txt').split('\n').filter(isGiven)
      const people = sharedText('names/clean-people.jsonl').split('\n').filter(isGiven)
      const names = [
        ...companies,
        ...people.slice(0, 364).map((line) => (JSON.parse(line) as { query: string }).query),
      ]
      const verdicts = await inParallel(
        names,
        CONNECTIONS,
        async (cpName) => (await screen({ cpName })).verdict,
      )
      const count = (wanted: string) => verdicts.filter((verdict) => verdict === wanted).length
      t.diagnostic(
        `${names.length} clean names: ${count('REVIEW')} REVIEW, ${count('BLOCK')} BLOCK`,
      )
      assert.equal(names.length, 1_000)
      assert.ok(count('CLEAR') > 900)
    },
  )

  test('health counts what the files hold', async () => {
    const { ofac, sanctionedEntities, ofacAddresses, ofacSource, ofacEmbeddedFallback } =
      await api.health()
    assert.equal(sanctionedEntities, rowsOf('sdn.csv').length)
    assert.equal(
      ofac.entityNames.count,
      rowsOf('sdn.csv').length + rowsOf('alt.csv').filter((row) => isGiven(row[3])).length,
    )
    assert.equal(
      ofacAddresses,
      new Set(
        listedWallets().map(({ text }) => (text.startsWith('0x') ? text.toLowerCase() : text)),
      ).size,
    )
    assert.equal(ofacSource, 'LISTS_DIR')
    assert.equal(ofacEmbeddedFallback, 0)
  })
})

describe('a LISTS_DIR that holds no whole list leaves the service up and without verdicts', () => {
  const good = writeLists(join(tempDir(), 'good'), [{ id: 1, name: 'LISTED ONE' }])
  after(() => rmSync(join(good, '..'), { recursive: true }))
  const copy = (folder: string, ...names: string[]) => {
    mkdirSync(folder)
    for (const name of names) copyFileSync(join(good, name), join(folder, name))
  }
  const cases: Record<string, (folder: string) => void> = {
    'that does not exist': () => undefined,
    'that is empty': (folder) => copy(folder),
    'without alt.csv': (folder) => copy(folder, 'sdn.csv'),
    'without sdn.csv': (folder) => copy(folder, 'alt.csv'),
    'with a web page in the place of sdn.csv': (folder) => {
      copy(folder, 'alt.csv')
      writeFileSync(join(folder, 'sdn.csv'), '<!DOCTYPE html><html><body>Moved</body></html>\r\n')
    },
    'with an empty sdn.csv': (folder) => {
      copy(folder, 'alt.csv')
      writeFileSync(join(folder, 'sdn.csv'), '')
    },
    'with a truncated sdn.csv': (folder) => {
      copy(folder, 'alt.csv')
      writeFileSync(join(folder, 'sdn.csv'), readFileSync(join(good, 'sdn.csv')).subarray(0, -20))
    },
    'with a truncated alt.csv': (folder) => {
      copy(folder, 'sdn.csv')
      writeFileSync(join(folder, 'alt.csv'), readFileSync(join(good, 'alt.csv')).subarray(0, -9))
    },
    'with a row of too few columns': (folder) => {
      copy(folder, 'alt.csv')
      writeFileSync(join(folder, 'sdn.csv'), '1,"LISTED ONE",-0- \r\n')
    },
  }
  const made = tempDir()
  after(() => rmSync(made, { recursive: true }))
  for (const [at, [what, make]] of Object.entries(cases).entries()) {
    test(`one ${what}`, async () => {
      const DATA_DIR = join(made, `data${at}`)
      const first = await startTestService({ DATA_DIR, LISTS_DIR: good })
      const party = await first.party()
      assert.equal((await first.screen(party)).body.verdict, 'CLEAR')
      await first.stop()

      const folder = join(made, `lists${at}`)
      make(folder)
      const api = await startTestService({ DATA_DIR, LISTS_DIR: folder })
      assertError(await api.screen(party), 'lists_unavailable')
      assertError(await api.screen(party, { cpName: 'LISTED ONE' }), 'lists_unavailable')
      assertError(await api.register(), 'lists_unavailable')
      assertError(await api.registerAgent(party), 'lists_unavailable')
      assertError(await api.call('/v1/demo/screen', { body: { scenario: 1 } }), 'lists_unavailable')
      const health = await api.health()
      assert.equal(health.syncHealthy, false)
      assert.equal(health.ofacSource, 'none')
      assert.deepEqual(
        [health.sanctionedEntities, health.ofac.entityNames.count, health.ofacAddresses],
        [0, 0, 0],
      )
      await api.stop()
    })
  }

  test('the same folder with a whole list screens', async () => {
    const api = await startTestService({ LISTS_DIR: good })
    assert.equal(
      (await api.screen(await api.party(), { cpName: 'Listed One' })).body.matches[0]?.entryId,
      '1',
    )
    await api.stop()
  })
})
