/** The composition root: configuration, adapters, use cases, HTTP. No other file knows them all. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE_MS } from '@portcullis/protocol'
import pino, { type Logger } from 'pino'
import { extendedScreening } from './adapters/extended-screening.ts'
import { loadKeyring } from './adapters/keyring.ts'
import { loadWatchlist } from './adapters/list-files.ts'
import { randomIds, systemClock, yieldToOthers } from './adapters/system.ts'
import { vault } from './adapters/vault.ts'
import { credentialReader } from './app/credentials.ts'
import type { Env, Settings } from './app/env.ts'
import { lastScreens } from './app/latencies.ts'
import type { Clock, Watchlists } from './app/ports.ts'
import { rescreening, type Rescreening } from './app/rescreening.ts'
import type { Config } from './config.ts'
import { buildServer } from './http/server.ts'
import { openSqliteStore } from './store/sqlite.ts'

/** Version of the interface, reported by health. */
export const VERSION = '0.4.0'

export interface Service {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly address: string
  readonly env: Env
  readonly rescreening: Rescreening
  /** Finishes what was accepted, then stops. */
  stop(): Promise<void>
}

/** What a test may replace; everything else is real. */
export interface Replacements {
  readonly clock?: Clock
  /** Lists that a test swaps while the service runs. */
  readonly watchlists?: Watchlists
  readonly logger?: Logger
}

export async function startService(config: Config, replaced: Replacements = {}): Promise<Service> {
  const logger = replaced.logger ?? pino({ level: config.logLevel, base: null })
  const env = await buildEnv(config, logger, replaced)
  const app = await buildServer(env, { logger, trustedProxies: config.trustedProxies })
  try {
    const address = await app.listen({ port: config.port, host: config.host })
    const jobs = startJobs(env)
    const stopAll = async () => {
      await app.close()
      await jobs.stop()
      await env.store.close()
    }
    return { address, env, rescreening: jobs.rescreening, stop: stopAll }
  } catch (error) {
    await stop(app, env)
    throw error
  }
}

/** The service without its server, for a command that works on the store. */
export async function openEnv(config: Config, logger: Logger): Promise<Env> {
  return buildEnv(config, logger, {})
}

/** Scheduled work looks every minute whether something is due. */
function startJobs(env: Env) {
  const jobs = rescreening(env)
  const timer = setInterval(() => {
    jobs.tick().catch((error: unknown) => {
      env.log.error({ err: error }, 'scheduled work failed')
    })
  }, MINUTE_MS)
  timer.unref()
  return {
    rescreening: jobs,
    async stop() {
      clearInterval(timer)
      await jobs.stop()
    },
  }
}

async function buildEnv(config: Config, logger: Logger, replaced: Replacements): Promise<Env> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const keyring = loadKeyring(config.signingKeys, join(config.dataDir, 'keys', 'signing-keys.json'))
  const watchlist = loadWatchlist(config, logger)
  return {
    settings: settingsOf(config),
    clock: replaced.clock ?? systemClock,
    ids: randomIds,
    keyring,
    store: await openSqliteStore(join(config.dataDir, 'portcullis.sqlite')),
    watchlists: replaced.watchlists ?? { current: () => watchlist },
    vault,
    extended: extendedScreening(config, logger),
    rescreeningProvider: rescreeningProvider(config, logger),
    yieldToOthers,
    identityRegistry: { statusOf: () => 'PENDING' },
    log: logger,
    credentials: credentialReader(keyring, config.issuer),
    latencies: lastScreens(),
  }
}

/** Sanctions, PEP and adverse media of one provider, for the daily re-screening alone. */
const rescreeningProvider = ({ providerOne }: Config, logger: Logger) =>
  providerOne && extendedScreening({ providerTwo: providerOne, adverseMedia: providerOne }, logger)

const settingsOf = (config: Config): Settings => ({
  version: VERSION,
  environment: config.environment,
  production: config.production,
  issuer: config.issuer,
  merchantId: config.merchantId,
  baseUrl: config.baseUrl ?? `http://${config.host}:${config.port}`,
  quotas: config.quotas,
  receiptValidMs: config.receiptValidMs,
  retentionMs: config.retentionMs,
  velocityPerMinute: config.velocityPerMinute,
  identityIssuers: config.identityIssuers,
})

async function stop(app: { close(): Promise<unknown> }, env: Env): Promise<void> {
  await app.close()
  await env.store.close()
}
