/** R3 to R7 and the near match: is anybody in this payment on an OFAC list? */
import type { MatchEvidence } from '@portcullis/protocol'
import type { Facts, Screening } from '../facts.ts'
import { type Check, fires, notChecked, passes, type Predicate } from '../rule.ts'

export const operatorWalletListedAtIssuance: Predicate = ({ credential, agent }) => {
  const listedThen = agent.operatorWalletListedAtIssuance
  if (credential.status !== 'ACTIVE' || listedThen === undefined) return notChecked
  return listedThen
    ? fires('the operator wallet matched an OFAC list when the credential was issued')
    : passes('the operator wallet matched no OFAC list at issuance')
}

export const operatorWalletListed: Predicate = ({ operatorWallet }) =>
  listed('operator wallet', operatorWallet)

export const operatorNameListed: Predicate = ({ operatorName }) =>
  listed('operator legal name', operatorName)

export const counterpartyWalletListed: Predicate = ({ counterpartyWallet }) =>
  listed('counterparty wallet', counterpartyWallet)

export const counterpartyNameListed: Predicate = ({ counterpartyName }) =>
  listed('counterparty name', counterpartyName)

function listed(what: string, screening: Screening): Check {
  if (!screening.screened) return notChecked
  const [strongest] = screening.listed
  if (strongest === undefined) return passes(`the ${what} is on no OFAC list`)
  return fires(`the ${what} matches ${describe(strongest)}`)
}

/** Looks like a listed party, but not enough to block somebody's business for good. */
export const nearMatch: Predicate = (facts) => {
  const screenings = screeningsOf(facts)
  if (!screenings.some(({ screened }) => screened)) return notChecked
  const [nearest] = screenings.flatMap(({ near }) => near)
  if (nearest === undefined) return passes('no name or wallet resembles a listed one')
  return fires(`${nearest.field} resembles ${describe(nearest)}`)
}

export const screeningsOf = (facts: Facts): readonly Screening[] => [
  facts.counterpartyWallet,
  facts.counterpartyName,
  facts.operatorWallet,
  facts.operatorName,
]

/** A match in words: list, entry, name, how and how well it matched. */
export function describe(match: MatchEvidence): string {
  const how = `${match.method}, score ${match.score.toFixed(2)}`
  return `${match.list} entry ${match.entryId} \`${match.primaryName}\` (${how})`
}
