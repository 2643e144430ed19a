/** What people do to a wallet address so that it is not found, and addresses that look like it. */
import { readWallet } from '@portcullis/protocol'
import { type Chance, pick } from './seeded.ts'

/** A text to look a wallet up with. */
export interface WalletText {
  readonly transform: string
  readonly input: string
}

type Change = (address: string) => string | undefined

const middleOf = (address: string): number => address.length >> 1

function inMiddle(text: string): Change {
  return (address) => {
    const middle = middleOf(address)
    return address.slice(0, middle) + text + address.slice(middle)
  }
}

/** Same account, written otherwise. */
const DISGUISES: Readonly<Record<string, Change>> = {
  white_space: (address) => ` \t${address}\u00a0\n`,
  zwsp: inMiddle('\u200b'),
  zwsp_everywhere: (address) => [...address].join('\u200b'),
  soft_hyphen: inMiddle('\u00ad'),
  rlo: (address) => `\u202e${address}\u202c`,
  split: inMiddle(' '),
  fullwidth: (address) =>
    address.replace(/[!-~]/g, (one) => String.fromCodePoint(one.charCodeAt(0) + 0xfee0)),
  uri: (address) => `pay:${address}?amount=1`,
  brackets: (address) => `(${address})`,
  name: (address) => `Payment to ${address} invoice 4431`,
  other_case: (address) => (hasNoCase(address) ? swapCase(address) : undefined),
}

/** Every disguise of an address that changes it. `name` hides in a counterparty's name. */
export function walletDisguises(address: string): WalletText[] {
  return Object.entries(DISGUISES).flatMap(([transform, change]) => {
    const input = change(address)
    return input === undefined || input === address ? [] : [{ transform, input }]
  })
}

/**
 * Addresses a character away, which are other accounts: nobody may be blocked for them. Some may be
 * listed by themselves; the caller knows.
 */
export function nearMisses(address: string, chance: Chance): WalletText[] {
  const at = 4 + Math.floor(chance() * (address.length - 5))
  const last = address.length - 1
  const texts: Readonly<Record<string, string | undefined>> = {
    last_changed: replaced(address, last, chance),
    one_changed: replaced(address, at, chance),
    transposed:
      address.slice(0, at - 1) +
      address.charAt(at) +
      address.charAt(at - 1) +
      address.slice(at + 1),
    one_missing: address.slice(0, at) + address.slice(at + 1),
    one_doubled: address.slice(0, at) + address.charAt(at) + address.slice(at),
    other_case: hasNoCase(address) ? undefined : swapCase(address),
  }
  const { canonical } = readWallet(address)
  return Object.entries(texts).flatMap(([transform, input]) =>
    input === undefined || readWallet(input).canonical === canonical ? [] : [{ transform, input }],
  )
}

/** Another character of those that the address is made of anyway. */
function replaced(address: string, at: number, chance: Chance): string | undefined {
  const old = address.charAt(at).toLowerCase()
  const others = [...new Set(address.slice(4))].filter((one) => one.toLowerCase() !== old)
  if (others.length === 0) return undefined
  return address.slice(0, at) + pick(others, chance) + address.slice(at + 1)
}

const swapCase = (address: string): string =>
  address === address.toLowerCase() ? address.toUpperCase() : address.toLowerCase()

/** True for the forms in which case says nothing. */
const hasNoCase = (address: string): boolean =>
  readWallet(swapCase(address)).canonical === readWallet(address).canonical
