/** Seals new entries of the log into the Merkle tree: never on a payment's way. */
import {
  type Checkpoint,
  CHECKPOINT_TYP,
  checkpointClaims,
  originOf,
  SECOND_MS,
} from '@portcullis/protocol'
import type { Env } from '../env.ts'

/** What sealing needs; a command seals without a service. */
export type SealEnv = Pick<Env, 'store' | 'keyring' | 'clock' | 'sha256' | 'log'> & {
  readonly settings: Pick<Env['settings'], 'issuer'>
}

/** How often the log is looked at; an entry is sealed within two seconds. */
export const SEAL_EVERY_MS = SECOND_MS

/** Entries in one commit: a few milliseconds of work, so that no screen waits for long. */
const BATCH = 256

/** Seals whatever there is; answers how many entries. */
export async function sealAll(env: SealEnv): Promise<number> {
  if (!(await env.store.hasUnsealed())) return 0
  let sealed = 0
  for (;;) {
    const batch = await env.store.sealBatch(sealingOf(env))
    sealed += batch
    if (batch < BATCH) return sealed
  }
}

const sealingOf = (env: SealEnv) => {
  const now = env.clock.now()
  return {
    hash: env.sha256,
    now,
    limit: BATCH,
    checkpoint: (size: number, root: Uint8Array) => signCheckpoint(env, size, root, now),
  }
}

function signCheckpoint(
  { keyring, settings }: SealEnv,
  size: number,
  root: Uint8Array,
  now: number,
): Checkpoint {
  const claims = checkpointClaims(originOf(settings.issuer), size, root, now)
  return { ...claims, signature: keyring.sign(CHECKPOINT_TYP, claims) }
}

/** The newest checkpoint; the first one, of an empty log, is made when it is first asked for. */
export async function newestCheckpoint(env: SealEnv): Promise<Checkpoint> {
  const newest = await env.store.newestCheckpoint()
  if (newest !== undefined) return newest
  await env.store.sealBatch(sealingOf(env))
  const first = await env.store.newestCheckpoint()
  if (first === undefined) throw new RangeError('sealing left no checkpoint')
  return first
}

/** The background job: a failure is logged, and the next run tries again. */
export async function sealingJob(env: SealEnv): Promise<void> {
  try {
    await sealAll(env)
  } catch (error) {
    env.log.error({ err: error }, 'sealing the audit log failed; it is tried again')
  }
}
