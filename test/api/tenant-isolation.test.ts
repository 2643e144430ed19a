/** Another operator's id answers as one that does not exist, byte for byte but the request id. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type AlertsResponse, type Endpoint, ENDPOINTS } from '@portcullis/protocol'
import { AN_AGENT, bearer, type Party, startTestService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { designated, swappedWatchlists } from '../support/watchlists.ts'

const watchlists = swappedWatchlists()
let api: TestService
let owner: Party
let stranger: Party
/** Ids of everything that the owner has, by the name of the path parameter. */
let owned: Record<string, string>

before(async () => {
  api = await startTestService({}, { watchlists })
  owner = await api.party({ maxSingleTxUSDC: 20 })
  stranger = await api.party()
  const { body: held } = await api.screen(owner, { amount: 50, cpName: 'Isolated Trading' })
  const fleet = await api.call<{ fleetId: string }>('/v1/fleets/create', {
    headers: bearer(owner.operatorToken),
    body: { fleetName: 'Fleet', operatorLegalName: 'Example Robotics', dailyLimitUSDC: 100 },
  })
  watchlists.set([designated('ISOLATED TRADING')])
  await api.service.rescreening.tick()
  const { body } = await api.call<AlertsResponse>('/v1/alerts', {
    headers: bearer(owner.operatorToken),
  })
  const agent = await api.registerAgent(owner)
  owned = {
    txnId: held.txnId,
    alertId: body.alerts[0]?.alertId ?? '',
    agentId: agent.body.agentId,
    fleetId: fleet.body.fleetId,
  }
})
after(() => api.stop())

/** Ids of the right shape that nobody has. */
const NOBODYS: Readonly<Record<string, string>> = {
  txnId: 'txn_00000000',
  alertId: 'alert_0000000000000000',
  agentId: 'agt_0000000000000000',
  fleetId: 'flt_0000000000000000',
}

/** A body that would do something, were the id one's own. */
const BODIES: Readonly<Record<string, object>> = {
  review: { disposition: 'APPROVED', reviewedBy: 'A Stranger' },
  decideAlert: { status: 'DISMISSED', reviewedBy: 'A Stranger' },
  updateAgent: { status: 'SUSPENDED', reason: 'a stranger' },
  updateSpendPolicy: { dailyLimitUSDC: 1 },
  attestAgent: { attestedBy: 'A Stranger', note: 'all is well' },
  updateFleet: { fleetName: 'Taken over' },
  holdRecord: { legalHold: true, by: 'A Stranger' },
}

/** Bodies of endpoints that take ids beside those of their path, but for the id. */
const BODIES_WITH_IDS: Readonly<Record<string, object>> = {
  registerAgent: AN_AGENT,
  updateAgent: {},
  createDelegate: { agentName: 'Child', purpose: 'taking over' },
  registerUser: { userLegalName: 'A Stranger', userRole: 'payer' },
}

/** What kind of thing a field names, when its name does not say it. */
const KINDS: Readonly<Record<string, string>> = { parentAgentId: 'agentId' }

const VARYING = new Set(['x-request-id', 'date'])

/** Status, headers and body as bytes, without what differs from one request to the next. */
async function answer(path: string, method: string, body: object | undefined, token: string) {
  const reply = await api.call(path, { method, headers: bearer(token), ...(body && { body }) })
  const headers = Object.entries(reply.headers).filter(([name]) => !VARYING.has(name))
  const text = reply.text.replace(/req_[0-9a-f-]{36}/g, 'req_')
  return { status: reply.status, headers: Object.fromEntries(headers), text }
}

const withIds = (path: string, ids: Readonly<Record<string, string>>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => {
    const id = ids[name]
    if (id === undefined) throw new Error(`the test has no id for the parameter ${name}`)
    return id
  })

const TABLE = (Object.entries(ENDPOINTS) as [string, Endpoint][]).filter(
  ([, { caller }]) => caller === 'operator',
)
const WITH_IDS = TABLE.filter(([, { path }]) => path.includes(':'))

const idsOf = (schema: unknown): string[] =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}).filter((name) =>
    name.endsWith('Id'),
  )
const BY_BODY = TABLE.flatMap(([name, endpoint]) =>
  idsOf(endpoint.body).map((field) => [name, endpoint, field] as const),
)
const BY_QUERY = TABLE.flatMap(([, endpoint]) =>
  idsOf(endpoint.query).map((field) => [endpoint, field] as const),
)

test('endpoints that take ids in body or query are known', () => {
  assert.deepEqual([...new Set(BY_BODY.map(([name]) => name))], Object.keys(BODIES_WITH_IDS))
  assert.deepEqual(
    BY_QUERY.map(([{ path }, field]) => `${path} ${field}`),
    ['/v1/audit agentId', '/v1/audit/export agentId'],
  )
})

describe('another operator’s id answers as an unknown one', () => {
  for (const [name, { method, path, body }] of WITH_IDS) {
    test(`${method} ${path}`, async () => {
      const sent = body === undefined ? undefined : (BODIES[name] ?? {})
      const token = stranger.operatorToken
      const anothers = await answer(withIds(path, owned), method, sent, token)
      const nobodys = await answer(withIds(path, NOBODYS), method, sent, token)
      assert.equal(nobodys.status, 404)
      assert.deepEqual(anothers, nobodys)
    })
  }

  for (const [name, { method, path }, field] of BY_BODY) {
    test(`${method} ${path} with \`${field}\` in the body`, async () => {
      const kind = KINDS[field] ?? field
      const own = withIds(path, { agentId: stranger.agentId })
      const send = (id: string | undefined) =>
        answer(own, method, { ...BODIES_WITH_IDS[name], [field]: id }, stranger.operatorToken)
      assert.notEqual(owned[kind], undefined, kind)
      const nobodys = await send(NOBODYS[kind])
      assert.ok(nobodys.status >= 400, nobodys.text)
      assert.deepEqual(await send(owned[kind]), nobodys)
    })
  }

  for (const [{ path }, field] of BY_QUERY) {
    test(`GET ${path} with \`${field}\` in the query`, async () => {
      // Signatures differ from one export to the next; CSV has none beside the entries.
      const format = path.endsWith('export') ? '&format=csv' : ''
      const send = (id: string | undefined) =>
        answer(`${path}?${field}=${id ?? ''}${format}`, 'GET', undefined, stranger.operatorToken)
      const nobodys = await send(NOBODYS[field])
      assert.equal(nobodys.status, 200)
      assert.deepEqual(await send(owned[field]), nobodys)
    })
  }

  test('and the owner’s things are as they were', async () => {
    const audit = await api.audit(owner, owned['txnId'] ?? '')
    assert.equal(audit.body.disposition, undefined)
    const { body } = await api.call<AlertsResponse>('/v1/alerts', {
      headers: bearer(owner.operatorToken),
    })
    assert.equal(body.alerts[0]?.status, 'PENDING_REVIEW')
  })
})

/** Every list of the table, and its other faces. */
const LISTS = [
  ...TABLE.filter(([, { method, path }]) => method === 'GET' && !path.includes(':')).map(
    ([, { path }]) => path,
  ),
  '/v1/reviews?status=decided',
  '/v1/audit/export?format=csv',
]

test('lists hold nothing of another operator', async () => {
  for (const path of LISTS) {
    const { text } = await api.call(path, { headers: bearer(stranger.operatorToken) })
    for (const id of Object.values(owned)) assert.ok(!text.includes(id), path)
  }
})
