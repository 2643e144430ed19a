import type { Alias, EntryType, ListedAddress, ListId, WatchlistEntry } from '../entry.ts'
import { ListRefused } from './list-refused.ts'

/** A listed party as a file tells of it, before its names are put in order. */
export interface EntryDraft {
  readonly entryId: string
  readonly type: EntryType
  /** The publisher's main name; empty when the file marks none. */
  readonly primaryName: string
  readonly aliases: readonly Alias[]
  readonly addresses: readonly ListedAddress[]
  readonly programs: readonly string[]
}

/**
 * Entries with each name once, the main name first; where none is marked, the first strong name is
 * it.
 *
 * @throws ListRefused when there is no entry, an entry without any name or number, or a number
 * twice.
 */
export function toEntries(
  list: ListId,
  file: string,
  drafts: Iterable<EntryDraft>,
): WatchlistEntry[] {
  const refuse = (reason: string) => new ListRefused(list, `${file} ${reason}`)
  const seen = new Set<string>()
  const entries: WatchlistEntry[] = []
  for (const draft of drafts) {
    const { entryId } = draft
    if (entryId === '') throw refuse(`has an entry without a number after ${entries.length} others`)
    if (seen.has(entryId)) throw refuse(`has the entry ${entryId} twice`)
    seen.add(entryId)
    const named = withPrimaryName(draft)
    if (named === undefined) throw refuse(`has no name for entry ${entryId}`)
    entries.push({ list, ...named, aliases: distinct(named.aliases, named.primaryName) })
  }
  if (entries.length === 0) throw refuse('holds no entry')
  return entries
}

function withPrimaryName(draft: EntryDraft): EntryDraft | undefined {
  if (draft.primaryName !== '') return draft
  const first = draft.aliases.find(({ quality }) => quality === 'strong') ?? draft.aliases[0]
  if (first === undefined) return undefined
  return { ...draft, primaryName: first.name }
}

/** Each name once, in published order; a name that is strong anywhere is strong. */
export function distinct(aliases: readonly Alias[], primaryName: string): Alias[] {
  const byName = new Map<string, Alias>()
  for (const alias of aliases) {
    const known = byName.get(alias.name)
    if (alias.name === '' || alias.name === primaryName) continue
    if (known === undefined || (known.quality === 'weak' && alias.quality === 'strong'))
      byName.set(alias.name, alias)
  }
  return [...byName.values()]
}
