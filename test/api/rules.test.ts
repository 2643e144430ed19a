/** The whole table of the specification over HTTP: every rule, its result, log, record, receipt. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, beforeEach, describe, test } from 'node:test'
import { ESCALATIONS, RULES } from '@portcullis/engine'
import { DAY_MS, HOUR_MS, type ScreenResult, type Signals } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { inParallel, range } from '../support/load.ts'
import { policyCalls } from '../support/policy.ts'
import { assertProven, type Listed, swappedLists } from '../support/policy-lists.ts'
import { candidate, hangingUp, naming, startProvider } from '../support/providers.ts'
import { type Party, startTestService, UNLISTED_WALLET } from '../support/service.ts'

/** A Friday. */
const START = '2026-11-20T12:00:00.000Z'
const WALLET = '0x1111111111111111111111111111111111111111'
const PARTIES: readonly Listed[] = [
  { name: 'VOSTOK ARMAMENTS CONCERN', wallet: WALLET, weakAlias: 'KESTREL DRIFTWOOD' },
  { list: 'UN_SC', name: 'BRIMHOLT SHADOW COUNCIL' },
  { list: 'US_LEGISLATORS', name: 'Waltraud Pennyfeather', person: true },
]

const clock = movedClock(START)
const lists = swappedLists(PARTIES, START)
const sanctions = await startProvider()
const media = await startProvider()
const providers = { SCREENING_PROVIDER_TWO_URL: sanctions.url, ADVERSE_MEDIA_URL: media.url }
const replaced = { clock, watchlists: lists }
const api = await startTestService(providers, replaced)
const strict = await startTestService({ ...providers, ENVIRONMENT: 'production' }, replaced)
const calls = policyCalls(api)
after(async () => {
  await Promise.all([api.stop(), strict.stop(), sanctions.stop(), media.stop()])
})
beforeEach(() => {
  clock.moveTo(START)
  lists.swap(PARTIES)
  sanctions.reset()
  media.reset()
})

/** A payment that no rule has anything against. */
const PAYMENT = { amount: 10, cpName: 'Example Coffee Roasters', cpWallet: UNLISTED_WALLET }
const ALL = { lists: 'all' }
const CLEAN: Omit<Signals, 'agentScore'> = {
  ofac: 'CLEAR',
  ofacNearMatch: 'CLEAR',
  spendPolicy: 'CLEAR',
  credential: 'CLEAR',
  globalSanctions: 'CLEAR',
  publicOfficial: 'CLEAR',
  pep: 'NOT_SCREENED',
  adverseMedia: 'NOT_SCREENED',
  erc8004: 'PENDING',
}
const ASKED = { pep: 'CLEAR', adverseMedia: 'CLEAR' } as const

async function screened(party: Party, payment: object = {}, on = api): Promise<ScreenResult> {
  const { status, body, text } = await on.screen(party, { ...PAYMENT, ...payment })
  assert.equal(status, 200, text)
  const audit = await on.audit(party, body.txnId)
  const { operatorId: _operator, requestHash: _hash, _request, ...recorded } = audit.body
  assert.deepEqual(recorded, body, 'the record is the result')
  await assertProven(body, await on.jwks())
  return body
}

/** A human beside it and an EIN: for amounts and rails that others may not use. */
const BANKER = { agentType: 'supervised', operatorEIN: '12-3456789' }
const banker = async () => calls.agentOf(await api.party(), BANKER)

function setListedAtIssuance({ agentId }: Party): void {
  const db = new DatabaseSync(join(api.dataDir, 'portcullis.sqlite'))
  const set = 'operator_wallet = ?, wallet_listed_at_issuance = 1'
  db.prepare(`update agents set ${set} where agent_id = ?`).run(UNLISTED_WALLET, agentId)
  db.close()
}

const SPEND = { spendPolicy: 'REVIEW' } as const
const HIT = { ofac: 'HIT' } as const

type Row = readonly [
  id: string,
  verdict: 'UNKNOWN' | 'BLOCK' | 'REVIEW',
  code: string,
  signals: Partial<Signals>,
]

