/** `portcullis audit export`: a whole file or, when interrupted, one that can be gone on with. */
import { once } from 'node:events'
import {
  appendFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  renameSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { addToRuns, type ExportEntry, type ExportHeader, purgedDigest } from '@portcullis/protocol'
import { sha256 } from '../../adapters/vault.ts'
import { exportAll, type ExportSoFar } from '../../app/audit/audit-export.ts'
import type { OpenLog } from '../../main.ts'
import { EXIT_INTERRUPTED, interruption, progressBar } from '../progress.ts'

interface Flags {
  readonly from?: string
  readonly to?: string
  readonly format: 'jsonl' | 'csv'
  readonly out?: string
  readonly resume?: true
}

export async function exportLog({ env }: OpenLog, flags: Flags): Promise<void> {
  const { format, out, from = null, to = null } = flags
  const stopped = interruption()
  const draft = out === undefined ? undefined : `${out}.part`
  const soFar = draft === undefined ? undefined : await resumed(draft, flags)
  const { size, lines } = await exportAll(env, { from, to }, format, soFar)
  const append = soFar === undefined ? 'w' : 'a'
  const sink: Writable =
    draft === undefined
      ? process.stdout
      : createWriteStream(draft, { flags: append, mode: 0o600, flush: true })
  const whole = await writeAll(lines, sink, stopped, size, soFar?.entries ?? 0)
  if (draft !== undefined) {
    sink.end()
    await once(sink, 'close')
  }
  if (!whole) {
    const how = format === 'jsonl' && out !== undefined ? '; go on with --resume' : ''
    process.stderr.write(`interrupted${how}\n`)
    process.exitCode = EXIT_INTERRUPTED
  } else if (draft !== undefined && out !== undefined) renameSync(draft, out)
}

/** Whether it came to its end: whoever interrupts during the last line has a whole file. */
async function writeAll(
  lines: AsyncGenerator<string>,
  sink: Writable,
  stopped: () => boolean,
  size: number,
  before: number,
): Promise<boolean> {
  const progress = progressBar('exporting')
  let done = before
  try {
    for await (const text of lines) {
      if (stopped()) return false
      if (text !== '' && !sink.write(text)) await once(sink, 'drain')
      // Header and end are lines too.
      progress.show(Math.min((done += text.split('\n').length - 1), size), size)
    }
    return true
  } finally {
    progress.end()
  }
}

/** What an interrupted export of the same range had written; undefined to start anew. */
async function resumed(draft: string, { from, to, format, resume }: Flags) {
  if (resume !== true || format !== 'jsonl' || !existsSync(draft)) return undefined
  const soFar = await readSoFar(draft)
  const { header } = soFar ?? {}
  if (header !== undefined && (header.from !== (from ?? null) || header.to !== (to ?? null))) {
    throw new Error(`${draft} was begun with another --from or --to; leave out --resume`)
  }
  return soFar
}

/** Cuts off a line that was written in half, and reads what stands before it. */
async function readSoFar(draft: string): Promise<ExportSoFar | undefined> {
  let header: ExportHeader | undefined
  let bytes = 0
  const found = { leaves: [] as [number, number][], purged: [] as [number, number][] }
  let [entries, digest] = [0, '']
  for await (const line of createInterface({ input: createReadStream(draft, 'utf8') })) {
    const value = whole(line)
    if (value === undefined) break
    bytes += Buffer.byteLength(line) + 1
    if (value.type === 'header') {
      header = value
      continue
    }
    entries++
    addToRuns(found.leaves, value.leafIndex)
    if (value.leafData !== null) continue
    addToRuns(found.purged, value.leafIndex)
    digest = purgedDigest(digest, value, sha256)
  }
  if (header === undefined) return undefined
  // The last line may be whole but for its line feed.
  if (statSync(draft).size < bytes) appendFileSync(draft, '\n')
  truncateSync(draft, bytes)
  return { header, ...found, purgedDigest: digest, entries }
}

function whole(line: string): ExportHeader | ExportEntry | undefined {
  try {
    const value = JSON.parse(line) as ExportHeader | ExportEntry | { type: 'end' }
    return value.type === 'end' ? undefined : value
  } catch {
    return undefined
  }
}
