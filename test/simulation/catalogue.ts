/**
 * The names, wallets and protocols that a simulated world knows, each with what is true of it by
 * construction: so the oracle needs no matching, no checksums and no normal forms of its own.
 */
import type { ListId, WatchlistEntry } from '@portcullis/watchlist'

export type PartyId =
  'gorbatov' | 'zharov' | 'kestrel' | 'obrelka' | 'talvenor' | 'vostrikov' | 'halloran'

/** What a list says of a text: enough to block, or only a resemblance. */
export interface Text {
  readonly text: string
  /** Texts that a whitelist takes for one. */
  readonly key: string
  /** The party that is meant when it is listed. */
  readonly party?: PartyId
  /** A weak alias: a near match even when it is exact. */
  readonly weak?: true
}

export interface WalletText extends Text {
  readonly family: 'EVM' | 'TRON' | 'BITCOIN' | 'SOLANA' | 'OTHER'
  readonly wellFormed: boolean
}

const GORBATOV_WALLET = '0x8589427373D6D84E98730D7795D8f6f8731FDA16'
const TALVENOR_WALLET = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const VOSTRIKOV_WALLET = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'

const name = (text: string, party?: PartyId): Text => ({
  text,
  key: `name ${text.toLowerCase()}`,
  ...(party !== undefined && { party }),
})

const wallet = (
  text: string,
  family: WalletText['family'],
  party?: PartyId,
  wellFormed = true,
): WalletText => ({
  text,
  key: `wallet ${family === 'EVM' ? text.toLowerCase() : text}`,
  family,
  wellFormed,
  ...(party !== undefined && { party }),
})

export const HONEST_NAMES: readonly Text[] = [
  name('Northwind Components GmbH'),
  name('Acme Office Supplies'),
  name('acme office supplies'),
  name('Ingrid Solheim'),
]

export const DOUBTFUL_NAMES: readonly Text[] = [
  name('Gorbatov Maritime Trading House', 'gorbatov'),
  name('gorbatov maritime trading house', 'gorbatov'),
  name('Timur Aleksandrovich Zharov', 'zharov'),
  name('Kestrel Obsidian Holdings', 'kestrel'),
  { ...name('Silver Quarry Lantern', 'kestrel'), weak: true },
  name('Vostrikov Brigade Command', 'vostrikov'),
  name('Marguerite Halloran', 'halloran'),
]

/** A wallet that hides in the name of the counterparty. */
export const HIDING_NAME: Text = name(`settle to ${GORBATOV_WALLET}`)
export const HIDDEN_PARTY: PartyId = 'gorbatov'

export const OPERATOR_NAMES: readonly Text[] = [
  name('Harborview Robotics'),
  name('Obrelka Dynamics Bureau', 'obrelka'),
]

export const EVM_WALLETS: readonly WalletText[] = [
  wallet('0xd90e2f925DA726b50C4Ed8D0Fb90Ad053324F31b', 'EVM'),
  wallet('0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', 'EVM'),
  wallet('0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359', 'EVM'),
]

export const OTHER_WALLETS: readonly WalletText[] = [
  wallet('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TRON'),
  wallet('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'BITCOIN'),
  wallet('So11111111111111111111111111111111111111112', 'SOLANA'),
]

export const DOUBTFUL_WALLETS: readonly WalletText[] = [
  wallet(GORBATOV_WALLET, 'EVM', 'gorbatov'),
  wallet(GORBATOV_WALLET.toLowerCase(), 'EVM', 'gorbatov'),
  wallet(TALVENOR_WALLET, 'EVM', 'talvenor'),
  wallet(VOSTRIKOV_WALLET, 'EVM', 'vostrikov'),
  wallet('0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d35A', 'EVM', undefined, false),
  wallet('not-an-address', 'OTHER', undefined, false),
]

/** What operators and agents pay from: one that is never listed, and one that may be. */
export const OPERATOR_WALLETS: readonly WalletText[] = [
  wallet('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'EVM'),
  wallet(TALVENOR_WALLET, 'EVM', 'talvenor'),
]
export const MALFORMED_OPERATOR_WALLETS: readonly string[] = [
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d35A',
]

export interface ProtocolText {
  readonly text: string
  readonly key: string
  readonly mixer: boolean
}

export const PROTOCOLS: readonly ProtocolText[] = [
  { text: 'Uniswap v3', key: 'uniswap', mixer: false },
  { text: 'uniswap-V3', key: 'uniswap', mixer: false },
  { text: 'Aave', key: 'aave', mixer: false },
  { text: 'tornado.cash', key: 'tornado', mixer: true },
  { text: 'Railgun', key: 'railgun', mixer: true },
]

/** The time zones of operating hours, none with daylight saving, and their minutes ahead of UTC. */
export const ZONES: Readonly<Record<string, number>> = {
  UTC: 0,
  'Asia/Tokyo': 540,
  'Asia/Kolkata': 330,
}

const entry = (
  list: ListId,
  entryId: string,
  primaryName: string,
  address?: string,
): WatchlistEntry => ({
  list,
  entryId,
  type: primaryName.includes(',') ? 'individual' : 'entity',
  primaryName,
  aliases:
    entryId === 'kestrel' ? [{ name: 'SILVER QUARRY LANTERN', quality: 'weak', kind: 'aka' }] : [],
  addresses: address === undefined ? [] : [{ ticker: 'ETH', address }],
  programs: ['TEST'],
})

/** Everybody who can be put on a list and taken off it. */
export const ENTRIES: Readonly<Record<PartyId, WatchlistEntry>> = {
  gorbatov: entry('OFAC_SDN', 'gorbatov', 'GORBATOV MARITIME TRADING HOUSE', GORBATOV_WALLET),
  zharov: entry('OFAC_SDN', 'zharov', 'ZHAROV, Timur Aleksandrovich'),
  kestrel: entry('OFAC_SDN', 'kestrel', 'KESTREL OBSIDIAN HOLDINGS'),
  obrelka: entry('OFAC_SDN', 'obrelka', 'OBRELKA DYNAMICS BUREAU'),
  talvenor: entry('OFAC_SDN', 'talvenor', 'TALVENOR SHIPPING CONSORTIUM', TALVENOR_WALLET),
  vostrikov: entry('UN_SC', 'vostrikov', 'Vostrikov Brigade Command', VOSTRIKOV_WALLET),
  halloran: entry('US_LEGISLATORS', 'halloran', 'Marguerite Halloran'),
}

export const FILLER = entry('OFAC_SDN', 'filler', 'QUORUM FILLER PLACEHOLDER')

export type Layer = 'ofac' | 'global' | 'officials'

export const LAYER_OF: Readonly<Record<ListId, Layer>> = {
  OFAC_SDN: 'ofac',
  OFAC_CONS: 'ofac',
  UN_SC: 'global',
  EU_FSF: 'global',
  UK_FCDO: 'global',
  US_LEGISLATORS: 'officials',
}
