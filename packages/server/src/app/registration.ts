/** What operator and agent registration share: screening before issuing, and reading a policy. */
import {
  invalidField,
  mergeSpendPolicy,
  ServiceError,
  type SpendPolicy,
  type SpendPolicyChange,
  spendPolicyProblem,
} from '@portcullis/protocol'
import type { Env } from './env.ts'
import { screenNames, screenWallets, type Subject } from './screening.ts'

/**
 * Throws `sanctions_match` when a name or wallet is listed, and `lists_unavailable` when that
 * cannot be known. The answer never says which entry matched; the log does, for those who run the
 * service.
 */
export function refuseListed(
  { watchlists, log }: Env,
  requestId: string,
  parties: { names: readonly Subject[]; wallets: readonly Subject[] },
): void {
  const watchlist = watchlists.current()
  if (watchlist === undefined) throw new ServiceError('lists_unavailable')
  const listed = [
    ...screenNames(watchlist, parties.names).listed,
    ...screenWallets(watchlist, parties.wallets).listed,
  ]
  if (listed.length === 0) return
  const entries = listed.map(({ field, list, entryId, method }) => ({
    field,
    list,
    entryId,
    method,
  }))
  log.warn(
    { requestId, entries, lists: watchlist.version },
    'registration refused: sanctions match',
  )
  throw new ServiceError('sanctions_match')
}

/** A policy from the wire; throws `invalid_request` that names the field under `path`. */
export function readSpendPolicy(
  change: SpendPolicyChange | undefined,
  path: string,
  current: SpendPolicy = {},
): SpendPolicy {
  if (change === undefined) return current
  const problem = spendPolicyProblem(change)
  if (problem !== undefined) throw invalidField(`${path}${problem.field}`, problem.message)
  return mergeSpendPolicy(current, change)
}

/** Optional text as it is kept: trimmed, and null when there is none. */
export const keptText = (text: string | null | undefined): string | null => text?.trim() || null

/** Required text as it is kept; white space alone is nothing. */
export function requiredText(field: string, text: string): string {
  const kept = text.trim()
  if (kept === '') throw invalidField(field, 'must not be blank')
  return kept
}
