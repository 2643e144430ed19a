/** Under what the history of a counterparty is kept: digests of what two spellings share. */
import { readWallet } from '@portcullis/protocol'
import { normalise } from '@portcullis/watchlist'
import type { CounterpartyKeys } from './history-records.ts'
import type { Vault } from '../ports.ts'

/**
 * 64 bits, so that the store keeps a key as one integer. Among ten million counterparties two share
 * one with a chance of 3 in a million; and who wanted to meet another's would screen its name.
 */
const KEY_CHARACTERS = 16

/** Undefined when neither a name nor a wallet was given. */
export function counterpartyKeys(
  vault: Pick<Vault, 'digest'>,
  name: string | null | undefined,
  wallet: string | null | undefined,
): CounterpartyKeys | undefined {
  const key = (...parts: string[]) => vault.digest(parts.join('\n')).slice(0, KEY_CHARACTERS)
  const form = normalise(name ?? '')
  const address = readWallet(wallet ?? '').canonical
  const named = form === '' ? null : key('name', form)
  const paid = address === '' ? null : key('wallet', address)
  if (named !== null && paid !== null) {
    return { name: named, wallet: paid, subject: `${named}${paid}` }
  }
  const subject = named ?? paid
  return subject === null ? undefined : { name: named, wallet: paid, subject }
}
