/** GET /v1/health, GET /v1/.well-known/jwks.json, /openapi.json, and what holds for every route. */
import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { after, describe, test } from 'node:test'
import { type Endpoint, ENDPOINTS } from '@portcullis/protocol'
import { assertError } from '../support/errors.ts'
import { bearer, startTestService } from '../support/service.ts'

const api = await startTestService()
after(() => api.stop())
const party = await api.party()

/** The shape of a JSON value: its type, or that of every member. */
function shape(value: unknown): unknown {
  if (value === null) return 'null'
  if (Array.isArray(value)) return [...new Set(value.map((one) => typeof one))]
  if (typeof value !== 'object') return Number.isInteger(value) ? 'integer' : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shape(member)]))
}

describe('GET /v1/health', () => {
  test('has every field of the specified record with its JSON type', async () => {
    const fallback = {
      addresses: 'integer',
      source: 'string',
      lastSync: 'string',
      embeddedFallback: 'integer',
    }
    assert.deepEqual(shape(await api.health()), {
      status: 'string',
      version: 'string',
      environment: 'string',
      ofac: {
        eth: fallback,
        xbt: fallback,
        trx: fallback,
        usdt: fallback,
        usdc: fallback,
        sol: fallback,
        entityNames: { count: 'integer', source: 'string', lastSync: 'string' },
      },
      ofacAddresses: 'integer',
      ofacSource: 'string',
      ofacLastSync: 'string',
      ofacEmbeddedFallback: 'integer',
      ofacBtcAddresses: 'integer',
      ofacTrxAddresses: 'integer',
      ofacUsdtAddresses: 'integer',
      ofacUsdcAddresses: 'integer',
      sanctionedEntities: 'integer',
      kvConnected: 'boolean',
      signingAlg: 'string',
      signingKeyLoaded: 'boolean',
      screeningProviderOne: { enabled: 'boolean', apiUrl: 'string', features: [] },
      screeningProviderTwo: {
        enabled: 'boolean',
        coverage: 'string',
        optIn: 'string',
        timeoutMs: 'integer',
        thresholds: { block: 'string', review: 'string', clear: 'string' },
      },
      screeningProviderTwoAdverseMedia: {
        enabled: 'boolean',
        coverage: 'string',
        categories: ['string'],
        flagCategories: ['string'],
        optIn: 'string',
        verdictImpact: 'string',
        timeoutMs: 'integer',
        note: 'string',
      },
      globalSanctions: {
        enabled: 'boolean',
        count: 'integer',
        syncedAt: 'null',
        sources: 'string',
      },
      publicOfficials: {
        enabled: 'boolean',
        count: 'integer',
        scope: 'string',
        syncedAt: 'null',
        source: 'string',
      },
      arcAttestation: {
        enabled: 'boolean',
        network: 'string',
        queued: 'integer',
        queuedAtLeast: 'boolean',
        awaitingConfirmation: 'integer',
        batchSize: 'integer',
        capacityPerDay: 'integer',
        backlogHealthy: 'boolean',
      },
      merchant: { id: 'string', complianceManifestValid: 'boolean' },
      credentialHierarchy: ['string'],
      agentModes: ['string'],
      maxDelegationDepth: 'integer',
      latency: { p50Ms: 'null', p99Ms: 'null', sampleSize: 'integer', computedFrom: 'string' },
      syncFreshness: { OFAC_SDN: { status: 'string', lastSyncAge: 'string', lastSync: 'string' } },
      syncHealthy: 'boolean',
      timestamp: 'string',
    })
  })

  test('shows what is not there as not enabled, the fallback, and the fixed values', async () => {
    const health = await api.health()
    for (const name of [
      'screeningProviderOne',
      'screeningProviderTwo',
      'screeningProviderTwoAdverseMedia',
      'globalSanctions',
      'publicOfficials',
      'arcAttestation',
    ] as const) {
      assert.equal(health[name].enabled, false)
    }
    assert.deepEqual(
      [
        health.status,
        health.version,
        health.environment,
        health.signingAlg,
        health.maxDelegationDepth,
      ],
      ['ok', '0.4.0', 'alpha', 'ES256 (P-256)', 3],
    )
    assert.deepEqual(
      [
        health.kvConnected,
        health.signingKeyLoaded,
        health.syncHealthy,
        health.merchant.complianceManifestValid,
      ],
      [true, true, false, true],
    )
    assert.equal(health.ofacEmbeddedFallback, health.ofacAddresses)
    assert.ok(health.ofacAddresses > 0 && health.ofac.eth.addresses > 0)
    assert.equal(health.merchant.id, 'did:kya:service-alpha')
  })

  test('measures the last 1,000 screens', async () => {
    const fresh = await startTestService()
    const caller = await fresh.party()
    for (let i = 0; i < 5; i++) await fresh.screen(caller)
    const { latency } = await fresh.health()
    assert.equal(latency.sampleSize, 5)
    assert.ok(latency.p50Ms! > 0 && latency.p50Ms! <= latency.p99Ms!)
    await fresh.stop()
  })

  test('names no operator, no path and no secret', async () => {
    await api.screen(party)
    const { text } = await api.call('/v1/health')
    for (const secret of [party.operatorId, party.agentId, api.dataDir, 'Example Robotics'])
      assert.equal(text.includes(secret), false)
  })
})

