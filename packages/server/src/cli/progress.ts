/** Long work on a terminal: a bar on stderr, and an orderly end on Ctrl-C. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { systemClock } from '../adapters/system.ts'

const WIDTH = 30
/** More often than that nobody can read it. */
const REDRAW_MS = 50
const CLEAR_LINE = '\r\u001b[2K'

export interface Progress {
  /** `done` of `of`; without an end in sight, what is done alone. `now` says what is worked on. */
  show(done: number, of: number | undefined, now?: string): void
  /** Takes the bar away. */
  end(): void
}

/** Where a bar may be drawn; a terminal only. */
export type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>

/** Draws nothing when stderr is no terminal. */
export function progressBar(what: string, terminal: Terminal = process.stderr): Progress {
  let drawnAt = Number.NEGATIVE_INFINITY
  return {
    show(done, of, now) {
      if (!terminal.isTTY) return
      const at = systemClock.monotonicMs()
      const finished = of !== undefined && done >= of
      if (at - drawnAt < REDRAW_MS && !finished) return
      drawnAt = at
      terminal.write(`${CLEAR_LINE}${barText(what, done, of, now)}`)
    },
    end() {
      if (terminal.isTTY) terminal.write(CLEAR_LINE)
    },
  }
}

function barText(what: string, done: number, of: number | undefined, now?: string): string {
  const share = of === undefined ? 0 : of === 0 ? 1 : Math.min(1, done / of)
  const bar = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '.')
  const number = of === undefined ? `${done}` : `${Math.floor(share * 100)} % ${done}/${of}`
  return `${what} [${bar}] ${number}${now === undefined ? '' : `  ${now}`}`
}

/** One Ctrl-C comes twice: from the terminal, and from `bin/portcullis.js`, which hands it on. */
const ONE_KEY_MS = 300

/** Whether Ctrl-C (or a polite kill) was asked for; a second one ends the process at once. */
export function interruption(): () => boolean {
  let askedAt: number | undefined
  const ask = () => {
    const now = systemClock.monotonicMs()
    if (askedAt !== undefined && now - askedAt > ONE_KEY_MS) process.exit(EXIT_INTERRUPTED)
    askedAt ??= now
  }
  process.on('SIGINT', ask)
  process.on('SIGTERM', ask)
  return () => askedAt !== undefined
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
