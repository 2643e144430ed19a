/** R10, R11, R12, R19: how much. A payment equal to a limit is within it. */
import { addMoney, type MicroUsd, usdText } from '@portcullis/protocol'
import type { SpendLimit } from '../facts.ts'
import { type Check, fires, notChecked, passes, type Predicate } from '../rule.ts'
import { RAIL_CEILINGS } from '../thresholds.ts'

export const singleTxLimitExceeded: Predicate = ({ payment, spendPolicy }) =>
  upTo(payment.amount, spendPolicy.maxSingleTx, 'the per-transaction limit')

export const railCeilingExceeded: Predicate = ({ payment }) =>
  upTo(payment.amount, RAIL_CEILINGS[payment.rail ?? ''], `the network ceiling of ${payment.rail}`)

export const dailyLimitExceeded: Predicate = ({ payment, dailyLimits }) =>
  withinDay(payment.amount, dailyLimits)

export const fleetLimitExceeded: Predicate = ({ payment, fleetLimits }) =>
  withinDay(payment.amount, fleetLimits)

function upTo(amount: MicroUsd, limit: MicroUsd | undefined, what: string): Check {
  if (limit === undefined) return notChecked
  const text = `${what} of ${usdText(limit)} USD`
  return amount > limit
    ? fires(`${usdText(amount)} USD is above ${text}`)
    : passes(`${usdText(amount)} USD is within ${text}`)
}

/** Every holder's limit must be kept; the first that would not be is named. */
function withinDay(amount: MicroUsd, limits: readonly SpendLimit[]): Check {
  if (limits.length === 0) return notChecked
  const passed = limits.find(({ limit, spentToday }) => addMoney(spentToday, amount) > limit)
  if (passed === undefined) {
    return passes(`within the daily limit of ${limits.map(({ holder }) => holder).join(', ')}`)
  }
  const { holder, limit, spentToday } = passed
  return fires(
    `${usdText(amount)} USD after ${usdText(spentToday)} USD today would pass the daily limit of ` +
      `${usdText(limit)} USD of ${holder}`,
  )
}