const TABLE: readonly Row[] = [
  ['R1_NO_CREDENTIAL', 'UNKNOWN', 'CREDENTIAL_PRESENT', { credential: 'INVALID' }],
  ['R2_CREDENTIAL_STATUS', 'BLOCK', 'CREDENTIAL_VALID', { credential: 'SUSPENDED' }],
  ['R3_OPERATOR_OFAC_ISSUANCE', 'BLOCK', 'OFAC_OP_ISSUANCE', HIT],
  ['R4_OPERATOR_WALLET_LIVE', 'BLOCK', 'OFAC_OP_WALLET', HIT],
  ['R5_OPERATOR_NAME_OFAC', 'BLOCK', 'OFAC_OP_NAME', HIT],
  ['R6_COUNTERPARTY_WALLET_OFAC', 'BLOCK', 'OFAC_CP_WALLET', HIT],
  ['R7_COUNTERPARTY_NAME_OFAC', 'BLOCK', 'OFAC_CP_NAME', HIT],
  ['R8_OWNERSHIP_TRANSFER', 'BLOCK', 'OWNERSHIP_TRANSFER', { credential: 'TRANSFERRED' }],
  ['R9_CHAIN_POLICY', 'REVIEW', 'CHAIN_POLICY', SPEND],
  ['R10_SINGLE_TX_LIMIT', 'REVIEW', 'SINGLE_TX_LIMIT', SPEND],
  ['R11_DAILY_LIMIT', 'REVIEW', 'DAILY_LIMIT', SPEND],
  ['R12_FLEET_DAILY_LIMIT', 'REVIEW', 'FLEET_DAILY_LIMIT', SPEND],
  ['R13_COUNTERPARTY_WHITELIST', 'REVIEW', 'COUNTERPARTY_WHITELIST', SPEND],
  ['R14_MIXER_PROTOCOL', 'BLOCK', 'MIXER_PROTOCOL', { spendPolicy: 'BLOCK' }],
  ['R15_MODEL_CHANGED', 'REVIEW', 'MODEL_CHANGED', {}],
  ['R16_VELOCITY_FLAG', 'REVIEW', 'VELOCITY_SPIKE', {}],
  ['R17_UNUSUAL_HOUR', 'REVIEW', 'UNUSUAL_HOUR', {}],
  ['R18_RAIL_POLICY', 'REVIEW', 'RAIL_POLICY', SPEND],
  ['R19_RAIL_NETWORK_CEILING', 'REVIEW', 'RAIL_NETWORK_CEILING', {}],
  ['R20_CHAIN_RAIL_MISMATCH', 'REVIEW', 'CHAIN_RAIL_MISMATCH', {}],
  ['R21_COUNTERPARTY_TYPE_POLICY', 'REVIEW', 'COUNTERPARTY_TYPE_POLICY', SPEND],
  ['R22_PROTOCOL_POLICY', 'REVIEW', 'PROTOCOL_POLICY', SPEND],
  ['R23_COUNTERPARTY_UNIDENTIFIED', 'REVIEW', 'COUNTERPARTY_IDENTIFIED', {}],
  ['R24_WALLET_CHAIN_MISMATCH', 'REVIEW', 'WALLET_CHAIN_MISMATCH', {}],
  ['R25_OPERATOR_EIN_MISSING', 'REVIEW', 'OPERATOR_EIN_MISSING', {}],
  ['EXTENDED_SANCTIONS_MATCH', 'BLOCK', 'EXTENDED_SANCTIONS', ASKED],
  ['ATTESTATION_STALE', 'REVIEW', 'ATTESTATION_FRESH', {}],
  ['GLOBAL_SANCTIONS_MATCH', 'REVIEW', 'GLOBAL_SANCTIONS', { globalSanctions: 'HIT' }],
  ['PUBLIC_OFFICIAL_MATCH', 'REVIEW', 'PUBLIC_OFFICIAL', { publicOfficial: 'MATCH' }],
  ['OFAC_NEAR_MATCH', 'REVIEW', 'OFAC_NEAR_MATCH', { ofacNearMatch: 'MATCH' }],
  ['EXTENDED_SANCTIONS_MATCH', 'REVIEW', 'EXTENDED_SANCTIONS', ASKED],
  ['PEP_MATCH', 'REVIEW', 'PEP', { ...ASKED, pep: 'MATCH' }],
  ['ADVERSE_MEDIA_FLAG', 'REVIEW', 'ADVERSE_MEDIA', { ...ASKED, adverseMedia: 'FLAG' }],
  [
    'EXTENDED_SCREENING_UNAVAILABLE',
    'REVIEW',
    'EXTENDED_SCREENING',
    { ...ASKED, pep: 'UNAVAILABLE' },
  ],
  ['LISTS_STALE', 'REVIEW', 'LISTS_FRESH', {}],
]

