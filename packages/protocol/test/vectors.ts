import { existsSync, readFileSync, readdirSync } from 'node:fs'
import type { TestContext } from 'node:test'

/** Public data that stands beside the repository and is not part of it. */
const SHARED = new URL('../../../../shared/data/vectors/', import.meta.url)

const CONFORMANCE = new URL('../../../conformance/', import.meta.url)

/** A vector file of this repository. */
export const conformance = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(name, CONFORMANCE), 'utf8')) as T

/** A shared vector file; skips the test and returns undefined when it is not there. */
export function sharedVectors<T>(t: TestContext, path: string): T | undefined {
  const file = sharedUrl(t, path)
  return file && (JSON.parse(readFileSync(file, 'utf8')) as T)
}

/** Every file of a shared folder as bytes; skips the test when it is not there. */
export function sharedFiles(t: TestContext, path: string): [string, Buffer][] | undefined {
  const folder = sharedUrl(t, `${path}/`)
  if (folder === undefined) return undefined
  return readdirSync(folder).map((name) => [
    name,
    readFileSync(new URL(encodeURIComponent(name), folder)),
  ])
}

function sharedUrl(t: TestContext, path: string): URL | undefined {
  const url = new URL(path, SHARED)
  if (existsSync(url)) return url
  t.skip(`left out: ../shared/data/vectors/${path} is not beside this repository`)
  return undefined
}
