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
  const prepared = new Map<string, StatementSync>()
  const queue: Pending[] = []
  let scheduled = false
  let closed = false
  let onIdle: (() => void) | undefined

  function prepare(text: string): StatementSync {
    const known = prepared.get(text)
    if (known !== undefined) return known
    const fresh = db.prepare(text)
    fresh.setReadBigInts(true)
    prepared.set(text, fresh)
    return fresh
  }

  const query = ({ sql, parameters }: BoundStatement<unknown>): readonly Row[] =>
    prepare(sql).all(...parameters)

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    // After the poll phase, so that every request which arrived in this turn is in the batch.
    setImmediate(flush)
  }

  function flush(): void {
    scheduled = false
    commitTogether(db, queue.splice(0, MAX_SCRIPTS_PER_COMMIT), query)
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
      return Promise.resolve().then(() => onlyStoreErrors(() => drive(script(), query)))
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
type Query = (bound: BoundStatement<unknown>) => readonly Row[]

function commitTogether(db: DatabaseSync, batch: readonly Pending[], query: Query): void {
  let settled: Settle[]
  try {
    db.exec('begin immediate')
    settled = batch.map((pending) => runInSavepoint(db, pending, query))
    db.exec('commit')
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    const failure = storeUnavailable(error)
    settled = batch.map(
      ({ reject }) =>
        () =>
          reject(failure),
    )
  }
  for (const settle of settled) settle()
}

function runInSavepoint(
  db: DatabaseSync,
  { script, resolve, reject }: Pending,
  query: Query,
): Settle {
  db.exec('savepoint script')
  try {
    const value = drive(script(), query)
    db.exec('release script')
    return () => resolve(value)
  } catch (error) {
    // A full disk may have ended the whole transaction; then the batch fails as one.
    if (!db.isTransaction) throw error
    db.exec('rollback to script')
    db.exec('release script')
    return () => reject(isSqliteError(error) ? storeUnavailable(error) : error)
  }
}

/** Runs a script to its end, each statement at once. */
function drive<T>(script: Script<T>, query: Query): T {
  let step = script.next()
  while (step.done !== true) step = script.next(query(step.value))
  return step.value
}

function onlyStoreErrors<T>(work: () => T): T {
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
