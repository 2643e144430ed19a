/** R20, R23, R24, R25: do chain, rail, wallet and name make sense together? */
import { readWallet, type WalletFamily } from '@portcullis/protocol'
import type { PaymentFact } from '../facts.ts'
import { fires, notChecked, passes, type Predicate } from '../rule.ts'

const EVM: readonly WalletFamily[] = ['EVM']

/** The address families of each crypto chain. Sei accounts have an EVM form as well. */
const CHAIN_FAMILIES: Readonly<Record<string, readonly WalletFamily[]>> = {
  ETH: EVM,
  BASE: EVM,
  POLYGON: EVM,
  BSC: EVM,
  ARC: EVM,
  SOL: ['SOLANA'],
  RIALO: ['SOLANA'],
  TRON: ['TRON'],
  SEI: ['SEI', 'EVM'],
  BTC: ['BITCOIN'],
}

/** The chain values that a rail can go over. RTP and FedNow are networks of their own. */
const RAIL_CHAINS: Readonly<Record<string, readonly string[]>> = {
  USDC: Object.keys(CHAIN_FAMILIES).filter((chain) => chain !== 'BTC'),
  ACH: ['ACH'],
  SAME_DAY_ACH: ['ACH'],
  WIRE: ['WIRE', 'SWIFT'],
  SWIFT: ['SWIFT', 'WIRE'],
  IBAN: ['SWIFT', 'WIRE'],
  RTP: [],
  FEDNOW: [],
}

const isCrypto = ({ chain, rail }: PaymentFact): boolean =>
  rail === 'USDC' || (chain !== undefined && Object.hasOwn(CHAIN_FAMILIES, chain))

const isBank = ({ chain, rail }: PaymentFact): boolean =>
  (rail !== undefined && rail !== 'USDC') ||
  (chain !== undefined && !Object.hasOwn(CHAIN_FAMILIES, chain))

export const chainRailMismatch: Predicate = ({ payment: { chain, rail } }) => {
  if (chain === undefined || rail === undefined) return notChecked
  return RAIL_CHAINS[rail]?.includes(chain) === true
    ? passes(`rail ${rail} goes over ${chain}`)
    : fires(`rail ${rail} cannot go over ${chain}`)
}

export const counterpartyUnidentified: Predicate = ({ payment }) => {
  const { counterpartyName: name, counterpartyWallet: wallet } = payment
  if (name === undefined && wallet === undefined) {
    return fires('neither name nor wallet of the counterparty was given')
  }
  if (isCrypto(payment) && wallet === undefined) {
    return fires('a payment over a crypto chain names no counterparty wallet')
  }
  if (isBank(payment) && name === undefined) {
    return fires('a payment over a bank rail names no counterparty')
  }
  return passes('the counterparty is identified')
}

export const walletChainMismatch: Predicate = ({ payment: { chain, counterpartyWallet } }) => {
  if (counterpartyWallet === undefined) return notChecked
  const { family, checksum } = readWallet(counterpartyWallet)
  if (family === 'OTHER') return fires('the wallet is an address of no known family')
  if (checksum === 'invalid') return fires(`the checksum of the ${family} wallet is wrong`)
  const families = chain === undefined ? undefined : CHAIN_FAMILIES[chain]
  if (families === undefined) return passes(`the wallet is a well-formed ${family} address`)
  return families.includes(family)
    ? passes(`the wallet is a well-formed ${family} address, as ${chain} has them`)
    : fires(`the wallet is a ${family} address, which ${chain} does not have`)
}

export const operatorEinMissing: Predicate = ({ payment, agent, credential }) => {
  if (!isBank(payment) || credential.status !== 'ACTIVE') return notChecked
  return agent.hasOperatorEin
    ? passes('the agent has an operator EIN for bank rails')
    : fires('a payment over a bank rail by an agent without operator EIN')
}
