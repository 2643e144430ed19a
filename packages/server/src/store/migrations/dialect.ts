/** The few places where the engines spell one thing differently. */
import type { CreateTableBuilder, Kysely } from 'kysely'
import { sql, SqliteAdapter } from 'kysely'

type Table = CreateTableBuilder<string>

/**
 * A row number `seq` that grows: SQLite wants exactly `integer primary key`, PostgreSQL a
 * `bigserial`. Without SQLite's `autoincrement`, which would write one more page for every row: the
 * number of the newest row may be used again only when that row itself is deleted.
 */
export const rowNumber =
  (db: Kysely<unknown>) =>
  <T extends Table>(table: T): T => {
    const sqlite = db.getExecutor().adapter instanceof SqliteAdapter
    return table.addColumn('seq' as never, sqlite ? 'integer' : 'bigserial', (column) =>
      column.primaryKey(),
    ) as unknown as T
  }

/** A table that is its primary key: SQLite then writes one page for a row, and not two. */
export const keptByKey =
  (db: Kysely<unknown>) =>
  <T extends Table>(table: T): T =>
    db.getExecutor().adapter instanceof SqliteAdapter
      ? (table.modifyEnd(sql`without rowid`) as unknown as T)
      : table
