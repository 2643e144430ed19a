/**
 * SQL that is built once and run many times. Kysely builds and checks the statement when the store
 * opens; a run only fills in the arguments, so building costs nothing on the way of a payment.
 */
import {
  type Compilable,
  type CompiledQuery,
  type QueryExecutorProvider,
  type RawBuilder,
  sql,
} from 'kysely'

/** A value that SQLite and PostgreSQL both take as a parameter. */
export type SqlValue = string | bigint | number | null

/** One statement with its arguments filled in. */
export interface BoundStatement<Row> {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
  /** Whether it may change anything. */
  readonly writes: boolean
  /** Never set: it only carries the type of a row. */
  readonly row?: Row
}

/** The place of an argument in a built statement. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

type Placeholders<Args> = { readonly [Name in keyof Args]: RawBuilder<Args[Name]> }

/** Builds the statement with a placeholder for each argument; answers the function that binds. */
export function statement<Args extends Record<string, SqlValue>, Row = never>(
  build: (args: Placeholders<Args>) => Compilable,
): (args: Args) => BoundStatement<Row> {
  const placeholders = new Proxy({} as Placeholders<Args>, {
    get: (_target, name) => sql`${new Placeholder(String(name))}`,
  })
  const compiled: CompiledQuery = build(placeholders).compile()
  const { sql: text, parameters } = compiled
  const writes = !text.startsWith('select ')
  const names = parameters.map((value) => (value instanceof Placeholder ? value.name : undefined))
  return (args) => ({
    sql: text,
    writes,
    parameters: names.map((name, at) =>
      name === undefined ? (parameters[at] as SqlValue) : (args[name] as SqlValue),
    ),
  })
}

/** SQL written by hand, for what the builder cannot say. */
export const compilable = (db: QueryExecutorProvider, raw: RawBuilder<unknown>): Compilable => ({
  compile: () => raw.compile(db),
})
