/** Under what the history of a counterparty is kept: digests of what two spellings share. */
import { readWallet } from '@portcullis/protocol'
import { normalise } from '@portcullis/watchlist'
import type { CounterpartyKeys } from './history-records.ts'
import type { Vault } from './ports.ts'

/** 128 bits: names are never met twice by chance, and the index stays small. */
const KEY_CHARACTERS = 32

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
    return { name: named, wallet: paid, subject: key('pair', form, address) }
  }
  const subject = named ?? paid
  return subject === null ? undefined : { name: named, wallet: paid, subject }
}
