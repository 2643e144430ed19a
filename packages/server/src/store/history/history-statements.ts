/** The statements of reviews and of the history of counterparties. */
import { type Kysely, type Selectable, sql } from 'kysely'
import { isReadable } from '../audit/readable-records.ts'
import type { HistorySchema } from './history-schema.ts'
import type { Schema } from '../schema.ts'
import { counterpartyStatements } from './counterparty-statements.ts'
import { keyStatements } from '../key-statements.ts'
import { statement } from '../statement.ts'

type Row<Table extends keyof HistorySchema> = Selectable<HistorySchema[Table]>
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
