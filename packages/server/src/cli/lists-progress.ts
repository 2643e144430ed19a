/** A progress bar on a terminal, nothing anywhere else. */

const WIDTH = 28

export interface Progress {
  /** `done` of `total`; an unknown total shows what is done alone. */
  show(label: string, done: number, total: number | undefined): void
  /** Takes the bar away. */
  clear(): void
}

export function progressOn(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return { show: () => undefined, clear: () => undefined }
  return {
    show(label, done, total) {
      const part = total === undefined || total === 0 ? 0 : Math.min(1, done / total)
      const full = Math.round(part * WIDTH)
      const bar = '#'.repeat(full) + '-'.repeat(WIDTH - full)
      const number = total === undefined ? `${done}` : `${Math.round(part * 100)} %`
      stream.write(`\r\u001b[2K[${bar}] ${number.padStart(5)}  ${label}`)
    },
    clear() {
      stream.write('\r\u001b[2K')
    },
  }
}
