/** The table of background jobs. */
import type { Env } from './env.ts'
import type { Timer } from './ports.ts'
import { SEAL_EVERY_MS, sealingJob } from './sealer.ts'

/** Starts every job; answers how to stop them, each after its last run. */
export function startJobs(env: Env, timer: Timer): () => Promise<void> {
  const stops = [timer.every(SEAL_EVERY_MS, () => sealingJob(env))]
  return async () => {
    for (const stop of stops) await stop()
    await sealingJob(env)
  }
}
