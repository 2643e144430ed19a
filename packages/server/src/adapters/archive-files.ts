/** Archive segments as files of one folder: written beside, synced, renamed. */
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Archive } from '../app/ports.ts'

export const archiveFiles = (folder: string): Archive => ({
  async write(name, lines) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, name)
    const draft = `${file}.part`
    await pipeline(Readable.from(lines), createWriteStream(draft, { mode: 0o600, flush: true }))
    await rename(draft, file)
    const directory = await open(folder, 'r')
    await directory.sync()
    await directory.close()
  },
})
