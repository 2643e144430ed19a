/** Brings a database to the newest schema, and refuses one that a newer version has written. */
import { type Kysely, type Migration, Migrator } from 'kysely'
import * as firstScreen from './migrations/0001-first-screen.ts'
import * as wholePolicy from './migrations/0002-whole-policy.ts'
import * as auditLog from './migrations/0003-audit-log.ts'
import * as history from './migrations/0004-history.ts'
import * as loggedAlerts from './migrations/0005-logged-alerts.ts'

/** In order; a migration that was released is never edited. */
const MIGRATIONS: Record<string, Migration> = {
  '0001-first-screen': firstScreen,
  '0002-whole-policy': wholePolicy,
  '0003-audit-log': auditLog,
  '0004-history': history,
  '0005-logged-alerts': loggedAlerts,
}

/** Whether a database that is only read has the newest schema. Throws for one that is newer. */
export function isUpToDate(done: readonly string[]): boolean {
  const unknown = done.find((name) => !(name in MIGRATIONS))
  if (unknown !== undefined) throw new Error(newer(unknown))
  return Object.keys(MIGRATIONS).every((name) => done.includes(name))
}

const newer = (migration: string): string =>
  `a newer version has written the store (${migration}): run that version`

export async function migrateToLatest(db: Kysely<never>): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(MIGRATIONS) },
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) {
    const [, unknown] =
      /previously executed migration (\S+) is missing/.exec(
        error instanceof Error ? error.message : '',
      ) ?? []
    if (unknown !== undefined) {
      throw new Error(newer(unknown), { cause: error })
    }
    throw error instanceof Error ? error : new Error('migration failed', { cause: error })
  }
}