/** The screen that reaches each rule, and no other. */
const SCREENS: Readonly<Record<string, () => Promise<ScreenResult>>> = {
  R1_NO_CREDENTIAL: async () => screened(await api.party(), { token: 'x' }),
  async R2_CREDENTIAL_STATUS() {
    const party = await api.party()
    await calls.patchAgent(party, { status: 'SUSPENDED' })
    return screened(party)
  },
  async R3_OPERATOR_OFAC_ISSUANCE() {
    const party = await api.party()
    setListedAtIssuance(party)
    return screened(party)
  },
  async R4_OPERATOR_WALLET_LIVE() {
    lists.swap([])
    const party = await api.party(undefined, { wallet: WALLET })
    lists.swap(PARTIES)
    return screened(party)
  },
  async R5_OPERATOR_NAME_OFAC() {
    lists.swap([])
    const party = await api.party(undefined, { legalName: 'Vostok Armaments Concern' })
    lists.swap(PARTIES)
    return screened(party)
  },
  R6_COUNTERPARTY_WALLET_OFAC: async () => screened(await api.party(), { cpWallet: WALLET }),
  R7_COUNTERPARTY_NAME_OFAC: async () =>
    screened(await api.party(), { cpName: 'Vostok Armaments Concern' }),
  async R8_OWNERSHIP_TRANSFER() {
    const party = await api.party()
    await calls.patchAgent(party, { ownershipTransferred: true })
    return screened(party)
  },
  R9_CHAIN_POLICY: async () =>
    screened(await api.party({ allowedChains: ['BASE'] }), { chain: 'ETH' }),
  R10_SINGLE_TX_LIMIT: async () => screened(await api.party({ maxSingleTxUSDC: 9.999999 })),
  async R11_DAILY_LIMIT() {
    const party = await api.party({ dailyLimitUSDC: 19.999999 })
    assert.equal((await screened(party)).verdict, 'CLEAR')
    return screened(party)
  },
  async R12_FLEET_DAILY_LIMIT() {
    const party = await api.party()
    const { fleetId } = (await calls.createFleet(party, { dailyLimitUSDC: 19.999999 })).body
    const [one, other] = [
      await calls.agentOf(party, { fleetId }),
      await calls.agentOf(party, { fleetId }),
    ]
    assert.equal((await screened(one)).verdict, 'CLEAR')
    return screened(other)
  },
  R13_COUNTERPARTY_WHITELIST: async () =>
    screened(await api.party({ counterpartyWhitelist: ['Example Tea House'] })),
  R14_MIXER_PROTOCOL: async () => screened(await api.party(), { protocol: 'Tornado.Cash' }),
  async R15_MODEL_CHANGED() {
    const party = await api.party()
    await calls.patchAgent(party, { underlyingModel: 'model-2' })
    return screened(party)
  },
  async R16_VELOCITY_FLAG() {
    const party = await api.party({ maxScreensPerMinute: 2 })
    assert.equal((await screened(party)).verdict, 'CLEAR')
    assert.equal((await screened(party)).verdict, 'CLEAR')
    clock.advance(59_999)
    return screened(party)
  },
  R17_UNUSUAL_HOUR: async () =>
    screened(
      await api.party({
        operatingHours: { timeZone: 'UTC', days: ['fri'], start: '09:00', end: '12:00' },
      }),
    ),
  R18_RAIL_POLICY: async () =>
    screened(await api.party({ allowedRails: ['ACH'] }), { rail: 'USDC' }),
  R19_RAIL_NETWORK_CEILING: async () =>
    screened(await banker(), { rail: 'FEDNOW', amount: 100_000.000001 }),
  R20_CHAIN_RAIL_MISMATCH: async () => screened(await banker(), { rail: 'ACH', chain: 'BASE' }),
  R21_COUNTERPARTY_TYPE_POLICY: async () =>
    screened(await api.party({ allowedCounterpartyTypes: ['business'] })),
  R22_PROTOCOL_POLICY: async () =>
    screened(await api.party({ allowedProtocols: ['Aave'] }), { protocol: 'Uniswap' }),
  R23_COUNTERPARTY_UNIDENTIFIED: async () =>
    screened(await api.party(), { chain: 'BASE', cpWallet: null }),
  R24_WALLET_CHAIN_MISMATCH: async () => screened(await api.party(), { chain: 'SOL' }),
  R25_OPERATOR_EIN_MISSING: async () => screened(await api.party(), { rail: 'WIRE' }),
  async 'EXTENDED_SANCTIONS_MATCH BLOCK'() {
    sanctions.answer(naming(candidate(0.900001, 'sanction')))
    return screened(await api.party(), ALL)
  },
  ATTESTATION_STALE: async () => screened(await api.party(), { amount: 10_000.000001 }),
  GLOBAL_SANCTIONS_MATCH: async () =>
    screened(await api.party(), { cpName: 'Brimholt Shadow Council' }),
  PUBLIC_OFFICIAL_MATCH: async () =>
    screened(await api.party(), { cpName: 'Waltraud Pennyfeather' }),
  OFAC_NEAR_MATCH: async () => screened(await api.party(), { cpName: 'Kestrel Driftwood' }),
  async 'EXTENDED_SANCTIONS_MATCH REVIEW'() {
    sanctions.answer(naming(candidate(0.9, 'sanction')))
    return screened(await api.party(), ALL)
  },
  async PEP_MATCH() {
    sanctions.answer(naming(candidate(1, 'role.pep')))
    return screened(await api.party(), ALL)
  },
  async ADVERSE_MEDIA_FLAG() {
    media.answer(naming(candidate(1, 'crime.fin')))
    return screened(await api.party(), ALL)
  },
  async EXTENDED_SCREENING_UNAVAILABLE() {
    sanctions.answer(hangingUp)
    return screened(await api.party(), ALL)
  },
  async LISTS_STALE() {
    clock.advance(36 * HOUR_MS + 1)
    return screened(await strict.party(), {}, strict)
  },
}

