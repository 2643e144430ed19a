/** Records under legal hold: they stay readable after their time, for as long as they are held. */
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import type { AuditListing, Place } from '../app/audit-store.ts'
import type { EntryRow } from './audit-log-statements.ts'
import type { Schema } from './schema.ts'
import { all, first, type Script } from './script.ts'
import type { Statements } from './statements.ts'

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
const standingHold = (eb: ExpressionBuilder<Schema, 'audit_entries'>) =>
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

export const placeOf = (row: EntryRow): Place => ({
  at: Number(row.screened_at_ms),
  seq: Number(row.seq),
})

/** Expired records of a listing that are held, in its order. Holds are few. */
export function* heldBefore(sql: Statements, listing: AuditListing): Script<EntryRow[]> {
  const { operatorId, order, after, since, from, to, verdict, agentId } = listing
  if (from >= since || (order === 'oldest' && after !== undefined && after.at >= since)) return []
  const rows: EntryRow[] = []
  for (const { txn_id: txnId } of yield* all(sql.everHeld({ operatorId }))) {
    const args = { operatorId, txnId, from: BigInt(from), to: BigInt(Math.min(to, since)) }
    const row = yield* first(sql.heldEntry(args))
    if (row === undefined || !isAfter(placeOf(row), after, order)) continue
    if (verdict !== undefined && row.verdict !== verdict) continue
    if (agentId === undefined || row.agent_id === agentId) rows.push(row)
  }
  const sign = order === 'oldest' ? 1 : -1
  return rows.toSorted((a, b) => sign * compare(placeOf(a), placeOf(b)))
}

const compare = (a: Place, b: Place): number => a.at - b.at || a.seq - b.seq

const isAfter = (place: Place, after: Place | undefined, order: AuditListing['order']): boolean =>
  after === undefined || (order === 'oldest' ? 1 : -1) * compare(place, after) > 0
