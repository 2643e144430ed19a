/**
 * Sanctions lists from a folder, under the publishers' file names, or the embedded fallback. A list
 * that does not parse whole is refused and leaves the service without it: it never half loads.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isoTime } from '@portcullis/protocol'
import {
  buildWatchlist,
  FALLBACK_ENTRIES,
  ListRefused,
  type LoadedList,
  readOfacSdn,
  type Watchlist,
} from '@portcullis/watchlist'
import type { Log } from '../app/ports.ts'

/** Date of the facts in the embedded fallback. */
const FALLBACK_DATE = '2026-08-01T00:00:00.000Z'

export const FALLBACK_SOURCE = 'embedded fallback'

export interface ListSettings {
  readonly listsDir: string | undefined
  readonly production: boolean
}

/** The lists in force; undefined when there is no OFAC list, and then nothing may be screened. */
export function loadWatchlist(settings: ListSettings, log: Log): Watchlist | undefined {
  const list =
    settings.listsDir === undefined ? fallback(settings) : fromFolder(settings.listsDir, log)
  return list === undefined ? undefined : buildWatchlist([list])
}

function fallback({ production }: ListSettings): LoadedList | undefined {
  if (production) return undefined
  return {
    id: 'OFAC_SDN',
    contentHash: sha256([JSON.stringify(FALLBACK_ENTRIES)]),
    publishedAt: FALLBACK_DATE,
    loadedAt: FALLBACK_DATE,
    source: FALLBACK_SOURCE,
    entries: FALLBACK_ENTRIES,
  }
}

function fromFolder(folder: string, log: Log): LoadedList | undefined {
  try {
    return readSdn(folder)
  } catch (error) {
    if (error instanceof ListRefused || isFileError(error)) {
      log.error({ list: 'OFAC_SDN', reason: error.message }, 'sanctions list refused')
      return undefined
    }
    throw error
  }
}

function readSdn(folder: string): LoadedList {
  const files = filesOf(folder)
  const sdn = files.read('sdn.csv')
  const alt = files.read('alt.csv')
  const comments = files.readIfThere('sdn_comments.csv')
  const entries = readOfacSdn(comments === undefined ? { sdn, alt } : { sdn, alt, comments })
  return {
    id: 'OFAC_SDN',
    contentHash: sha256([sdn, alt, comments ?? '']),
    publishedAt: null,
    loadedAt: isoTime(files.oldest()),
    source: 'LISTS_DIR',
    entries,
  }
}

/** Files by their upstream names in any case; their dates tell how old the list is. */
function filesOf(folder: string) {
  const names = new Map(readdirSync(folder).map((name) => [name.toLowerCase(), name]))
  const times: number[] = []
  const readIfThere = (wanted: string): string | undefined => {
    const name = names.get(wanted)
    if (name === undefined) return undefined
    const path = join(folder, name)
    times.push(Math.floor(statSync(path).mtimeMs))
    return readFileSync(path, 'latin1')
  }
  return {
    readIfThere,
    read(wanted: string): string {
      const text = readIfThere(wanted)
      if (text === undefined) throw new ListRefused('OFAC_SDN', `${wanted} is missing`)
      return text
    },
    oldest: () => Math.min(...times),
  }
}

const isFileError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error

/** Over the lengths too, so that text cannot move from one file into the next unseen. */
function sha256(texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(`${text.length}:`).update(text, 'latin1')
  return hash.digest('hex')
}
