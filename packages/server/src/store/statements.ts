/** Every SQL statement of the service, once, in the dialect that both engines share. */
import type { Kysely, Selectable } from 'kysely'
import { auditLogStatements } from './audit/audit-log-statements.ts'
import { derivedStatements } from './audit/derived-statements.ts'
import { historyStatements } from './history/history-statements.ts'
import { rescreenStatements } from './history/rescreen-statements.ts'
import { ledgerStatements } from './ledger-statements.ts'
import { isReadable } from './audit/readable-records.ts'
import type { Schema } from './schema.ts'
import { type SqlValue, statement } from './statement.ts'

export type OperatorRow = Selectable<Schema['operators']>
export type AgentRow = Selectable<Schema['agents']>
export type FleetRow = Selectable<Schema['fleets']>
export type UserRow = Selectable<Schema['users']>
export type DispositionRow = Selectable<Schema['dispositions']>
export type HistoryRow = Selectable<Schema['agent_history']>

type Columns<Table extends keyof Schema> = {
  [Name in Exclude<keyof Selectable<Schema[Table]>, 'seq' | 'purged_at_ms'>]: Selectable<
    Schema[Table]
  >[Name] &
    SqlValue
}

export type Statements = ReturnType<typeof statements>

export function statements(db: Kysely<Schema>) {
  return {
    ...partyStatements(db),
    ...agentStatements(db),
    ...fleetStatements(db),
    ...ledgerStatements(db),
    ...idempotencyStatements(db),
    ...auditStatements(db),
    ...auditLogStatements(db),
    ...derivedStatements(db),
    ...historyStatements(db),
    ...rescreenStatements(db),
  }
}

function partyStatements(db: Kysely<Schema>) {
  return {
    insertOperator: statement<Columns<'operators'>>((row) =>
      db.insertInto('operators').values(columns<'operators'>(row, OPERATOR_COLUMNS)),
    ),
    findOperator: statement<{ operatorId: string }, OperatorRow>(({ operatorId }) =>
      db.selectFrom('operators').selectAll().where('operator_id', '=', operatorId),
    ),
    setOperatorWallet: statement<{ operatorId: string; wallet: string }>(({ operatorId, wallet }) =>
      db.updateTable('operators').set({ wallet }).where('operator_id', '=', operatorId),
    ),
    setFourEyes: statement<{ operatorId: string; fourEyes: bigint }>((args) =>
      db
        .updateTable('operators')
        .set({ four_eyes: args.fourEyes })
        .where('operator_id', '=', args.operatorId),
    ),
    countRegistrations: statement<{ emailDigest: string; date: string }, { count: bigint }>(
      (args) =>
        db
          .selectFrom('registrations')
          .select('count')
          .where('email_digest', '=', args.emailDigest)
          .where('utc_date', '=', args.date),
    ),
    addRegistration: statement<{ emailDigest: string; date: string }>((args) =>
      db
        .insertInto('registrations')
        .values({ email_digest: args.emailDigest, utc_date: args.date, count: 1n })
        .onConflict((conflict) =>
          conflict.columns(['email_digest', 'utc_date']).doUpdateSet((row) => ({
            count: row('registrations.count', '+', row.ref('excluded.count')),
          })),
        ),
    ),
  }
}

function agentStatements(db: Kysely<Schema>) {
  return {
    insertAgent: statement<Columns<'agents'>>((row) =>
      db.insertInto('agents').values(columns<'agents'>(row, AGENT_COLUMNS)),
    ),
    /** Everything of an agent that may change; the rest stays as it was registered. */
    updateAgent: statement<Columns<'agents'>>((row) =>
      db
        .updateTable('agents')
        .set(columns<'agents'>(row, CHANGING_AGENT_COLUMNS))
        .where('agent_id', '=', row.agent_id),
    ),
    findAgent: statement<{ agentId: string }, AgentRow>(({ agentId }) =>
      db.selectFrom('agents').selectAll().where('agent_id', '=', agentId),
    ),
    listAgents: statement<{ operatorId: string; after: string; limit: bigint }, AgentRow>((args) =>
      db
        .selectFrom('agents')
        .selectAll()
        .where('operator_id', '=', args.operatorId)
        .where('agent_id', '>', args.after)
        .orderBy('agent_id')
        .limit(args.limit),
    ),
    findUser: statement<{ userId: string }, UserRow>(({ userId }) =>
      db.selectFrom('users').selectAll().where('user_id', '=', userId),
    ),
    insertUser: statement<Columns<'users'>>((row) =>
      db.insertInto('users').values(columns<'users'>(row, USER_COLUMNS)),
    ),
  }
}

