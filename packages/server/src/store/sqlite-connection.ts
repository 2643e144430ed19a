/** A SQLite database as scripts use it: statements prepared once, rows with their names. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Row } from './script.ts'
import type { BoundStatement, SqlValue } from './statement.ts'

/** One database with its statements prepared once, those that steer transactions included. */
export interface Connection {
  readonly query: (bound: BoundStatement<unknown>) => readonly Row[]
  readonly run: (text: string) => void
  readonly inTransaction: () => boolean
}

export function connect(db: DatabaseSync): Connection {
  const prepared = new Map<string, Prepared>()
  function prepare(text: string): Prepared {
    const known = prepared.get(text)
    if (known !== undefined) return known
    const fresh = prepareRows(db.prepare(text))
    prepared.set(text, fresh)
    return fresh
  }
  return {
    query: ({ sql, parameters }) => prepare(sql)(parameters),
    run: (text) => {
      prepare(text)([])
    },
    inTransaction: () => db.isTransaction,
  }
}

type Prepared = (parameters: readonly SqlValue[]) => readonly Row[]

/** Rows come as arrays and are named here: else SQLite's names become new strings for every row. */
function prepareRows(prepared: StatementSync): Prepared {
  prepared.setReadBigInts(true)
  prepared.setReturnArrays(true)
  const names = prepared.columns().map(({ name }) => name)
  if (names.length === 0) {
    return (parameters) => {
      prepared.run(...parameters)
      return []
    }
  }
  return (parameters) =>
    (prepared.all(...parameters) as unknown as readonly SqlValue[][]).map((values) => {
      const row: Record<string, SqlValue> = {}
      for (let at = 0; at < names.length; at++) row[names[at] ?? ''] = values[at] ?? null
      return row
    })
}
