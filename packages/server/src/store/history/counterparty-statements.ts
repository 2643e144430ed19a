/** The statements of counterparties: found by their keys, counted, screened again, forgotten. */
import type { Kysely, Selectable } from 'kysely'
import { spanWith } from '../key-statements.ts'
import type { Schema } from '../schema.ts'
import { statement } from '../statement.ts'

export type CounterpartyRow = Selectable<Schema['counterparties']>
export type FoundRow = Pick<CounterpartyRow, 'seq' | 'agent_id' | 'agents' | 'last_verdict'>
export type CountedRow = Omit<
  CounterpartyRow,
  'name' | 'wallet' | 'name_key' | 'wallet_key' | 'last_verdict'
>

export const counterpartyStatements = (db: Kysely<Schema>) => ({
  ...foundCounterparties(db),
  ...countedCounterparties(db),
  ...visitorStatements(db),
  ...rescreenedCounterparties(db),
})

function countedCounterparties(db: Kysely<Schema>) {
  return {
    insertCounterparty: statement<
      Record<Counted | 'at', bigint> & {
        operatorId: string
        nameKey: bigint | null
        walletKey: bigint | null
        name: string | null
        wallet: string | null
        verdict: string
        agentId: string
      }
    >((args) =>
      db.insertInto('counterparties').values({
        operator_id: args.operatorId,
        name_key: args.nameKey,
        wallet_key: args.walletKey,
        name: args.name,
        wallet: args.wallet,
        clears: args.clears,
        reviews: args.reviews,
        blocks: args.blocks,
        first_at_ms: args.at,
        last_at_ms: args.at,
        last_verdict: args.verdict,
        agent_id: args.agentId,
        agents: 1n,
      }),
    ),
    countCounterparty: statement<
      Record<Counted | 'at' | 'seq' | 'agents', bigint> & {
        name: string | null
        wallet: string | null
        verdict: string
      }
    >((args) =>
      db
        .updateTable('counterparties')
        .set((row) => ({
          clears: row('clears', '+', args.clears),
          reviews: row('reviews', '+', args.reviews),
          blocks: row('blocks', '+', args.blocks),
          agents: row('agents', '+', args.agents),
          ...spanWith(args.at),
          last_verdict: args.verdict,
          name: args.name,
          wallet: args.wallet,
        }))
        .where('seq', '=', args.seq),
    ),
  }
}

function visitorStatements(db: Kysely<Schema>) {
  return {
    addVisitor: statement<{ seq: bigint; agentId: string }, { agent_id: string }>((args) =>
      db
        .insertInto('counterparty_visitors')
        .values({ counterparty: args.seq, agent_id: args.agentId })
        .onConflict((conflict) => conflict.columns(['counterparty', 'agent_id']).doNothing())
        .returning('agent_id'),
    ),
    visitorsOf: statement<{ seq: bigint }, { agent_id: string }>(({ seq }) =>
      db.selectFrom('counterparty_visitors').select('agent_id').where('counterparty', '=', seq),
    ),
  }
}

type Counted = 'clears' | 'reviews' | 'blocks'

interface FoundBy extends Record<string, string | bigint> {
  readonly operatorId: string
  readonly name: bigint
  readonly wallet: bigint
}

/** Counterparties by their keys: one of an operator, or all that share a name or a wallet. */
function foundCounterparties(db: Kysely<Schema>) {
  const found = db
    .selectFrom('counterparties')
    .select(['seq', 'agent_id', 'agents', 'last_verdict'])
  const counted = db
    .selectFrom('counterparties')
    .select(['seq', 'operator_id', 'agent_id', 'agents'])
    .select(['clears', 'reviews', 'blocks', 'first_at_ms', 'last_at_ms'])
  return {
    findByBoth: statement<FoundBy, FoundRow>((args) =>
      found
        .where('name_key', '=', args.name)
        .where('wallet_key', '=', args.wallet)
        .where('operator_id', '=', args.operatorId),
    ),
    findByName: statement<FoundBy, FoundRow>((args) =>
      found
        .where('name_key', '=', args.name)
        .where('wallet_key', 'is', null)
        .where('operator_id', '=', args.operatorId),
    ),
    findByWallet: statement<FoundBy, FoundRow>((args) =>
      found
        .where('wallet_key', '=', args.wallet)
        .where('name_key', 'is', null)
        .where('operator_id', '=', args.operatorId),
    ),
    countedByName: statement<{ key: bigint; limit: bigint }, CountedRow>(({ key, limit }) =>
      counted.where('name_key', '=', key).limit(limit),
    ),
    countedByWallet: statement<{ key: bigint; limit: bigint }, CountedRow>(({ key, limit }) =>
      counted.where('wallet_key', '=', key).limit(limit),
    ),
  }
}

function rescreenedCounterparties(db: Kysely<Schema>) {
  return {
    counterpartiesAfter: statement<{ after: bigint; limit: bigint }, CounterpartyRow>((args) =>
      db
        .selectFrom('counterparties')
        .selectAll()
        .where('seq', '>', args.after)
        .where((row) => row.or([row('name', 'is not', null), row('wallet', 'is not', null)]))
        .orderBy('seq')
        .limit(args.limit),
    ),
    lastCounterparty: statement<Record<string, never>, { seq: bigint }>(() =>
      db.selectFrom('counterparties').select('seq').orderBy('seq', 'desc').limit(1),
    ),
    /** Forgets who they were, and not how often somebody was screened. */
    purgeCounterparties: statement<{ from: bigint; to: bigint; before: bigint }>((args) =>
      db
        .updateTable('counterparties')
        .set({ name: null, wallet: null })
        .where('seq', '>', args.from)
        .where('seq', '<=', args.to)
        .where('last_at_ms', '<', args.before)
        .where((row) => row.or([row('name', 'is not', null), row('wallet', 'is not', null)])),
    ),
  }
}
