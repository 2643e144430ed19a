/** Public data that stands beside the repository and is not part of it. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const SHARED = new URL('../../../shared/data/', import.meta.url)

export const sharedPath = (path: string): string => fileURLToPath(new URL(path, SHARED))

/** False when the file is there, else the sentence with which a test is left out. */
export const leftOut = (path: string): string | false =>
  existsSync(sharedPath(path))
    ? false
    : `left out: ../shared/data/${path} is not beside this repository`

export const sharedText = (path: string): string => readFileSync(sharedPath(path), 'utf8')
