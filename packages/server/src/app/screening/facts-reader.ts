/** Facts out of the text that the audit log keeps; the inverse of {@link factsText}. */
import type { Facts, SpendLimit } from '@portcullis/engine'
import type { MicroUsd } from '@portcullis/protocol'

type Kept<T> = { readonly [Name in keyof T]: T[Name] extends MicroUsd ? string : T[Name] }

interface KeptFacts extends Omit<Facts, 'payment' | 'spendPolicy' | 'dailyLimits' | 'fleetLimits'> {
  readonly payment: Kept<Facts['payment']>
  readonly spendPolicy: Omit<Facts['spendPolicy'], 'maxSingleTx'> & {
    readonly maxSingleTx?: string
  }
  readonly dailyLimits: readonly Kept<SpendLimit>[]
  readonly fleetLimits: readonly Kept<SpendLimit>[]
}

/** Throws for a text that is no facts: what cannot be read is not replayed. */
export function readFacts(text: string): Facts {
  const kept = JSON.parse(text) as KeptFacts
  const { maxSingleTx } = kept.spendPolicy
  return {
    ...kept,
    payment: { ...kept.payment, amount: money(kept.payment.amount) },
    spendPolicy: {
      ...kept.spendPolicy,
      maxSingleTx: maxSingleTx === undefined ? undefined : money(maxSingleTx),
    },
    dailyLimits: kept.dailyLimits.map(limitOf),
    fleetLimits: kept.fleetLimits.map(limitOf),
  }
}

const limitOf = ({ holder, limit, spentToday }: Kept<SpendLimit>): SpendLimit => ({
  holder,
  limit: money(limit),
  spentToday: money(spentToday),
})

/** Decimal text of whole micro-USD. */
function money(text: string): MicroUsd {
  if (!/^\d{1,19}$/.test(text)) throw new RangeError(`\`${text}\` is not an amount of micro-USD`)
  return BigInt(text) as MicroUsd
}
