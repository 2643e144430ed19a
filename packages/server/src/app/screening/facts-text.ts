/** Facts as JSON for the audit log; money, a bigint, becomes its decimal text of micro-USD. */
import type { Facts } from '@portcullis/engine'

export const factsText = (facts: Facts): string =>
  JSON.stringify(facts, (_name, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
