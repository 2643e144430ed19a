/** Delegates narrow and never widen: checked when they are minted and when their policy changes. */
import { type EpochMs, ServiceError, type SpendPolicy, wideningFields } from '@portcullis/protocol'
import type { Agent } from '../records.ts'
import { whitelistKey } from '../screening/whitelist.ts'

/**
 * Throws `policy_widening` that names each field under `path`; `ancestors` from the nearest up to
 * the root.
 */
export function refuseWidening(
  ancestors: readonly Agent[],
  spendPolicy: SpendPolicy,
  path: string,
): void {
  if (ancestors.length === 0) return
  const policies = ancestors.map((ancestor) => ancestor.spendPolicy).toReversed()
  const fields = wideningFields(policies, spendPolicy, whitelistKey)
  if (fields.length === 0) return
  throw new ServiceError('policy_widening', {
    message: `a delegate can only narrow its parent's policy: ${fields.join(', ')}`,
    field: `${path}${fields[0] ?? ''}`,
    extra: { fields },
  })
}

/** Throws `invalid_transition` when an agent of the chain is not ACTIVE or its time is over. */
export function refuseFallen(chain: readonly Agent[], now: EpochMs, consequence: string): void {
  const fallen = chain.find(({ status, expiresAt }) => status !== 'ACTIVE' || expiresAt <= now)
  if (fallen === undefined) return
  const message = `${fallen.agentId} is not ACTIVE; ${consequence}`
  throw new ServiceError('invalid_transition', { message })
}
