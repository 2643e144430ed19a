/** How a command ends that cannot do its work: one line that says why, and the exit code. */
import type { Command, CommanderError } from 'commander'

/** The work could not be done. */
export const EXIT_FAILURE = 1
/** The command was not understood, or the configuration is not valid. */
export const EXIT_USAGE = 2

/** Usage errors end with {@link EXIT_USAGE} in every command below, help and version with 0. */
export function endUsageErrors(command: Command): Command {
  command.exitOverride(({ exitCode }: CommanderError) =>
    process.exit(exitCode === 0 ? 0 : EXIT_USAGE),
  )
  command.showHelpAfterError('(run with --help for the usage)')
  for (const inner of command.commands) endUsageErrors(inner)
  return command
}

/** Ends the process. Only a fault of our own shows where in the code it is. */
export function fail(error: unknown): never {
  process.stderr.write(`portcullis: ${sentenceOf(error)}\n`)
  if (isFault(error)) process.stderr.write(`${error.stack ?? ''}\n`)
  process.exit(EXIT_FAILURE)
}

/** A request that fails is a TypeError too, with a cause. */
const isFault = (error: unknown): error is Error =>
  (error instanceof TypeError && error.cause === undefined) ||
  error instanceof ReferenceError ||
  error instanceof RangeError

interface ListenError extends NodeJS.ErrnoException {
  readonly address?: string
  readonly port?: number
}

/** What to do where a server cannot listen. */
const LISTEN: Readonly<Record<string, string>> = {
  EADDRINUSE: 'PORT: something else listens there already; stop it, or set another PORT',
  EACCES: 'PORT: this user may not listen there; set a PORT of 1024 or more',
  EADDRNOTAVAIL: 'HOST: this machine has no such address; set HOST to one that it has',
  ENOTFOUND: 'HOST: there is no such name; set HOST to an address of this machine',
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { syscall, code, address, port } = error as ListenError
  const todo = syscall === 'listen' || syscall === 'getaddrinfo' ? LISTEN[code ?? ''] : undefined
  if (todo === undefined) return error.message.split('\n', 1)[0] ?? error.message
  const where =
    address === undefined ? '' : ` \`${address}${port === undefined ? '' : `:${port}`}\``
  return `cannot listen on${where === '' ? ' HOST' : where}. ${todo}`
}
