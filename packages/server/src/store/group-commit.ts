/**
 * Group commit: transactions that arrive together share one commit, and so one fsync. Each is a
 * savepoint of its own, so one that fails leaves no trace and costs the others nothing. None is
 * answered before the commit is durable.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { ServiceError } from '@portcullis/protocol'
import type { Row, Script, ScriptRunner } from './script.ts'
import type { BoundStatement } from './statement.ts'

/** Bounds how long one commit may keep the event loop. */
const MAX_SCRIPTS_PER_COMMIT = 128

interface Pending {
  readonly script: () => Script<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export function groupCommit(db: DatabaseSync): ScriptRunner {
  const connection = connect(db)
  const queue: Pending[] = []
  let scheduled = false
  let closed = false
  let onIdle: (() => void) | undefined

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    // After the poll phase, so that every request which arrived in this turn is in the batch.
    setImmediate(flush)
  }

  function flush(): void {
    scheduled = false
    commitTogether(connection, queue.splice(0, MAX_SCRIPTS_PER_COMMIT))
    if (queue.length > 0) schedule()
    else onIdle?.()
  }

  return {
    write<T>(script: () => Script<T>): Promise<T> {
      if (closed) return Promise.reject(new ServiceError('store_unavailable'))
      return new Promise<T>((resolve, reject) => {
        queue.push({ script, resolve: resolve as Pending['resolve'], reject })
        schedule()
      })
    },
    async read<T>(script: () => Script<T>): Promise<T> {
      if (closed) throw new ServiceError('store_unavailable')
      return Promise.resolve().then(() => onlyStoreErrors(() => drive(script(), connection)))
    },
    async dropTraces(): Promise<void> {
      if (closed) throw new ServiceError('store_unavailable')
      // Deleted content is zeroed in the pages themselves; old pages stand in the log until it is
      // cut. While another process reads, a part of it stays for the next time.
      await Promise.resolve().then(() =>
        onlyStoreErrors(() => db.exec('pragma wal_checkpoint(truncate)')),
      )
    },
    async close(): Promise<void> {
      if (closed) return
      closed = true
      if (queue.length > 0) await new Promise<void>((resolve) => (onIdle = resolve))
      db.close()
    },
  }
}

/** One database with its statements prepared once, those that steer transactions included. */
interface Connection {
  readonly query: (bound: BoundStatement<unknown>) => readonly Row[]
  readonly run: (text: string) => void
  readonly inTransaction: () => boolean
}

export function connect(db: DatabaseSync): Connection {
  const prepared = new Map<string, StatementSync>()
  function prepare(text: string): StatementSync {
    const known = prepared.get(text)
    if (known !== undefined) return known
    const fresh = db.prepare(text)
    fresh.setReadBigInts(true)
    prepared.set(text, fresh)
    return fresh
  }
  return {
    query: ({ sql, parameters }) => prepare(sql).all(...parameters),
    run: (text) => {
      prepare(text).run()
    },
    inTransaction: () => db.isTransaction,
  }
}

type Settle = () => void

function commitTogether(connection: Connection, batch: readonly Pending[]): void {
  let settled: Settle[]
  try {
    connection.run('begin immediate')
    settled = batch.map((pending) => runInSavepoint(connection, pending))
    connection.run('commit')
  } catch (error) {
    if (connection.inTransaction()) connection.run('rollback')
    const failure = storeUnavailable(error)
    settled = batch.map(
      ({ reject }) =>
        () =>
          reject(failure),
    )
  }
  for (const settle of settled) settle()
}

function runInSavepoint(connection: Connection, { script, resolve, reject }: Pending): Settle {
  connection.run('savepoint script')
  try {
    const value = drive(script(), connection)
    connection.run('release script')
    return () => resolve(value)
  } catch (error) {
    // A full disk may have ended the whole transaction; then the batch fails as one.
    if (!connection.inTransaction()) throw error
    connection.run('rollback to script')
    connection.run('release script')
    return () => reject(isSqliteError(error) ? storeUnavailable(error) : error)
  }
}

/** Runs a script to its end, each statement at once. */
export function drive<T>(script: Script<T>, { query }: Connection): T {
  let step = script.next()
  while (step.done !== true) step = script.next(query(step.value))
  return step.value
}

export function onlyStoreErrors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw isSqliteError(error) ? storeUnavailable(error) : error
  }
}

const isSqliteError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'

function storeUnavailable(cause: unknown): ServiceError {
  const error = new ServiceError('store_unavailable')
  error.cause = cause
  return error
}
