import type { Alias, WatchlistEntry } from '../entry.ts'
import { ListRefused } from './list-refused.ts'
import { toEntries } from './entry-draft.ts'
import type { EntryDraft } from './entry-draft.ts'
import { textOf } from './list-files.ts'
import type { ListFile } from './list-files.ts'

const FILE = 'legislators-current.json'

/** What the file says of a name; everything but first and last may be missing. */
interface PublishedName {
  readonly first: string
  readonly last: string
  readonly middle?: string
  readonly suffix?: string
  readonly nickname?: string
  readonly official_full?: string
}

const refuse = (reason: string) => new ListRefused('US_LEGISLATORS', `${FILE} ${reason}`)

/**
 * Current members of the US Congress, under their numbers in the Biographical Directory.
 *
 * Names of this list are compared exactly, so every usual way to put the published parts together
 * is a name of the member: with and without middle name, its initial, the nickname and the suffix.
 *
 * @throws ListRefused when the file is no list of legislators.
 */
export function readLegislators(file: ListFile): WatchlistEntry[] {
  const published = parseList(textOf(file))
  return toEntries('US_LEGISLATORS', FILE, published.map(toDraft))
}

function parseList(text: string): unknown[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw refuse(`does not parse: ${error instanceof Error ? error.message : 'unknown fault'}`)
  }
  if (!Array.isArray(value)) throw refuse('is no list')
  return value as unknown[]
}

function toDraft(legislator: unknown, at: number): EntryDraft {
  const name = member(legislator, 'name')
  const entryId = member(member(legislator, 'id'), 'bioguide')
  const first = member(name, 'first')
  const last = member(name, 'last')
  if (typeof entryId !== 'string' || typeof first !== 'string' || typeof last !== 'string')
    throw refuse(`has no number or name for legislator ${at + 1}`)
  const names = spellings({ ...(name as PublishedName), first, last })
  const [primaryName = '', ...others] = names
  const aliases = others.map((one): Alias => ({ name: one, quality: 'strong', kind: 'aka' }))
  return { entryId, type: 'individual', primaryName, aliases, addresses: [], programs: [] }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}

function spellings({
  first,
  last,
  middle,
  suffix,
  nickname,
  official_full,
}: PublishedName): string[] {
  const names = new Set<string>()
  if (official_full !== undefined) names.add(official_full)
  const given = nickname === undefined ? [first] : [first, nickname]
  const middles = middle === undefined ? [''] : ['', middle, `${middle.charAt(0)}.`]
  const suffixes = suffix === undefined ? [''] : ['', suffix]
  for (const begin of given)
    for (const between of middles)
      for (const end of suffixes)
        names.add([begin, between, last, end].filter((part) => part !== '').join(' '))
  return [...names]
}
