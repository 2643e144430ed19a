/**
 * Triggers that refuse to rewrite what was logged, for both engines. They are a lock on the door
 * and not the proof: whoever owns the file can take them off, and the Merkle tree tells.
 */
import { type Kysely, sql, SqliteAdapter } from 'kysely'

type Event = 'update' | 'delete'

/**
 * Refuses `event` on `table` unless `allowed` holds, an SQL expression over `old` and `new` in the
 * words that both engines share.
 */
export async function refuse(
  db: Kysely<unknown>,
  table: string,
  event: Event,
  allowed = 'false',
): Promise<void> {
  const name = `${table}_no_${event}`
  const message = `${table} is append-only`
  if (db.getExecutor().adapter instanceof SqliteAdapter) {
    await sql
      .raw(
        `create trigger ${name} before ${event} on ${table} when not (${allowed})
         begin select raise(abort, '${message}'); end`,
      )
      .execute(db)
    return
  }
  await sql
    .raw(
      `create function ${name}() returns trigger language plpgsql as
       $$ begin raise exception '${message}'; end $$`,
    )
    .execute(db)
  await sql
    .raw(
      `create trigger ${name} before ${event} on ${table} for each row when (not (${allowed}))
       execute function ${name}()`,
    )
    .execute(db)
}

/** Holds when the columns keep their values; nulls compare equal. */
export const unchanged = (...columns: readonly string[]): string =>
  columns
    .map((name) => `(new.${name} = old.${name} or (new.${name} is null and old.${name} is null))`)
    .join(' and ')

/** Holds when a row is purged now: once, and to nothing. */
export const purgedNow = (...blank: readonly string[]): string =>
  [
    'old.purged_at_ms is null and new.purged_at_ms is not null',
    ...blank.map((name) => `new.${name} = ''`),
  ].join(' and ')
