/** Statements that hold what stands beside the log against what the log comes to. */
import { type Kysely, type Selectable, sql } from 'kysely'
import type { EventRow, Span } from './audit-log-statements.ts'
import type { AlertRow } from '../history/rescreen-statements.ts'
import type { Schema } from '../schema.ts'
import { compilable, statement } from '../statement.ts'

type None = Record<string, never>

/** Screens of one agent within one hour. */
export interface CountedRow {
  readonly operator_id: string
  readonly agent_id: string | null
  /** Hours since the epoch. */
  readonly hour: bigint
  readonly screens: bigint
  readonly reviews: bigint
  readonly blocks: bigint
  readonly spent: bigint
  readonly charged: bigint
}

export interface OrdinalsRow {
  readonly agent_id: string
  readonly ordinals: bigint
  readonly first: bigint
  readonly last: bigint
  /** How many stand after one that the log has later. */
  readonly misplaced: bigint
}

export const derivedStatements = (db: Kysely<Schema>) => ({
  ...reviewChecks(db),
  ...eventChecks(db),
  ...counterChecks(db),
})

function reviewChecks(db: Kysely<Schema>) {
  return {
    /** A REVIEW of the log that the queue does not have, or has otherwise. */
    reviewUnlikeLog: statement<None, { txn_id: string; status: string | null }>(() =>
      compilable(
        db,
        sql`select entry.txn_id, review.status from audit_entries entry
          left join dispositions decided on decided.txn_id = entry.txn_id
          left join reviews review on review.txn_id = entry.txn_id
          where entry.verdict = 'REVIEW' and entry.purged_at_ms is null and (
            review.txn_id is null or review.operator_id <> entry.operator_id
            or review.status <>
              case when decided.txn_id is null then 'pending' else 'decided' end
            or review.at_ms <> coalesce(decided.reviewed_at_ms, entry.screened_at_ms)
          ) limit 1`,
      ),
    ),
    /** A review in the queue that no REVIEW of the log stands for. */
    reviewNotLogged: statement<None, { txn_id: string }>(() =>
      compilable(
        db,
        sql`select review.txn_id from reviews review
          left join audit_entries entry on entry.txn_id = review.txn_id
          where entry.txn_id is null or entry.verdict <> 'REVIEW'
            or entry.purged_at_ms is not null limit 1`,
      ),
    ),
    /** Screens of which a proposal is kept or logged. */
    proposedAfter: statement<{ after: string; limit: bigint }, { txn_id: string }>((args) =>
      compilable(
        db,
        sql`select txn_id from (
            select txn_id from review_proposals where txn_id > ${args.after}
            union select txn_id from audit_events where kind = 'proposal'
              and purged_at_ms is null and txn_id > ${args.after}
          ) proposed order by txn_id limit ${args.limit}`,
      ),
    ),
  }
}

function eventChecks(db: Kysely<Schema>) {
  const eventsOfKind = (kinds: readonly [string, string]) =>
    statement<None, EventRow>(() =>
      db
        .selectFrom('audit_events')
        .selectAll()
        .where('kind', 'in', [sql.lit(kinds[0]), sql.lit(kinds[1])])
        .where('purged_at_ms', 'is', null)
        .orderBy('seq'),
    )
  return {
    fourEyesEvents: eventsOfKind(['four-eyes-on', 'four-eyes-off']),
    alertEvents: eventsOfKind(['alert', 'alert-decided']),
    operatorsWithFourEyes: statement<None, { operator_id: string; four_eyes: bigint }>(() =>
      db
        .selectFrom('operators')
        .select(['operator_id', 'four_eyes'])
        .where('four_eyes', '<>', sql.lit(0n) as never),
    ),
    allAlerts: statement<None, AlertRow>(() => db.selectFrom('alerts').selectAll().orderBy('seq')),
  }
}

function counterChecks(db: Kysely<Schema>) {
  return {
    /** What stands of the past of an agent. */
    historyOf: statement<{ agentId: string }, Selectable<Schema['agent_history']>>(({ agentId }) =>
      db.selectFrom('agent_history').selectAll().where('agent_id', '=', agentId),
    ),
    lastEntry: statement<None, { seq: bigint | null }>(() =>
      db.selectFrom('audit_entries').select((of) => of.fn.max('seq').as('seq')),
    ),
    countedScreens: statement<Omit<Span, 'limit'>, CountedRow>(({ after, through }) =>
      compilable(
        db,
        sql`select operator_id, agent_id, screened_at_ms / 3600000 as hour, count(*) as screens,
            sum(case when verdict = 'REVIEW' then 1 else 0 end) as reviews,
            sum(case when verdict = 'BLOCK' then 1 else 0 end) as blocks,
            sum(spend_micro_usd) as spent, sum(charge) as charged
          from audit_entries where seq > ${after} and seq <= ${through}
          group by operator_id, agent_id, screened_at_ms / 3600000`,
      ),
    ),
    /** What dispositions added to the day of an agent. */
    approvedSpend: statement<None, { agent_id: string; utc_date: string; spent: bigint }>(() =>
      compilable(
        db,
        sql`select entry.agent_id, decided.utc_date, sum(decided.spend_micro_usd) as spent
          from dispositions decided join audit_entries entry on entry.txn_id = decided.txn_id
          where decided.spend_micro_usd > 0 group by entry.agent_id, decided.utc_date`,
      ),
    ),
    parents: statement<None, { agent_id: string; parent_agent_id: string }>(() =>
      db
        .selectFrom('agents')
        .select(['agent_id', 'parent_agent_id'])
        .where('parent_agent_id', 'is not', null),
    ),
    allSpend: statement<None, { agent_id: string; utc_date: string; spent_micro_usd: bigint }>(() =>
      db.selectFrom('agent_spend').selectAll(),
    ),
    allUsage: statement<None, { operator_id: string; utc_month: string; screens: bigint }>(() =>
      db.selectFrom('operator_usage').selectAll(),
    ),
    allHistory: statement<None, { agent_id: string }>(() =>
      db.selectFrom('agent_history').select('agent_id'),
    ),
    ordinals: statement<None, OrdinalsRow>(() =>
      compilable(
        db,
        sql`select agent_id, count(*) as ordinals, min(agent_ordinal) as first,
            max(agent_ordinal) as last,
            sum(case when before > seq then 1 else 0 end) as misplaced
          from (select agent_id, agent_ordinal, seq,
              lag(seq) over (partition by agent_id order by agent_ordinal) as before
            from audit_entries where agent_ordinal is not null) placed
          group by agent_id`,
      ),
    ),
  }
}
