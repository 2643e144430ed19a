/**
 * What this instance knows and how fresh it is (spec: Health record). Public: names no operator, no
 * path and no secret. A subsystem that is not there shows `enabled: false`, never a made-up value.
 */
import {
  ADVERSE_MEDIA_CATEGORIES,
  type EpochMs,
  FLAG_CATEGORIES,
  type HealthRecord,
  isoTime,
  MINUTE_MS,
} from '@portcullis/protocol'
import {
  type ListId,
  type ListSummary,
  REPORTED_TICKERS,
  type Watchlist,
} from '@portcullis/watchlist'
import type { Env } from './env.ts'
import { isStale } from './screening/gather-facts.ts'
import type { ListStatus } from './lists/list-ports.ts'
import { manifestVerifies } from './audit/manifest.ts'

const PROVIDER_TIMEOUT_MS = 5_000
const EMBEDDED = 'embedded fallback'
const NOTHING_LISTED = 'OFAC lists no address under this ticker now'

export async function health(env: Env): Promise<HealthRecord> {
  const { settings, clock, keyring, latencies, watchlists } = env
  const now = clock.now()
  const watchlist = watchlists.current()
  return {
    status: 'ok',
    version: settings.version,
    environment: settings.environment,
    ...ofacRecord(watchlist),
    kvConnected: await env.store.ping().catch(() => false),
    signingAlg: 'ES256 (P-256)',
    signingKeyLoaded: keyring.jwks().keys.length > 0,
    ...providers(env),
    ...absentSubsystems(),
    globalSanctions: globalSanctions(watchlist),
    publicOfficials: publicOfficials(watchlist),
    merchant: { id: settings.merchantId, complianceManifestValid: manifestVerifies(env) },
    credentialHierarchy: ['Operator -> Fleet -> Agent', 'Agent -> Delegation -> ChildAgent'],
    agentModes: ['supervised', 'autonomous'],
    maxDelegationDepth: 3,
    latency: {
      ...latencies.percentiles(),
      computedFrom: 'the last 1000 screens of this process, from arrival to durable record',
    },
    ...freshness(watchlist, watchlists.status?.() ?? [], now),
    timestamp: isoTime(now),
  }
}

function ofacRecord(watchlist: Watchlist | undefined) {
  const sdn = watchlist?.lists.find(({ id }) => id === 'OFAC_SDN')
  const source = sdn?.source ?? 'none'
  const lastSync = sdn?.loadedAt ?? null
  const embedded = source === EMBEDDED
  const addressList = (ticker: string) => {
    const addresses = watchlist?.addressesByTicker[ticker] ?? 0
    const note = addresses === 0 && sdn !== undefined ? { note: NOTHING_LISTED } : {}
    const fallback = embedded ? { embeddedFallback: addresses } : {}
    return { addresses, source, lastSync, ...fallback, ...note }
  }
  const tickers = Object.keys(watchlist?.addressesByTicker ?? {})
  const [eth, xbt, trx, usdt, usdc, sol] = REPORTED_TICKERS.map(addressList) as SixLists
  const all = sdn?.addresses ?? 0
  return {
    ofac: {
      ...Object.fromEntries(tickers.map((ticker) => [ticker, addressList(ticker)])),
      eth,
      xbt,
      trx,
      usdt,
      usdc,
      sol,
      entityNames: { count: sdn?.names ?? 0, source, lastSync },
    },
    ofacAddresses: all,
    ofacSource: source,
    ofacLastSync: lastSync,
    ofacEmbeddedFallback: embedded ? all : 0,
    ofacBtcAddresses: xbt.addresses,
    ofacTrxAddresses: trx.addresses,
    ofacUsdtAddresses: usdt.addresses,
    ofacUsdcAddresses: usdc.addresses,
    sanctionedEntities: sdn?.entries ?? 0,
  }
}

const GLOBAL_LISTS = { UN_SC: 'UN', EU_FSF: 'EU', UK_FCDO: 'UK' } as const

function globalSanctions(watchlist: Watchlist | undefined) {
  const parts = Object.entries(GLOBAL_LISTS).map(([id, name]) => {
    const list = watchlist?.lists.find((one) => one.id === id)
    return { list, text: list === undefined ? `${name} not loaded` : `${name} ${list.entries}` }
  })
  const lists = parts.flatMap(({ list }) => list ?? [])
  return {
    enabled: lists.length > 0,
    count: lists.reduce((sum, { entries }) => sum + entries, 0),
    syncedAt: lists.map(({ loadedAt }) => loadedAt).toSorted()[0] ?? null,
    sources: parts.map(({ text }) => text).join(', '),
  }
}

