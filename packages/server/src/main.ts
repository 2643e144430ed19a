/** The composition root: configuration, adapters, use cases, HTTP. No other file knows them all. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE_MS } from '@portcullis/protocol'
import pino, { type Logger } from 'pino'
import { archiveFiles } from './adapters/archive-files.ts'
import { prepareDataDir, refusing } from './adapters/data-dir.ts'
import { extendedScreening } from './adapters/extended-screening.ts'
import { tellingOfFullDisk } from './adapters/full-disk.ts'
import { loadKeyring } from './adapters/keyring.ts'
import { openLists } from './adapters/lists/open-lists.ts'
import {
  randomIds,
  systemClock,
  systemPause,
  systemTimer,
  yieldToOthers,
} from './adapters/system.ts'
import { sha256, vault } from './adapters/vault.ts'
import { credentialReader } from './app/parties/credentials.ts'
import type { Env, Settings } from './app/env.ts'
import { startJobs } from './app/jobs.ts'
import { lastScreens } from './app/screening/latencies.ts'
import type { ListSync } from './app/lists/list-sync.ts'
import type { Clock, Keyring, Store, Timer, Watchlists } from './app/ports.ts'
import type { RetentionEnv } from './app/audit/retention.ts'
import { rescreening, type Rescreening } from './app/history/rescreening.ts'
import type { Config } from './config.ts'
import { buildServer } from './http/server.ts'
import { openSqliteStore } from './store/sqlite.ts'
import { openSqliteReader } from './store/sqlite-reader.ts'

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
  readonly timer?: Timer
  /** How long a request under way may take while the service stops. */
  readonly closingMs?: number
}

export async function startService(config: Config, replaced: Replacements = {}): Promise<Service> {
  const logger = replaced.logger ?? pino({ level: config.logLevel, base: null })
  const clock = replaced.clock ?? systemClock
  prepareDataDir(config.dataDir)
  const lists = openLists(config, { clock, pause: systemPause, log: logger })
  // Lists are built in a process of their own: everything else is made ready meanwhile.
  const [{ env, app }] = await Promise.all([
    buildService(config, logger, replaced, lists),
    lists.load(),
  ])
  try {
    const address = await app.listen({ port: config.port, host: config.host })
    if (replaced.watchlists === undefined) lists.run()
    const rescreens = startRescreening(env)
    const stopJobs = startJobs(
      { ...env, archive: archiveOf(config) },
      replaced.timer ?? systemTimer,
    )
    const stopAll = async () => {
      await stop(app, env, lists, async () => {
        await rescreens.stop()
        await stopJobs()
      })
    }
    return { address, env, rescreening: rescreens.rescreening, stop: stopAll }
  } catch (error) {
    await stop(app, env, lists)
    throw error
  }
}

async function buildService(
  config: Config,
  logger: Logger,
  replaced: Replacements,
  lists: ListSync,
) {
  const env = await buildEnv(config, logger, replaced, lists)
  const { trustedProxies } = config
  try {
    const { closingMs } = replaced
    const options = { logger, trustedProxies, ...(closingMs !== undefined && { closingMs }) }
    return { env, app: await buildServer(env, options) }
  } catch (error) {
    if (trustedProxies.length === 0) throw error
    throw refusing('TRUSTED_PROXIES: it cannot be used', error, 'list addresses or CIDRs')
  }
}

/** The service without its server, for a command that works on the store. */
export async function openEnv(config: Config, logger: Logger): Promise<Env> {
  prepareDataDir(config.dataDir)
  const machine = { clock: systemClock, pause: systemPause, log: logger }
  const lists = openLists(config, machine, { writes: false })
  await lists.load()
  return buildEnv(config, logger, {}, lists)
}

