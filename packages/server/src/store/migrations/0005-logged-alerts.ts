/**
 * What was decided before it was an entry of the log becomes one now: alerts, and four eyes that
 * are on. Whoever derives the state of the store from the log finds all of it there.
 */
import { type Kysely, sql } from 'kysely'
import { type NewEvent } from '../audit/audit-log-statements.ts'
import { decidedEvent, raisedEvent, type RaisedAlert } from '../history/alert-entries.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Holds, purges and an operator's own entries are looked for among all events.
  await db.schema
    .createIndex('audit_events_by_kind')
    .on('audit_events')
    .columns(['kind', 'operator_id', 'seq'])
    .execute()
  await logAlerts(db)
  await sql`insert into audit_events (kind, operator_id, at_ms, body)
    select 'four-eyes-on', operator_id, issued_at_ms, '{"carriedOver":true}' from operators o
    where four_eyes = 1 and not exists (
      select 1 from audit_events e where e.operator_id = o.operator_id
      and e.kind in ('four-eyes-on', 'four-eyes-off'))`.execute(db)
}

async function logAlerts(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<RaisedAlert>`select * from alerts order by seq`.execute(db)
  for (const row of rows) {
    await log(db, raisedEvent(row))
    if (row.status !== 'PENDING_REVIEW') await log(db, decidedEvent(row))
  }
}

const log = (db: Kysely<unknown>, { kind, operator_id, at_ms, body }: NewEvent) =>
  sql`insert into audit_events (kind, operator_id, at_ms, body)
    values (${kind}, ${operator_id}, ${at_ms}, ${body})`.execute(db)
