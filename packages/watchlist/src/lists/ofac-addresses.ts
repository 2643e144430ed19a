import { readWallet } from '@portcullis/protocol'
import type { WatchlistEntry } from '../entry.ts'

/**
 * Tickers that health reports even when nothing is listed under them. spec: What the service does,
 * item 9
 */
export const REPORTED_TICKERS = ['eth', 'xbt', 'trx', 'usdt', 'usdc', 'sol'] as const

/**
 * How many different addresses are listed under each ticker (lower case): the reported ones first,
 * then every other that appears, by name. One address under two tickers counts under both.
 */
export function addressesByTicker(entries: Iterable<WatchlistEntry>): Record<string, number> {
  const byTicker = new Map<string, Set<string>>(
    REPORTED_TICKERS.map((ticker) => [ticker, new Set()]),
  )
  const others = new Map<string, Set<string>>()
  for (const entry of entries) {
    for (const { ticker, address } of entry.addresses) {
      const key = ticker.toLowerCase()
      const listed = byTicker.get(key) ?? others.get(key) ?? new Set()
      listed.add(readWallet(address).canonical)
      if (!byTicker.has(key)) others.set(key, listed)
    }
  }
  const ordered = [...byTicker, ...[...others].sort(([a], [b]) => (a < b ? -1 : 1))]
  return Object.fromEntries(ordered.map(([ticker, listed]) => [ticker, listed.size]))
}
