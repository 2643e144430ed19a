/** The first extended provider in the daily re-screening (spec: GET /v1/alerts). */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type AlertsResponse, DAY_MS } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { bearer, type Party, startTestService, type TestService } from '../support/service.ts'
import { swappedWatchlists } from '../support/watchlists.ts'

const clock = movedClock('2026-11-20T12:00:00.000Z')

interface Result {
  readonly id: string
  readonly score: number
  readonly topics: readonly string[]
}

/** A provider that speaks the match API: what it says of each name, or that it is down. */
const listed = new Map<string, Result>()
let isDown = false
const provider = createServer((request, response) => {
  void (async () => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const { queries } = JSON.parse(text) as {
      queries: Record<string, { properties: { name?: string[] } }>
    }
    const resultsOf = (name = '') => {
      const found = listed.get(name)
      if (found === undefined) return []
      const { id, score, topics } = found
      return [{ id, caption: name, score, properties: { topics }, datasets: ['test_data'] }]
    }
    const responses = Object.fromEntries(
      Object.entries(queries).map(([query, { properties }]) => [
        query,
        { results: resultsOf(properties.name?.[0]) },
      ]),
    )
    response.writeHead(isDown ? 503 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ responses }))
  })()
})

let api: TestService
before(async () => {
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const { port } = provider.address() as AddressInfo
  const variables = { SCREENING_PROVIDER_ONE_URL: `http://127.0.0.1:${port}` }
  api = await startTestService(variables, { clock, watchlists: swappedWatchlists() })
})
after(async () => {
  await api.stop()
  provider.close()
})

/** What the run of the next day tells the party. */
async function nextDay(party: Party): Promise<AlertsResponse['alerts']> {
  clock.advance(DAY_MS)
  await api.service.rescreening.tick()
  const { body } = await api.call<AlertsResponse>('/v1/alerts', {
    headers: bearer(party.operatorToken),
  })
  return body.alerts
}

describe('the first extended provider', () => {
  test('is asked once a day about everybody, and each hit is told once', async () => {
    const party = await api.party()
    const names = ['Sanctioned Elsewhere', 'Somebody In Office', 'In The News', 'Faint Likeness']
    for (const cpName of names) await api.screen(party, { cpName })
    listed.set('Sanctioned Elsewhere', { id: 'Q1', score: 0.95, topics: ['sanction'] })
    listed.set('Somebody In Office', { id: 'Q2', score: 0.8, topics: ['role.pep'] })
    listed.set('In The News', { id: 'Q3', score: 0.9, topics: ['crime.fin'] })
    listed.set('Faint Likeness', { id: 'Q4', score: 0.69, topics: ['sanction'] })
    const alerts = await nextDay(party)
    const told: Record<string, unknown> = {}
    for (const { counterparty, newResult } of alerts) told[counterparty ?? ''] = newResult
    assert.deepEqual(told, {
      'Sanctioned Elsewhere': {
        sanctionHits: [{ list: 'EXTENDED:test_data', score: 0.95 }],
        pepHits: [],
        adverseMediaHits: [],
      },
      'Somebody In Office': {
        sanctionHits: [],
        pepHits: [{ list: 'PEP:EXTENDED:test_data', score: 0.8 }],
        adverseMediaHits: [],
      },
      'In The News': {
        sanctionHits: [],
        pepHits: [],
        adverseMediaHits: [{ category: 'financial_crime', score: 1 }],
      },
    })
    assert.deepEqual(await nextDay(party), alerts)
  })

  test('that is down raises nothing and takes nothing back', async () => {
    const party = await api.party()
    await api.screen(party, { cpName: 'Through The Outage' })
    listed.set('Through The Outage', { id: 'Q5', score: 0.9, topics: ['sanction'] })
    const alerts = await nextDay(party)
    assert.equal(alerts.length, 1)
    isDown = true
    assert.deepEqual(await nextDay(party), alerts)
    isDown = false
    assert.deepEqual(await nextDay(party), alerts)
  })

  test('is shown by health, without its address', async () => {
    const { screeningProviderOne } = await api.health()
    assert.equal(screeningProviderOne.enabled, true)
    assert.deepEqual(screeningProviderOne.features, ['sanctions', 'pep', 'adverseMedia'])
  })
})
