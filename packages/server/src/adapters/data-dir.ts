/** The folder of everything that a service keeps: whether it can be used, said before it is. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from './reasons.ts'

/** A setting with which nothing can start. The message names it and says what to do. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}

/**
 * Makes the folder when it is missing.
 *
 * @throws StartRefused when nothing can be written there.
 */
export function prepareDataDir(folder: string): void {
  try {
    make(folder)
    const probe = join(folder, `.writable-${process.pid}`)
    try {
      // A byte, since a file without one is made on a full disk too.
      writeFileSync(probe, '.', { mode: 0o600 })
    } finally {
      rmSync(probe, { force: true })
    }
  } catch (error) {
    const what = `DATA_DIR: nothing can be written to \`${folder}\``
    throw refusing(what, error, 'name a folder that this user may write to, on a disk with space')
  }
}

function make(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {
    // It says of a read-only disk that the folder does not exist; this says what is the matter.
    mkdirSync(folder, { mode: 0o700 })
  }
}

/** One sentence: what cannot be used, why, and what to do. */
export const refusing = (what: string, cause: unknown, todo: string): StartRefused =>
  new StartRefused(`${what} (${reasonOf(cause)}); ${todo}`, { cause })
