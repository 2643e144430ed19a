/** What registrations share: screening before issuing, and reading texts, wallets and policies. */
import {
  invalidField,
  mergeSpendPolicy,
  readWallet,
  ServiceError,
  type SpendPolicy,
  type SpendPolicyChange,
  spendPolicyProblem,
} from '@portcullis/protocol'
import type { Env } from '../env.ts'
import { isTimeZone } from '../local-time.ts'
import { screenNames, screenWallets, type Subject } from '../screening/screening.ts'

/**
 * Throws `sanctions_match` when a name or wallet is listed, and `lists_unavailable` when that
 * cannot be known. The answer never says which entry matched; the log does, for those who run the
 * service.
 */
export function refuseListed(
  { watchlists, log }: Env,
  requestId: string,
  parties: { names?: readonly Subject[]; wallets?: readonly Subject[] },
): void {
  const watchlist = watchlists.current()
  if (watchlist === undefined) throw new ServiceError('lists_unavailable')
  const listed = [
    ...screenNames(watchlist, parties.names ?? []).listed,
    ...screenWallets(watchlist, parties.wallets ?? []).listed,
  ]
  if (listed.length === 0) return
  const entries = listed.map(({ field, list, entryId, method }) => ({
    field,
    list,
    entryId,
    method,
  }))
  log.warn({ requestId, entries, lists: watchlist.version }, 'refused: sanctions match')
  throw new ServiceError('sanctions_match')
}

/** A policy from the wire; throws `invalid_request` that names the field under `path`. */
export function readSpendPolicy(
  change: SpendPolicyChange | undefined,
  path: string,
  current: SpendPolicy = {},
): SpendPolicy {
  if (change === undefined) return current
  const problem = spendPolicyProblem(change, isTimeZone)
  if (problem !== undefined) throw invalidField(`${path}${problem.field}`, problem.message)
  return mergeSpendPolicy(current, change)
}

/** The families that operators have wallets in (spec: Operator, wallet). */
const OPERATOR_FAMILIES = ['EVM', 'SOLANA', 'TRON', 'SEI']

/** An operator's wallet, or null without one; throws `invalid_request` for a malformed one. */
export function readOperatorWallet(field: string, text: string | null | undefined): string | null {
  const wallet = keptText(text)
  if (wallet === null) return null
  const { family, checksum } = readWallet(wallet)
  if (OPERATOR_FAMILIES.includes(family) && checksum !== 'invalid') return wallet
  throw invalidField(field, 'is no well-formed EVM, Solana, Tron or Sei address')
}

/** Optional text as it is kept: trimmed, and null when there is none. */
export const keptText = (text: string | null | undefined): string | null => text?.trim() || null

/** Required text as it is kept; white space alone is nothing. */
export function requiredText(field: string, text: string): string {
  const kept = text.trim()
  if (kept === '') throw invalidField(field, 'must not be blank')
  return kept
}
