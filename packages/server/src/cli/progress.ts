/** Long work on a terminal: a bar on stderr, and an orderly end on Ctrl-C. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

const WIDTH = 30
const REDRAW_EVERY = 50

export interface Progress {
  show(done: number, of: number): void
  end(): void
}

/** Draws nothing when stderr is no terminal. */
export function progressBar(what: string): Progress {
  const { stderr } = process
  let calls = 0
  return {
    show(done, of) {
      if (!stderr.isTTY || (calls++ % REDRAW_EVERY !== 0 && done < of)) return
      const share = of === 0 ? 1 : Math.min(1, done / of)
      const bar = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '.')
      stderr.write(`\r${what} [${bar}] ${Math.floor(share * 100)} % ${done}/${of}`)
    },
    end() {
      if (stderr.isTTY) stderr.write('\r\u001b[K')
    },
  }
}

/** Whether Ctrl-C (or a polite kill) was asked for; a second one ends the process at once. */
export function interruption(): () => boolean {
  let asked = false
  const ask = () => {
    if (asked) process.exit(EXIT_INTERRUPTED)
    asked = true
  }
  process.on('SIGINT', ask)
  process.on('SIGTERM', ask)
  return () => asked
}

/** As a shell reports a process that SIGINT ended. */
export const EXIT_INTERRUPTED = 130

/** Where interrupted work goes on: a small file, whole or not there. */
export function savedState<T>(file: string) {
  return {
    read: (): T | undefined =>
      existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined,
    save(state: T): void {
      writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600, flush: true })
      renameSync(`${file}.new`, file)
    },
    clear: (): void => rmSync(file, { force: true }),
  }
}
