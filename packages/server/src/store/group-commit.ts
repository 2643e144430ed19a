/**
 * Group commit: transactions that arrive together share one commit, and so one fsync. Each is whole
 * or leaves no trace, and one that fails costs the others nothing. None is answered before the
 * commit is durable.
 */
import type { DatabaseSync } from 'node:sqlite'
import { ServiceError } from '@portcullis/protocol'
import type { Script, ScriptRunner } from './script.ts'
import { connect, type Connection } from './sqlite-connection.ts'
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
      return Promise.resolve().then(() => onlyStoreErrors(() => drive(script(), connection.query)))
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

type Settle = () => void

function commitTogether(connection: Connection, batch: readonly Pending[]): void {
  let settled: Settle[]
  try {
    settled = runTogether(connection, batch) ?? runInTransaction(connection, batch, runInSavepoint)
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

type RunOne = (connection: Connection, pending: Pending) => Settle

function runInTransaction(
  connection: Connection,
  batch: readonly Pending[],
  runOne: RunOne,
): Settle[] {
  connection.run('begin immediate')
  const settled = batch.map((pending) => runOne(connection, pending))
  connection.run('commit')
  return settled
}

/**
 * Without savepoints, for which SQLite copies every page that a script is the first to change.
 * Undefined, with nothing done, when a script failed after it had written: it takes savepoints to
 * undo one and keep the others, so all of them run once more. Scripts may: what they write rests on
 * what they read, and a decision is repeatable.
 */
function runTogether(connection: Connection, batch: readonly Pending[]): Settle[] | undefined {
  try {
    return runInTransaction(connection, batch, runAlone)
  } catch (error) {
    if (!(error instanceof NeedsSavepoint)) throw error
    if (connection.inTransaction()) connection.run('rollback')
    return undefined
  }
}

class NeedsSavepoint extends Error {}

/** A script that fails before it has written needs no undoing. */
function runAlone(connection: Connection, { script, resolve, reject }: Pending): Settle {
  const written: BoundStatement<unknown>[] = []
  const query: Connection['query'] = (bound) => {
    if (bound.writes) written.push(bound)
    return connection.query(bound)
  }
  try {
    const value = drive(script(), query)
    return () => resolve(value)
  } catch (error) {
    if (written.length > 0 || isSqliteError(error)) throw new NeedsSavepoint()
    return () => reject(error)
  }
}

function runInSavepoint(connection: Connection, { script, resolve, reject }: Pending): Settle {
  connection.run('savepoint script')
  try {
    const value = drive(script(), connection.query)
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
export function drive<T>(script: Script<T>, query: Connection['query']): T {
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
