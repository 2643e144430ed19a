/** The composition root: configuration, adapters, use cases, HTTP. No other file knows them all. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pino, { type Logger } from 'pino'
import { extendedScreening } from './adapters/extended-screening.ts'
import { loadKeyring } from './adapters/keyring.ts'
import { openLists } from './adapters/lists/open-lists.ts'
import { randomIds, systemClock, systemPause } from './adapters/system.ts'
import { vault } from './adapters/vault.ts'
import { credentialReader } from './app/credentials.ts'
import type { Env, Settings } from './app/env.ts'
import { lastScreens } from './app/latencies.ts'
import type { ListSync } from './app/list-sync.ts'
import type { Clock, Watchlists } from './app/ports.ts'
import type { Config } from './config.ts'
import { buildServer } from './http/server.ts'
import { openSqliteStore } from './store/sqlite.ts'

/** Version of the interface, reported by health. */
export const VERSION = '0.4.0'

export interface Service {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly address: string
  readonly env: Env
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
  const clock = replaced.clock ?? systemClock
  const lists = openLists(config, { clock, pause: systemPause, log: logger })
  const env = await buildEnv(config, logger, replaced, lists)
  const app = await buildServer(env, { logger, trustedProxies: config.trustedProxies })
  try {
    const address = await app.listen({ port: config.port, host: config.host })
    if (replaced.watchlists === undefined) lists.run()
    return { address, env, stop: () => stop(app, env, lists) }
  } catch (error) {
    await stop(app, env, lists)
    throw error
  }
}

async function buildEnv(
  config: Config,
  logger: Logger,
  replaced: Replacements,
  lists: ListSync,
): Promise<Env> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const keyring = loadKeyring(config.signingKeys, join(config.dataDir, 'keys', 'signing-keys.json'))
  await lists.load()
  return {
    settings: settingsOf(config),
    clock: replaced.clock ?? systemClock,
    ids: randomIds,
    keyring,
    store: await openSqliteStore(join(config.dataDir, 'portcullis.sqlite')),
    watchlists: replaced.watchlists ?? lists,
    vault,
    extended: extendedScreening(config, logger),
    identityRegistry: { statusOf: () => 'PENDING' },
    log: logger,
    credentials: credentialReader(keyring, config.issuer),
    latencies: lastScreens(),
  }
}

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

async function stop(app: { close(): Promise<unknown> }, env: Env, lists: ListSync): Promise<void> {
  await app.close()
  await lists.stop()
  await env.store.close()
}
