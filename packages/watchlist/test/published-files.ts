import { existsSync, readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { listFile, PUBLISHED_LISTS } from '../src/index.ts'
import type { ListFile, ListFiles, ListId, WatchlistEntry } from '../src/index.ts'

const SHARED = new URL('../../../../shared/data/lists/', import.meta.url)

/** Files of a list by upstream name. */
export function filesOf(texts: Readonly<Record<string, string>>): ListFiles {
  return new Map(Object.entries(texts).map(([name, text]) => [name.toLowerCase(), listFile(text)]))
}

/** Entries of a list from its files. */
export function readList(id: ListId, texts: Readonly<Record<string, string>>): WatchlistEntry[] {
  return PUBLISHED_LISTS[id].read(filesOf(texts))
}

/** Skips the test when the shared lists are not beside this repository. */
export function sharedList(t: TestContext, folder: string): URL | undefined {
  const url = new URL(`${folder}/`, SHARED)
  if (existsSync(url)) return url
  t.skip(`left out: ../shared/data/lists/${folder} is not beside this repository`)
  return undefined
}

/** Entries of a list of the current folder. */
export function readCurrent(t: TestContext, id: ListId): WatchlistEntry[] | undefined {
  const folder = sharedList(t, 'current')
  if (folder === undefined) return undefined
  const names: Readonly<Record<string, string>> = {
    'consolidated.xml': 'consolidated.xml',
    'xmlfullsanctionslist_1_1.xml': 'xmlFullSanctionsList_1_1.xml',
    'uk-sanctions-list.csv': 'UK-Sanctions-List.csv',
  }
  const files = new Map<string, ListFile>()
  for (const { name, encoding } of PUBLISHED_LISTS[id].files) {
    const url = new URL(names[name] ?? name, folder)
    if (existsSync(url)) files.set(name, listFile(readFileSync(url, encoding)))
  }
  return PUBLISHED_LISTS[id].read(files)
}

/** All names of an entry. */
export function namesOf(entry: WatchlistEntry | undefined): string[] {
  return entry === undefined ? [] : [entry.primaryName, ...entry.aliases.map(({ name }) => name)]
}
