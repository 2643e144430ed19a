import type { Alias, EntryType, ListedAddress, WatchlistEntry } from '../entry.ts'
import { ListRefused } from './list-refused.ts'
import { isMarkedAtEnd, readOfacCsv } from './ofac-csv.ts'

/**
 * The texts of one OFAC list as published: `sdn.csv`, `alt.csv` and `sdn_comments.csv`, or their
 * `cons_` counterparts. Without `comments`, addresses that stand beyond a remark's 1,000th
 * character are missing.
 */
export interface OfacFiles {
  readonly sdn: string
  readonly alt: string
  readonly comments?: string
}

/** Upstream names of the files of both OFAC lists, in lower case. */
export const OFAC_FILE_NAMES = {
  OFAC_SDN: {
    sdn: 'sdn.csv',
    alt: 'alt.csv',
    comments: 'sdn_comments.csv',
    enhanced: 'sdn_enhanced.xml',
    advanced: 'sdn_advanced.xml',
  },
  OFAC_CONS: {
    sdn: 'cons_prim.csv',
    alt: 'cons_alt.csv',
    comments: 'cons_comments.csv',
    enhanced: 'cons_enhanced.xml',
    advanced: 'cons_advanced.xml',
  },
} as const

/** Either of OFAC's lists. */
export type OfacListId = keyof typeof OFAC_FILE_NAMES

const SDN_COLUMNS = 12
const ALT_COLUMNS = 5
const COMMENT_COLUMNS = 2

const CRAFT: Readonly<Record<string, EntryType>> = {
  individual: 'individual',
  vessel: 'vessel',
  aircraft: 'aircraft',
}

/**
 * Entries of the OFAC list, in published order.
 *
 * Remarks are joined with their continuation before anything is read from them, because they are
 * cut anywhere, also through an address. Strong aliases come from `alt`, weak ones from the remarks
 * (`a.k.a. 'X'`).
 *
 * @throws ListRefused when a file does not parse whole, or names an entry that `sdn` does not have.
 */
export function readOfacSdn(files: OfacFiles, list: OfacListId = 'OFAC_SDN'): WatchlistEntry[] {
  const rows = readOfacCsv(list, OFAC_FILE_NAMES[list].sdn, files.sdn, SDN_COLUMNS)
  const known = new Set(rows.map(([id]) => id ?? ''))
  if (known.size !== rows.length)
    throw new ListRefused(list, `${OFAC_FILE_NAMES[list].sdn} has an entry number twice`)
  const comments = readComments(files.comments, list, known)
  const aliases = readAliases(files.alt, list, known)
  refuseCutFiles(files, list)
  return rows.map((row) => toEntry(row, list, aliases, comments))
}

/** Where one file of a list carries the end mark, one without it was cut at the end of a line. */
function refuseCutFiles(files: OfacFiles, list: OfacListId): void {
  const names = ['sdn', 'alt', 'comments'] as const
  const here = names.filter((name) => files[name] !== undefined)
  const unmarked = here.filter((name) => !isMarkedAtEnd(files[name] ?? ''))
  const [cut] = unmarked
  if (cut !== undefined && unmarked.length < here.length)
    throw new ListRefused(
      list,
      `${OFAC_FILE_NAMES[list][cut]} lacks the end mark that the other files have: it is cut short`,
    )
}

function toEntry(
  row: readonly string[],
  list: OfacListId,
  aliases: ReadonlyMap<string, Alias[]>,
  comments: ReadonlyMap<string, string>,
): WatchlistEntry {
  const [entryId = '', primaryName = '', type = '', programs = ''] = row
  if (primaryName === '')
    throw new ListRefused(list, `${OFAC_FILE_NAMES[list].sdn} has no name for entry ${entryId}`)
  const remarks = (row[SDN_COLUMNS - 1] ?? '') + (comments.get(entryId) ?? '')
  return {
    list,
    entryId,
    type: CRAFT[type.trim()] ?? 'entity',
    primaryName,
    aliases: [...(aliases.get(entryId) ?? []), ...weakAliases(remarks)],
    addresses: listedAddresses(remarks),
    programs: programs
      .split(/[,;\]\[]+/)
      .map((program) => program.trim())
      .filter((program) => program !== ''),
  }
}

function readAliases(
  text: string,
  list: OfacListId,
  known: ReadonlySet<string>,
): Map<string, Alias[]> {
  const byEntry = new Map<string, Alias[]>()
  for (const [entryId = '', , kind = '', name = ''] of readOfacCsv(
    list,
    OFAC_FILE_NAMES[list].alt,
    text,
    ALT_COLUMNS,
  )) {
    if (!known.has(entryId))
      throw new ListRefused(
        list,
        `${OFAC_FILE_NAMES[list].alt} has an alias for the unknown entry ${entryId}`,
      )
    const alias: Alias = {
      name,
      quality: 'strong',
      kind: kind === 'fka' || kind === 'nka' ? kind : 'aka',
    }
    const others = byEntry.get(entryId)
    if (others === undefined) byEntry.set(entryId, [alias])
    else others.push(alias)
  }
  return byEntry
}

function readComments(
  text: string | undefined,
  list: OfacListId,
  known: ReadonlySet<string>,
): Map<string, string> {
  const byEntry = new Map<string, string>()
  if (text === undefined) return byEntry
  for (const [entryId = '', comment = ''] of readOfacCsv(
    list,
    OFAC_FILE_NAMES[list].comments,
    text,
    COMMENT_COLUMNS,
  )) {
    if (!known.has(entryId))
      throw new ListRefused(
        list,
        `${OFAC_FILE_NAMES[list].comments} continues the unknown entry ${entryId}`,
      )
    byEntry.set(entryId, (byEntry.get(entryId) ?? '') + comment)
  }
  return byEntry
}

/** Remarks name weak aliases in quotes: `a.k.a. 'EL MENCHO'`. The quote may hold an apostrophe. */
function weakAliases(remarks: string): Alias[] {
  const found: Alias[] = []
  for (const [, kind, name = ''] of remarks.matchAll(
    /\b([afn])\.k\.a\. '(.+?)'(?=\s*(?:;|\.?\s*$|\.;))/g,
  )) {
    found.push({ name, quality: 'weak', kind: kind === 'f' ? 'fka' : kind === 'n' ? 'nka' : 'aka' })
  }
  return found
}

/**
 * Tickers are open-ended: whatever stands between the fixed words and the address is the ticker.
 */
function listedAddresses(remarks: string): ListedAddress[] {
  const found: ListedAddress[] = []
  for (const [, ticker = '', address = ''] of remarks.matchAll(
    /Digital Currency Address - (\S+) ([^\s;]+)/g,
  )) {
    found.push({ ticker: ticker.toUpperCase(), address: address.replace(/\.$/, '') })
  }
  return found
}
