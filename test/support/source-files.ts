/** The files of the project as they lie on disk, for tests that read them as text. */
import { readdirSync, readFileSync } from 'node:fs'

const ROOT = new URL('../../', import.meta.url)

/** What is not ours, not written by hand, or not kept. */
const LEFT_OUT = new Set(['node_modules', '.git', 'data'])

export const textOf = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8')

/** Every file of the project, by its path from the root. */
export function allFiles(folder = ''): string[] {
  return readdirSync(new URL(folder, ROOT), { withFileTypes: true })
    .filter(({ name }) => !LEFT_OUT.has(name) && !name.endsWith('.log'))
    .flatMap((entry) => {
      const path = `${folder}${entry.name}`
      return entry.isDirectory() ? allFiles(`${path}/`) : [path]
    })
}

export const isSource = (path: string): boolean => /\.(?:ts|js|mjs)$/.test(path)
