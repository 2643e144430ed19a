import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, bech32, bech32m, createBase58check, hex, utf8 } from '@scure/base'

/**
 * Wallet families with a codec of their own; every other chain is `OTHER`. A family says how an
 * address is written and compared. It MUST NOT be read as the chain of a payment: listed USDT
 * addresses look like Tron, Ethereum and Bitcoin.
 *
 * spec: What the service does, item 8
 */
export type WalletFamily = 'EVM' | 'SOLANA' | 'TRON' | 'SEI' | 'BITCOIN' | 'OTHER'

/**
 * `none`: the form carries no checksum (Solana, one-case EVM, unknown families), so nothing can be
 * said.
 */
export type WalletChecksum = 'valid' | 'invalid' | 'none'

/**
 * A wallet as read: `canonical` is what two spellings of one account share, and what lists are
 * keyed by.
 */
export interface Wallet {
  readonly family: WalletFamily
  readonly canonical: string
  readonly checksum: WalletChecksum
}

/** Longest text looked at, in UTF-16 units, before and after compatibility folding. */
export const WALLET_TEXT_LIMIT = 5000

/** Longest known address form in use (Monero integrated, Cardano) is about 108 characters. */
const LONGEST_ADDRESS = 128
/** Shortest address that any listed ticker uses is 25 characters (XRP); 20 leaves room. */
const SHORTEST_ADDRESS = 20

const base58check = createBase58check(sha256)

const EVM = /^0[xX][0-9a-fA-F]{40}$/
/** Glued to other letters, but never cut out of a longer number. */
const EVM_INSIDE = /0[xX][0-9a-fA-F]{40}(?![0-9a-fA-F])/g
const BARE_HEX = /^(?:0[xX])?([0-9a-fA-F]{40})$/
const ABI_PADDED = /^(?:0[xX])?0{24}([0-9a-fA-F]{40})$/
const TRON_HEX = /^(?:0[xX])?(41[0-9a-fA-F]{40})$/
const TRON = /^T[1-9A-HJ-NP-Za-km-z]{33}$/
const BITCOIN_BASE58 = /^[13][1-9A-HJ-NP-Za-km-z]{24,34}$/
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/
const BECH32 = /^(?:[a-z]{2,10}1[02-9ac-hj-np-z]{6,}|[A-Z]{2,10}1[02-9AC-HJ-NP-Z]{6,})$/
const CASHADDR = /^(?:[qp][02-9ac-hj-np-z]{41}|[QP][02-9AC-HJ-NP-Z]{41})$/

/**
 * Letters of other scripts that look like a letter of the hexadecimal or base58 alphabets, in both
 * cases. Position in the first string gives the look-alike in the second.
 */
const LOOKALIKE = 'аАВвсСеЕһНіІјЈкКМмоОрРѕЅтТхХуУԁԛԝѵΑαΒβΕεΖΗΙιΚκΜΝνΟοΡρΤτΥυΧχϲꓐꓚꓓꓰꓝ'
const LATIN_FORM = 'aABBcCeEhHiIjJkKMMoOpPsSTTxXyYdqwvAaBBEeZHIiKkMNvOoPpTtYuXxcBCDEF'
const LATIN_OF = new Map([...LOOKALIKE].map((letter, at) => [letter, LATIN_FORM[at] ?? letter]))

/**
 * Reads one address. Never throws: what no family recognises is `OTHER` with its text unchanged.
 *
 * EVM compares without case (canonical lower-case; checksum by EIP-55 when the case is mixed),
 * base58 exactly, bech32 in lower case. A Sei account also has an EVM form that cannot be derived
 * without chain state; it is not attempted.
 */
export function readWallet(text: string): Wallet {
  const address = text.trim()
  if (address.length > LONGEST_ADDRESS)
    return { family: 'OTHER', canonical: address, checksum: 'none' }
  if (EVM.test(address)) return readEvm(address)
  const tronHex = TRON_HEX.exec(address)
  if (tronHex?.[1] !== undefined)
    return { family: 'TRON', canonical: tronFromHex(tronHex[1]), checksum: 'none' }
  if (TRON.test(address)) {
    return { family: 'TRON', canonical: address, checksum: base58Checksum(address, [0x41]) }
  }
  if (BITCOIN_BASE58.test(address)) {
    const checksum = base58Checksum(address, [0x00, 0x05])
    if (checksum === 'valid' || !isSolana(address))
      return { family: 'BITCOIN', canonical: address, checksum }
  }
  if (BECH32.test(address)) return readBech32(address)
  if (isSolana(address)) return { family: 'SOLANA', canonical: address, checksum: 'none' }
  return {
    family: 'OTHER',
    canonical: CASHADDR.test(address) ? address.toLowerCase() : address,
    checksum: 'none',
  }
}

