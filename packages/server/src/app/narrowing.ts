/** Delegates narrow and never widen: checked when they are minted and when their policy changes. */
import { ServiceError, type SpendPolicy, wideningFields } from '@portcullis/protocol'
import type { Agent } from './records.ts'
import { whitelistKey } from './whitelist.ts'

/** Throws `policy_widening` that names each field; `ancestors` from the nearest up to the root. */
export function refuseWidening(ancestors: readonly Agent[], spendPolicy: SpendPolicy): void {
  if (ancestors.length === 0) return
  const policies = ancestors.map((ancestor) => ancestor.spendPolicy).toReversed()
  const fields = wideningFields(policies, spendPolicy, whitelistKey)
  if (fields.length === 0) return
  throw new ServiceError('policy_widening', {
    message: `a delegate can only narrow its parent's policy: ${fields.join(', ')}`,
    field: `spendPolicy.${fields[0] ?? ''}`,
    extra: { fields },
  })
}
