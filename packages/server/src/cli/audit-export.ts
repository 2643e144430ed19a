/** `portcullis audit export`: a whole file or, when interrupted, one that can be gone on with. */
import { createReadStream, createWriteStream, existsSync, renameSync, truncateSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { once } from 'node:events'
import { addToRuns, type ExportEntry, type ExportHeader } from '@portcullis/protocol'
import { exportAll, type ExportSoFar } from '../app/audit-export.ts'
import type { OpenLog } from '../main.ts'
import { EXIT_INTERRUPTED, interruption, progressBar } from './progress.ts'

interface Flags {
  readonly from?: string
  readonly to?: string
  readonly format: 'jsonl' | 'csv'
  readonly out?: string
  readonly resume?: true
}

export async function exportLog({ env }: OpenLog, flags: Flags): Promise<void> {
  const { format, out, from = null, to = null } = flags
  const draft = out === undefined ? undefined : `${out}.part`
  const resumable = flags.resume === true && format === 'jsonl' && draft !== undefined
  const soFar = resumable && existsSync(draft) ? await readSoFar(draft) : undefined
  const { size, lines } = await exportAll(env, { from, to }, format, soFar)
  const sink: Writable =
    draft === undefined
      ? process.stdout
      : createWriteStream(draft, {
          flags: soFar === undefined ? 'w' : 'a',
          mode: 0o600,
          flush: true,
        })
  const stopped = interruption()
  const progress = progressBar('exporting')
  let done = soFar?.entries ?? 0
  for await (const text of lines) {
    if (stopped()) break
    if (text !== '' && !sink.write(text)) await once(sink, 'drain')
    progress.show((done += text.split('\n').length - 1), size)
  }
  progress.end()
  if (draft !== undefined) {
    sink.end()
    await once(sink, 'close')
  }
  if (stopped()) {
    const how = format === 'jsonl' && out !== undefined ? '; go on with --resume' : ''
    process.stderr.write(`interrupted${how}\n`)
    process.exitCode = EXIT_INTERRUPTED
  } else if (draft !== undefined && out !== undefined) renameSync(draft, out)
}

/** Cuts off a line that was written in half, and reads what stands before it. */
async function readSoFar(draft: string): Promise<ExportSoFar | undefined> {
  let header: ExportHeader | undefined
  let bytes = 0
  const found = { leaves: [] as [number, number][], purged: [] as [number, number][] }
  let entries = 0
  for await (const line of createInterface({ input: createReadStream(draft, 'utf8') })) {
    const value = whole(line)
    if (value === undefined) break
    bytes += Buffer.byteLength(line) + 1
    if (value.type === 'header') {
      header = value
      continue
    }
    addToRuns(found.leaves, value.leafIndex)
    if (value.leafData === null) addToRuns(found.purged, value.leafIndex)
    entries++
  }
  if (header === undefined) return undefined
  truncateSync(draft, bytes)
  return { checkpoint: header.checkpoint, ...found, entries }
}

function whole(line: string): ExportHeader | ExportEntry | undefined {
  try {
    const value = JSON.parse(line) as ExportHeader | ExportEntry | { type: 'end' }
    return value.type === 'end' ? undefined : value
  } catch {
    return undefined
  }
}
