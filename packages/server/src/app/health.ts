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
import { type ListSummary, REPORTED_TICKERS, type Watchlist } from '@portcullis/watchlist'
import type { Env } from './env.ts'
import { isStale } from './gather-facts.ts'

const PROVIDER_TIMEOUT_MS = 5_000
const EMBEDDED = 'embedded fallback'

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
    merchant: { id: settings.merchantId, complianceManifestValid: false },
    credentialHierarchy: ['Operator -> Fleet -> Agent', 'Agent -> Delegation -> ChildAgent'],
    agentModes: ['supervised', 'autonomous'],
    maxDelegationDepth: 3,
    latency: {
      ...latencies.percentiles(),
      computedFrom: 'the last 1000 screens of this process, from arrival to durable record',
    },
    ...freshness(watchlist, now),
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
    return { addresses, source, lastSync, ...(embedded ? { embeddedFallback: addresses } : {}) }
  }
  const [eth, xbt, trx, usdt, usdc, sol] = REPORTED_TICKERS.map(addressList) as SixLists
  const all = sdn?.addresses ?? 0
  return {
    ofac: {
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

type AddressList = HealthRecord['ofac']['eth']
type SixLists = [AddressList, AddressList, AddressList, AddressList, AddressList, AddressList]

function freshness(watchlist: Watchlist | undefined, now: EpochMs) {
  const lists = watchlist?.lists ?? []
  const entries = lists.map((list) => [list.id, freshnessOf(list, now)] as const)
  const fresh = lists.length > 0 && lists.every((list) => !isStale(list, now))
  const real = lists.every(({ source }) => source !== EMBEDDED)
  return { syncFreshness: Object.fromEntries(entries), syncHealthy: fresh && real }
}

const freshnessOf = (list: ListSummary, now: EpochMs) => ({
  status: isStale(list, now) ? 'stale' : 'fresh',
  lastSyncAge: ageText(now - Date.parse(list.loadedAt)),
  lastSync: list.loadedAt,
})

/** `2d 3h 5m`; the largest units first, down to minutes. */
export function ageText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS))
  const days = Math.floor(minutes / 1_440)
  const hours = Math.floor((minutes % 1_440) / 60)
  const parts = [days && `${days}d`, (days || hours) && `${hours}h`, `${minutes % 60}m`]
  return parts.filter(Boolean).join(' ')
}

/** The extended list providers: enabled where they are configured. */
function providers({ extended }: Env) {
  return {
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
    screeningProviderOne: { enabled: false, apiUrl: '', features: [] },
    globalSanctions: {
      enabled: false,
      count: 0,
      syncedAt: null,
      sources: 'UN, EU, UK: not loaded',
    },
    publicOfficials: {
      enabled: false,
      count: 0,
      scope: 'current US federal legislators; no relatives or close associates',
      syncedAt: null,
      source: 'not loaded',
    },
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
