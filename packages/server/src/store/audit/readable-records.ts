/** Which records can be read, as a condition of SQL. */
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import type { Schema } from '../schema.ts'

/** Whether the entry can be read: it has its texts, and is young enough or held. */
export const isReadable = (
  eb: ExpressionBuilder<Schema, 'audit_entries'>,
  since: Expression<bigint>,
): Expression<SqlBool> =>
  eb.and([
    eb('audit_entries.purged_at_ms', 'is', null),
    eb.or([eb('audit_entries.screened_at_ms', '>=', since), eb.exists(standingHold(eb))]),
  ])

/** The hold of an entry that no later entry of the log lifted. */
export const standingHold = (eb: ExpressionBuilder<Schema, 'audit_entries'>) =>
  eb
    .selectFrom('audit_events as hold')
    .select('hold.seq')
    .whereRef('hold.txn_id', '=', 'audit_entries.txn_id')
    .where('hold.kind', '=', sql.lit('hold'))
    .where((held) =>
      held.not(
        held.exists(
          held
            .selectFrom('audit_events as release')
            .select('release.seq')
            .whereRef('release.txn_id', '=', 'hold.txn_id')
            .whereRef('release.seq', '>', 'hold.seq')
            .where('release.kind', '=', sql.lit('release')),
        ),
      ),
    )
