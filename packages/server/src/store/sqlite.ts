/** The embedded store: one SQLite file, one writer, WAL, and an fsync before any answer. */
import { chmodSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDatabase,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Store } from '../app/ports.ts'
import { groupCommit } from './group-commit.ts'
import { migrateToLatest } from './migrate.ts'
import type { Schema } from './schema.ts'
import { statements } from './statements.ts'
import { storeOver } from './store.ts'

/** How long a commit waits for another process (a CLI command) that holds the file. */
const BUSY_TIMEOUT_MS = 2_000

/** Indexes of counterparties are met at random places: those of some 100,000 stay in memory. */
const CACHE_KIB = 16_000

/** A page that is written often within these is copied to the file once; the wait is seldom. */
const CHECKPOINT_PAGES = 4_000

const PRAGMAS = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma secure_delete = on;
  pragma busy_timeout = ${BUSY_TIMEOUT_MS};
  pragma cache_size = -${CACHE_KIB};
  pragma wal_autocheckpoint = ${CHECKPOINT_PAGES};
`

/** Opens or creates the file (mode 0600: it holds names and wallets) and brings it up to date. */
export async function openSqliteStore(file: string): Promise<Store> {
  const db = new DatabaseSync(file)
  chmodSync(file, 0o600)
  db.exec(PRAGMAS)
  const kysely = new Kysely<never>({ dialect: new SqliteDialect({ database: forKysely(db) }) })
  await migrateToLatest(kysely)
  return storeOver(groupCommit(db), statements(compiler()))
}

/** Builds SQL and runs none: the scripts run through group commit. */
export const compiler = (): Kysely<Schema> =>
  new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })

/** `node:sqlite` in the shape that Kysely's dialect expects; migrations run through it. */
function forKysely(db: DatabaseSync): SqliteDatabase {
  return {
    close: () => undefined,
    prepare(text) {
      const prepared = db.prepare(text)
      const reader = prepared.columns().length > 0
      return {
        reader,
        all: (parameters) => prepared.all(...(parameters as never[])),
        run: (parameters) => prepared.run(...(parameters as never[])),
        iterate: (parameters) => prepared.iterate(...(parameters as never[])) as never,
      }
    },
  }
}
