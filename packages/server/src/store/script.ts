/**
 * A transaction as a generator: it yields a statement and is given the rows. The engine decides how
 * to run it: SQLite at once, many scripts in one commit; PostgreSQL with a wait at each statement.
 * So every transaction is written once for both (docs/decisions/0003).
 */
import type { BoundStatement } from './statement.ts'

export type Row = Readonly<Record<string, unknown>>
export type Script<T> = Generator<BoundStatement<unknown>, T, readonly Row[]>

/** Runs scripts. `write` resolves when the transaction is durable; `read` sees committed data. */
export interface ScriptRunner {
  write<T>(script: () => Script<T>): Promise<T>
  read<T>(script: () => Script<T>): Promise<T>
  /** Drops what files of the engine still hold of deleted rows. */
  dropTraces(): Promise<void>
  close(): Promise<void>
}

/** All rows of a statement. */
export function* all<R>(
  bound: BoundStatement<R>,
): Generator<BoundStatement<R>, R[], readonly Row[]> {
  return (yield bound) as unknown as R[]
}

/** The only row, or undefined. */
export function* first<R>(
  bound: BoundStatement<R>,
): Generator<BoundStatement<R>, R | undefined, readonly Row[]> {
  return ((yield bound) as unknown as R[])[0]
}
