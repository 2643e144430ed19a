/** The statements of reviews and of the history of counterparties. */
import { type Kysely, type Selectable, sql } from 'kysely'
import type { HistorySchema } from './history-schema.ts'
import type { Schema } from './schema.ts'
import { keyStatements, spanWith } from './key-statements.ts'
import { statement } from './statement.ts'

type Row<Table extends keyof HistorySchema> = Selectable<HistorySchema[Table]>
export type CounterpartyRow = Row<'counterparties'>
export type FoundRow = Pick<CounterpartyRow, 'seq' | 'agent_id' | 'agents' | 'last_verdict'>
export type CountedRow = Omit<
  CounterpartyRow,
  'name' | 'wallet' | 'name_key' | 'wallet_key' | 'last_verdict'
>
export type ProposalRow = Row<'review_proposals'>

export const historyStatements = (db: Kysely<Schema>) => ({
  ...reviewStatements(db),
  ...counterpartyStatements(db),
  ...keyStatements(db),
})

interface ReviewPageArgs {
  readonly [name: string]: string | bigint
  readonly operatorId: string
  readonly at: bigint
  readonly txnId: string
  readonly since: bigint
  readonly limit: bigint
}

/** A page of the queue: pending runs forward in time, decided backward. */
const reviewPage = (db: Kysely<Schema>, status: string, forward: boolean) =>
  statement<ReviewPageArgs, { txn_id: string; at_ms: bigint; record: string }>((args) =>
    db
      .selectFrom('reviews')
      .innerJoin('audit_entries', 'audit_entries.txn_id', 'reviews.txn_id')
      .select(['reviews.txn_id', 'reviews.at_ms', 'audit_entries.record'])
      .where('reviews.operator_id', '=', args.operatorId)
      .where('reviews.status', '=', sql.lit(status))
      .where(
        forward
          ? sql<boolean>`(reviews.at_ms, reviews.txn_id) > (${args.at}, ${args.txnId})`
          : sql<boolean>`(reviews.at_ms, reviews.txn_id) < (${args.at}, ${args.txnId})`,
      )
      .where('audit_entries.screened_at_ms', '>=', args.since)
      .orderBy('reviews.at_ms', forward ? 'asc' : 'desc')
      .orderBy('reviews.txn_id', forward ? 'asc' : 'desc')
      .limit(args.limit),
  )

function reviewStatements(db: Kysely<Schema>) {
  return {
    insertReview: statement<{ txnId: string; operatorId: string; at: bigint }>((args) =>
      db.insertInto('reviews').values({
        txn_id: args.txnId,
        operator_id: args.operatorId,
        status: 'pending',
        at_ms: args.at,
      }),
    ),
    decideReview: statement<{ txnId: string; at: bigint }>((args) =>
      db
        .updateTable('reviews')
        .set({ status: 'decided', at_ms: args.at })
        .where('txn_id', '=', args.txnId),
    ),
    pendingReviews: reviewPage(db, 'pending', true),
    decidedReviews: reviewPage(db, 'decided', false),
    proposalsOf: statement<{ txnId: string }, ProposalRow>(({ txnId }) =>
      db.selectFrom('review_proposals').selectAll().where('txn_id', '=', txnId).orderBy('seq'),
    ),
    insertProposal: statement<{
      txnId: string
      disposition: string
      reviewedBy: string
      notes: string | null
      at: bigint
    }>((args) =>
      db.insertInto('review_proposals').values({
        txn_id: args.txnId,
        disposition: args.disposition,
        reviewed_by: args.reviewedBy,
        notes: args.notes,
        proposed_at_ms: args.at,
      }),
    ),
    findFacts: statement<{ txnId: string }, { facts: string }>(({ txnId }) =>
      db.selectFrom('audit_entries').select('facts').where('txn_id', '=', txnId),
    ),
  }
}

function counterpartyStatements(db: Kysely<Schema>) {
  return {
    ...foundCounterparties(db),
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
    ...rescreenedCounterparties(db),
  }
}

type Counted = 'clears' | 'reviews' | 'blocks'

/** Counterparties by their keys: one of an operator, or all that share a name or a wallet. */
function foundCounterparties(db: Kysely<Schema>) {
  type Keys = { operatorId: string; name: bigint; wallet: bigint }
  const found = db
    .selectFrom('counterparties')
    .select(['seq', 'agent_id', 'agents', 'last_verdict'])
  const counted = db
    .selectFrom('counterparties')
    .select(['seq', 'operator_id', 'agent_id', 'agents'])
    .select(['clears', 'reviews', 'blocks', 'first_at_ms', 'last_at_ms'])
  return {
    findByBoth: statement<Keys, FoundRow>((args) =>
      found
        .where('name_key', '=', args.name)
        .where('wallet_key', '=', args.wallet)
        .where('operator_id', '=', args.operatorId),
    ),
    findByName: statement<Keys, FoundRow>((args) =>
      found
        .where('name_key', '=', args.name)
        .where('wallet_key', 'is', null)
        .where('operator_id', '=', args.operatorId),
    ),
    findByWallet: statement<Keys, FoundRow>((args) =>
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
