/** A provider that goes down in the middle of a re-screening: what it said before stands. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { type AlertsResponse, DAY_MS } from '@portcullis/protocol'
import { movedClock } from './support/clock.ts'
import { range } from './support/load.ts'
import { addPastCounterparties, pastName } from './support/past-counterparties.ts'
import { bearer, startTestService } from './support/service.ts'
import { designated, swappedWatchlists } from './support/watchlists.ts'

const COUNT = 60
const listed = new Set<string>()
let asked = 0
let downFrom = Infinity

/** Speaks the match API; from the request `downFrom` on it is gone, with everybody's connection. */
const provider = createServer((request, response) => {
  void (async () => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    if (++asked >= downFrom) {
      provider.close()
      provider.closeAllConnections()
      return
    }
    const { queries } = JSON.parse(text) as {
      queries: Record<string, { properties: { name?: string[] } }>
    }
    const resultsOf = (name = '') =>
      listed.has(name)
        ? [{ id: name, score: 0.95, properties: { topics: ['sanction'] }, datasets: ['test'] }]
        : []
    const answers = Object.entries(queries).map(([query, { properties }]) => [
      query,
      { results: resultsOf(properties.name?.[0]) },
    ])
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ responses: Object.fromEntries(answers) as unknown }))
  })().catch(() => undefined)
})

let port = 0
const up = async () => {
  provider.listen(port, '127.0.0.1')
  await once(provider, 'listening')
  ;({ port } = provider.address() as AddressInfo)
}
before(up)
after(() => provider.close())

test('a provider closed in the middle of a run takes no alert back', async () => {
  const clock = movedClock('2026-11-20T12:00:00.000Z')
  const watchlists = swappedWatchlists()
  const api = await startTestService(
    { SCREENING_PROVIDER_ONE_URL: `http://127.0.0.1:${port}` },
    { clock, watchlists },
  )
  const party = await api.party()
  const { rescreening } = api.service
  await rescreening.listsChanged()
  addPastCounterparties(api.dataDir, [party.operatorId], COUNT, clock.now())
  const nextDay = async () => {
    clock.advance(DAY_MS)
    asked = 0
    await rescreening.tick()
    const db = new DatabaseSync(join(api.dataDir, 'portcullis.sqlite'), { readOnly: true })
    const run = db.prepare('select * from job_runs order by announced_at_ms desc').get()
    db.close()
    assert.notEqual(run?.['finished_at_ms'], null)
    return Number(run?.['unavailable'])
  }
  const alerted = async () => {
    const headers = bearer(party.operatorToken)
    const { body } = await api.call<AlertsResponse>('/v1/alerts', { headers })
    return body.alerts.map(({ counterparty }) => counterparty)
  }
  const early = range(COUNT).map(pastName)
  for (const name of early) listed.add(name)
  assert.equal(await nextDay(), 0)
  assert.equal((await alerted()).length, COUNT)

  downFrom = 41
  const unanswered = await nextDay()
  assert.ok(unanswered > 0 && unanswered < COUNT, `${unanswered} were not answered`)
  assert.equal((await alerted()).length, COUNT)

  // What changes on our own lists is no question to it, down as it is.
  clock.advance(1_000)
  watchlists.set([designated(pastName(3).toUpperCase())])
  await rescreening.listsChanged()
  await rescreening.tick()
  assert.equal((await alerted()).length, COUNT + 1)

  downFrom = Infinity
  await up()
  assert.equal(await nextDay(), 0)
  assert.ok(asked >= 2 * COUNT, 'not everybody was asked again')
  const names = await alerted()
  assert.deepEqual([names.length, new Set(names).size], [COUNT + 1, COUNT])
  await api.stop()
})
