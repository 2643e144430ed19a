/** `lists: "all"`: extended sanctions, PEP and adverse media, and providers that fail. */
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { ADVERSE_MEDIA_CATEGORIES, FLAG_CATEGORIES } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { assertError } from '../support/errors.ts'
import { assertProven, swappedLists } from '../support/policy-lists.ts'
import {
  type Answering,
  candidate,
  hangingUp,
  json,
  naming,
  saying,
  silent,
  startProvider,
} from '../support/providers.ts'
import { type Party, startTestService, UNLISTED_WALLET } from '../support/service.ts'

const START = '2026-11-20T12:00:00.000Z'
const clock = movedClock(START)
const watchlists = swappedLists([{ name: 'VOSTOK ARMAMENTS CONCERN' }], START)
const sanctions = await startProvider()
const media = await startProvider()
const api = await startTestService(
  {
    SCREENING_PROVIDER_TWO_URL: `${sanctions.url}/`,
    SCREENING_PROVIDER_TWO_KEY: 'key-two',
    ADVERSE_MEDIA_URL: media.url,
  },
  { clock, watchlists },
)
const party = await api.party()
after(async () => {
  await Promise.all([api.stop(), sanctions.stop(), media.stop()])
})
beforeEach(() => {
  clock.advance(60_000)
  sanctions.reset()
  media.reset()
})

const PAYMENT = { cpName: 'Brennholt Holdings', cpWallet: UNLISTED_WALLET, lists: 'all' }

async function screened(payment: object = {}, by: Party = party, on = api) {
  const { status, body, text } = await on.screen(by, { ...PAYMENT, ...payment })
  assert.equal(status, 200, text)
  await assertProven(body, await on.jwks())
  return body
}

describe('what is asked', () => {
  test('nothing for `lists: "ofac"` and without `lists`', async () => {
    for (const lists of ['ofac', 'OFAC', undefined, null, '']) {
      const { verdict, signals, log } = await screened({ lists })
      assert.deepEqual(
        [verdict, signals.pep, signals.adverseMedia],
        ['CLEAR', 'NOT_SCREENED', 'NOT_SCREENED'],
      )
      assert.ok(!log.some(({ code }) => /^(?:EXTENDED|PEP|ADVERSE)/.test(code)))
    }
    assert.deepEqual([...sanctions.requests, ...media.requests], [])
  })

  test('400 names `lists` for another value', async () => {
    const reply = await api.screen(party, { ...PAYMENT, lists: 'some' })
    assertError(reply, 'invalid_request', { field: 'lists' })
  })

  test('each provider once: name and wallet, with its own key', async () => {
    const { verdict, log } = await screened({ lists: 'ALL' })
    assert.equal(verdict, 'CLEAR')
    const [asked, askedMedia] = [sanctions.requests, media.requests].map(([first, ...more]) => {
      assert.deepEqual(more, [])
      return first!
    })
    assert.deepEqual([asked!.method, asked!.path], ['POST', '/match/default'])
    assert.equal(asked!.headers.authorization, 'ApiKey key-two')
    assert.equal(askedMedia!.headers.authorization, undefined)
    assert.deepEqual(asked!.body, {
      queries: {
        name: { schema: 'LegalEntity', properties: { name: ['Brennholt Holdings'] } },
        wallet: { schema: 'CryptoWallet', properties: { publicKey: [UNLISTED_WALLET] } },
      },
    })
    assert.deepEqual(askedMedia!.body, asked!.body)
    assert.deepEqual(
      log.filter(({ code }) => /^(?:EXTENDED|PEP|ADVERSE)/.test(code)).map(({ ok }) => ok),
      [true, true, true, true],
    )
  })

  for (const [cpType, schema] of Object.entries({
    individual: 'Person',
    business: 'Organization',
    exchange: 'Organization',
  })) {
    test(`a counterparty of type ${cpType} as ${schema}`, async () => {
      await screened({ cpType, cpWallet: null })
      const { queries } = sanctions.requests[0]!.body
      assert.deepEqual(queries, { name: { schema, properties: { name: ['Brennholt Holdings'] } } })
    })
  }

  test('nobody when there is nothing to ask for, and the signals say so', async () => {
    const { signals } = await screened({ cpName: null, cpWallet: null })
    assert.deepEqual([signals.pep, signals.adverseMedia], ['NOT_SCREENED', 'NOT_SCREENED'])
    assert.deepEqual([...sanctions.requests, ...media.requests], [])
  })
})

