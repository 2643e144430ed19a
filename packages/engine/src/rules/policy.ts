/** R9, R14, R18: where and through what the agent may pay. */
import { fires, notChecked, passes, type Predicate } from '../rule.ts'
import { knownMixer } from './mixers.ts'

export const chainNotAllowed: Predicate = ({ payment, spendPolicy }) =>
  outsideChoice('chain', payment.chain, spendPolicy.allowedChains)

export const railNotAllowed: Predicate = ({ payment, spendPolicy }) =>
  outsideChoice('rail', payment.rail, spendPolicy.allowedRails)

/** An empty selection allows all; a payment that does not say is not outside (R23 asks for it). */
function outsideChoice(what: string, given: string | undefined, allowed: readonly string[] = []) {
  if (given === undefined || allowed.length === 0) return notChecked
  return allowed.includes(given)
    ? passes(`${what} ${given} is allowed`)
    : fires(`${what} ${given} is not among the allowed: ${allowed.join(', ')}`)
}

export const mixerProtocol: Predicate = ({ payment, spendPolicy }) => {
  if (payment.protocol === undefined || spendPolicy.noMixerProtocols === false) return notChecked
  const mixer = knownMixer(payment.protocol)
  return mixer === undefined
    ? passes('the protocol is no known mixer or privacy protocol')
    : fires(`protocol \`${payment.protocol}\` is the mixer or privacy protocol ${mixer}`)
}
