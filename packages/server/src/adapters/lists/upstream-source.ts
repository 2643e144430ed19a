/** Lists from their publishers, or from a mirror: asked conditionally, file by file. */
import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isoTime } from '@portcullis/protocol'
import {
  type Edition,
  type EditionFile,
  type ListSource,
  ListUnreachable,
  type Look,
  type Pause,
} from '../../app/lists/list-ports.ts'
import type { Clock } from '../../app/ports.ts'
import { readJson, writeJson } from './atomic-file.ts'
import { type Download, download, type Validators } from './download.ts'
import { hashEdition } from './edition-files.ts'
import { mirrored, UPSTREAM, type UpstreamFile } from './upstream.ts'

/** Beside the files of an edition: what the publisher said of each. */
const VALIDATORS_FILE = 'validators.json'

export interface UpstreamSettings {
  /** `<base>/<upstream file name>` instead of the publishers. */
  readonly base: string | undefined
  /** The folder of the shelf: downloads are collected in it, so that keeping one is a rename. */
  readonly root: string
  /** Narrower than those of the table, for tests. */
  readonly bounds?: { readonly maxBytes?: number; readonly timeoutMs?: number }
}

interface Fetched {
  readonly file: UpstreamFile
  readonly got: Download | { readonly kind: 'failed' }
}

/** The publishers, or their mirror. */
export function upstreamSource(
  { base, root, bounds = {} }: UpstreamSettings,
  clock: Clock,
  pause: Pause,
): ListSource {
  const table = base === undefined ? UPSTREAM : mirrored(base)
  const source = base === undefined ? 'publisher' : new URL(base).host
  const origin = base ?? 'publishers'
  return {
    origin,
    source,
    downloaded: true,
    async look(id, ...asked): Promise<Look> {
      const folder = join(root, id, `incoming-${process.pid}`)
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      try {
        return await lookInto(folder, id, ...asked)
      } catch (error) {
        // Each failed `lists sync` is a process of its own, and would leave its downloads behind.
        await rm(folder, { recursive: true, force: true })
        throw error
      }
    },
  }

  async function lookInto(
    folder: string,
    ...[id, known, signal, progress]: Parameters<ListSource['look']>
  ): Promise<Look> {
    const newest = known.find((edition) => edition.origin === origin)
    const validators = newest === undefined ? {} : await validatorsOf(newest)
    const fetched = await fetchAll(table[id], (file) =>
      download(
        {
          ...file,
          ...bounds,
          validators: validators[nameOf(file)] ?? {},
          path: join(folder, nameOf(file)),
        },
        pause,
        signal,
        progress,
      ),
    )
    const files = await collect(fetched, newest, folder)
    const contentHash = hashEdition(files)
    await writeJson(join(folder, VALIDATORS_FILE), newValidators(fetched, validators))
    if (contentHash === known[0]?.contentHash) {
      await rename(join(folder, VALIDATORS_FILE), join(folderOf(known[0]), VALIDATORS_FILE))
      await rm(folder, { recursive: true, force: true })
      return { kind: 'unchanged' }
    }
    const loadedAt = isoTime(clock.now())
    const edition = { id, contentHash, files, origin, source, downloaded: true, loadedAt }
    return { kind: 'changed', edition }
  }
}

const nameOf = ({ name }: UpstreamFile): string => name.toLowerCase()

const folderOf = ({ files }: Edition): string => join(files[0]?.path ?? '', '..')

/** All files of a list at once; a file that the list can do without may fail. */
async function fetchAll(
  files: readonly UpstreamFile[],
  fetchOne: (file: UpstreamFile) => Promise<Download>,
): Promise<Fetched[]> {
  const results = await Promise.allSettled(
    files.map(async (file): Promise<Fetched> => {
      const got = await fetchOne(file).catch((error: unknown) => {
        if (file.needed) throw error
        return { kind: 'failed' } as const
      })
      return { file, got }
    }),
  )
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}

/** New files, and those that are as they were from the edition at hand. */
async function collect(
  fetched: readonly Fetched[],
  newest: Edition | undefined,
  folder: string,
): Promise<EditionFile[]> {
  const files: EditionFile[] = []
  for (const { file, got } of fetched) {
    const name = nameOf(file)
    const path = join(folder, name)
    const old = newest?.files.find((one) => one.name === name)
    if (got.kind === 'new') {
      files.push({ name, path, sha256: got.sha256 })
    } else if (got.kind === 'absent' || old === undefined) {
      if (file.needed) throw new ListUnreachable(`${file.name}: the publisher has no such file`)
    } else {
      await copyFile(old.path, path).catch(() => {
        throw new ListUnreachable(`${file.name}: unchanged at the publisher, but not at hand`)
      })
      files.push({ name, path, sha256: old.sha256 })
    }
  }
  return files
}

type ValidatorsByFile = Readonly<Record<string, Validators>>

/** Without them, or when they cannot be read, everything is fetched again. */
async function validatorsOf(edition: Edition): Promise<ValidatorsByFile> {
  return (await readJson<ValidatorsByFile>(join(folderOf(edition), VALIDATORS_FILE))) ?? {}
}

function newValidators(fetched: readonly Fetched[], known: ValidatorsByFile): ValidatorsByFile {
  const entries = fetched.map(({ file, got }) => {
    const name = nameOf(file)
    if (got.kind !== 'new') return [name, known[name] ?? {}] as const
    const { etag, lastModified } = got
    return [name, { ...(etag && { etag }), ...(lastModified && { lastModified }) }] as const
  })
  return Object.fromEntries(entries)
}