describe('every rule and escalation, alone', () => {
  for (const [id, verdict, code, signals] of TABLE) {
    test(`${id} is ${verdict}`, async () => {
      const screen = SCREENS[id] ?? SCREENS[`${id} ${verdict}`]
      const result = await screen!()
      assert.deepEqual([result.verdict, result.ruleTriggered], [verdict, id])
      const failed = result.log.filter(({ ok }) => !ok)
      assert.deepEqual(
        failed.map((entry) => entry.code),
        [code],
      )
      assert.equal(result.reason, failed[0]?.msg)
      const { agentScore, ...others } = result.signals
      assert.deepEqual(others, { ...CLEAN, ...signals })
      const stands = others.credential === 'CLEAR' || others.credential === 'TRANSFERRED'
      assert.equal(agentScore.score > 0, stands)
      assert.ok(result.riskScore > 0)
      assert.equal(result.agentId === null, id === 'R1_NO_CREDENTIAL')
    })
  }

  test('none is missing here', () => {
    const name = ({ id, verdict }: { id: string; verdict: string }) => `${id} ${verdict}`
    const reached = TABLE.map(([id, verdict]) => name({ id, verdict }))
    assert.deepEqual(reached, [...RULES, ...ESCALATIONS].map(name))
  })

  test('none fires on the payment that the cases above start from', async () => {
    for (const [party, payment, signals] of [
      [await api.party(), {}, {}],
      [await api.party(), ALL, ASKED],
      [await banker(), { rail: 'FEDNOW', amount: 100_000 }, {}],
    ] as const) {
      const result = await screened(party, payment)
      assert.deepEqual([result.verdict, result.ruleTriggered], ['CLEAR', null])
      assert.deepEqual(result.log.at(-1)?.code, 'ALL_CLEAR')
      assert.ok(result.log.every(({ ok }) => ok))
      const { agentScore: _score, ...others } = result.signals
      assert.deepEqual(others, { ...CLEAN, ...signals })
    }
    assert.equal((await screened(await strict.party(), {}, strict)).verdict, 'CLEAR')
  })
})

/** One after the other. */
const times = <T>(count: number, work: () => Promise<T>) => inParallel(range(count), 1, work)

describe('baselines', () => {
  test('R16 fires on a day above five times the average of a week', async () => {
    clock.moveTo('2026-11-01T00:00:00.000Z')
    const party = await api.party()
    await times(56, () => api.screen(party, PAYMENT))
    clock.advance(7 * DAY_MS)
    // 56 screens in 7 days: 8 a day. They are spread, so that no minute is fast.
    const rules = await times(41, async () => {
      clock.advance(2_000)
      return (await api.screen(party, PAYMENT)).body.ruleTriggered
    })
    assert.deepEqual(rules.slice(0, 40), new Array(40).fill(null))
    assert.equal(rules[40], 'R16_VELOCITY_FLAG')
  })

  test('R17 fires in an hour that two weeks of history do not know', async () => {
    const party = await api.party()
    await times(100, () => api.screen(party, PAYMENT))
    clock.advance(14 * DAY_MS)
    assert.equal((await screened(party)).verdict, 'CLEAR')
    clock.advance(HOUR_MS)
    assert.equal((await screened(party)).ruleTriggered, 'R17_UNUSUAL_HOUR')
  })
})

