/**
 * The event loop accepts one connection a turn. If every turn went on to screen the payments of
 * those who are there already, the last of 32 callers who connect at once would wait for 31 turns,
 * each longer than the one before. So while connections come in, turn after turn, their requests
 * wait: accepting takes a few hundredths of a millisecond each, and then all are served together.
 */
import type { Server } from 'node:net'

/** A stream of connections that never ends holds nobody up for longer: some ten milliseconds. */
const MOST_TURNS = 256

/** Answers how a request waits for its turn: `go` is called at once when nobody is connecting. */
export function arrivals(server: Server): (go: () => void) => void {
  let waiting: (() => void)[] = []
  let turns = 0
  let isWatching = false
  let accepted = false

  /** Runs after each look at the sockets; the turn after the last connection brings its request. */
  function watch(): void {
    if (accepted) {
      accepted = false
      turns++
      if (turns % MOST_TURNS === 0) release()
      setImmediate(watch)
    } else {
      isWatching = false
      release()
    }
  }

  function release(): void {
    const ready = waiting
    waiting = []
    for (const go of ready) go()
  }

  server.on('connection', () => {
    accepted = true
    if (isWatching) return
    isWatching = true
    turns = 0
    setImmediate(watch)
  })
  return (go) => {
    if (isWatching) waiting.push(go)
    else go()
  }
}
