/** The statements of reviews and of the history of counterparties. */
import { type Kysely, type Selectable, sql } from 'kysely'
import { isReadable } from './readable-records.ts'
import type { HistorySchema } from './history-schema.ts'
import type { Schema } from './schema.ts'
import { compilable, statement } from './statement.ts'

type Row<Table extends keyof HistorySchema> = Selectable<HistorySchema[Table]>
export type CounterpartyRow = Row<'counterparties'>
export type KeyRow = Row<'counterparty_keys'>
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
      .where((eb) => isReadable(eb as never, args.since))
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
    deleteProposals: statement<{ txnId: string }>(({ txnId }) =>
      db.deleteFrom('review_proposals').where('txn_id', '=', txnId),
    ),
    deleteReview: statement<{ txnId: string }>(({ txnId }) =>
      db.deleteFrom('reviews').where('txn_id', '=', txnId),
    ),
    findFacts: statement<{ txnId: string }, { facts: string }>(({ txnId }) =>
      db.selectFrom('audit_entries').select('facts').where('txn_id', '=', txnId),
    ),
  }
}

function counterpartyStatements(db: Kysely<Schema>) {
  return {
    findCounterparty: statement<
      { operatorId: string; subject: string },
      Pick<CounterpartyRow, 'seq' | 'last_verdict' | 'last_at_ms'>
    >((args) =>
      db
        .selectFrom('counterparties')
        .select(['seq', 'last_verdict', 'last_at_ms'])
        .where('operator_id', '=', args.operatorId)
        .where('subject', '=', args.subject),
    ),
    insertCounterparty: statement<{
      operatorId: string
      subject: string
      name: string | null
      wallet: string | null
      verdict: string
      at: bigint
    }>((args) =>
      db.insertInto('counterparties').values({
        operator_id: args.operatorId,
        subject: args.subject,
        name: args.name,
        wallet: args.wallet,
        last_verdict: args.verdict,
        last_at_ms: args.at,
      }),
    ),
    touchCounterparty: statement<{ seq: bigint; verdict: string; at: bigint }>((args) =>
      db
        .updateTable('counterparties')
        .set({ last_verdict: args.verdict, last_at_ms: args.at })
        .where('seq', '=', args.seq),
    ),
    counterpartiesAfter: statement<{ after: bigint; limit: bigint }, CounterpartyRow>((args) =>
      db
        .selectFrom('counterparties')
        .selectAll()
        .where('seq', '>', args.after)
        .orderBy('seq')
        .limit(args.limit),
    ),
    lastCounterparty: statement<Record<string, never>, { seq: bigint }>(() =>
      db.selectFrom('counterparties').select('seq').orderBy('seq', 'desc').limit(1),
    ),
    purgeCounterparties: statement<{ from: bigint; to: bigint; before: bigint }>((args) =>
      db
        .deleteFrom('counterparties')
        .where('seq', '>', args.from)
        .where('seq', '<=', args.to)
        .where('last_at_ms', '<', args.before),
    ),
  }
}

/** Who was counted for a key, and how many two keys have in common. */
const members = (
  db: Kysely<Schema>,
  table: 'counterparty_agents' | 'counterparty_operators',
  column: 'agent_id' | 'operator_id',
) => ({
  add: statement<{ key: string; member: string }, { key_hash: string }>((args) =>
    db
      .insertInto(table)
      .values({ key_hash: args.key, [column]: args.member } as never)
      .onConflict((conflict) => conflict.columns(['key_hash', column] as never).doNothing())
      .returning('key_hash' as never),
  ),
  inBoth: statement<{ smaller: string; larger: string }, { count: bigint }>((args) =>
    compilable(
      db,
      sql`select count(*) as count from ${sql.table(table)} one
        where one.key_hash = ${args.smaller} and exists (
          select 1 from ${sql.table(table)} other where other.key_hash = ${args.larger}
          and other.${sql.ref(column)} = one.${sql.ref(column)})`,
    ),
  ),
})

function keyStatements(db: Kysely<Schema>) {
  const counted = ['clears', 'reviews', 'blocks', 'agents', 'operators'] as const
  type Counts = Record<(typeof counted)[number], bigint>
  return {
    agentsOf: members(db, 'counterparty_agents', 'agent_id'),
    operatorsOf: members(db, 'counterparty_operators', 'operator_id'),
    findKeys: statement<{ name: string; wallet: string; pair: string }, KeyRow>((args) =>
      db
        .selectFrom('counterparty_keys')
        .selectAll()
        .where('key_hash', 'in', [args.name, args.wallet, args.pair]),
    ),
    countKey: statement<Counts & { key: string; at: bigint }>((args) =>
      db
        .insertInto('counterparty_keys')
        .values({
          key_hash: args.key,
          clears: args.clears,
          reviews: args.reviews,
          blocks: args.blocks,
          first_at_ms: args.at,
          last_at_ms: args.at,
          agents: args.agents,
          operators: args.operators,
        })
        .onConflict((conflict) =>
          conflict.column('key_hash').doUpdateSet((row) => ({
            ...Object.fromEntries(
              counted.map((name) => [
                name,
                row(`counterparty_keys.${name}`, '+', row.ref(`excluded.${name}`)),
              ]),
            ),
            first_at_ms: sql<bigint>`case when excluded.first_at_ms < counterparty_keys.first_at_ms
              then excluded.first_at_ms else counterparty_keys.first_at_ms end`,
            last_at_ms: sql<bigint>`case when excluded.last_at_ms > counterparty_keys.last_at_ms
              then excluded.last_at_ms else counterparty_keys.last_at_ms end`,
          })),
        ),
    ),
  }
}
