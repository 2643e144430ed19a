/** Small OFAC files as they are published, for a service that a test starts. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface SmallEntry {
  readonly id: number
  readonly name: string
  readonly aliases?: readonly string[]
  readonly remarks?: string
}

const NONE = '-0- '

/** A list without any alias is refused, so each has one of its own. */
const FILLER: SmallEntry = {
  id: 999_999,
  name: 'FILLER ENTRY OF A TEST',
  aliases: ['FILLER ALIAS OF A TEST'],
}

/** Writes `sdn.csv` and `alt.csv` with these entries; answers the folder. */
export function writeLists(folder: string, entries: readonly SmallEntry[]): string {
  mkdirSync(folder, { recursive: true })
  const all = [...entries, FILLER]
  const sdn = all.map(({ id, name, remarks }) =>
    [
      id,
      `"${name}"`,
      NONE,
      '"TEST"',
      ...new Array<string>(7).fill(NONE),
      remarks ? `"${remarks}"` : NONE,
    ].join(','),
  )
  const alt = all.flatMap(({ id, aliases = [] }) =>
    aliases.map((alias, at) => [id, id * 100 + at, '"aka"', `"${alias}"`, NONE].join(',')),
  )
  const file = (rows: string[]) => rows.map((row) => `${row}\r\n`).join('') + '\u001a'
  writeFileSync(join(folder, 'sdn.csv'), file(sdn), 'latin1')
  writeFileSync(join(folder, 'alt.csv'), file(alt), 'latin1')
  return folder
}
