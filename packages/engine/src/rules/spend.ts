/** R10, R11: how much. A payment equal to a limit is within it. */
import { addMoney, type MicroUsd, microUsd, usdText } from '@portcullis/protocol'
import { fires, notChecked, passes, type Predicate } from '../rule.ts'

export const singleTxLimitExceeded: Predicate = ({ payment, spendPolicy }) => {
  const limit = limitOf(spendPolicy.maxSingleTxUSDC)
  if (limit === undefined) return notChecked
  const text = `the per-transaction limit of ${usdText(limit)} USD`
  return payment.amount > limit
    ? fires(`${usdText(payment.amount)} USD is above ${text}`)
    : passes(`${usdText(payment.amount)} USD is within ${text}`)
}

export const dailyLimitExceeded: Predicate = ({ payment, spendPolicy, spentToday }) => {
  const limit = limitOf(spendPolicy.dailyLimitUSDC)
  if (limit === undefined) return notChecked
  const total = addMoney(spentToday, payment.amount)
  const text = `the daily limit of ${usdText(limit)} USD`
  return total > limit
    ? fires(
        `${usdText(payment.amount)} USD after ${usdText(spentToday)} USD today would pass ${text}`,
      )
    : passes(`${usdText(total)} USD today is within ${text}`)
}

/** A stored limit was checked when it was set; an unreadable one must not read as "no limit". */
function limitOf(usd: number | undefined): MicroUsd | undefined {
  if (usd === undefined) return undefined
  const limit = microUsd(usd)
  if (limit === undefined) throw new RangeError('a stored spend limit is not an amount of money')
  return limit
}
