/**
 * The service with sealing that can be switched on and off while it runs; only the benchmark of
 * sealing starts it. It listens to three messages and answers each with the processor time it has
 * used: `on` and `off` begin a turn, and `end` ends it. What a turn with sealing left unsealed is
 * sealed before the time is taken; what one without left is sealed after, at nobody's cost.
 */
import { SEAL_EVERY_MS, sealAll } from '../packages/server/src/app/audit/sealer.ts'
import type { Timer } from '../packages/server/src/app/ports.ts'
import { systemTimer } from '../packages/server/src/adapters/system.ts'
import { readConfig } from '../packages/server/src/config.ts'
import { startService } from '../packages/server/src/main.ts'

let seals = true
const timer: Timer = {
  every: (ms, work) =>
    systemTimer.every(ms, () => (ms === SEAL_EVERY_MS && !seals ? Promise.resolve() : work())),
}

const { env } = await startService(readConfig(process.env), { timer })

const usedUs = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

async function endTurn(): Promise<number> {
  if (seals) await sealAll(env)
  const used = usedUs()
  if (!seals) await sealAll(env)
  return used
}

process.on('message', (message) => {
  if (message !== 'end') seals = message === 'on'
  void (message === 'end' ? endTurn() : Promise.resolve(usedUs())).then((used) =>
    process.send?.(used),
  )
})
process.on('SIGTERM', () => process.exit(0))
