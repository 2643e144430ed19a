/** Entries of the log as CSV (RFC 4180), safe to open in a spreadsheet. */
import { type AuditRecord, hexOf } from '@portcullis/protocol'
import type { LoggedLeaf } from './audit-store.ts'

const COLUMNS = [
  'leafIndex',
  'kind',
  'txnId',
  'at',
  'operatorId',
  'agentId',
  'verdict',
  'riskScore',
  'ruleTriggered',
  'reason',
  'amount',
  'chain',
  'rail',
  'cpName',
  'cpWallet',
  'disposition',
  'reviewedBy',
  'notes',
  'leafHash',
  'receipt',
] as const

type Row = Readonly<Partial<Record<(typeof COLUMNS)[number], string | number | null>>>

export const csvHead = (): string => `${COLUMNS.join(',')}\r\n`

export function csvLine(leaf: LoggedLeaf): string {
  const row = rowOf(leaf)
  return `${COLUMNS.map((name) => field(row[name])).join(',')}\r\n`
}

function rowOf({ leafIndex, leafHash, txnId, source, entry }: LoggedLeaf): Row {
  const place = { leafIndex, txnId, leafHash: hexOf(leafHash) }
  if (entry === undefined) return { ...place, kind: `${source} (purged)` }
  const { kind, at, operatorId } = entry
  const shared = { ...place, kind, at, operatorId }
  const record = JSON.parse(entry.record) as Partial<Record<string, string | null>>
  if (kind !== 'screen') {
    const { disposition, status, reviewedBy, by, notes, reason, name, wallet } = record
    return {
      ...shared,
      disposition: disposition ?? status ?? null,
      reviewedBy: reviewedBy ?? by ?? null,
      notes: notes ?? reason ?? null,
      cpName: name ?? null,
      cpWallet: wallet ?? null,
    }
  }
  const screened = record as unknown as AuditRecord
  const { amount, chain, rail, cpName, cpWallet } = screened._request
  const { agentId, verdict, riskScore, ruleTriggered, reason, receipt } = screened
  return {
    ...shared,
    ...{ agentId, verdict, riskScore, ruleTriggered, reason, receipt },
    ...{ amount, chain, rail, cpName, cpWallet },
  }
}

/** Text that a spreadsheet would run as a formula is given an apostrophe in front. */
function field(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const inert = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/u.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
