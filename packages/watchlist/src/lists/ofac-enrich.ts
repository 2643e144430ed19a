import type { WatchlistEntry } from '../entry.ts'
import { distinct } from './entry-draft.ts'

/**
 * Adds to each entry of the CSV files what the XML file of the same list says more: aliases with
 * their quality, spellings in other scripts, and wallets.
 *
 * The CSV files decide who is listed. The two are published minutes apart and may be of different
 * days, so a number alone is not trusted: a strong name must agree as well.
 */
export function enrich(
  entries: readonly WatchlistEntry[],
  more: readonly WatchlistEntry[],
): WatchlistEntry[] {
  const byId = new Map(more.map((entry) => [entry.entryId, entry]))
  return entries.map((entry) => {
    const other = byId.get(entry.entryId)
    return other === undefined || !sameParty(entry, other) ? entry : merge(entry, other)
  })
}

/** A party may have got another main name between the two files; a strong name is left of it. */
function sameParty(entry: WatchlistEntry, other: WatchlistEntry): boolean {
  const names = new Set(strongNames(entry))
  return strongNames(other).some((name) => names.has(name))
}

const strongNames = ({ primaryName, aliases }: WatchlistEntry): string[] =>
  [
    primaryName,
    ...aliases.filter(({ quality }) => quality === 'strong').map(({ name }) => name),
  ].map(letters)

/** The CSV files are ASCII, the XML files are not: marks, signs and case do not count. */
function letters(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()
}

function merge(entry: WatchlistEntry, other: WatchlistEntry): WatchlistEntry {
  const known = new Set([entry.primaryName, ...entry.aliases.map(({ name }) => name)].map(letters))
  const listed = new Set(entry.addresses.map(({ ticker, address }) => `${ticker} ${address}`))
  const primary = { name: other.primaryName, quality: 'strong', kind: 'aka' } as const
  const added = [primary, ...other.aliases].filter(({ name }) => !known.has(letters(name)))
  const wallets = other.addresses.filter(
    ({ ticker, address }) => !listed.has(`${ticker} ${address}`),
  )
  return {
    ...entry,
    aliases: distinct([...entry.aliases, ...added], entry.primaryName),
    addresses: [...entry.addresses, ...wallets],
  }
}