function fleetStatements(db: Kysely<Schema>) {
  return {
    insertFleet: statement<Columns<'fleets'>>((row) =>
      db.insertInto('fleets').values(columns<'fleets'>(row, FLEET_COLUMNS)),
    ),
    updateFleet: statement<Columns<'fleets'>>((row) =>
      db
        .updateTable('fleets')
        .set(columns<'fleets'>(row, CHANGING_FLEET_COLUMNS))
        .where('fleet_id', '=', row.fleet_id),
    ),
    findFleet: statement<{ fleetId: string }, FleetRow>(({ fleetId }) =>
      db.selectFrom('fleets').selectAll().where('fleet_id', '=', fleetId),
    ),
    listFleets: statement<{ operatorId: string; after: string; limit: bigint }, FleetRow>((args) =>
      db
        .selectFrom('fleets')
        .selectAll()
        .where('operator_id', '=', args.operatorId)
        .where('fleet_id', '>', args.after)
        .orderBy('fleet_id')
        .limit(args.limit),
    ),
    fleetSpentOn: statement<{ fleetId: string; date: string }, { spent_micro_usd: bigint }>(
      (args) =>
        db
          .selectFrom('fleet_spend')
          .select('spent_micro_usd')
          .where('fleet_id', '=', args.fleetId)
          .where('utc_date', '=', args.date),
    ),
    addFleetSpend: statement<{ fleetId: string; date: string; amount: bigint }>((args) =>
      db
        .insertInto('fleet_spend')
        .values({ fleet_id: args.fleetId, utc_date: args.date, spent_micro_usd: args.amount })
        .onConflict((conflict) =>
          conflict.columns(['fleet_id', 'utc_date']).doUpdateSet((row) => ({
            spent_micro_usd: row(
              'fleet_spend.spent_micro_usd',
              '+',
              row.ref('excluded.spent_micro_usd'),
            ),
          })),
        ),
    ),
  }
}

function idempotencyStatements(db: Kysely<Schema>) {
  return {
    findIdempotencyKey: statement<
      { id: string; now: bigint },
      { request_digest: string; answer: string }
    >(({ id, now }) =>
      db
        .selectFrom('idempotency_keys')
        .select(['request_digest', 'answer'])
        .where('id', '=', id)
        .where('expires_at_ms', '>', now),
    ),
    purgeIdempotencyKeys: statement<{ now: bigint }>(({ now }) =>
      db.deleteFrom('idempotency_keys').where('expires_at_ms', '<=', now),
    ),
    insertIdempotencyKey: statement<Columns<'idempotency_keys'>>((row) =>
      db
        .insertInto('idempotency_keys')
        .values(columns<'idempotency_keys'>(row, IDEMPOTENCY_COLUMNS)),
    ),
  }
}

