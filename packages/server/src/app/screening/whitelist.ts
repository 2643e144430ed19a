/** Counterparty whitelists: names by their normal form, wallets by their canonical address. */
import type { PaymentFact } from '@portcullis/engine'
import { readWallet } from '@portcullis/protocol'
import { normalise } from '@portcullis/watchlist'

/** What two spellings of one whitelist item share. */
export function whitelistKey(item: string): string {
  const { family, canonical } = readWallet(item)
  return family === 'OTHER' ? `name ${normalise(item)}` : `wallet ${canonical}`
}

/**
 * Whether the counterparty stands on every list, by wallet or by name; undefined without a list.
 * A payment that names nobody is on no list.
 */
export function isWhitelisted(
  lists: readonly (readonly string[])[],
  { counterpartyName, counterpartyWallet }: PaymentFact,
): boolean | undefined {
  if (lists.length === 0) return undefined
  const keys = [
    ...(counterpartyName === undefined ? [] : [`name ${normalise(counterpartyName)}`]),
    ...(counterpartyWallet === undefined
      ? []
      : [`wallet ${readWallet(counterpartyWallet).canonical}`]),
  ]
  return lists.every((list) => {
    const items = new Set(list.map(whitelistKey))
    return keys.some((key) => items.has(key))
  })
}
