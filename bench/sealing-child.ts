/** The service with or without its background jobs; only the benchmark of sealing starts it. */
import type { Timer } from '../packages/server/src/app/ports.ts'
import { readConfig } from '../packages/server/src/config.ts'
import { startService } from '../packages/server/src/main.ts'

const NEVER: Timer = { every: () => () => Promise.resolve() }

const [sealing] = process.argv.slice(2)
await startService(readConfig(process.env), sealing === 'off' ? { timer: NEVER } : {})
process.on('SIGTERM', () => process.exit(0))
