/** The table of background jobs. */
import type { Timer } from './ports.ts'
import { PURGE_EVERY_MS, type RetentionEnv, retentionJob } from './audit/retention.ts'
import { SEAL_EVERY_MS, sealingJob } from './audit/sealer.ts'

/** Starts every job; answers how to stop them, each after its last run. */
export function startJobs(env: RetentionEnv, timer: Timer): () => Promise<void> {
  const stops = [
    timer.every(SEAL_EVERY_MS, () => sealingJob(env)),
    timer.every(PURGE_EVERY_MS, () => retentionJob(env)),
  ]
  return async () => {
    for (const stop of stops) await stop()
    await sealingJob(env)
  }
}
