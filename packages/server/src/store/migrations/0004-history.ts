/** The review queue, the history of counterparties, alerts, and the runs of scheduled work. */
import { type Kysely, sql } from 'kysely'
import { indexPastScreens } from './backfill-history.ts'
import { keptByKey, rowNumber } from './dialect.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await reviews(db)
  await counterparties(db)
  await alerts(db)
  await jobRuns(db)
  await indexPastScreens(db)
}

async function reviews(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('operators')
    .addColumn('four_eyes', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('reviews')
    .addColumn('txn_id', 'text', (column) => column.primaryKey())
    .addColumn('operator_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('reviews_by_status')
    .on('reviews')
    .columns(['operator_id', 'status', 'at_ms', 'txn_id'])
    .execute()
  await db.schema
    .createTable('review_proposals')
    .$call(rowNumber(db))
    .addColumn('txn_id', 'text', (column) => column.notNull())
    .addColumn('disposition', 'text', (column) => column.notNull())
    .addColumn('reviewed_by', 'text', (column) => column.notNull())
    .addColumn('notes', 'text')
    .addColumn('proposed_at_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('review_proposals_by_txn')
    .on('review_proposals')
    .columns(['txn_id', 'seq'])
    .execute()
  await sql`insert into reviews (txn_id, operator_id, status, at_ms)
    select entry.txn_id, entry.operator_id,
      case when decided.txn_id is null then 'pending' else 'decided' end,
      case when decided.txn_id is null then entry.screened_at_ms else decided.reviewed_at_ms end
    from audit_entries entry left join dispositions decided on decided.txn_id = entry.txn_id
    where entry.verdict = 'REVIEW'`.execute(db)
}

async function counterparties(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('counterparties')
    .$call(rowNumber(db))
    .addColumn('operator_id', 'text', (column) => column.notNull())
    .addColumn('name_key', 'bigint')
    .addColumn('wallet_key', 'bigint')
    .addColumn('name', 'text')
    .addColumn('wallet', 'text')
    .addColumn('clears', 'bigint', (column) => column.notNull())
    .addColumn('reviews', 'bigint', (column) => column.notNull())
    .addColumn('blocks', 'bigint', (column) => column.notNull())
    .addColumn('first_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('last_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('last_verdict', 'text', (column) => column.notNull())
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('agents', 'bigint', (column) => column.notNull())
    .execute()
  // Whole in both, so that neither a name with many wallets nor a wallet with many names is walked.
  for (const [name, key, other] of [
    ['counterparties_by_name', 'name_key', 'wallet_key'],
    ['counterparties_by_wallet', 'wallet_key', 'name_key'],
  ] as const) {
    await db.schema
      .createIndex(name)
      .on('counterparties')
      .columns([key, other, 'operator_id'])
      .where(sql.ref(key), 'is not', null)
      .execute()
  }
  await membersTable(db, 'counterparty_visitors', 'counterparty', 'bigint', 'agent_id')
  await db.schema
    .createTable('counterparty_keys')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('clears', 'bigint', (column) => column.notNull())
    .addColumn('reviews', 'bigint', (column) => column.notNull())
    .addColumn('blocks', 'bigint', (column) => column.notNull())
    .addColumn('first_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('last_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('agents', 'bigint', (column) => column.notNull())
    .addColumn('operators', 'bigint', (column) => column.notNull())
    .$call(keptByKey(db))
    .execute()
  await membersTable(db, 'counterparty_agents', 'key', 'text', 'agent_id')
  await membersTable(db, 'counterparty_operators', 'key', 'text', 'operator_id')
}

async function membersTable(
  db: Kysely<unknown>,
  table: string,
  key: string,
  type: 'text' | 'bigint',
  member: string,
): Promise<void> {
  await db.schema
    .createTable(table)
    .addColumn(key, type, (column) => column.notNull())
    .addColumn(member, 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint(`${table}_key`, [key, member] as never)
    .$call(keptByKey(db))
    .execute()
}

async function alerts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('listed_subjects')
    .addColumn('operator_id', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('matches', 'text', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('listed_subjects_key', ['operator_id', 'subject'])
    .execute()
  await db.schema
    .createTable('alerts')
    .$call(rowNumber(db))
    .addColumn('alert_id', 'text', (column) => column.notNull().unique())
    .addColumn('operator_id', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('subject_type', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text')
    .addColumn('name', 'text')
    .addColumn('wallet', 'text')
    .addColumn('previous_result', 'text', (column) => column.notNull())
    .addColumn('evidence', 'text', (column) => column.notNull())
    .addColumn('detected_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('reviewed_by', 'text')
    .addColumn('notes', 'text')
    .addColumn('reviewed_at_ms', 'bigint')
    .addUniqueConstraint('alerts_key', ['operator_id', 'subject', 'revision'] as never)
    .execute()
  await db.schema
    .createIndex('alerts_by_time')
    .on('alerts')
    .columns(['operator_id', 'detected_at_ms'])
    .execute()
}

async function jobRuns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('job_runs')
    .addColumn('job', 'text', (column) => column.notNull())
    .addColumn('slot', 'text', (column) => column.notNull())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('lease_until_ms', 'bigint', (column) => column.notNull())
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('subjects', 'bigint', (column) => column.notNull())
    .addColumn('alerts', 'bigint', (column) => column.notNull())
    .addColumn('unavailable', 'bigint', (column) => column.notNull())
    .addColumn('announced_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('finished_at_ms', 'bigint')
    .addPrimaryKeyConstraint('job_runs_key', ['job', 'slot'])
    .execute()
}
