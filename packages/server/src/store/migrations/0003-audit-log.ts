/** The audit log as one Merkle tree: tiles, runs of entries, checkpoints, and no rewriting. */
import type { Kysely } from 'kysely'
import { purgedNow, refuse, unchanged } from './append-only.ts'
import { rowNumber } from './dialect.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await purgeColumns(db)
  await events(db)
  await tree(db)
  await appendOnly(db)
}

async function purgeColumns(db: Kysely<unknown>): Promise<void> {
  for (const table of ['audit_entries', 'dispositions']) {
    await db.schema.alterTable(table).addColumn('purged_at_ms', 'bigint').execute()
  }
  // Of a screen from before this migration the leaf is worked out when it is sealed.
  await db.schema.alterTable('audit_entries').addColumn('leaf', 'text').execute()
  // What many records say alike, once.
  await db.schema
    .createTable('audit_texts')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('text', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('audit_entries_by_operator')
    .on('audit_entries')
    .columns(['operator_id', 'screened_at_ms', 'seq'])
    .execute()
}

/** Entries of the log that are neither a screen nor a disposition. */
async function events(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_events')
    .$call(rowNumber(db))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('txn_id', 'text')
    .addColumn('operator_id', 'text')
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('purged_at_ms', 'bigint')
    .execute()
  await db.schema
    .createIndex('audit_events_by_txn')
    .on('audit_events')
    .columns(['txn_id', 'seq'])
    .execute()
}

async function tree(db: Kysely<unknown>): Promise<void> {
  // `entries` rows of one source, from `first_seq` on, are the leaves from `first_leaf` on.
  await db.schema
    .createTable('audit_runs')
    .addColumn('first_leaf', 'bigint', (column) => column.primaryKey())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('first_seq', 'bigint', (column) => column.notNull())
    .addColumn('entries', 'bigint', (column) => column.notNull())
    .addColumn('hash_version', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('audit_runs_by_source')
    .unique()
    .on('audit_runs')
    .columns(['source', 'first_seq'])
    .execute()
  await db.schema
    .createTable('audit_tiles')
    .addColumn('level', 'bigint', (column) => column.notNull())
    .addColumn('tile', 'bigint', (column) => column.notNull())
    .addColumn('hashes', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_tiles_key', ['level', 'tile'])
    .execute()
  // The newest of each hour stays, so that the table is bounded by time and not by load.
  await db.schema
    .createTable('audit_checkpoints')
    .addColumn('utc_hour', 'bigint', (column) => column.primaryKey())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('root_hash', 'text', (column) => column.notNull())
    .addColumn('signed_at', 'text', (column) => column.notNull())
    .addColumn('signature', 'text', (column) => column.notNull())
    .execute()
}

const ENTRY = [
  'seq',
  'txn_id',
  'operator_id',
  'agent_id',
  'verdict',
  'screened_at_ms',
  'spend_micro_usd',
  'charge',
  'agent_ordinal',
  'leaf',
] as const
const DISPOSITION = [
  'seq',
  'txn_id',
  'disposition',
  'reviewed_at_ms',
  'utc_date',
  'spend_micro_usd',
] as const
const EVENT = ['seq', 'kind', 'txn_id', 'operator_id', 'at_ms'] as const

async function appendOnly(db: Kysely<unknown>): Promise<void> {
  await refuse(
    db,
    'audit_entries',
    'update',
    `${purgedNow('record', 'facts')} and ${unchanged(...ENTRY)}`,
  )
  await refuse(
    db,
    'dispositions',
    'update',
    `${purgedNow('reviewed_by')} and new.notes is null and ${unchanged(...DISPOSITION)}`,
  )
  await refuse(db, 'audit_events', 'update', `${purgedNow('body')} and ${unchanged(...EVENT)}`)
  await refuse(db, 'audit_texts', 'update')
  await refuse(db, 'audit_runs', 'update')
  // A tile may only grow to the right, a checkpoint of this hour only to a longer log.
  await refuse(
    db,
    'audit_tiles',
    'update',
    `${unchanged('level', 'tile')} and substr(new.hashes, 1, length(old.hashes)) = old.hashes`,
  )
  await refuse(
    db,
    'audit_checkpoints',
    'update',
    `${unchanged('utc_hour', 'origin')} and new.size >= old.size`,
  )
  for (const table of TABLES) await refuse(db, table, 'delete')
}

const TABLES = [
  'audit_entries',
  'audit_texts',
  'dispositions',
  'audit_events',
  'audit_runs',
  'audit_tiles',
  'audit_checkpoints',
] as const
