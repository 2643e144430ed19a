/** The few places where the engines spell one thing differently. */
import type { CreateTableBuilder, Kysely } from 'kysely'
import { SqliteAdapter } from 'kysely'

type Table = CreateTableBuilder<string>

/**
 * A row number `seq` that only grows and is never used twice: SQLite wants exactly
 * `integer primary key autoincrement`, PostgreSQL a `bigserial`.
 */
export const rowNumber =
  (db: Kysely<unknown>) =>
  <T extends Table>(table: T): T => {
    const sqlite = db.getExecutor().adapter instanceof SqliteAdapter
    return table.addColumn('seq' as never, sqlite ? 'integer' : 'bigserial', (column) =>
      sqlite ? column.primaryKey().autoIncrement() : column.primaryKey(),
    ) as unknown as T
  }
