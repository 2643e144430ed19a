/**
 * Every sanctions list the service knows, in the order in which matches of equal score are
 * reported.
 *
 * `names` says how names of the list are compared. spec: Screening list layers (the UN, EU, UK and
 * public-official layers use exact normalised matching only).
 */
export const SANCTIONS_LISTS = {
  OFAC_SDN: { names: 'similar' },
  OFAC_CONS: { names: 'similar' },
  UN_SC: { names: 'exact' },
  EU_FSF: { names: 'exact' },
  UK_FCDO: { names: 'exact' },
  US_LEGISLATORS: { names: 'exact' },
} as const satisfies Record<string, { names: 'similar' | 'exact' }>

/** One published sanctions list. */
export type ListId = keyof typeof SANCTIONS_LISTS

/** `SANCTIONS_LISTS` as an ordered set of ids. */
export const LIST_IDS = Object.keys(SANCTIONS_LISTS) as readonly ListId[]

/** What kind of party is listed. Everything that is no person and no craft is an entity. */
export type EntryType = 'individual' | 'entity' | 'vessel' | 'aircraft'

/**
 * How far the publisher vouches for a name. A weak alias alone is never reason enough for a BLOCK.
 */
export type NameQuality = 'strong' | 'weak'

/** Another name of a listed party: also, formerly or now known as. */
export interface Alias {
  readonly name: string
  readonly quality: NameQuality
  readonly kind: 'aka' | 'fka' | 'nka'
}

/**
 * A digital-currency address as published. `ticker` in upper case as published; it does not tell
 * the chain.
 */
export interface ListedAddress {
  readonly ticker: string
  readonly address: string
}

/** One listed party, whichever list it comes from. Names stand exactly as published. */
export interface WatchlistEntry {
  readonly list: ListId
  /** The publisher's own entry number. */
  readonly entryId: string
  readonly type: EntryType
  readonly primaryName: string
  readonly aliases: readonly Alias[]
  readonly addresses: readonly ListedAddress[]
  /** The publisher's sanctions programs, such as `SDGT`. */
  readonly programs: readonly string[]
}

/**
 * A person's name in speaking order: `LAST, First Middle` becomes `First Middle LAST`. Any other
 * name is returned unchanged, since company names hold commas too.
 */
export function speakingOrder(name: string, type: EntryType): string {
  const comma = type === 'individual' ? name.indexOf(',') : -1
  return comma < 0 ? name : `${name.slice(comma + 1).trim()} ${name.slice(0, comma).trim()}`
}
