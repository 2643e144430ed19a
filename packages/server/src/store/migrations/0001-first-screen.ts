/** Operators, agents, the ledger of the day and the month, and the audit log. */
import { type Kysely, sql } from 'kysely'
import { rowNumber } from './dialect.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await operatorsAndAgents(db)
  await ledger(db)
  await auditLog(db)
}

async function operatorsAndAgents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('operators')
    .addColumn('operator_id', 'text', (column) => column.primaryKey())
    .addColumn('legal_name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('wallet', 'text')
    .addColumn('description', 'text')
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('plan_active', 'bigint', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('credential_id', 'text', (column) => column.notNull())
    .addColumn('issued_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('agents')
    .addColumn('agent_id', 'text', (column) => column.primaryKey())
    .addColumn('operator_id', 'text', (column) =>
      column.notNull().references('operators.operator_id'),
    )
    .addColumn('agent_name', 'text', (column) => column.notNull())
    .addColumn('agent_framework', 'text')
    .addColumn('underlying_model', 'text')
    .addColumn('agent_type', 'text', (column) => column.notNull())
    .addColumn('operator_wallet', 'text')
    .addColumn('operator_ein', 'text')
    .addColumn('operator_legal_name', 'text', (column) => column.notNull())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('spend_policy', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('status_reason', 'text')
    .addColumn('ownership_transferred', 'bigint', (column) => column.notNull())
    .addColumn('wallet_listed_at_issuance', 'bigint', (column) => column.notNull())
    .addColumn('credential_id', 'text', (column) => column.notNull())
    .addColumn('issued_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('agents_by_operator')
    .on('agents')
    .columns(['operator_id', 'agent_id'])
    .execute()
  await db.schema
    .createTable('registrations')
    .addColumn('email_digest', 'text', (column) => column.notNull())
    .addColumn('utc_date', 'text', (column) => column.notNull())
    .addColumn('count', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('registrations_key', ['email_digest', 'utc_date'])
    .execute()
}

async function ledger(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('agent_spend')
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('utc_date', 'text', (column) => column.notNull())
    .addColumn('spent_micro_usd', 'bigint', (column) =>
      column.notNull().check(sql`spent_micro_usd >= 0`),
    )
    .addPrimaryKeyConstraint('agent_spend_key', ['agent_id', 'utc_date'])
    .execute()
  await db.schema
    .createTable('operator_usage')
    .addColumn('operator_id', 'text', (column) => column.notNull())
    .addColumn('utc_month', 'text', (column) => column.notNull())
    .addColumn('screens', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('operator_usage_key', ['operator_id', 'utc_month'])
    .execute()
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('request_digest', 'text', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('idempotency_keys_by_expiry')
    .on('idempotency_keys')
    .column('expires_at_ms')
    .execute()
}

async function auditLog(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_entries')
    .$call(rowNumber(db))
    .addColumn('txn_id', 'text', (column) => column.notNull().unique())
    .addColumn('operator_id', 'text', (column) => column.notNull())
    .addColumn('agent_id', 'text')
    .addColumn('verdict', 'text', (column) => column.notNull())
    .addColumn('screened_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('spend_micro_usd', 'bigint', (column) => column.notNull())
    .addColumn('charge', 'bigint', (column) => column.notNull())
    .addColumn('record', 'text', (column) => column.notNull())
    .addColumn('facts', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('queued_effects')
    .$call(rowNumber(db))
    .addColumn('txn_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('queued_at_ms', 'bigint', (column) => column.notNull())
    .execute()
}
