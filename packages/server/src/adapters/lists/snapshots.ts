/**
 * The newest snapshot as a file, so that a start with lists that were indexed before takes a
 * moment: nothing is parsed, indexed or handed from process to process.
 *
 * A snapshot is found by everything that it was made from: the content of each list, and the code
 * that read and indexed it. Whatever is not as it was written is no snapshot, and the lists are
 * built again.
 */
import { createHash, type Hash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import type { ListId, PreparedWatchlist } from '@portcullis/watchlist'

/** Which list with which content. */
export interface ListContent {
  readonly id: ListId
  readonly contentHash: string
}

const HASH_BYTES = 32
const SUFFIX = '.snapshot'

/** The snapshot of exactly these lists, made by exactly this code; undefined when there is none. */
export function readSnapshot(
  folder: string,
  lists: readonly ListContent[],
): PreparedWatchlist | undefined {
  try {
    const bytes = readFileSync(join(folder, nameOf(lists)))
    const data = bytes.subarray(HASH_BYTES)
    if (!sha256(data).equals(bytes.subarray(0, HASH_BYTES))) return undefined
    return ownNumbers(deserialize(data)) as PreparedWatchlist
  } catch {
    return undefined
  }
}

/**
 * Keeps this snapshot in the place of all others; true when it is there. It is a convenience: what
 * fails is left undone.
 */
export function writeSnapshot(folder: string, prepared: PreparedWatchlist): boolean {
  const name = nameOf(prepared.lists)
  const draft = join(folder, `${name}.${process.pid}.tmp`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const others = readdirSync(folder).filter((one) => one.includes(SUFFIX))
    if (others.length === 1 && others[0] === name) return true
    const data = serialize(prepared)
    writeFileSync(draft, Buffer.concat([sha256(data), data]), { mode: 0o600 })
    renameSync(draft, join(folder, name))
    for (const other of others) if (other !== name) rmSync(join(folder, other), { force: true })
    return true
  } catch {
    if (existsSync(draft)) rmSync(draft)
    return false
  }
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

function nameOf(lists: readonly ListContent[]): string {
  const hash = createHash('sha256').update(codeHash())
  const contents = lists.map(({ id, contentHash }) => `${id} ${contentHash}\n`)
  for (const content of contents.toSorted()) hash.update(content)
  return `${hash.digest('hex').slice(0, HASH_BYTES)}${SUFFIX}`
}

let known: Buffer | undefined

/** Over what turns files into a snapshot: our code, its dependencies, and the engine's own form. */
function codeHash(): Buffer {
  if (known !== undefined) return known
  const { v8, unicode } = process.versions
  const hash = createHash('sha256').update(`${v8} ${unicode ?? ''}`)
  const packages = ['@portcullis/watchlist', '@portcullis/protocol']
  const entries = packages.map((name) => fileURLToPath(import.meta.resolve(name)))
  for (const entry of entries) hash.update(readFileSync(join(dirname(entry), '../package.json')))
  // The readers and the matcher, and what hands them the files.
  for (const file of [...entries, fileURLToPath(import.meta.url)]) hashSources(hash, dirname(file))
  return (known = hash.digest())
}

function hashSources(hash: Hash, folder: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((one) => one.endsWith('.ts')).toSorted())
    hash.update(file).update(readFileSync(join(folder, file)))
}

/** Arrays of numbers are views of the whole file when read: they get memory of their own. */
function ownNumbers(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return (value as Uint8Array).slice()
  if (
    typeof value !== 'object' ||
    value === null ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, ownNumbers(inner)]))
}
