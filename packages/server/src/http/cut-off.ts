/** Bounds how long a server that closes waits for its connections. */
import type { Server } from 'node:http'

/**
 * Once a server closes, Node no longer ends requests that never come to their end: one caller who
 * sends half of one would keep the service from sealing its log and closing its store.
 */
export function cutOff(server: Pick<Server, 'closeAllConnections'>, afterMs: number): void {
  setTimeout(() => {
    server.closeAllConnections()
  }, afterMs).unref()
}
