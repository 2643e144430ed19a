/** Fleets, delegates, users, attestations, dispositions, and the history behind baselines. */
import { type Kysely, sql } from 'kysely'
import { rowNumber } from './dialect.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await agentColumns(db)
  await fleetsAndUsers(db)
  await history(db)
  await dispositions(db)
}

async function agentColumns(db: Kysely<unknown>): Promise<void> {
  const texts = [
    'model_at_issuance',
    'fleet_id',
    'parent_agent_id',
    'attested_by',
    'attestation_note',
  ]
  // One column a statement: SQLite's `alter table` takes no more.
  for (const name of texts) await db.schema.alterTable('agents').addColumn(name, 'text').execute()
  await db.schema
    .alterTable('agents')
    .addColumn('depth', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('agents').addColumn('attested_at_ms', 'bigint').execute()
  await sql`update agents set model_at_issuance = underlying_model`.execute(db)
}

async function fleetsAndUsers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fleets')
    .addColumn('fleet_id', 'text', (column) => column.primaryKey())
    .addColumn('operator_id', 'text', (column) =>
      column.notNull().references('operators.operator_id'),
    )
    .addColumn('fleet_name', 'text', (column) => column.notNull())
    .addColumn('operator_legal_name', 'text', (column) => column.notNull())
    .addColumn('daily_limit_micro_usd', 'bigint', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('fleets_by_operator')
    .on('fleets')
    .columns(['operator_id', 'fleet_id'])
    .execute()
  await db.schema
    .createTable('users')
    .addColumn('user_id', 'text', (column) => column.primaryKey())
    .addColumn('operator_id', 'text', (column) =>
      column.notNull().references('operators.operator_id'),
    )
    .addColumn('agent_id', 'text', (column) => column.notNull().references('agents.agent_id'))
    .addColumn('legal_name', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('credential_id', 'text', (column) => column.notNull())
    .addColumn('issued_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .execute()
}

async function history(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fleet_spend')
    .addColumn('fleet_id', 'text', (column) => column.notNull())
    .addColumn('utc_date', 'text', (column) => column.notNull())
    .addColumn('spent_micro_usd', 'bigint', (column) =>
      column.notNull().check(sql`spent_micro_usd >= 0`),
    )
    .addPrimaryKeyConstraint('fleet_spend_key', ['fleet_id', 'utc_date'])
    .execute()
  await db.schema
    .createTable('agent_history')
    .addColumn('agent_id', 'text', (column) => column.primaryKey())
    .addColumn('screens', 'bigint', (column) => column.notNull())
    .addColumn('reviews', 'bigint', (column) => column.notNull())
    .addColumn('blocks', 'bigint', (column) => column.notNull())
    .addColumn('first_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('day_screens', 'bigint', (column) => column.notNull())
    .addColumn('hours', 'text', (column) => column.notNull())
    .execute()
  await db.schema.alterTable('audit_entries').addColumn('agent_ordinal', 'bigint').execute()
  await db.schema
    .createIndex('audit_entries_by_agent_ordinal')
    .unique()
    .on('audit_entries')
    .columns(['agent_id', 'agent_ordinal'])
    .execute()
}

async function dispositions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('dispositions')
    .$call(rowNumber(db))
    .addColumn('txn_id', 'text', (column) => column.notNull().unique())
    .addColumn('disposition', 'text', (column) => column.notNull())
    .addColumn('reviewed_by', 'text', (column) => column.notNull())
    .addColumn('notes', 'text')
    .addColumn('reviewed_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('utc_date', 'text', (column) => column.notNull())
    .addColumn('spend_micro_usd', 'bigint', (column) => column.notNull())
    .execute()
}
