/** The real use cases over the real store; clock, ids, lists and provider come from the seed. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { AgentId, AlertId, FleetId, OperatorId, TxnId, UserId } from '@portcullis/protocol'
import { buildWatchlist, type ListId, type Watchlist } from '@portcullis/watchlist'
import { loadKeyring } from '../../packages/server/src/adapters/keyring.ts'
import { sha256, vault } from '../../packages/server/src/adapters/vault.ts'
import { credentialReader } from '../../packages/server/src/app/parties/credentials.ts'
import type { Caller, Env, Settings } from '../../packages/server/src/app/env.ts'
import { lastScreens } from '../../packages/server/src/app/screening/latencies.ts'
import type { ExtendedScreening, Ids } from '../../packages/server/src/app/ports.ts'
import type { Operator } from '../../packages/server/src/app/records.ts'
import { openSqliteStore } from '../../packages/server/src/store/sqlite.ts'
import { ENTRIES, FILLER, type PartyId } from './catalogue.ts'
import type { Random } from './random.ts'

/** What the extended provider answers to everybody who asks. */
export type ProviderMood = 'clear' | 'block' | 'review' | 'pep' | 'media' | 'down'

export interface WorldSettings {
  readonly production: boolean
  readonly screensPerMonth: number
  readonly velocityPerMinute: number
}

export const RETENTION_MS = 90 * 86_400_000
const ISSUER = 'did:kya:simulation'
const LIST_IDS: readonly ListId[] = ['OFAC_SDN', 'UN_SC', 'US_LEGISLATORS']

/** Memory when there is some: a thousand worlds wait for no disk. */
const FOLDER = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'portcullis-sim-'))
process.once('exit', () => rmSync(FOLDER, { recursive: true, force: true }))
const TEMPLATE = join(FOLDER, 'template.sqlite')
const KEYRING = loadKeyring(undefined, join(FOLDER, 'keys.json'))

export class World {
  now: number
  mood: ProviderMood = 'clear'
  readonly settings: Settings
  readonly #random: Random
  readonly #file: string
  readonly #txnIds: string[] = []
  readonly #operators = new Map<string, Operator>()
  #watchlist: Watchlist | undefined
  #env!: Env
  #db!: DatabaseSync
  #queries = new Map<string, StatementSync>()

  private constructor(random: Random, settings: WorldSettings, now: number, name: string) {
    this.#random = random
    this.now = now
    this.#file = join(FOLDER, `${name}.sqlite`)
    this.settings = settingsOf(settings)
  }

