/** Records under legal hold: they stay readable after their time, for as long as they are held. */
import type { AuditListing, Place } from '../../app/audit/audit-store.ts'
import type { EntryRow } from './audit-log-statements.ts'
import { all, first, type Script } from '../script.ts'
import type { Statements } from '../statements.ts'

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