/** Scheduled work looks every minute whether something is due. */
function startRescreening(env: Env) {
  const jobs = rescreening(env)
  let screenedWith: string | undefined
  const look = async () => {
    const version = env.watchlists.current()?.version
    // New lists: a designation at noon is an alert within minutes. A run is once for each version.
    if (version !== screenedWith) await jobs.listsChanged()
    screenedWith = version
    await jobs.tick()
  }
  const timer = setInterval(() => {
    look().catch((error: unknown) => {
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

async function buildEnv(
  config: Config,
  logger: Logger,
  replaced: Replacements,
  lists: ListSync,
): Promise<Env> {
  const keyring = openKeyring(config)
  return {
    settings: settingsOf(config),
    clock: replaced.clock ?? systemClock,
    ids: randomIds,
    keyring,
    store: await openStore(config),
    watchlists: replaced.watchlists ?? lists,
    vault,
    sha256,
    extended: extendedScreening(config, logger),
    rescreeningProvider: rescreeningProvider(config, logger),
    yieldToOthers,
    identityRegistry: { statusOf: () => 'PENDING' },
    log: logger,
    credentials: credentialReader(keyring, config.issuer),
    latencies: lastScreens(),
  }
}

const keyFile = ({ dataDir }: Config) => join(dataDir, 'keys', 'signing-keys.json')

function openKeyring(config: Config): Keyring {
  try {
    return loadKeyring(config.signingKeys, keyFile(config))
  } catch (error) {
    if (config.signingKeys !== undefined)
      throw refusing(
        'SIGNING_KEYS: they cannot be used',
        error,
        'set it to a path or the JSON of private keys',
      )
    const what = `DATA_DIR: the keys at \`${keyFile(config)}\` cannot be used`
    throw refusing(what, error, 'bring them back from a copy, or set SIGNING_KEYS')
  }
}

const storeFile = ({ dataDir }: Config) => join(dataDir, 'portcullis.sqlite')

async function openStore(config: Config): Promise<Store> {
  try {
    return tellingOfFullDisk(await openSqliteStore(storeFile(config)), config.dataDir)
  } catch (error) {
    const what = `DATA_DIR: the store at \`${storeFile(config)}\` cannot be used`
    throw refusing(what, error, 'look at the file and at the space on its disk')
  }
}

const archiveOf = ({ archiveDir }: Config) =>
  archiveDir === undefined ? undefined : archiveFiles(archiveDir)

/** The log without a service, for commands; they may run beside one. */
export interface OpenLog {
  readonly env: RetentionEnv
  close(): Promise<void>
}

/** `readOnly` writes nothing, but to bring a store of an earlier version up to date. */
export async function openLog(
  config: Config,
  { readOnly = false }: { readonly readOnly?: boolean } = {},
): Promise<OpenLog> {
  const file = storeFile(config)
  if (!existsSync(file)) throw new Error(`there is no store at ${file}: set DATA_DIR`)
  const keys = keyFile(config)
  // New keys would make every signature of the log look forged.
  if (config.signingKeys === undefined && !existsSync(keys)) {
    throw new Error(`the keys of the log are not at ${keys}: set SIGNING_KEYS`)
  }
  const store = readOnly ? await openReader(file) : await openSqliteStore(file)
  const env = {
    settings: settingsOf(config),
    store,
    sha256,
    clock: systemClock,
    keyring: loadKeyring(config.signingKeys, keys),
    log: pino({ level: 'warn' }, pino.destination(2)),
    archive: archiveOf(config),
  }
  return { env, close: () => store.close() }
}

async function openReader(file: string) {
  const store = openSqliteReader(file)
  if (store !== undefined) return store
  try {
    return await openSqliteStore(file)
  } catch (error) {
    const message = `an earlier version has written ${file}: bringing it up to date needs write access`
    throw new Error(message, { cause: error })
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

async function stop(
  app: { close(): Promise<unknown> },
  env: Env,
  lists: ListSync,
  stopJobs: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await app.close()
  await lists.stop()
  await stopJobs()
  await env.store.close()
}