/**
 * Every canonical address that `text` may denote, in order of appearance, each once: for look-up on
 * lists.
 *
 * Undoes what hides an address from an exact look-up: compatibility and look-alike letters,
 * invisible and bidirectional characters, spaces inside, URI schemes and explorer URLs, quotes,
 * brackets and comma lists, `0X` or no prefix, 32-byte padding, Tron's hexadecimal form. It never
 * guesses a missing or changed character: a near miss is another account. Bounded: at most
 * `WALLET_TEXT_LIMIT` characters are looked at.
 */
export function walletCandidates(text: string): string[] {
  const folded = foldWalletText(text)
  const found = new Set<string>()
  for (const run of folded.match(/[0-9A-Za-z]+/g) ?? []) addReadings(run, found)
  // Spaces split a text of several addresses, and also hide one address: both readings are tried.
  const closed = folded.replace(/\s+/g, '')
  if (closed !== folded)
    for (const run of closed.match(/[0-9A-Za-z]+/g) ?? []) addReadings(run, found)
  return [...found]
}

function foldWalletText(text: string): string {
  const visible = text
    .slice(0, WALLET_TEXT_LIMIT)
    .normalize('NFKC')
    .slice(0, WALLET_TEXT_LIMIT)
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]+/gu, '')
    .replace(/[\p{Cc}\u2800]+/gu, ' ')
  if (!/[^\x20-\x7e]/.test(visible)) return visible
  return visible.replace(/[^\x20-\x7e]/gu, (letter) => LATIN_OF.get(letter) ?? letter)
}

function addReadings(run: string, found: Set<string>): void {
  for (const [inside] of run.matchAll(EVM_INSIDE)) found.add(inside.toLowerCase())
  if (run.length < SHORTEST_ADDRESS || run.length > LONGEST_ADDRESS) return
  const account = BARE_HEX.exec(run)?.[1] ?? ABI_PADDED.exec(run)?.[1]
  if (account !== undefined) found.add(`0x${account.toLowerCase()}`)
  else found.add(readWallet(run).canonical)
}

function readEvm(address: string): Wallet {
  const digits = address.slice(2)
  const lower = digits.toLowerCase()
  const oneCase = digits === lower || digits === digits.toUpperCase()
  const checksum = oneCase ? 'none' : digits === eip55(lower) ? 'valid' : 'invalid'
  return { family: 'EVM', canonical: `0x${lower}`, checksum }
}

/** Mixed-case form of 40 lower-case digits. EIP-55. */
function eip55(lower: string): string {
  const digest = hex.encode(keccak_256(utf8.decode(lower)))
  let mixed = ''
  for (let at = 0; at < lower.length; at++) {
    const digit = lower.charAt(at)
    mixed += Number.parseInt(digest.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit
  }
  return mixed
}

function tronFromHex(digits: string): string {
  return base58check.encode(hex.decode(digits.toLowerCase()))
}

function base58Checksum(address: string, versions: readonly number[]): WalletChecksum {
  try {
    const payload = base58check.decode(address)
    return payload.length === 21 && versions.includes(payload[0] ?? -1) ? 'valid' : 'invalid'
  } catch {
    return 'invalid'
  }
}

function readBech32(address: string): Wallet {
  const canonical = address.toLowerCase()
  const prefix = canonical.slice(0, canonical.lastIndexOf('1'))
  const family = prefix === 'sei' ? 'SEI' : prefix === 'bc' ? 'BITCOIN' : 'OTHER'
  const decoded =
    bech32.decodeUnsafe(canonical, LONGEST_ADDRESS) ??
    bech32m.decodeUnsafe(canonical, LONGEST_ADDRESS)
  return { family, canonical, checksum: decoded === undefined ? 'invalid' : 'valid' }
}

function isSolana(address: string): boolean {
  return (
    address.length >= 32 &&
    address.length <= 44 &&
    BASE58.test(address) &&
    base58.decode(address).length === 32
  )
}
