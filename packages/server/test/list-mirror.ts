/** Publishers for a test: whole lists of plausible size, served by a server that can misbehave. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { EXPECTED } from '@portcullis/watchlist'

const range = (length: number): number[] => Array.from({ length }, (_, at) => at)
const NULLS = new Array<string>(7).fill('-0- ').join(',')
const END = '\u001a'

export interface SmallEntry {
  readonly name: string
  readonly remarks?: string
}

function ofacCsv(entries: readonly SmallEntry[], persons: number): string {
  const rows = entries.map(({ name, remarks }, at) => {
    const type = at < persons ? '"individual"' : '-0- '
    const said = remarks === undefined ? '-0- ' : `"${remarks}"`
    return `${at + 1},"${name}",${type},"TEST",${NULLS},${said}\r\n`
  })
  return rows.join('') + END
}

const altCsv = (count: number): string =>
  range(count)
    .map((at) => `${at + 1},${at + 1},"aka","ALIAS ${at} OTHERWISE",-0- \r\n`)
    .join('') + END

const wallet = (at: number): string => `0x${at.toString(16).padStart(40, '0')}`

/** The SDN list with more entries, or of another size. */
export function sdnCsv(more: readonly SmallEntry[] = [], size = 13_000): string {
  const canaries = EXPECTED.OFAC_SDN.canaries.map((name) => ({ name }))
  const filler = range(size - canaries.length).map((at) => ({
    name: `FILLER${at}, Person ${at}`,
    ...(at < 700 && { remarks: `Digital Currency Address - ETH ${wallet(at + 1)}.` }),
  }))
  return ofacCsv([...filler, ...canaries, ...more], 7_000)
}

function legislators(count: number): string {
  const members = range(count).map((at) => ({
    id: { bioguide: `M${at}` },
    name: { first: 'Member', last: `Congressperson${at}` },
  }))
  return JSON.stringify(members)
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>'

function unXml(): string {
  const person = (name: string, at: number) =>
    `<INDIVIDUAL><DATAID>${at}</DATAID><FIRST_NAME>${name}</FIRST_NAME></INDIVIDUAL>\n`
  const names = [...range(800).map((at) => `UNITED ${at}`), ...EXPECTED.UN_SC.canaries]
  const persons = names.map(person).join('')
  return `${XML}<CONSOLIDATED_LIST><INDIVIDUALS>${persons}</INDIVIDUALS></CONSOLIDATED_LIST>`
}

function euXml(): string {
  const names = [...range(3_500).map((at) => `EUROPEAN ${at}`), ...EXPECTED.EU_FSF.canaries]
  const entities = names.map(
    (name, at) =>
      `<sanctionEntity euReferenceNumber="EU.${at}"><nameAlias wholeName="${name}"/></sanctionEntity>\n`,
  )
  return `${XML}<export>${entities.join('')}</export>`
}

function ukCsv(): string {
  const names = [...range(1_700).map((at) => `BRITISH ${at}`), ...EXPECTED.UK_FCDO.canaries]
  const rows = names.map((name, at) => `UK${at},${name},,,,,,Primary Name`)
  const header = 'Unique ID,Name 6,Name 1,Name 2,Name 3,Name 4,Name 5,Name type'
  return ['Report Date: 1-Nov-2026', header, ...rows, ''].join('\r\n')
}

/** Every needed file of every list under its upstream name. */
export function wholeLists(): Record<string, string> {
  const cons = [...range(300).map((at) => `CONS ${at}`), ...EXPECTED.OFAC_CONS.canaries]
  return {
    'SDN.CSV': sdnCsv(),
    'ALT.CSV': altCsv(200),
    'SDN_COMMENTS.CSV': `1,"no more."\r\n${END}`,
    'CONS_PRIM.CSV': ofacCsv(
      cons.map((name) => ({ name })),
      0,
    ),
    'CONS_ALT.CSV': altCsv(20),
    'consolidated.xml': unXml(),
    'xmlFullSanctionsList_1_1.xml': euXml(),
    'UK-Sanctions-List.csv': ukCsv(),
    'legislators-current.json': legislators(450),
  }
}

export type Misbehaviour = (response: ServerResponse, request: IncomingMessage) => unknown

export interface Mirror {
  readonly url: string
  /** What is served; change it as a publisher would. */
  readonly files: Record<string, string>
  /** Takes the place of the ordinary answer for a file. */
  readonly misbehave: Map<string, Misbehaviour>
  /** `status file` of every answer so far. */
  readonly answers: string[]
  close(): void
}

/** A mirror with ETags. */
export async function startMirror(files = wholeLists()): Promise<Mirror> {
  const misbehave = new Map<string, Misbehaviour>()
  const answers: string[] = []
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url ?? '').slice(1)
    response.on('close', () => answers.push(`${response.statusCode} ${name}`))
    const other = misbehave.get(name)
    const text = files[name]
    if (other !== undefined) other(response, request)
    else if (text === undefined) response.writeHead(404).end('no such file')
    else {
      const etag = `"${createHash('sha256').update(text).digest('hex').slice(0, 20)}"`
      const known = request.headers['if-none-match'] === etag
      response.writeHead(known ? 304 : 200, { etag }).end(known ? undefined : Buffer.from(text))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, files, misbehave, answers, close }
}

/** A folder that is gone after the tests around it. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-lists-'))
  after(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}
