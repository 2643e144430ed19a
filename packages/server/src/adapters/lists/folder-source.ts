/** Lists from a folder that somebody else keeps current, under their upstream names in any case. */
import { readdir, stat } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { isoTime } from '@portcullis/protocol'
import { type ListId, PUBLISHED_LISTS } from '@portcullis/watchlist'
import {
  type EditionFile,
  type ListSource,
  ListUnreachable,
  type Look,
} from '../../app/lists/list-ports.ts'
import type { Clock } from '../../app/ports.ts'
import { hashEdition, hashFile } from './edition-files.ts'

export const FOLDER_SOURCE = 'LISTS_DIR'

/** A file as the folder has it. */
interface FolderFile {
  readonly name: string
  readonly path: string
  readonly mtimeMs: number
  readonly size: number
}

/**
 * `LISTS_DIR`. A folder that is not there holds nothing. A file is never younger than the moment at
 * which it was seen first, so that a date in the future cannot keep a list fresh.
 */
export function folderSource(folder: string, clock: Pick<Clock, 'now'>): ListSource {
  const seen = new Map<ListId, { signature: string; contentHash: string }>()
  const origin = `folder ${createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16)}`
  return {
    origin,
    source: FOLDER_SOURCE,
    downloaded: false,
    async look(id, known): Promise<Look> {
      const files = await filesOf(folder, id)
      if (files.length === 0) return { kind: 'absent' }
      const signature = JSON.stringify(files)
      const last = seen.get(id)
      if (last?.signature === signature && last.contentHash === known[0]?.contentHash)
        return { kind: 'unchanged' }
      const hashed = await hashAll(files)
      const contentHash = hashEdition(hashed)
      seen.set(id, { signature, contentHash })
      const oldest = Math.min(clock.now(), ...files.map(({ mtimeMs }) => mtimeMs))
      const loadedAt = isoTime(Math.floor(oldest))
      const edition = { id, contentHash, files: hashed, origin, loadedAt }
      return { kind: 'changed', edition: { ...edition, source: FOLDER_SOURCE, downloaded: false } }
    },
  }
}

async function filesOf(folder: string, id: ListId): Promise<FolderFile[]> {
  const { files } = PUBLISHED_LISTS[id]
  const wanted = new Set(files.flatMap(({ name, archive }) => [name, archive ?? name]))
  const names = await readdir(folder).catch(() => [])
  const found = names.filter((name) => wanted.has(name.toLowerCase())).toSorted()
  return Promise.all(
    found.map(async (name) => {
      const path = join(folder, name)
      const { mtimeMs, size } = await stat(path).catch(() => {
        throw new ListUnreachable(`${name} cannot be read`)
      })
      return { name: name.toLowerCase(), path, mtimeMs, size }
    }),
  )
}

const hashAll = (files: readonly FolderFile[]): Promise<EditionFile[]> =>
  Promise.all(
    files.map(async ({ name, path }) => {
      const sha256 = await hashFile(path).catch(() => {
        throw new ListUnreachable(`${name} cannot be read`)
      })
      return { name, path, sha256 }
    }),
  )
