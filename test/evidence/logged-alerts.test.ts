/** Alerts are entries of the log: raised, decided, exported, expired; an older store's too. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { type Alert, type AlertsResponse, DAY_MS, verifyExport } from '@portcullis/protocol'
import { sha256 } from '../../packages/server/src/adapters/vault.ts'
import { purgeExpired } from '../../packages/server/src/app/audit/retention.ts'
import { verifyLog } from '../../packages/server/src/app/audit/verify-log.ts'
import { movedClock } from '../support/clock.ts'
import { bearer, type Party, startTestService, tempDir } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { designated, swappedWatchlists } from '../support/watchlists.ts'

const NAME = 'Quiet Harbour Ltd'
const clock = movedClock('2026-10-01T12:00:00.000Z')
const timer = { every: () => () => Promise.resolve() }
const watchlists = swappedWatchlists()
const dataDir = tempDir()
const start = () => startTestService({ DATA_DIR: dataDir }, { clock, timer, watchlists })
let api = await start()
const [party, other] = [await api.party(), await api.party()]
after(async () => {
  await api.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const env = () => ({ ...api.service.env, archive: undefined })

async function alertsOf(who: Party): Promise<readonly Alert[]> {
  const headers = bearer(who.operatorToken)
  return (await api.call<AlertsResponse>('/v1/alerts', { headers })).body.alerts
}

interface Exported {
  readonly text: string
  readonly entries: readonly { kind: string; at: string; record: string }[]
}

async function exported(who: Party, query = ''): Promise<Exported> {
  const headers = bearer(who.operatorToken)
  const { text } = await api.call(`/v1/audit/export${query}`, { headers })
  const lines = text.trimEnd().split('\n')
  const check = { jwks: await api.jwks(), origin: 'did:kya:service-alpha/audit', hash: sha256 }
  const reading = await verifyExport(lines, check)
  assert.ok(reading.ok, JSON.stringify(reading))
  const entries = lines
    .map((line) => JSON.parse(line) as { type: string; leafData: string | null })
    .filter(({ type, leafData }) => type === 'entry' && leafData !== null)
    .map(({ leafData }) => JSON.parse(Buffer.from(leafData!, 'base64').toString()) as never)
  return { text, entries }
}

const kindsOf = ({ entries }: Exported) => entries.map(({ kind }) => kind)

async function decide(
  service: TestService,
  who: Party,
  alertId: string,
  status: string,
): Promise<void> {
  const body = { status, reviewedBy: 'Ada', notes: 'not the same' }
  const options = { method: 'PATCH', headers: bearer(who.operatorToken), body }
  assert.equal((await service.call(`/v1/alerts/${alertId}`, options)).status, 200)
}

test('raising and deciding are entries, and their operator exports them with proofs', async () => {
  await api.screen(party, { cpName: NAME })
  const entry = designated(NAME.toUpperCase())
  watchlists.set([entry])
  await api.service.rescreening.listsChanged([entry])
  await api.service.rescreening.tick()
  const [alert] = await alertsOf(party)
  clock.advance(DAY_MS)
  await decide(api, party, alert!.alertId, 'DISMISSED')

  const { entries } = await exported(party)
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    ['screen', 'alert', 'alert-decided'],
  )
  const [raised, decided] = entries.slice(1).map(({ record }) => JSON.parse(record) as object)
  assert.deepEqual(
    { ...raised },
    {
      ...{ alertId: alert!.alertId, subjectType: 'counterparty', subjectId: null, name: NAME },
      ...{ wallet: alert!.wallet, previousResult: 'CLEAR', matches: alert!.matches, revision: 1 },
      subject: (raised as { subject: string }).subject,
    },
  )
  assert.deepEqual(decided, {
    alertId: alert!.alertId,
    status: 'DISMISSED',
    reviewedBy: 'Ada',
    notes: 'not the same',
    reviewedAt: '2026-10-02T12:00:00.000Z',
  })
  assert.equal((await verifyLog(env())).damage, undefined)
})

test('nobody else exports them; a verdict or an agent has none; a range has its own', async () => {
  assert.deepEqual(kindsOf(await exported(other)), [])
  assert.deepEqual(kindsOf(await exported(party, '?verdict=CLEAR')), ['screen'])
  assert.deepEqual(kindsOf(await exported(party, `?agentId=${party.agentId}`)), ['screen'])
  assert.deepEqual(kindsOf(await exported(party, '?from=2026-10-02')), ['alert-decided'])
  const headers = bearer(party.operatorToken)
  const csv = await api.call('/v1/audit/export?format=csv', { headers })
  const row = csv.text.split('\r\n').find((line) => line.includes(',alert-decided,'))
  assert.match(row ?? '', /DISMISSED,Ada,not the same/)
})

/** A store of before alerts and four eyes were logged; nothing of it is sealed yet. */
function takeEntriesOut(): void {
  const db = new DatabaseSync(join(dataDir, 'portcullis.sqlite'))
  const triggers = "select name from sqlite_master where type = 'trigger'"
  for (const { name } of db.prepare(triggers).all()) db.exec(`drop trigger ${String(name)}`)
  for (const table of ['audit_events', 'audit_runs', 'audit_tiles', 'audit_checkpoints']) {
    db.exec(`delete from ${table}`)
  }
  db.exec('drop index audit_events_by_kind')
  db.exec(`delete from kysely_migration where name >= '0005'`)
  db.close()
}

test('what an older store decided becomes entries when it is opened, and verifies', async () => {
  await api.screen(other, { cpName: 'Blue Lantern Inc' })
  const entry = designated('BLUE LANTERN INC')
  watchlists.set([entry])
  await api.service.rescreening.listsChanged([entry])
  await api.service.rescreening.tick()
  const [alert] = await alertsOf(other)
  await decide(api, other, alert!.alertId, 'CONFIRMED')
  const fourEyes = {
    method: 'PATCH',
    headers: bearer(other.operatorToken),
    body: { fourEyes: true },
  }
  await api.call('/v1/operators/me', fourEyes)
  await api.stop()
  takeEntriesOut()
  api = await start()
  const carried = await exported(other)
  assert.deepEqual(kindsOf(carried), ['screen', 'alert', 'alert-decided', 'four-eyes-on'])
  assert.equal((await verifyLog(env())).damage, undefined)
})

test('after its time an alert goes with its entries, whose proofs stay', async () => {
  clock.advance(90 * DAY_MS)
  await purgeExpired(env())
  // The first alert has its time; what was decided a day later stays until its own.
  assert.deepEqual(await alertsOf(party), [])
  assert.equal((await verifyLog(env())).damage, undefined)
  clock.advance(2 * DAY_MS)
  await purgeExpired(env())
  const reading = await verifyLog(env())
  assert.equal(reading.damage, undefined)
  // Two screens, two alerts, two decisions.
  assert.equal(reading.purged, 6)
  for (const file of readdirSync(dataDir).filter((name) => name.startsWith('portcullis'))) {
    const text = readFileSync(join(dataDir, file)).toString('latin1')
    assert.ok(!text.includes(NAME) && !text.includes('not the same'), file)
  }
})
