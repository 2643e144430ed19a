/** Files of an edition on disk: their hashes, and their texts in pieces. */
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import {
  type Encoding,
  type ListFile,
  type ListFiles,
  listFile,
  type ListId,
  ListRefused,
  PUBLISHED_LISTS,
} from '@portcullis/watchlist'
import { unzipSync } from 'fflate'
import type { Edition, EditionFile } from '../../app/lists/list-ports.ts'

/** Bytes of text that are decoded at once: some milliseconds of work. */
const PIECE_BYTES = 1 << 18
/** An archive that unpacks to more is no list. SDN_ENHANCED has about 120 MB. */
const MAX_UNPACKED_BYTES = 600_000_000

/** Lower-case hex SHA-256 of a file, read as a stream. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Lower-case hex over names and contents, whatever order the files are given in. */
export function hashEdition(files: readonly Omit<EditionFile, 'path'>[]): string {
  const lines = files.map(({ name, sha256 }) => `${name} ${sha256}\n`).toSorted()
  return createHash('sha256').update(lines.join('')).digest('hex')
}

/**
 * The texts of an edition, each file's bytes held against its hash.
 *
 * @throws ListRefused when a file is gone, has changed, or is not in its encoding.
 */
export function readEdition({ id, files }: Edition): ListFiles {
  const bytes = new Map(files.map((file) => [file.name, readChecked(id, file)]))
  const texts = new Map<string, ListFile>()
  for (const { name, encoding, archive } of PUBLISHED_LISTS[id].files) {
    const plain = bytes.get(name)
    const packed = archive === undefined ? undefined : bytes.get(archive)
    const content = plain ?? (packed && unpack(id, archive ?? name, name, packed))
    if (content !== undefined) texts.set(name, decoded(id, name, content, encoding))
  }
  return texts
}

function readChecked(id: ListId, { name, path, sha256 }: EditionFile): Uint8Array {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(path)
  } catch {
    throw new ListRefused(id, `${name} cannot be read`)
  }
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new ListRefused(id, `${name} is not the file that was fetched`)
  return bytes
}

function unpack(id: ListId, archive: string, name: string, bytes: Uint8Array): Uint8Array {
  try {
    const unpacked = unzipSync(bytes, {
      filter: (entry) =>
        entry.name.toLowerCase() === name && entry.originalSize <= MAX_UNPACKED_BYTES,
    })
    const [content] = Object.values(unpacked)
    if (content !== undefined) return content
  } catch {
    throw new ListRefused(id, `${archive} does not unpack`)
  }
  throw new ListRefused(id, `${archive} does not hold ${name}, or too much of it`)
}

function decoded(id: ListId, name: string, bytes: Uint8Array, encoding: Encoding): ListFile {
  if (encoding === 'latin1') return listFile(asBuffer(bytes).toString('latin1'))
  return { pieces: () => utf8Pieces(id, name, bytes) }
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

/** Bytes that are not UTF-8 would become other names: the file is refused. */
function* utf8Pieces(id: ListId, name: string, bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      yield decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw new ListRefused(id, `${name} is not valid UTF-8`)
    throw error
  }
}