describe('sanctions', () => {
  for (const [score, verdict] of [
    [0.699999, 'CLEAR'],
    [0.7, 'REVIEW'],
    [0.9, 'REVIEW'],
    [0.900001, 'BLOCK'],
    [1, 'BLOCK'],
  ] as const) {
    test(`a score of ${score} is ${verdict}`, async () => {
      sanctions.answer(naming(candidate(0.1, 'sanction'), candidate(score, 'sanction')))
      const result = await screened()
      assert.equal(result.verdict, verdict)
      const named = verdict === 'CLEAR' ? null : 'EXTENDED_SANCTIONS_MATCH'
      assert.equal(result.ruleTriggered, named)
      assert.deepEqual(
        result.matches,
        verdict === 'CLEAR'
          ? []
          : [
              {
                field: 'cpName',
                list: 'EXTENDED:test_dataset',
                entryId: `NK-sanction-${score}`,
                primaryName: 'Brennholt Holdings',
                matched: 'Brennholt Holdings',
                score,
                method: 'provider',
              },
            ],
      )
    })
  }

  test('the strongest decides; a match of the wallet names that field', async () => {
    const results = [candidate(0.75, 'sanction'), candidate(0.95, 'debarment')]
    sanctions.answer((queries, response) =>
      json(response, 200, {
        responses: Object.fromEntries(
          queries.map((query) => [query, { results: query === 'wallet' ? results : [] }]),
        ),
      }),
    )
    const { verdict, matches } = await screened()
    assert.equal(verdict, 'BLOCK')
    assert.deepEqual(
      matches.map(({ field, score }) => [field, score]),
      [
        ['cpWallet', 0.95],
        ['cpWallet', 0.75],
      ],
    )
  })

  test('somebody merely linked to a listed party, or without topic, is no match', async () => {
    sanctions.answer(naming(candidate(1, 'sanction.linked'), candidate(1), { id: 'x', score: 1 }))
    assert.equal((await screened()).verdict, 'CLEAR')
  })

  test('a PEP is REVIEW at any score from 0.7 on, beside sanctions the second reason', async () => {
    sanctions.answer(naming(candidate(0.7, 'role.pep')))
    const pep = await screened()
    assert.deepEqual([pep.ruleTriggered, pep.signals.pep], ['PEP_MATCH', 'MATCH'])
    sanctions.answer(naming(candidate(0.69, 'role.pep')))
    assert.equal((await screened()).signals.pep, 'CLEAR')
    sanctions.answer(naming(candidate(1, 'role.pep', 'sanction')))
    const both = await screened()
    assert.deepEqual([both.verdict, both.signals.pep], ['BLOCK', 'MATCH'])
  })
})

describe('adverse media', () => {
  const flags: readonly string[] = FLAG_CATEGORIES
  for (const category of ADVERSE_MEDIA_CATEGORIES) {
    const flagged = flags.includes(category)
    test(`${category} is ${flagged ? 'REVIEW, never BLOCK' : 'no flag'}`, async () => {
      media.answer(naming(candidate(1, category), candidate(1, category)))
      const { verdict, ruleTriggered, signals } = await screened()
      assert.deepEqual(
        [verdict, ruleTriggered, signals.adverseMedia],
        flagged ? ['REVIEW', 'ADVERSE_MEDIA_FLAG', 'FLAG'] : ['CLEAR', null, 'CLEAR'],
      )
    })
  }

  test('topics of the provider stand for categories; a weak hit does not count', async () => {
    for (const [topic, flag] of [
      ['crime.fin', true],
      ['crime.fin.bank', true],
      ['crime.terror', true],
      ['crime.theft', true],
      ['crime', true],
      ['reg.warn', false],
      ['role.pep', false],
      ['poi', false],
    ] as const) {
      media.answer(naming(candidate(0.7, topic)))
      assert.equal((await screened()).signals.adverseMedia, flag ? 'FLAG' : 'CLEAR', topic)
    }
    media.answer(naming(candidate(0.69, 'crime.fin')))
    assert.equal((await screened()).verdict, 'CLEAR')
  })

  test('nothing of an article reaches the record', async () => {
    media.answer(naming({ ...candidate(1, 'crime.fin'), caption: 'Headline of an article' }))
    const { txnId } = await screened()
    const { text } = await api.audit(party, txnId)
    assert.match(text, /ADVERSE_MEDIA_FLAG/)
    assert.doesNotMatch(text, /article/i)
  })

  test('a sanctions answer counts for nothing there, and the other way round', async () => {
    media.answer(naming(candidate(1, 'sanction')))
    sanctions.answer(naming(candidate(1, 'crime.fin')))
    assert.equal((await screened()).verdict, 'CLEAR')
  })
})

