import type { ListId, WatchlistEntry } from '../entry.ts'
import { ListRefused } from './list-refused.ts'
import { publishedEu, readEu } from './eu.ts'
import type { ListFile, ListFiles } from './list-files.ts'
import { headOf } from './list-files.ts'
import { readOfac } from './ofac-files.ts'
import { publishedUk, readUk } from './uk.ts'
import { publishedUn, readUn } from './un.ts'
import { readLegislators } from './us-legislators.ts'

/** How the bytes of a file become text. OFAC's CSV files are ASCII by contract. */
export type Encoding = 'latin1' | 'utf-8'

/** One file of a list. */
export interface PublishedFile {
  /** Upstream name, in lower case. */
  readonly name: string
  readonly encoding: Encoding
  /** Without it there is no list. */
  readonly needed: boolean
  /** Name of the archive that holds it, in lower case, when it is published in one. */
  readonly archive?: string
}

/** One list as published: its files and how to read them. */
export interface PublishedList {
  readonly files: readonly PublishedFile[]
  /** MUST throw `ListRefused` for anything that does not read whole. */
  readonly read: (files: ListFiles) => WatchlistEntry[]
  /** When the publisher made it, ISO 8601; null when the files do not say. */
  readonly publishedAt: (files: ListFiles) => string | null
}

const csv = (name: string, needed = true): PublishedFile => ({ name, encoding: 'latin1', needed })

const xml = (name: string): PublishedFile => ({ name, encoding: 'utf-8', needed: false })

const zippedXml = (stem: string): PublishedFile => ({
  ...xml(`${stem}.xml`),
  archive: `${stem}.zip`,
})

/** A list that is one file. */
function oneFile(
  list: ListId,
  name: string,
  read: (file: ListFile) => WatchlistEntry[],
  publishedAt: (head: string) => string | null = () => null,
): PublishedList {
  const lower = name.toLowerCase()
  const find = (files: ListFiles): ListFile => {
    const file = files.get(lower)
    if (file === undefined) throw new ListRefused(list, `${name} is missing`)
    return file
  }
  return {
    files: [{ name: lower, encoding: 'utf-8', needed: true }],
    read: (files) => read(find(files)),
    publishedAt: (files) => publishedAt(headOf(find(files))),
  }
}

/** Every list: a line here, and a file beside this one, is all that a list takes. */
export const PUBLISHED_LISTS: Readonly<Record<ListId, PublishedList>> = {
  OFAC_SDN: {
    files: [
      csv('sdn.csv'),
      csv('alt.csv'),
      csv('sdn_comments.csv', false),
      zippedXml('sdn_enhanced'),
      xml('sdn_advanced.xml'),
    ],
    read: (files) => readOfac('OFAC_SDN', files),
    publishedAt: () => null,
  },
  OFAC_CONS: {
    files: [
      csv('cons_prim.csv'),
      csv('cons_alt.csv'),
      csv('cons_comments.csv', false),
      zippedXml('cons_enhanced'),
      xml('cons_advanced.xml'),
    ],
    read: (files) => readOfac('OFAC_CONS', files),
    publishedAt: () => null,
  },
  UN_SC: oneFile('UN_SC', 'consolidated.xml', readUn, publishedUn),
  EU_FSF: oneFile('EU_FSF', 'xmlFullSanctionsList_1_1.xml', readEu, publishedEu),
  UK_FCDO: oneFile('UK_FCDO', 'UK-Sanctions-List.csv', readUk, publishedUk),
  US_LEGISLATORS: oneFile('US_LEGISLATORS', 'legislators-current.json', readLegislators),
}
