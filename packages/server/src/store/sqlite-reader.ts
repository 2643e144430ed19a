/**
 * The embedded store, read and never written: beside the service, or where nothing can be written.
 * What checks evidence must not be able to change it.
 */
import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { ServiceError } from '@portcullis/protocol'
import type { Store } from '../app/ports.ts'
import { drive, onlyStoreErrors } from './group-commit.ts'
import { isUpToDate } from './migrate.ts'
import type { ScriptRunner } from './script.ts'
import { compiler } from './sqlite.ts'
import { connect } from './sqlite-connection.ts'
import { statements } from './statements.ts'
import { storeOver } from './store.ts'

/** Undefined for a store of an earlier version: it must be brought up to date first. */
export function openSqliteReader(file: string): Store | undefined {
  const db = openFile(file)
  const done = db.prepare('select name from kysely_migration').all()
  if (isUpToDate(done.map(({ name }) => String(name)))) {
    return storeOver(readOnlyRunner(db), statements(compiler()))
  }
  db.close()
  return undefined
}

function openFile(file: string): DatabaseSync {
  try {
    return opened(file)
  } catch (error) {
    // SQLite reads the write-ahead log through a file of shared memory beside it.
    const log = `${file}-wal`
    if (existsSync(log) && statSync(log).size > 0) {
      throw new Error(unreadable(file), { cause: error })
    }
    // Without a write-ahead log nobody has the file open, and it is whole by itself.
    return opened(`${pathToFileURL(file).href}?immutable=1`)
  }
}

function opened(location: string): DatabaseSync {
  const db = new DatabaseSync(location, { readOnly: true })
  try {
    // Until something is asked for, no file is looked at.
    db.prepare('select 1 from sqlite_master').get()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

const unreadable = (file: string): string =>
  `the newest entries stand in ${file}-wal, which cannot be read here: stop the service, which ` +
  'writes them into the store, or check a copy of the whole folder where files can be written'

function readOnlyRunner(db: DatabaseSync): ScriptRunner {
  const connection = connect(db)
  return {
    write: () => Promise.reject(new ServiceError('store_unavailable')),
    /** One moment of the store for each script, whatever a service beside it commits. */
    async read(script) {
      return Promise.resolve().then(() =>
        onlyStoreErrors(() => {
          connection.run('begin')
          try {
            return drive(script(), connection.query)
          } finally {
            connection.run('rollback')
          }
        }),
      )
    },
    dropTraces: () => Promise.reject(new ServiceError('store_unavailable')),
    close() {
      db.close()
      return Promise.resolve()
    },
  }
}
