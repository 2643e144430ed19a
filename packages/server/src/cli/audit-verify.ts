/** `portcullis audit verify`: the store, or an export file without any store. */
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import {
  type Checkpoint,
  DEFAULT_ISSUER_DID,
  EXPORT_NAME,
  type ExportHeader,
  hashOf,
  type JwksDocument,
  originOf,
  type Tile,
  verifyExport,
} from '@portcullis/protocol'
import { sha256 } from '../adapters/vault.ts'
import { verifyLog, type VerifyState } from '../app/verify-log.ts'
import type { OpenLog } from '../main.ts'
import { EXIT_INTERRUPTED, interruption, progressBar, savedState } from './progress.ts'
import { textOf } from './receipt.ts'

const EXIT_DAMAGED = 4

interface Flags {
  readonly jwks?: string
  readonly issuer?: string
  readonly checkpoint?: string
  readonly receipts?: true
  readonly resume?: true
}

export async function verifyStore({ env }: OpenLog, dataDir: string, flags: Flags): Promise<void> {
  const state = savedState<VerifyState>(join(dataDir, 'audit-verify.state.json'))
  const from = flags.resume === true ? state.read() : undefined
  const progress = progressBar('verifying')
  const kept =
    flags.checkpoint === undefined
      ? []
      : [JSON.parse(readFileSync(flags.checkpoint, 'utf8')) as Checkpoint]
  const reading = await verifyLog(env, {
    kept,
    receipts: flags.receipts === true,
    progress: (done, of) => progress.show(done, of),
    stopped: interruption(),
    ...(from !== undefined && { from: { ...from, open: from.open.map(tileOf) } }),
  })
  progress.end()
  const { damage, entries, purged, checkpoints, resumeAt } = reading
  if (resumeAt !== undefined) {
    state.save(resumeAt)
    process.stderr.write(`interrupted after ${entries} entries; go on with --resume\n`)
    process.exitCode = EXIT_INTERRUPTED
    return
  }
  state.clear()
  if (damage === undefined) {
    process.stdout.write(
      `good: ${entries} entries, ${purged} of them purged, ${checkpoints} checkpoints\n`,
    )
    return
  }
  const { kind, leafIndex, source, seq, txnId, message } = damage
  const row = source === null ? '' : `, row ${seq} of ${source}s`
  process.stdout.write(
    `${kind.toUpperCase()}: ${txnId ?? 'no record'} (leaf ${leafIndex ?? 'none'}${row}): ${message}\n`,
  )
  process.exitCode = EXIT_DAMAGED
}

const tileOf = ({ level, tile, hashes }: VerifyState['open'][number]): Tile => ({
  level,
  tile,
  hashes: hashes.map((text) => {
    const hash = hashOf(text)
    if (hash === undefined) throw new Error('the saved state cannot be read; leave out --resume')
    return hash
  }),
})

export async function verifyFile(file: string, { jwks, issuer }: Flags): Promise<void> {
  const keys =
    jwks === undefined ? await keysOfFile(file) : (JSON.parse(await textOf(jwks)) as JwksDocument)
  const progress = progressBar('verifying')
  const stopped = interruption()
  const reading = await verifyExport(linesOf(file, stopped), {
    jwks: keys,
    origin: originOf(issuer ?? DEFAULT_ISSUER_DID),
    hash: sha256,
  })
  progress.end()
  if (stopped()) {
    process.exitCode = EXIT_INTERRUPTED
  } else if (reading.ok) {
    const { entries, purged, checkpoint } = reading
    process.stdout.write(
      `good: ${entries} entries, ${purged} of them purged, proven to the checkpoint of ` +
        `${checkpoint.size} leaves signed ${checkpoint.timestamp}\n`,
    )
  } else {
    const { kind, line, leafIndex, txnId, message } = reading.damage
    process.stdout.write(
      `${kind.toUpperCase()}: line ${line}, ${txnId ?? 'no record'} (leaf ${leafIndex ?? 'none'}): ${message}\n`,
    )
    process.exitCode = EXIT_DAMAGED
  }
}

async function* linesOf(file: string, stopped: () => boolean): AsyncGenerator<string> {
  for await (const line of createInterface({ input: createReadStream(file, 'utf8') })) {
    if (stopped()) return
    yield line
  }
}

/** Without keys from elsewhere a file can only agree with itself, and that is said. */
async function keysOfFile(file: string): Promise<JwksDocument> {
  process.stderr.write('no --jwks: the keys are those of the file itself, so it proves no origin\n')
  for await (const line of linesOf(file, () => false)) {
    const header = JSON.parse(line) as Partial<ExportHeader>
    if (header.format === EXPORT_NAME && header.jwks !== undefined) return header.jwks
    break
  }
  throw new Error(`${file} is no export of the audit log`)
}