  static async open(random: Random, settings: WorldSettings, now: number, name: string) {
    if (!existsSync(TEMPLATE)) await (await openSqliteStore(TEMPLATE)).close()
    const world = new World(random, settings, now, name)
    copyFileSync(TEMPLATE, world.#file)
    await world.#start()
    return world
  }

  get env(): Env {
    return this.#env
  }

  async #start(): Promise<void> {
    this.#env = {
      settings: this.settings,
      clock: { now: () => this.now, monotonicMs: () => 0 },
      ids: this.#ids(),
      keyring: KEYRING,
      store: await openSqliteStore(this.#file),
      watchlists: { current: () => this.#watchlist },
      vault,
      sha256,
      extended: this.#provider(),
      yieldToOthers: () => Promise.resolve(),
      identityRegistry: { statusOf: () => 'PENDING' },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      credentials: credentialReader(KEYRING, ISSUER),
      latencies: lastScreens(),
    }
    this.#db = new DatabaseSync(this.#file, { readOnly: true })
    this.#queries = new Map()
  }

  /** As after a crash of nothing: everything that is not in the file is gone. */
  async restart(): Promise<void> {
    this.#db.close()
    await this.#env.store.close()
    await this.#start()
  }

  async close(): Promise<void> {
    this.#db.close()
    await this.#env.store.close()
    for (const end of ['', '-wal', '-shm']) rmSync(this.#file + end, { force: true })
  }

  /** A new version of all lists, or none at all. */
  publish(listed: ReadonlySet<PartyId> | undefined, loadedAt: number): void {
    this.#watchlist =
      listed === undefined
        ? undefined
        : buildWatchlist(LIST_IDS.map((id) => listOf(id, listed, loadedAt)))
  }

  async caller(operatorId: string, idempotencyKey?: string): Promise<Caller> {
    const known = this.#operators.get(operatorId)
    const operator = known ?? (await this.#env.store.findOperator(operatorId as OperatorId))
    if (operator === undefined) throw new Error(`there is no operator ${operatorId}`)
    this.#operators.set(operatorId, operator)
    return { operator, requestId: 'simulated', arrivedAt: 0, now: this.now, idempotencyKey }
  }

  /** What the file says: read past the store, on a connection of its own. */
  rows(sql: string, ...parameters: (string | number)[]): Record<string, unknown>[] {
    const known = this.#queries.get(sql)
    const query = known ?? this.#db.prepare(sql)
    if (known === undefined) query.setReadBigInts(true)
    this.#queries.set(sql, query)
    return query.all(...parameters)
  }

  #ids(): Ids {
    const fresh = (prefix: string) =>
      `${prefix}${this.#random.text('0123456789abcdefghijklmnopqrstuvwxyz', 16)}`
    return {
      operator: () => fresh('op_') as OperatorId,
      agent: () => fresh('agt_') as AgentId,
      txn: () => this.#txnId() as TxnId,
      fleet: () => fresh('flt_') as FleetId,
      user: () => fresh('usr_') as UserId,
      alert: () => fresh('alert_') as AlertId,
      credential: () => fresh('cred_'),
    }
  }

  /** Now and then an id that is taken already: the store must ask again. */
  #txnId(): string {
    if (this.#txnIds.length > 0 && this.#random.chance(0.05)) return this.#random.pick(this.#txnIds)
    const txnId = `txn_${this.#random.text('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', 8)}`
    this.#txnIds.push(txnId)
    return txnId
  }

  #provider(): ExtendedScreening {
    const match = (score: number) => ({
      field: 'cpName',
      list: 'provider',
      entryId: '1',
      primaryName: 'Somebody',
      matched: 'Somebody',
      score,
      method: 'provider',
    })
    return {
      configured: { sanctions: true, adverseMedia: true },
      sanctions: () => {
        if (this.mood === 'down') return Promise.resolve({ status: 'UNAVAILABLE' })
        const sanctions =
          this.mood === 'block' ? [match(0.95)] : this.mood === 'review' ? [match(0.9)] : []
        const peps = this.mood === 'pep' ? [match(0.8)] : []
        return Promise.resolve({ status: 'SCREENED', sanctions, peps })
      },
      adverseMedia: () => {
        const hits = { financial_crime: this.mood === 'media' ? 2 : 0, political: 3 }
        return Promise.resolve({ status: 'SCREENED', hits })
      },
    }
  }
}

function listOf(id: ListId, listed: ReadonlySet<PartyId>, loadedAt: number) {
  const entries = Object.values(ENTRIES).filter(
    ({ list, entryId }) => list === id && listed.has(entryId as PartyId),
  )
  return {
    id,
    contentHash: `sha256:${entries.map(({ entryId }) => entryId).join('')}`,
    publishedAt: null,
    loadedAt: new Date(loadedAt).toISOString(),
    source: 'simulation',
    entries: id === 'OFAC_SDN' ? [...entries, FILLER] : entries,
  }
}

const settingsOf = (settings: WorldSettings): Settings => ({
  version: '0.0.0',
  environment: settings.production ? 'production' : 'test',
  production: settings.production,
  issuer: ISSUER,
  merchantId: ISSUER,
  baseUrl: 'http://simulation.invalid',
  quotas: { free: settings.screensPerMonth, starter: 0, pro: 0 },
  receiptValidMs: 300_000,
  retentionMs: RETENTION_MS,
  velocityPerMinute: settings.velocityPerMinute,
  identityIssuers: [],
})
