/** R9, R13, R14, R18, R21, R22: where, to whom and through what the agent may pay. */
import { type Allowed, protocolKey } from '@portcullis/protocol'
import { type Check, fires, notChecked, passes, type Predicate } from '../rule.ts'
import { knownMixer } from './mixers.ts'

/** A missing chain is not among the allowed: otherwise leaving it out would lift the limit. */
export const chainNotAllowed: Predicate = ({ payment, spendPolicy }) =>
  missingOrOutside('chain', payment.chain, spendPolicy.allowedChains)

export const railNotAllowed: Predicate = ({ payment, spendPolicy }) =>
  outsideChoice('rail', payment.rail, spendPolicy.allowedRails)

export const protocolNotAllowed: Predicate = ({ payment, spendPolicy }) =>
  payment.protocol === undefined
    ? notChecked
    : outsideChoice('protocol', protocolKey(payment.protocol), spendPolicy.allowedProtocols)

/** Likewise a missing type. */
export const counterpartyTypeNotAllowed: Predicate = ({ payment, spendPolicy }) =>
  missingOrOutside(
    'counterparty type',
    payment.counterpartyType,
    spendPolicy.allowedCounterpartyTypes,
  )

function missingOrOutside(what: string, given: string | undefined, allowed: Allowed): Check {
  if (given !== undefined || allowed === undefined) return outsideChoice(what, given, allowed)
  return fires(`no ${what} was given; allowed: ${listed(allowed)}`)
}

/** Undefined allows all; an empty list, left over by the policies of a chain, allows nothing. */
function outsideChoice(what: string, given: string | undefined, allowed: Allowed): Check {
  if (given === undefined || allowed === undefined) return notChecked
  return allowed.includes(given)
    ? passes(`${what} ${given} is allowed`)
    : fires(`${what} ${given} is not among the allowed: ${listed(allowed)}`)
}

const listed = (allowed: readonly string[]): string =>
  allowed.length === 0 ? 'none' : allowed.join(', ')

export const counterpartyNotWhitelisted: Predicate = ({ counterpartyWhitelisted }) => {
  if (counterpartyWhitelisted === undefined) return notChecked
  return counterpartyWhitelisted
    ? passes('the counterparty is on the whitelist')
    : fires('the counterparty is not on the whitelist')
}

export const mixerProtocol: Predicate = ({ payment, spendPolicy }) => {
  if (payment.protocol === undefined || spendPolicy.mixersAllowed) return notChecked
  const mixer = knownMixer(payment.protocol)
  return mixer === undefined
    ? passes('the protocol is no known mixer or privacy protocol')
    : fires(`protocol \`${payment.protocol}\` is the mixer or privacy protocol ${mixer}`)
}
