/** Files that are there whole or not at all, whenever the process dies. */
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

let written = 0

/** Writes, makes durable, and only then gives the file its name. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  const draft = `${path}.${process.pid}-${++written}.tmp`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(JSON.stringify(value))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path).catch(async (error: unknown) => {
    await rm(draft, { force: true })
    throw error
  })
  await syncFolder(dirname(path))
}

/** A rename is durable once its folder is. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Undefined when there is no such file or it is not JSON. */
export async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T
  } catch {
    return undefined
  }
}
