/** The statements of re-screening: alerts, what subjects are known to match, runs, subjects. */
import { type Kysely, type Selectable, sql } from 'kysely'
import type { HistorySchema } from './history-schema.ts'
import type { Schema } from '../schema.ts'
import { compilable, statement } from '../statement.ts'

type Row<Table extends keyof HistorySchema> = Selectable<HistorySchema[Table]>
export type AlertRow = Row<'alerts'>
export type RunRow = Row<'job_runs'>
export type ListedRow = Row<'listed_subjects'>

export const rescreenStatements = (db: Kysely<Schema>) => ({
  ...listedStatements(db),
  ...alertRows(db),
  ...runStatements(db),
  ...heldRunStatements(db),
  ...partiesAfter(db),
})

function listedStatements(db: Kysely<Schema>) {
  return {
    findListed: statement<{ operatorId: string; subject: string }, ListedRow>((args) =>
      db
        .selectFrom('listed_subjects')
        .selectAll()
        .where('operator_id', '=', args.operatorId)
        .where('subject', '=', args.subject),
    ),
    allListed: statement<Record<string, never>, ListedRow>(() =>
      db.selectFrom('listed_subjects').selectAll(),
    ),
    putListed: statement<{
      operatorId: string
      subject: string
      matches: string
      revision: bigint
    }>((args) =>
      db
        .insertInto('listed_subjects')
        .values({
          operator_id: args.operatorId,
          subject: args.subject,
          matches: args.matches,
          revision: args.revision,
        })
        .onConflict((conflict) =>
          conflict.columns(['operator_id', 'subject']).doUpdateSet((row) => ({
            matches: row.ref('excluded.matches'),
            revision: row.ref('excluded.revision'),
          })),
        ),
    ),
  }
}

function alertRows(db: Kysely<Schema>) {
  const own = (operatorId: never, since: never) =>
    db
      .selectFrom('alerts')
      .selectAll()
      .where('operator_id', '=', operatorId)
      .where('detected_at_ms', '>=', since)
  return {
    insertAlert: statement<Record<keyof Omit<AlertRow, 'seq'>, string | bigint | null>>((args) =>
      db
        .insertInto('alerts')
        .values(Object.fromEntries(ALERT_COLUMNS.map((name) => [name, args[name]])) as never)
        .onConflict((conflict) =>
          conflict.columns(['operator_id', 'subject', 'revision']).doNothing(),
        ),
    ),
    alertsSince: statement<{ operatorId: string; since: bigint }, AlertRow>((args) =>
      own(args.operatorId as never, args.since as never).orderBy('seq', 'desc'),
    ),
    alertsOf: statement<{ operatorId: string; subject: string; since: bigint }, AlertRow>((args) =>
      own(args.operatorId as never, args.since as never)
        .where('subject', '=', args.subject)
        .orderBy('seq', 'desc'),
    ),
    findAlert: statement<{ operatorId: string; alertId: string; since: bigint }, AlertRow>((args) =>
      own(args.operatorId as never, args.since as never).where('alert_id', '=', args.alertId),
    ),
    decideAlert: statement<{
      alertId: string
      status: string
      reviewedBy: string | null
      notes: string | null
      at: bigint
    }>((args) =>
      db
        .updateTable('alerts')
        .set({
          status: args.status,
          reviewed_by: args.reviewedBy,
          notes: args.notes,
          reviewed_at_ms: args.at,
        })
        .where('alert_id', '=', args.alertId),
    ),
    deleteAlert: statement<{ alertId: string }>(({ alertId }) =>
      db.deleteFrom('alerts').where('alert_id', '=', alertId),
    ),
  }
}

// prettier-ignore
const ALERT_COLUMNS = ['alert_id', 'operator_id', 'subject', 'revision', 'subject_type', 'subject_id', 'name', 'wallet', 'previous_result', 'evidence', 'detected_at_ms', 'status', 'reviewed_by', 'notes', 'reviewed_at_ms'] as const

