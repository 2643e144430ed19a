import type { WatchlistEntry } from '../entry.ts'

/** A listed party in a difference: enough to find and to recognise it. */
export interface ChangedEntry {
  readonly entryId: string
  readonly primaryName: string
}

/** What one version of a list has that another has not. */
export interface ListDiff {
  readonly added: readonly ChangedEntry[]
  readonly removed: readonly ChangedEntry[]
  readonly changed: readonly (ChangedEntry & { readonly what: readonly string[] })[]
}

const FIELDS = ['type', 'primaryName', 'aliases', 'addresses', 'programs'] as const

/** The difference between two versions of one list, by entry number. */
export function diffLists(
  before: readonly WatchlistEntry[],
  after: readonly WatchlistEntry[],
): ListDiff {
  const old = new Map(before.map((entry) => [entry.entryId, entry]))
  const added: ChangedEntry[] = []
  const changed: (ChangedEntry & { what: readonly string[] })[] = []
  for (const entry of after) {
    const known = old.get(entry.entryId)
    if (known === undefined) {
      added.push(named(entry))
      continue
    }
    old.delete(entry.entryId)
    const what = FIELDS.filter((field) => !sameField(known[field], entry[field]))
    if (what.length > 0) changed.push({ ...named(entry), what })
  }
  return { added, removed: [...old.values()].map(named), changed }
}

const named = ({ entryId, primaryName }: WatchlistEntry): ChangedEntry => ({ entryId, primaryName })

/** Order does not count: publishers shuffle aliases without meaning anything by it. */
function sameField(a: WatchlistEntry[keyof WatchlistEntry], b: typeof a): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b
  const texts = (values: typeof a) => values.map((value) => JSON.stringify(value)).toSorted()
  return a.length === b.length && texts(a).join() === texts(b).join()
}
