/**
 * The statements of what is counted under a name, a wallet, or the pair of both, of keys that have
 * so many rows in `counterparties` that adding them up takes too long.
 */
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Schema } from './schema.ts'
import { compilable, statement } from './statement.ts'

export type KeyRow = Selectable<Schema['counterparty_keys']>

export const keyStatements = (db: Kysely<Schema>) => ({
  agentsOf: members(db, 'counterparty_agents', 'agent_id'),
  operatorsOf: members(db, 'counterparty_operators', 'operator_id'),
  findKeys: statement<{ name: string; wallet: string; pair: string }, KeyRow>((args) =>
    db
      .selectFrom('counterparty_keys')
      .selectAll()
      .where('key', 'in', [args.name, args.wallet, args.pair]),
  ),
  countKey: statement<Record<(typeof COUNTED)[number] | 'at', bigint> & { key: string }>((args) =>
    db
      .updateTable('counterparty_keys')
      .set((row) => ({
        ...Object.fromEntries(COUNTED.map((name) => [name, row(name, '+', args[name])])),
        ...spanWith(args.at),
      }))
      .where('key', '=', args.key),
  ),
  sumName: sums(db, ({ name }) => sql`counted.name_key = ${name}`),
  sumWallet: sums(db, ({ wallet }) => sql`counted.wallet_key = ${wallet}`),
  sumPair: sums(
    db,
    ({ name, wallet }) => sql`counted.name_key = ${name} and counted.wallet_key = ${wallet}`,
  ),
})

const COUNTED = ['clears', 'reviews', 'blocks', 'agents', 'operators'] as const

/** Screens may be committed in another order than they arrived in. */
export const spanWith = (at: RawBuilder<bigint>) => ({
  first_at_ms: sql<bigint>`case when ${at} < first_at_ms then ${at} else first_at_ms end`,
  last_at_ms: sql<bigint>`case when ${at} > last_at_ms then ${at} else last_at_ms end`,
})

/** Who stands behind a key, and how many two keys have in common. */
const members = (
  db: Kysely<Schema>,
  table: 'counterparty_agents' | 'counterparty_operators',
  column: 'agent_id' | 'operator_id',
) => ({
  /** One row when the member is new. */
  add: statement<{ key: string; member: string }, { key: string }>((args) =>
    db
      .insertInto(table)
      .values({ key: args.key, [column]: args.member } as never)
      .onConflict((conflict) => conflict.columns(['key', column] as never).doNothing())
      .returning('key'),
  ),
  /** In the order of both, so that the engine walks them side by side. */
  inBoth: statement<{ one: string; other: string }, { count: bigint }>((args) =>
    compilable(
      db,
      sql`select count(*) as count from (
        select ${sql.ref(column)} from ${sql.table(table)} where key = ${args.one}
        intersect select ${sql.ref(column)} from ${sql.table(table)} where key = ${args.other}
        order by 1) as members`,
    ),
  ),
})

interface SumArgs extends Record<string, string | bigint> {
  readonly key: string
  readonly name: bigint
  readonly wallet: bigint
}
type Sums = { readonly [Name in keyof SumArgs]: RawBuilder<SumArgs[Name]> }

/** Adds up all counterparties of a key: members first, then the row that counts them. */
const sums = (db: Kysely<Schema>, fits: (args: Sums) => RawBuilder<unknown>) => ({
  agents: statement<SumArgs>((args) =>
    compilable(
      db,
      sql`insert into counterparty_agents (key, agent_id)
        select ${args.key}, counted.agent_id from counterparties counted where ${fits(args)}
        union select ${args.key}, visitor.agent_id from counterparties counted
        join counterparty_visitors visitor on visitor.counterparty = counted.seq
        where ${fits(args)}`,
    ),
  ),
  operators: statement<SumArgs>((args) =>
    compilable(
      db,
      sql`insert into counterparty_operators (key, operator_id)
        select distinct ${args.key}, counted.operator_id from counterparties counted
        where ${fits(args)}`,
    ),
  ),
  counts: statement<SumArgs>((args) =>
    compilable(
      db,
      sql`insert into counterparty_keys
        (key, clears, reviews, blocks, first_at_ms, last_at_ms, agents, operators)
        select ${args.key}, sum(clears), sum(reviews), sum(blocks), min(first_at_ms), max(last_at_ms),
          (select count(*) from counterparty_agents where key = ${args.key}),
          (select count(*) from counterparty_operators where key = ${args.key})
        from counterparties counted where ${fits(args)} having count(*) > 0`,
    ),
  ),
})