function runStatements(db: Kysely<Schema>) {
  return {
    announceRun: statement<{ job: string; slot: string; at: bigint }>((args) =>
      db
        .insertInto('job_runs')
        .values({
          job: args.job,
          slot: args.slot,
          holder: '',
          lease_until_ms: 0n,
          place: '',
          subjects: 0n,
          alerts: 0n,
          unavailable: 0n,
          announced_at_ms: args.at,
          finished_at_ms: null,
        })
        .onConflict((conflict) => conflict.columns(['job', 'slot']).doNothing()),
    ),
    openRuns: statement<{ job: string; now: bigint }, { slot: string }>((args) =>
      db
        .selectFrom('job_runs')
        .select('slot')
        .where('job', '=', args.job)
        .where('finished_at_ms', 'is', null)
        .where('lease_until_ms', '<=', args.now)
        .orderBy('announced_at_ms')
        .orderBy('slot'),
    ),
    recentRuns: statement<{ job: string }, { slot: string }>((args) =>
      db
        .selectFrom('job_runs')
        .select('slot')
        .where('job', '=', args.job)
        .orderBy('announced_at_ms', 'desc')
        .limit(100),
    ),
    claimRun: statement<
      { job: string; slot: string; holder: string; leaseUntil: bigint; now: bigint },
      RunRow
    >((args) =>
      db
        .updateTable('job_runs')
        .set({ holder: args.holder, lease_until_ms: args.leaseUntil })
        .where('job', '=', args.job)
        .where('slot', '=', args.slot)
        .where('finished_at_ms', 'is', null)
        .where((row) =>
          row.or([row('lease_until_ms', '<=', args.now), row('holder', '=', args.holder)]),
        )
        .returningAll(),
    ),
  }
}

/** What the holder of a run may do with it. */
function heldRunStatements(db: Kysely<Schema>) {
  return {
    releaseRun: statement<{ job: string; slot: string; holder: string }>((args) =>
      db
        .updateTable('job_runs')
        .set({ holder: '', lease_until_ms: 0n })
        .where('job', '=', args.job)
        .where('slot', '=', args.slot)
        .where('holder', '=', args.holder)
        .where('finished_at_ms', 'is', null),
    ),
    /** One row while the holder still holds the run. */
    keepRun: statement<
      { job: string; slot: string; holder: string; leaseUntil: bigint },
      { slot: string }
    >((args) =>
      db
        .updateTable('job_runs')
        .set({ lease_until_ms: args.leaseUntil })
        .where('job', '=', args.job)
        .where('slot', '=', args.slot)
        .where('holder', '=', args.holder)
        .where('finished_at_ms', 'is', null)
        .returning('slot'),
    ),
    saveRun: statement<{
      job: string
      slot: string
      place: string
      subjects: bigint
      alerts: bigint
      unavailable: bigint
      finishedAt: bigint | null
    }>((args) =>
      db
        .updateTable('job_runs')
        .set((row) => ({
          place: args.place,
          subjects: args.subjects,
          alerts: row('alerts', '+', args.alerts),
          unavailable: args.unavailable,
          finished_at_ms: args.finishedAt,
        }))
        .where('job', '=', args.job)
        .where('slot', '=', args.slot),
    ),
  }
}

function partiesAfter(db: Kysely<Schema>) {
  return {
    allOperatorsAfter: statement<{ after: string; limit: bigint }, Selectable<Schema['operators']>>(
      (args) =>
        db
          .selectFrom('operators')
          .selectAll()
          .where('operator_id', '>', args.after)
          .orderBy('operator_id')
          .limit(args.limit),
    ),
    allAgentsAfter: statement<{ after: string; limit: bigint }, Selectable<Schema['agents']>>(
      (args) =>
        db
          .selectFrom('agents')
          .selectAll()
          .where('agent_id', '>', args.after)
          .orderBy('agent_id')
          .limit(args.limit),
    ),
    allUsersAfter: statement<{ after: string; limit: bigint }, Selectable<Schema['users']>>(
      (args) =>
        db
          .selectFrom('users')
          .selectAll()
          .where('user_id', '>', args.after)
          .orderBy('user_id')
          .limit(args.limit),
    ),
    countParties: statement<Record<string, never>, { count: bigint }>(() =>
      compilable(
        db,
        sql`select (select count(*) from operators) + (select count(*) from agents)
          + (select count(*) from users) as count`,
      ),
    ),
  }
}
