/** Records under legal hold: they stay readable after their time, for as long as they are held. */
import { type AuditRecord, isoTime } from '@portcullis/protocol'
import type { AuditListing, Place } from '../../app/audit/audit-store.ts'
import type { EntryRow, EventRow } from './audit-log-statements.ts'
import { all, first, type Script } from '../script.ts'
import type { Statements } from '../statements.ts'

export const placeOf = (row: EntryRow): Place => ({
  at: Number(row.screened_at_ms),
  seq: Number(row.seq),
})

/** The hold that stands: none when it was lifted, or never set. */
export function* holdOn(sql: Statements, txnId: string): Script<EventRow | undefined> {
  const newest = (yield* all(sql.eventsOf({ txnId }))).findLast(isHoldOrRelease)
  return newest?.kind === 'hold' ? newest : undefined
}

export const isHoldOrRelease = ({ kind }: EventRow): boolean =>
  kind === 'hold' || kind === 'release'

export function withHold(record: AuditRecord, hold: EventRow | undefined): AuditRecord {
  if (hold === undefined) return record
  const { by, reason } = JSON.parse(hold.body) as Omit<NonNullable<AuditRecord['hold']>, 'at'>
  return { ...record, legalHold: true, hold: { by, reason, at: isoTime(Number(hold.at_ms)) } }
}

/**
 * Held records of a listing, in its order: all of them when those are asked for, else the expired,
 * which no index of time reaches. Holds are few.
 */
export function* heldRecords(sql: Statements, listing: AuditListing): Script<EntryRow[]> {
  const { operatorId, order, after, from, verdict, agentId } = listing
  const since = listing.held === true ? listing.to : listing.since
  const to = Math.min(listing.to, since)
  if (from >= since || (order === 'oldest' && after !== undefined && after.at >= since)) return []
  const rows: EntryRow[] = []
  for (const { txn_id: txnId } of yield* all(sql.everHeld({ operatorId }))) {
    const args = { operatorId, txnId, from: BigInt(from), to: BigInt(to) }
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
