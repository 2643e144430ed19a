/** What a screen reads before it decides, and the counters that it adds to. */
import type { Kysely, Selectable } from 'kysely'
import type { Schema } from './schema.ts'
import { statement } from './statement.ts'

type Row<Table extends keyof Schema> = Selectable<Schema[Table]>
export type Nullable<Columns> = { [Name in keyof Columns]: Columns[Name] | null }

/** An operator and its month so far, with the record that has the id already. */
export type AccountRow = Row<'operators'> &
  Nullable<Pick<Row<'operator_usage'>, 'screens'>> & { readonly taken: bigint | null }

/** An agent with its day and its history; null where there is none yet. */
export type HolderRow = Row<'agents'> &
  Nullable<Pick<Row<'agent_spend'>, 'spent_micro_usd'>> &
  Nullable<Omit<Row<'agent_history'>, 'agent_id'>>

/** Joined, since a statement costs more than its columns. */
export const ledgerStatements = (db: Kysely<Schema>) => ({
  accountOf: statement<{ operatorId: string; month: string; txnId: string }, AccountRow>((args) =>
    db
      .selectFrom('operators')
      .leftJoin('operator_usage', (join) =>
        join
          .onRef('operator_usage.operator_id', '=', 'operators.operator_id')
          .on('operator_usage.utc_month', '=', args.month),
      )
      .selectAll('operators')
      .select('operator_usage.screens')
      .select((eb) =>
        eb
          .selectFrom('audit_entries')
          .select('audit_entries.seq')
          .where('audit_entries.txn_id', '=', args.txnId)
          .as('taken'),
      )
      .where('operators.operator_id', '=', args.operatorId),
  ),
  holderOn: statement<{ agentId: string; date: string }, HolderRow>((args) =>
    db
      .selectFrom('agents')
      .leftJoin('agent_spend', (join) =>
        join
          .onRef('agent_spend.agent_id', '=', 'agents.agent_id')
          .on('agent_spend.utc_date', '=', args.date),
      )
      .leftJoin('agent_history', 'agent_history.agent_id', 'agents.agent_id')
      .selectAll('agents')
      .select('agent_spend.spent_micro_usd')
      .select(['screens', 'reviews', 'blocks', 'first_at_ms', 'day', 'day_screens', 'hours'])
      .where('agents.agent_id', '=', args.agentId),
  ),
  addSpend: statement<{ agentId: string; date: string; amount: bigint }>((args) =>
    db
      .insertInto('agent_spend')
      .values({ agent_id: args.agentId, utc_date: args.date, spent_micro_usd: args.amount })
      .onConflict((conflict) =>
        conflict.columns(['agent_id', 'utc_date']).doUpdateSet((row) => ({
          spent_micro_usd: row(
            'agent_spend.spent_micro_usd',
            '+',
            row.ref('excluded.spent_micro_usd'),
          ),
        })),
      ),
  ),
  addUsage: statement<{ operatorId: string; month: string; screens: bigint }>((args) =>
    db
      .insertInto('operator_usage')
      .values({ operator_id: args.operatorId, utc_month: args.month, screens: args.screens })
      .onConflict((conflict) =>
        conflict.columns(['operator_id', 'utc_month']).doUpdateSet((row) => ({
          screens: row('operator_usage.screens', '+', row.ref('excluded.screens')),
        })),
      ),
  ),
})
