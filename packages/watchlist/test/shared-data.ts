import { existsSync, readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { readOfacSdn } from '../src/index.ts'
import type { WatchlistEntry } from '../src/index.ts'

/** Public data that stands beside the repository and is not part of it. */
const SHARED = new URL('../../../../shared/data/', import.meta.url)

/** The text of a shared file; skips the test and returns undefined when it is not there. */
export function sharedText(t: TestContext, path: string): string | undefined {
  const file = new URL(path, SHARED)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  t.skip(`left out: ../shared/data/${path} is not beside this repository`)
  return undefined
}

/**
 * The full OFAC SDN list as published; skips the test and returns undefined when it is not there.
 */
export function sharedSdn(t: TestContext): WatchlistEntry[] | undefined {
  const sdn = sharedText(t, 'lists/current/sdn.csv')
  if (sdn === undefined) return undefined
  const alt = sharedText(t, 'lists/current/alt.csv')!
  const comments = sharedText(t, 'lists/current/sdn_comments.csv')!
  return readOfacSdn({ sdn, alt, comments })
}
