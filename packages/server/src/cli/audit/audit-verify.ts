/** `portcullis audit verify`: the whole store against itself, its checkpoints and kept ones. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Checkpoint, hashOf, type Tile } from '@portcullis/protocol'
import { yieldToOthers } from '../../adapters/system.ts'
import { type LogDamage, verifyLog, type VerifyState } from '../../app/audit/verify-log.ts'
import type { OpenLog } from '../../main.ts'
import { EXIT_INTERRUPTED, interruption, progressBar, savedState } from '../progress.ts'

export const EXIT_DAMAGED = 4

/** Of the last second when a service runs; more without one, or when the seals were taken away. */
const UNSEALED = 'not checked: there are newer entries, which are not sealed yet\n'

const RESUME = 'go on with --resume'
const BEGIN_ANEW = 'DATA_DIR cannot be written, so the next check begins anew'

interface Flags {
  readonly checkpoint?: string
  readonly receipts?: true
  readonly resume?: true
}

interface State {
  readonly asked: string
  readonly at: VerifyState
}

export async function verifyStore({ env }: OpenLog, dataDir: string, flags: Flags): Promise<void> {
  const stopped = interruption()
  const saved = savedState<State>(join(dataDir, 'audit-verify.state.json'))
  const kept =
    flags.checkpoint === undefined
      ? []
      : [JSON.parse(readFileSync(flags.checkpoint, 'utf8')) as Checkpoint]
  const asked = JSON.stringify([kept, flags.receipts === true])
  const state = flags.resume === true ? saved.read() : undefined
  // What was checked of the part before was checked for these questions alone.
  const from = state?.asked === asked ? state.at : undefined
  const progress = progressBar('verifying')
  const reading = await verifyLog(env, {
    kept,
    receipts: flags.receipts === true,
    progress: (done, of) => progress.show(done, of),
    stopped: async () => {
      // A store in this process answers at once: without a turn no signal would be heard.
      await yieldToOthers()
      return stopped()
    },
    ...(from !== undefined && { from: { ...from, open: from.open.map(tileOf) } }),
  })
  progress.end()
  const { damage, entries, purged, checkpoints, resumeAt } = reading
  if (resumeAt !== undefined) {
    const how = canKeep(() => saved.save({ asked, at: resumeAt })) ? RESUME : BEGIN_ANEW
    process.stderr.write(`interrupted after ${entries} entries; ${how}\n`)
    process.exitCode = EXIT_INTERRUPTED
    return
  }
  canKeep(() => saved.clear())
  if (damage === undefined) {
    process.stdout.write(
      `good: ${entries} entries, ${purged} of them purged, ${checkpoints} checkpoints\n`,
    )
    if (await env.store.hasUnsealed()) process.stdout.write(UNSEALED)
    return
  }
  process.stdout.write(`${damage.kind.toUpperCase()}: ${placeOf(damage)}: ${damage.message}\n`)
  process.exitCode = EXIT_DAMAGED
}

/** What has no leaf stands beside the log and follows from it; its message names it. */
function placeOf({ leafIndex, source, seq, txnId }: LogDamage): string {
  const about = txnId ?? 'no record'
  if (source === null && leafIndex === null) return txnId ?? 'the log, or what follows from it'
  const row = source === null ? '' : `, row ${seq} of ${source}s`
  return `${about} (leaf ${leafIndex ?? 'none'}${row})`
}

/** Whether how far a check has come can be written down. */
function canKeep(write: () => void): boolean {
  try {
    write()
    return true
  } catch {
    return false
  }
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
