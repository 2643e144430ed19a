/** Puts the parts of list keeping together, as the settings say. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createListSync, type ListSync } from '../../app/lists/list-sync.ts'
import type { BuildOrder, ListSource, Pause } from '../../app/lists/list-ports.ts'
import type { Clock, Log } from '../../app/ports.ts'
import { processBuilder, startBuilder } from './builders.ts'
import { folderSource } from './folder-source.ts'
import { openShelf } from './shelf.ts'
import { upstreamSource } from './upstream-source.ts'

export interface ListSettings {
  readonly dataDir: string
  readonly listsDir: string | undefined
  /** Whether anything may be downloaded. */
  readonly listsSync: boolean
  readonly listsPollMs: number
  readonly listsBaseUrl: string | undefined
  /** The embedded fallback is refused. */
  readonly production: boolean
}

/** The machine, as list keeping sees it. */
export interface ListMachine {
  readonly clock: Clock
  readonly pause: Pause
  readonly log: Log
}

/** Below this a build is over before a process would have started. */
const SMALL_BYTES = 200_000

/** The lists of this service, not loaded yet. With `writes: false` nothing on disk changes. */
export function openLists(
  settings: ListSettings,
  { clock, pause, log }: ListMachine,
  { writes } = { writes: true },
): ListSync {
  const root = shelfFolder(settings)
  const snapshots = join(root, 'snapshots')
  return createListSync({
    source: sourceOf(settings, root, clock, pause),
    shelf: openShelf(root, clock),
    startBuilder: startBuilder({ snapshots, isSmall, writes }),
    builder: processBuilder(writes ? { snapshots } : {}),
    clock,
    pause,
    log,
    settings: {
      pollMs: settings.listsPollMs,
      fallback: !settings.production && settings.listsDir === undefined,
      writes,
    },
  })
}

/** Where the last good lists are. */
export const shelfFolder = ({ dataDir }: ListSettings): string => join(dataDir, 'lists')

function sourceOf(
  { listsDir, listsSync, listsBaseUrl }: ListSettings,
  root: string,
  clock: Clock,
  pause: Pause,
): ListSource | undefined {
  if (listsDir !== undefined) return folderSource(listsDir, clock)
  return listsSync ? upstreamSource({ base: listsBaseUrl, root }, clock, pause) : undefined
}

function isSmall({ lists }: BuildOrder): boolean {
  const editions = lists.flatMap(({ candidate, lastGood }) => [candidate ?? [], lastGood].flat())
  const sizes = editions.flatMap(({ files }) => files.map(({ path }) => sizeOf(path)))
  return sizes.reduce((sum, size) => sum + size, 0) < SMALL_BYTES
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
