/** Which entries differ between two versions of all lists, added up from what the shelf keeps. */
import { type EntryRef, LIST_IDS, type ListDiff, type ListId } from '@portcullis/watchlist'
import { settled } from './list-builds.ts'
import type { KeptDiff } from './list-ports.ts'
import type { Lists } from './list-state.ts'

/** Undefined when it is not known: a list came or went, or a version in between was not seen. */
export async function differenceBetween(
  lists: Lists,
  from: string,
  to: string,
): Promise<readonly EntryRef[] | undefined> {
  // A swap comes first, and its difference is on the shelf a moment later.
  await settled(lists)
  const [before, after] = [contentsOf(from), contentsOf(to)]
  const entries: EntryRef[] = []
  for (const list of LIST_IDS) {
    const [old, now] = [before.get(list), after.get(list)]
    if (old === now) continue
    if (old === undefined || now === undefined) return undefined
    const ids = entriesBetween(await lists.parts.shelf.diffs(list), old, now)
    if (ids === undefined) return undefined
    for (const entryId of ids) entries.push({ list, entryId })
  }
  return entries
}

/** The beginning of each list's content hash, as a version of all lists has it. */
const contentsOf = (version: string): ReadonlyMap<ListId, string> =>
  new Map(version.split('+').map((one) => one.split('@') as [ListId, string]))

interface Step {
  readonly at: string
  readonly ids: ReadonlySet<string>
}

/** Along the shortest way that the differences lead from one content to the other. */
export function entriesBetween(
  diffs: readonly KeptDiff[],
  from: string,
  to: string,
): ReadonlySet<string> | undefined {
  const steps: Step[] = [{ at: from, ids: new Set() }]
  const been = new Set([from])
  for (const { at, ids } of steps) {
    if (at.startsWith(to)) return ids
    for (const next of diffs) {
      if (!next.from.startsWith(at) || been.has(next.to)) continue
      been.add(next.to)
      steps.push({ at: next.to, ids: new Set([...ids, ...changedIds(next.diff)]) })
    }
  }
  return undefined
}

/** Whoever is under another program is still who it was. */
const changedIds = ({ added, removed, changed }: ListDiff): string[] =>
  [
    ...added,
    ...removed,
    ...changed.filter(({ what }) => what.some((one) => one !== 'programs')),
  ].map(({ entryId }) => entryId)
