/** Where the publishers keep their lists, and how much of their time and ours a file may take. */
import type { ListId } from '@portcullis/watchlist'

/** One file at its publisher. */
export interface UpstreamFile {
  /** Name in the edition and at a mirror: the upstream name, in lower case in the edition. */
  readonly name: string
  readonly url: string
  /** Larger answers are cut off and refused; about ten times what is usual. */
  readonly maxBytes: number
  /** From the first byte asked to the last byte had. */
  readonly timeoutMs: number
  /** Without it there is no list. */
  readonly needed: boolean
}

const MEGABYTE = 1_000_000
const MINUTE = 60_000
const OFAC = 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports'

const ofac = (name: string, needed = true): UpstreamFile => ({
  name,
  url: `${OFAC}/${name}`,
  maxBytes: 50 * MEGABYTE,
  timeoutMs: 2 * MINUTE,
  needed,
})

/** The addresses that maintained code uses. The EU makes its file on the fly. */
export const UPSTREAM: Readonly<Record<ListId, readonly UpstreamFile[]>> = {
  OFAC_SDN: [
    ofac('SDN.CSV'),
    ofac('ALT.CSV'),
    ofac('SDN_COMMENTS.CSV'),
    ofac('SDN_ENHANCED.ZIP', false),
  ],
  OFAC_CONS: [
    ofac('CONS_PRIM.CSV'),
    ofac('CONS_ALT.CSV'),
    ofac('CONS_COMMENTS.CSV', false),
    ofac('CONS_ENHANCED.ZIP', false),
  ],
  UN_SC: [
    {
      name: 'consolidated.xml',
      url: 'https://scsanctions.un.org/resources/xml/en/consolidated.xml',
      maxBytes: 30 * MEGABYTE,
      timeoutMs: 2 * MINUTE,
      needed: true,
    },
  ],
  EU_FSF: [
    {
      name: 'xmlFullSanctionsList_1_1.xml',
      url: 'https://webgate.ec.europa.eu/fsd/fsf/public/files/xmlFullSanctionsList_1_1/content?token=dG9rZW4tMjAxNw',
      maxBytes: 200 * MEGABYTE,
      timeoutMs: 5 * MINUTE,
      needed: true,
    },
  ],
  UK_FCDO: [
    {
      name: 'UK-Sanctions-List.csv',
      url: 'https://sanctionslist.fcdo.gov.uk/docs/UK-Sanctions-List.csv',
      maxBytes: 100 * MEGABYTE,
      timeoutMs: 2 * MINUTE,
      needed: true,
    },
  ],
  US_LEGISLATORS: [
    {
      name: 'legislators-current.json',
      url: 'https://unitedstates.github.io/congress-legislators/legislators-current.json',
      maxBytes: 30 * MEGABYTE,
      timeoutMs: MINUTE,
      needed: true,
    },
  ],
}

/** The same files at a mirror: `<base>/<upstream file name>`. */
export function mirrored(base: string): Readonly<Record<ListId, readonly UpstreamFile[]>> {
  const lists = Object.entries(UPSTREAM).map(([id, files]) => [
    id,
    files.map((file) => ({ ...file, url: `${base}/${file.name}` })),
  ])
  return Object.fromEntries(lists) as Record<ListId, readonly UpstreamFile[]>
}