describe('precedence', () => {
  /** What decides, and what else is in the log. */
  const decided = async (party: Party, payment: object, on = api) => {
    const { verdict, ruleTriggered, log } = await screened(party, payment, on)
    return [verdict, ruleTriggered, ...log.filter(({ ok }) => !ok).map(({ code }) => code)]
  }

  test('a mixer on a forbidden chain is BLOCK R14, and the log has both', async () => {
    const party = await api.party({ allowedChains: ['BASE'] })
    const payment = { chain: 'ETH', protocol: 'tornado cash' }
    const expected = ['BLOCK', 'R14_MIXER_PROTOCOL', 'CHAIN_POLICY', 'MIXER_PROTOCOL']
    assert.deepEqual(await decided(party, payment), expected)
  })

  test('UNKNOWN outranks every BLOCK', async () => {
    const payment = { token: 'x', cpWallet: WALLET, protocol: 'tornado cash' }
    const expected = ['CREDENTIAL_PRESENT', 'OFAC_CP_WALLET', 'MIXER_PROTOCOL']
    const found = await decided(await api.party(), payment)
    assert.deepEqual(found, ['UNKNOWN', 'R1_NO_CREDENTIAL', ...expected])
  })

  test('of BLOCKs the first in the table decides, the extended provider’s last', async () => {
    sanctions.answer(naming(candidate(1, 'sanction')))
    const all = { ...ALL, cpName: 'Vostok Armaments Concern', protocol: 'tornado cash' }
    const party = await api.party()
    const mixer = ['MIXER_PROTOCOL', 'EXTENDED_SANCTIONS']
    const named = ['BLOCK', 'R7_COUNTERPARTY_NAME_OFAC', 'OFAC_CP_NAME', ...mixer]
    assert.deepEqual(await decided(party, all), named)
    const unlisted = { ...all, cpName: PAYMENT.cpName }
    assert.deepEqual(await decided(party, unlisted), ['BLOCK', 'R14_MIXER_PROTOCOL', ...mixer])
    await calls.patchAgent(party, { status: 'REVOKED' })
    assert.equal((await decided(party, all))[1], 'R2_CREDENTIAL_STATUS')
  })

  test('a BLOCK of the extended provider outranks every REVIEW of the table', async () => {
    sanctions.answer(naming(candidate(0.95, 'sanction')))
    const party = await api.party({ maxSingleTxUSDC: 1 })
    const expected = ['BLOCK', 'EXTENDED_SANCTIONS_MATCH', 'SINGLE_TX_LIMIT', 'EXTENDED_SANCTIONS']
    assert.deepEqual(await decided(party, ALL), expected)
  })

  test('a REVIEW of the table outranks the escalations, in their order', async () => {
    sanctions.answer(naming(candidate(0.8, 'sanction', 'role.pep')))
    media.answer(hangingUp)
    clock.advance(37 * HOUR_MS)
    const payment = { ...ALL, amount: 10_001, cpName: 'Brimholt Shadow Council' }
    const party = await strict.party()
    const escalations = ['ATTESTATION_FRESH', 'GLOBAL_SANCTIONS', 'EXTENDED_SANCTIONS', 'PEP']
    const log = [...escalations, 'EXTENDED_SCREENING', 'LISTS_FRESH']
    const found = await decided(party, payment, strict)
    assert.deepEqual(found, ['REVIEW', 'ATTESTATION_STALE', ...log])
    const limited = await strict.party({ maxSingleTxUSDC: 10_000 })
    const [verdict, rule] = await decided(limited, payment, strict)
    assert.deepEqual([verdict, rule], ['REVIEW', 'R10_SINGLE_TX_LIMIT'])
  })

  test('stale lists soften nothing, and outside production they are only named', async () => {
    clock.advance(37 * HOUR_MS)
    const listed = await decided(await strict.party(), { cpWallet: WALLET }, strict)
    const blocked = ['BLOCK', 'R6_COUNTERPARTY_WALLET_OFAC', 'OFAC_CP_WALLET', 'LISTS_FRESH']
    assert.deepEqual(listed, blocked)
    assert.deepEqual(await decided(await api.party(), {}), ['CLEAR', null, 'LISTS_FRESH'])
  })
})