function publicOfficials(watchlist: Watchlist | undefined) {
  const list = watchlist?.lists.find(({ id }) => id === 'US_LEGISLATORS')
  return {
    enabled: list !== undefined,
    count: list?.entries ?? 0,
    scope: 'current US federal legislators; no relatives or close associates',
    syncedAt: list?.loadedAt ?? null,
    source: list?.source ?? 'not loaded',
  }
}

type AddressList = HealthRecord['ofac']['eth']
type SixLists = [AddressList, AddressList, AddressList, AddressList, AddressList, AddressList]

function freshness(
  watchlist: Watchlist | undefined,
  statuses: readonly ListStatus[],
  now: EpochMs,
) {
  const lists = watchlist?.lists ?? []
  const loaded = lists.map((list) => [list.id, freshnessOf(list, refusalOf(list.id), now)] as const)
  const absent = statuses.filter(
    ({ id, expected }) => expected && lists.every((list) => list.id !== id),
  )
  const missing = absent.map(({ id }) => [id, missingList(refusalOf(id))] as const)
  function refusalOf(id: ListId): string | undefined {
    const status = statuses.find((one) => one.id === id)
    return status?.refused?.reason ?? status?.unreachable
  }
  const fresh = lists.length > 0 && lists.every((list) => !isStale(list, now))
  const real = lists.every(({ source }) => source !== EMBEDDED)
  const sound = absent.length === 0 && statuses.every(({ refused }) => refused === undefined)
  return {
    syncFreshness: Object.fromEntries<Freshness>([...loaded, ...missing]),
    syncHealthy: fresh && real && sound,
  }
}

type Freshness = HealthRecord['syncFreshness'][string]

/** Why what is published now is not in use, in words that name no path. */
const noteOf = (note: string | undefined) => (note === undefined ? {} : { note })

const missingList = (note: string | undefined) => ({
  status: 'missing',
  lastSyncAge: 'never',
  lastSync: null,
  ...noteOf(note),
})

const freshnessOf = (list: ListSummary, note: string | undefined, now: EpochMs) => ({
  status: isStale(list, now) ? 'stale' : 'fresh',
  lastSyncAge: ageText(now - Date.parse(list.loadedAt)),
  lastSync: list.loadedAt,
  ...noteOf(note),
})

/** `2d 3h 5m`; the largest units first, down to minutes. */
export function ageText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS))
  const days = Math.floor(minutes / 1_440)
  const hours = Math.floor((minutes % 1_440) / 60)
  const parts = [days && `${days}d`, (days || hours) && `${hours}h`, `${minutes % 60}m`]
  return parts.filter(Boolean).join(' ')
}

/** The list providers: enabled where configured. An address may hold a secret, so none is told. */
function providers({ extended, rescreeningProvider }: Env) {
  const rescreens = rescreeningProvider !== undefined
  return {
    screeningProviderOne: {
      enabled: rescreens,
      apiUrl: '',
      features: rescreens ? ['sanctions', 'pep', 'adverseMedia'] : [],
    },
    screeningProviderTwo: {
      enabled: extended.configured.sanctions,
      coverage: 'OFAC, EU, UK HMT, UN, SECO, BIS, PEP',
      optIn: 'lists: "all"',
      timeoutMs: PROVIDER_TIMEOUT_MS,
      thresholds: { block: '>0.9', review: '0.7-0.9', clear: '<0.7' },
    },
    screeningProviderTwoAdverseMedia: {
      enabled: extended.configured.adverseMedia,
      coverage: 'adverse media',
      categories: [...ADVERSE_MEDIA_CATEGORIES],
      flagCategories: [...FLAG_CATEGORIES],
      optIn: 'lists: "all"',
      verdictImpact: 'REVIEW, never BLOCK',
      timeoutMs: PROVIDER_TIMEOUT_MS,
      note: 'only hit counts and categories are stored, never article content',
    },
  }
}

/** The subsystems of the specified record that this version does not have. */
function absentSubsystems() {
  return {
    arcAttestation: {
      enabled: false,
      network: 'testnet',
      queued: 0,
      queuedAtLeast: false,
      awaitingConfirmation: 0,
      batchSize: 60,
      capacityPerDay: 5_760,
      backlogHealthy: true,
    },
  }
}
