/** What the system says went wrong, in its words. */
import { getSystemErrorMessage } from 'node:util'

/** Without paths and call names, which the caller names better. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { errno } = error as NodeJS.ErrnoException
  if (typeof errno === 'number' && errno < 0) return getSystemErrorMessage(errno)
  return error.message
}
