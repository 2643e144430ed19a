/** `portcullis serve`: starts the service and tells a newcomer what to do with it. */
import { Command } from 'commander'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { type Service, startService } from '../main.ts'
import { EXIT_USAGE } from './failure.ts'
import { greeting } from './greeting.ts'

/** After this, what is still open is cut off. */
const SHUTDOWN_TIMEOUT_MS = 30_000

export const serveCommand = (): Command =>
  new Command('serve')
    .description('start the HTTP service (configuration: environment variables)')
    .action(async () => {
      const config = configOrExit()
      const service = await startService(config)
      process.stdout.write(greeting(service, config))
      stopOnSignal(service)
    })

export function configOrExit(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`The configuration is not valid:\n${error.message}\n`)
    process.exit(EXIT_USAGE)
  }
}

function stopOnSignal(service: Service): void {
  let stopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    service.env.log.info({ signal }, 'stopping: finishing what was accepted')
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref()
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        service.env.log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
