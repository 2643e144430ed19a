/**
 * The last good lists on disk: `DATA_DIR/lists/<list>/<hash>/<files>`, and beside the folders
 * `current.json`, `previous.json`, `refused.json` and `accepted.json`, which say what each is.
 *
 * Files come first and the page that names them last, each by rename: whoever dies in between
 * leaves files that no page names, and those are cleared away later.
 */
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { ListId } from '@portcullis/watchlist'
import type {
  Edition,
  GoodEdition,
  KeptDiff,
  ListShelf,
  RefusedEdition,
  Shelved,
} from '../../app/lists/list-ports.ts'
import type { Clock } from '../../app/ports.ts'
import { readJson, syncFolder, writeJson } from './atomic-file.ts'
import { hashFile } from './edition-files.ts'

const FOLDER_HASH_LENGTH = 32
const DIFFS_KEPT = 50
/** Files that no page names may be the work of another process; after this they are not. */
const ORPHANED_AFTER_MS = 60 * 60_000

/** The shelf in that folder; made at the first write. */
export function openShelf(root: string, clock: Clock): ListShelf {
  const at = (id: ListId, name: string) => join(root, id, name)
  const editionPage = async <T extends Edition>(id: ListId, name: string) => {
    const page = await readJson<T>(at(id, name))
    return page === undefined ? undefined : located(page, join(root, id))
  }
  const shelf: ListShelf = {
    async read(id): Promise<Shelved> {
      return {
        current: await editionPage<GoodEdition>(id, 'current.json'),
        previous: await editionPage<GoodEdition>(id, 'previous.json'),
        refused: await editionPage<RefusedEdition>(id, 'refused.json'),
        accepted: (await readJson<{ contentHash: string }>(at(id, 'accepted.json')))?.contentHash,
      }
    },
    async keep(edition) {
      const kept = await place(edition, join(root, edition.id))
      const before = await readJson<GoodEdition>(at(edition.id, 'current.json'))
      if (before !== undefined && before.contentHash !== edition.contentHash)
        await writeJson(at(edition.id, 'previous.json'), before)
      await writeJson(at(edition.id, 'current.json'), kept)
      await rm(at(edition.id, 'refused.json'), { force: true })
      await clearAway(join(root, edition.id), await shelf.read(edition.id), clock)
      return kept
    },
    async refuse(edition) {
      const placed = await place(edition, join(root, edition.id))
      await writeJson(at(edition.id, 'refused.json'), placed)
      await clearAway(join(root, edition.id), await shelf.read(edition.id), clock)
      return placed
    },
    async confirm(id, contentHash, loadedAt) {
      const current = await editionPage<GoodEdition>(id, 'current.json')
      if (current?.contentHash !== contentHash) return
      await writeJson(at(id, 'current.json'), { ...current, loadedAt })
      await rm(at(id, 'refused.json'), { force: true })
    },
    async accept(id, contentHash) {
      await mkdir(join(root, id), { recursive: true, mode: 0o700 })
      await writeJson(at(id, 'accepted.json'), { contentHash })
    },
    async keepDiff(diff) {
      const folder = at(diff.list, 'diffs')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = `${diff.at.replaceAll(/[^0-9TZ]/g, '')}-${diff.to.slice(0, 12)}.json`
      await writeJson(join(folder, name), diff)
      const names = (await readdir(folder)).filter((one) => one.endsWith('.json')).toSorted()
      for (const old of names.slice(0, -DIFFS_KEPT)) await rm(join(folder, old), { force: true })
    },
    async diffs(id) {
      const names = await readdir(at(id, 'diffs')).catch(() => [])
      const pages = names.filter((name) => name.endsWith('.json')).toSorted()
      const diffs = await Promise.all(
        pages.map((name) => readJson<KeptDiff>(join(at(id, 'diffs'), name))),
      )
      return diffs.filter((diff) => diff !== undefined).toReversed()
    },
  }
  return shelf
}

const folderName = ({ contentHash }: Edition): string => contentHash.slice(0, FOLDER_HASH_LENGTH)

/**
 * The folder may have been moved since it was written: paths are made anew from where it stands.
 */
function located<T extends Edition>(edition: T, folder: string): T {
  const inFolder = (name: string) => join(folder, folderName(edition), name)
  return { ...edition, files: edition.files.map((one) => ({ ...one, path: inFolder(one.name) })) }
}

/** Moves or copies the files to their place on the shelf. */
async function place<T extends Edition>(edition: T, folder: string): Promise<T> {
  const placed = located(edition, folder)
  const target = join(folder, folderName(edition))
  const [first] = edition.files
  if (first === undefined || dirname(first.path) === target || (await isWhole(placed)))
    return placed
  const draft = `${target}.${process.pid}.tmp`
  await rm(draft, { recursive: true, force: true })
  await rm(target, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (basename(dirname(first.path)).startsWith('incoming-')) {
    await rename(dirname(first.path), draft)
  } else {
    await mkdir(draft, { mode: 0o700 })
    for (const { name, path } of edition.files) await copyDurably(path, join(draft, name))
  }
  await syncFolder(draft)
  await rename(draft, target)
  await syncFolder(folder)
  return placed
}

async function isWhole({ files }: Edition): Promise<boolean> {
  const hashes = await Promise.all(files.map(({ path }) => hashFile(path).catch(() => '')))
  return files.every(({ sha256 }, at) => sha256 === hashes[at])
}

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  const file = await open(to, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Removes what no page names, once it is too old to be somebody's work in progress. */
async function clearAway(folder: string, shelved: Shelved, clock: Clock): Promise<void> {
  const { current, previous, refused } = shelved
  const named = new Set(['diffs'])
  for (const edition of [current, previous, refused])
    if (edition !== undefined) named.add(folderName(edition))
  for (const name of await readdir(folder)) {
    if (named.has(name) || /^(current|previous|refused|accepted)\.json$/.test(name)) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found === undefined || clock.now() - found.mtimeMs < ORPHANED_AFTER_MS) continue
    await rm(path, { recursive: true, force: true })
  }
}