describe('GET /v1/.well-known/jwks.json', () => {
  test('publishes public ES256 keys, never a private member, and may be cached', async () => {
    const { headers, body } = await api.call<{ keys: Record<string, string>[] }>(
      '/v1/.well-known/jwks.json',
    )
    assert.equal(body.keys.length, 1)
    assert.deepEqual(Object.keys(body.keys[0]!).toSorted(), [
      'alg',
      'crv',
      'kid',
      'kty',
      'use',
      'x',
      'y',
    ])
    assert.match(headers['cache-control'] ?? '', /^public, max-age=\d+$/)
  })
})

describe('GET /openapi.json', () => {
  test('is OpenAPI 3.1 and has every route with its method and its success status', async () => {
    const { body } = await api.call<{
      openapi: string
      paths: Record<string, Record<string, { responses: object }>>
    }>('/openapi.json')
    assert.match(body.openapi, /^3\.1\./)
    for (const { path, method, answers } of Object.values(ENDPOINTS)) {
      const operation = body.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
      assert.ok(operation, `${method} ${path}`)
      for (const status of Object.keys(answers))
        assert.ok(status in operation.responses, `${path} ${status}`)
    }
    assert.equal(
      Object.keys(body.paths).length,
      new Set(Object.values(ENDPOINTS).map(({ path }) => path)).size,
    )
  })
})

describe('404 not_found', () => {
  for (const path of [
    '/',
    '/v1',
    '/v1/nothing',
    '/v1/screen/',
    '/v2/screen',
    '/v1/../etc/passwd',
    '/v1/%zz',
    '/v1/health%ff',
  ]) {
    test(path, async () => {
      const reply = await api.call(path)
      assertError(reply, 'not_found')
    })
  }
})

describe('405 method_not_allowed', () => {
  const routes = [...Object.values(ENDPOINTS), { path: '/openapi.json', method: 'GET' }]
  for (const path of new Set(routes.map((route) => route.path))) {
    test(`every other method on ${path}, with Allow`, async () => {
      const allow = routes
        .filter((route) => route.path === path)
        .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (allow.includes(other)) continue
        const reply = await api.call(path, { method: other })
        assertError(reply, 'method_not_allowed')
        assert.equal(reply.headers.allow, allow.join(', '))
      }
    })
  }
})

const NOT_UTF8 = Buffer.from([0x7b, 0xff, 0x7d])
const bodied: Endpoint[] = Object.values(ENDPOINTS).filter(({ method }) => method !== 'GET')
const at = (path: string) => path.replace(':agentId', party.agentId)

describe('every route with a body', () => {
  for (const { path, method, body: takesBody } of bodied) {
    const send = (body: string | Buffer, headers: Record<string, string> = {}) =>
      api.call(at(path), { method, body, headers: { ...bearer(party.operatorToken), ...headers } })

    test(`413 for a body above 64 KiB, not for one of 64 KiB: ${path}`, async () => {
      assertError(await send(`{"x":"${'a'.repeat(65_536)}"}`), 'payload_too_large')
      assert.notEqual((await send(`{"x":"${'a'.repeat(65_528)}"}`)).status, 413)
    })

    test(`415 for gzip, utf-16, text, a form and no type: ${path}`, async () => {
      assertError(
        await send(gzipSync('{}'), { 'content-encoding': 'gzip' }),
        'unsupported_media_type',
      )
      for (const type of [
        'application/json; charset=utf-16',
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/jsonp',
        '',
      ]) {
        assertError(await send('{}', { 'content-type': type }), 'unsupported_media_type')
      }
      assert.notEqual(
        (await send('{}', { 'content-type': 'application/json; charset="UTF-8"' })).status,
        415,
      )
    })

    test(`400 invalid_json for what is no JSON object: ${path}`, async () => {
      const broken = [' ', '{', '{"a":1,}', '{"a":1,"a":2}', '{"a":NaN}', NOT_UTF8]
      // A route that takes no body reads none: there is no object to ask for.
      const noObject = takesBody ? ['', 'null', '[]', '"x"', '1'] : []
      for (const body of [...broken, ...noObject]) {
        assertError(await send(body), 'invalid_json')
      }
    })
  }
})

test('every answer has an X-Request-Id of its own, and no client chooses it', async () => {
  const replies = await Promise.all([
    api.call('/v1/health', { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } }),
    api.call('/v1/.well-known/jwks.json'),
    api.call('/nothing'),
    api.screen(party),
  ])
  const ids = replies.map(({ headers }) => String(headers['x-request-id']))
  assert.equal(new Set(ids).size, 4)
  for (const id of ids) assert.match(id, /^req_[0-9a-f-]{36}$/)
})

test('503 store_unavailable and no verdict when the store is gone', async () => {
  const fresh = await startTestService()
  const caller = await fresh.party()
  await fresh.service.env.store.close()
  const reply = await fresh.screen(caller)
  assertError(reply, 'store_unavailable')
  assert.equal('verdict' in reply.body, false)
  assert.equal((await fresh.health()).kvConnected, false)
  await fresh.stop()
})
