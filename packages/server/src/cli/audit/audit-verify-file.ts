/** `portcullis audit verify FILE`: an export, a case file or a proof, without store or service. */
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import {
  CASE_NAME,
  type CaseFile,
  DEFAULT_ISSUER_DID,
  EXPORT_NAME,
  type ExportReader,
  exportReader,
  type ExportReading,
  type ExportScope,
  type JwksDocument,
  originOf,
  type ProofCheck,
  type ReadSoFar,
  verifyCaseFile,
  verifyProof,
} from '@portcullis/protocol'
import { sha256 } from '../../adapters/vault.ts'
import { EXIT_DAMAGED } from './audit-verify.ts'
import { EXIT_INTERRUPTED, interruption, progressBar, savedState } from '../progress.ts'
import { textOf } from '../receipt.ts'

interface Flags {
  readonly jwks?: string
  readonly issuer?: string
  readonly resume?: true
}

export async function verifyFile(file: string, flags: Flags): Promise<void> {
  const stopped = interruption()
  const first = await firstLine(file)
  const statement = isExport(first) ? undefined : oneStatement(file)
  const jwks = await keysFor(first, statement, flags)
  const issuer = flags.issuer ?? DEFAULT_ISSUER_DID
  const check = { jwks, issuer, origin: originOf(issuer), hash: sha256 }
  if (statement === undefined) await verifyLines(file, first, check, flags, stopped)
  else await verifyStatement(statement, check)
}

type Members = Readonly<Record<string, unknown>>

/** A case file or a proof is one JSON object; an export has one on each line. */
const LARGEST_STATEMENT_BYTES = 16 * 1024 * 1024

function oneStatement(file: string): Members | undefined {
  if (statSync(file).size > LARGEST_STATEMENT_BYTES) return undefined
  const value = parsed(readFileSync(file, 'utf8'))
  return value?.['checkpoint'] !== undefined || isCaseFile(value) ? value : undefined
}

const isCaseFile = (value: Members | undefined): boolean =>
  String(value?.['format']).startsWith(CASE_NAME)

function parsed(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Members) : undefined
  } catch {
    return undefined
  }
}

const isExport = (first: string): boolean => parsed(first)?.['format'] === EXPORT_NAME

async function verifyStatement(statement: Members, check: ProofCheck): Promise<void> {
  const isCase = isCaseFile(statement)
  const reading = isCase
    ? await verifyCaseFile(statement as unknown as CaseFile, check)
    : await verifyProof(statement, check)
  const about = String(statement['txnId'])
  if (!reading.ok) {
    process.stdout.write(`ALTERED: ${about}: ${reading.reason}\n`)
    process.exitCode = EXIT_DAMAGED
    return
  }
  const { checkpoint, leafIndex } = reading.value
  const what = isCase ? 'the case file' : 'the proof'
  process.stdout.write(
    `good: ${what} of ${about}, leaf ${leafIndex}, proven to the checkpoint of ` +
      `${checkpoint.size} leaves signed ${checkpoint.timestamp}\n`,
  )
}

/** How far an interrupted check of a file had come. */
interface State {
  readonly file: string
  /** Where the next line begins. */
  readonly bytes: number
  readonly soFar: ReadSoFar
}

async function verifyLines(
  file: string,
  first: string,
  check: ProofCheck,
  { resume }: Flags,
  stopped: () => boolean,
): Promise<void> {
  const { size, mtimeMs } = statSync(file)
  const saved = savedState<State>(`${file}.verify-state`)
  // Keys and issuer are part of the question; another file under the name is another file.
  const asked = JSON.stringify([size, mtimeMs, check.issuer, check.jwks])
  const state = resume === true ? saved.read() : undefined
  const from = state?.file === asked ? state : undefined
  const reader = exportReader(check, from?.soFar)
  const damage = await reader.begin(first)
  if (damage !== undefined) {
    report({ ok: false, damage })
    return
  }
  const start = from?.bytes ?? Buffer.byteLength(first) + 1
  const bytes = await takeLines(reader, file, start, size, stopped)
  if (bytes === undefined) {
    saved.clear()
    report(await reader.finish())
    return
  }
  const soFar = reader.soFar()
  if (soFar !== undefined) saved.save({ file: asked, bytes, soFar })
  process.stderr.write(`interrupted after ${soFar?.lines ?? 0} lines; go on with --resume\n`)
  process.exitCode = EXIT_INTERRUPTED
}

/** Answers where it was interrupted, if it was. */
async function takeLines(
  reader: ExportReader,
  file: string,
  start: number,
  size: number,
  stopped: () => boolean,
): Promise<number | undefined> {
  const progress = progressBar('verifying')
  let bytes = start
  try {
    for await (const line of createInterface({ input: createReadStream(file, { start }) })) {
      if (stopped()) return bytes
      reader.take(line)
      bytes += Buffer.byteLength(line) + 1
      progress.show(Math.min(bytes, size), size)
    }
    return undefined
  } finally {
    progress.end()
  }
}

function report(reading: ExportReading): void {
  if (reading.ok) {
    const { entries, purged, checkpoint, scope } = reading
    process.stdout.write(
      `good: ${entries} entries, ${purged} of them purged, proven to the checkpoint of ` +
        `${checkpoint.size} leaves signed ${checkpoint.timestamp}\n${scopeText(scope, entries, checkpoint.size)}\n`,
    )
    return
  }
  const { kind, line, leafIndex, txnId, message } = reading.damage
  process.stdout.write(
    `${kind.toUpperCase()}: line ${line}, ${txnId ?? 'no record'} (leaf ${leafIndex === null || leafIndex < 0 ? 'none' : leafIndex}): ${message}\n`,
  )
  process.exitCode = EXIT_DAMAGED
}

/** A part must not be taken for the whole. */
function scopeText(scope: ExportScope, entries: number, size: number): string {
  const { operatorId, from, to, verdict, agentId } = scope
  const isUnfiltered = Object.values(scope).every((filter) => filter === null)
  if (isUnfiltered && entries < size) return `an archive segment: ${entries} of the ${size} entries`
  if (isUnfiltered) return 'the whole log up to there'
  const parts = [
    `of ${operatorId ?? 'all operators'}`,
    ...(agentId === null ? [] : [`agent ${agentId} only`]),
    ...(verdict === null ? [] : [`verdict ${verdict} only`]),
    `from ${from ?? 'the beginning'} to ${to ?? 'the export'}`,
  ]
  return `asked for: ${parts.join(', ')}`
}

async function firstLine(file: string): Promise<string> {
  for await (const line of createInterface({ input: createReadStream(file, 'utf8') })) return line
  return ''
}

/** Without keys from elsewhere a file can only agree with itself, and that is said. */
async function keysFor(
  first: string,
  statement: Members | undefined,
  { jwks }: Flags,
): Promise<JwksDocument> {
  if (jwks !== undefined) return JSON.parse(await textOf(jwks)) as JwksDocument
  const receipt = statement?.['receipt'] as { keys?: unknown } | undefined
  const brought = receipt === undefined ? parsed(first)?.['jwks'] : { keys: receipt.keys }
  if (brought === undefined) throw new Error('the file brings no keys: give them with --jwks')
  process.stderr.write('no --jwks: the keys are those of the file itself, so it proves no origin\n')
  return brought as JwksDocument
}