const whole = (results: unknown): Answering =>
  saying(200, JSON.stringify({ responses: { name: { results }, wallet: { results: [] } } }))

const FAILURES: Record<string, Answering> = {
  'hangs up': hangingUp,
  'answers 500': saying(500, '{"responses":{}}'),
  'answers 404': saying(404, '{}'),
  'answers 429': saying(429, '{}'),
  redirects: saying(302, '', { location: 'http://127.0.0.1:9/' }),
  'answers garbage': saying(200, '<html>'),
  'answers nothing': saying(200, ''),
  'answers null': saying(200, 'null'),
  'answers without responses': saying(200, '{"results":[]}'),
  'answers half: only the name': saying(200, '{"responses":{"name":{"results":[]}}}'),
  'answers half: the wallet without results': saying(
    200,
    '{"responses":{"name":{"results":[]},"wallet":{"status":500}}}',
  ),
  'answers results that are no list': whole({}),
  'names a result that is no object': whole(['x']),
  'names a result without id': whole([{ score: 1 }]),
  'names a result without score': whole([{ id: 'x' }]),
  'scores in words': whole([{ id: 'x', score: '1' }]),
  'scores above 1': whole([{ id: 'x', score: 1.01 }]),
  'scores below 0': whole([{ id: 'x', score: -0.01 }]),
  'breaks off': (_queries, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('{"responses":', () => response.destroy())
  },
}

describe('a provider that', () => {
  for (const [what, answering] of Object.entries(FAILURES)) {
    test(`${what} is UNAVAILABLE and REVIEW, and the other one still counts`, async () => {
      sanctions.answer(answering)
      const one = await screened()
      assert.deepEqual(
        [one.verdict, one.ruleTriggered, one.signals.pep, one.signals.adverseMedia],
        ['REVIEW', 'EXTENDED_SCREENING_UNAVAILABLE', 'UNAVAILABLE', 'CLEAR'],
      )
      sanctions.answer(naming(candidate(1, 'sanction')))
      media.answer(answering)
      const other = await screened()
      assert.deepEqual(
        [other.verdict, other.signals.pep, other.signals.adverseMedia],
        ['BLOCK', 'CLEAR', 'UNAVAILABLE'],
      )
    })
  }

  test('says nothing for 5 seconds is UNAVAILABLE; both at once cost the time of one', async () => {
    sanctions.answer(silent)
    media.answer(silent)
    const began = performance.now()
    const { ruleTriggered, signals } = await screened()
    const seconds = (performance.now() - began) / 1_000
    assert.equal(ruleTriggered, 'EXTENDED_SCREENING_UNAVAILABLE')
    assert.deepEqual([signals.pep, signals.adverseMedia], ['UNAVAILABLE', 'UNAVAILABLE'])
    assert.ok(seconds >= 4.9 && seconds < 8, `it took ${seconds} s`)
  })

  test('is down softens nothing: a listed party is BLOCK', async () => {
    sanctions.answer(hangingUp)
    const { verdict, log } = await screened({ cpName: 'Vostok Armaments Concern' })
    assert.equal(verdict, 'BLOCK')
    assert.ok(log.some(({ ok, code }) => !ok && code === 'EXTENDED_SCREENING'))
  })

  test('is not configured is not asked, and only the log says so', async () => {
    for (const [variables, pep, adverseMedia] of [
      [{}, 'NOT_SCREENED', 'NOT_SCREENED'],
      [{ SCREENING_PROVIDER_TWO_URL: sanctions.url }, 'CLEAR', 'NOT_SCREENED'],
      [{ ADVERSE_MEDIA_URL: media.url }, 'NOT_SCREENED', 'CLEAR'],
    ] as const) {
      const bare = await startTestService(variables, { clock, watchlists })
      const { verdict, signals, log } = await screened({}, await bare.party(), bare)
      assert.equal(verdict, 'CLEAR')
      assert.deepEqual([signals.pep, signals.adverseMedia], [pep, adverseMedia])
      const notes = log.filter(({ code, ok }) => code === 'EXTENDED_SCREENING' && !ok)
      assert.equal(notes.length, 1)
      await bare.stop()
    }
  })
})

test('health says which providers are configured, each for itself', async () => {
  const service = await startTestService({ SCREENING_PROVIDER_TWO_URL: 'http://127.0.0.1:9' })
  const health = await service.health()
  assert.equal(health.screeningProviderTwo.enabled, true)
  assert.equal(health.screeningProviderTwoAdverseMedia.enabled, false)
  await service.stop()
})
