/**
 * Fields that a screen does not know. A near miss of a known one is refused: a payment whose wallet
 * stands under `cpWalet` would be screened without it and look as if it had been.
 */
import { invalidField, POLICY_FIELDS } from '@portcullis/protocol'
import { editDistance } from '@portcullis/watchlist'

/** What people call the fields elsewhere. Letters and digits only, lower case. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  address: 'cpWallet',
  beneficiary: 'cpName',
  beneficiaryname: 'cpName',
  counterparty: 'cpName',
  counterpartyname: 'cpName',
  counterpartytype: 'cpType',
  counterpartywallet: 'cpWallet',
  credential: 'token',
  agenttoken: 'token',
  destination: 'cpWallet',
  network: 'chain',
  payee: 'cpName',
  payto: 'cpWallet',
  recipient: 'cpWallet',
  recipientname: 'cpName',
  recipientwallet: 'cpWallet',
  to: 'cpWallet',
  toaddress: 'cpWallet',
  value: 'amount',
  wallet: 'cpWallet',
  walletaddress: 'cpWallet',
}

/** One slip in a short name, two in a longer one. */
const slipsAllowed = (name: string): number => (name.length < 6 ? 1 : 2)

/** The names that may be ignored; throws `invalid_request` for a likely misspelling. */
export function unknownFields(body: object, known: readonly string[]): string[] {
  const strangers = Object.keys(body).filter((name) => !known.includes(name))
  for (const name of strangers) {
    const problem = likelyMistake(name, known)
    if (problem !== undefined) throw invalidField(name, problem)
  }
  return strangers
}

function likelyMistake(name: string, known: readonly string[]): string | undefined {
  if (POLICY_FIELDS.includes(name)) {
    return known.includes('spendPolicy') ? 'belongs into `spendPolicy`' : 'is not known here'
  }
  const letters = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  const elsewhere = Object.hasOwn(OTHER_NAMES, letters) ? OTHER_NAMES[letters] : undefined
  const meant = elsewhere ?? nearest(letters, known)
  if (meant === undefined) return undefined
  return known.includes(meant) ? `is not known; did you mean \`${meant}\`?` : 'is not known here'
}

function nearest(letters: string, known: readonly string[]): string | undefined {
  return known.find((candidate) => {
    const limit = slipsAllowed(candidate)
    return editDistance(letters, candidate.toLowerCase(), limit) <= limit
  })
}