function auditStatements(db: Kysely<Schema>) {
  return {
    insertAuditEntry: statement<Columns<'audit_entries'>>((row) =>
      db.insertInto('audit_entries').values(columns<'audit_entries'>(row, AUDIT_COLUMNS)),
    ),
    putHistory: statement<Columns<'agent_history'>>((row) =>
      db
        .insertInto('agent_history')
        .values(columns<'agent_history'>(row, HISTORY_COLUMNS))
        .onConflict((conflict) =>
          conflict
            .column('agent_id')
            .doUpdateSet((excluded) =>
              Object.fromEntries(
                HISTORY_COLUMNS.map((name) => [name, excluded.ref(`excluded.${name}` as never)]),
              ),
            ),
        ),
    ),
    screenedAt: statement<{ agentId: string; ordinal: bigint }, { screened_at_ms: bigint }>(
      (args) =>
        db
          .selectFrom('audit_entries')
          .select('screened_at_ms')
          .where('agent_id', '=', args.agentId)
          .where('agent_ordinal', '=', args.ordinal),
    ),
    findAuditRecord: statement<
      { operatorId: string; txnId: string; since: bigint },
      Pick<Selectable<Schema['audit_entries']>, 'record' | 'agent_id' | 'verdict'>
    >((args) =>
      db
        .selectFrom('audit_entries')
        .select(['record', 'agent_id', 'verdict'])
        .where('txn_id', '=', args.txnId)
        .where('operator_id', '=', args.operatorId)
        .where((eb) => isReadable(eb, args.since)),
    ),
    findDisposition: statement<{ txnId: string }, DispositionRow>(({ txnId }) =>
      db.selectFrom('dispositions').selectAll().where('txn_id', '=', txnId),
    ),
    insertDisposition: statement<Columns<'dispositions'>>((row) =>
      db.insertInto('dispositions').values(columns<'dispositions'>(row, DISPOSITION_COLUMNS)),
    ),
    insertEffect: statement<Columns<'queued_effects'>>((row) =>
      db.insertInto('queued_effects').values(columns<'queued_effects'>(row, EFFECT_COLUMNS)),
    ),
  }
}

// prettier-ignore
const OPERATOR_COLUMNS = ['operator_id', 'legal_name', 'email', 'wallet', 'description', 'plan', 'plan_active', 'four_eyes', 'status', 'credential_id', 'issued_at_ms', 'expires_at_ms']
// prettier-ignore
const AGENT_COLUMNS = ['agent_id', 'operator_id', 'agent_name', 'agent_framework', 'underlying_model', 'agent_type', 'operator_wallet', 'operator_ein', 'operator_legal_name', 'purpose', 'spend_policy', 'status', 'status_reason', 'ownership_transferred', 'wallet_listed_at_issuance', 'credential_id', 'issued_at_ms', 'expires_at_ms', 'model_at_issuance', 'fleet_id', 'parent_agent_id', 'depth', 'attested_by', 'attestation_note', 'attested_at_ms']
// prettier-ignore
const CHANGING_AGENT_COLUMNS = ['underlying_model', 'spend_policy', 'status', 'status_reason', 'ownership_transferred', 'wallet_listed_at_issuance', 'credential_id', 'issued_at_ms', 'expires_at_ms', 'model_at_issuance', 'fleet_id', 'attested_by', 'attestation_note', 'attested_at_ms']
// prettier-ignore
const FLEET_COLUMNS = ['fleet_id', 'operator_id', 'fleet_name', 'operator_legal_name', 'daily_limit_micro_usd', 'status', 'created_at_ms']
const CHANGING_FLEET_COLUMNS = ['fleet_name', 'daily_limit_micro_usd', 'status']
// prettier-ignore
const USER_COLUMNS = ['user_id', 'operator_id', 'agent_id', 'legal_name', 'role', 'status', 'credential_id', 'issued_at_ms', 'expires_at_ms']
// prettier-ignore
const HISTORY_COLUMNS = ['agent_id', 'screens', 'reviews', 'blocks', 'first_at_ms', 'day', 'day_screens', 'hours']
// prettier-ignore
const AUDIT_COLUMNS = ['txn_id', 'operator_id', 'agent_id', 'verdict', 'screened_at_ms', 'spend_micro_usd', 'charge', 'agent_ordinal', 'record', 'facts', 'leaf']
// prettier-ignore
const DISPOSITION_COLUMNS = ['txn_id', 'disposition', 'reviewed_by', 'notes', 'reviewed_at_ms', 'utc_date', 'spend_micro_usd']
const EFFECT_COLUMNS = ['txn_id', 'kind', 'payload', 'queued_at_ms']
const IDEMPOTENCY_COLUMNS = ['id', 'request_digest', 'answer', 'expires_at_ms']

/** The placeholders of a whole row, by column name. */
function columns<Table extends keyof Schema>(row: object, names: readonly string[]) {
  return Object.fromEntries(
    names.map((name) => [name, row[name as keyof typeof row]]),
  ) as unknown as Columns<Table>
}
