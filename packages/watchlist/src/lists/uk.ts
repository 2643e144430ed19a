import type { Alias, EntryType, WatchlistEntry } from '../entry.ts'
import { csvRows } from './csv-rows.ts'
import { ListRefused } from './list-refused.ts'
import { toEntries } from './entry-draft.ts'
import type { EntryDraft } from './entry-draft.ts'
import { textOf } from './list-files.ts'
import type { ListFile } from './list-files.ts'

const FILE = 'UK-Sanctions-List.csv'
const REPORT_DATE = /^\uFEFF?"?Report Date:\s*(\d{1,2})-([A-Z][a-z]{2})-(\d{4})/
const NUMBER = 'Unique ID'
const NAME_TYPE = 'Name type'
/** Given names first; the sixth is the family name, or the whole name of anybody but a person. */
const NAME_PARTS = ['Name 1', 'Name 2', 'Name 3', 'Name 4', 'Name 5', 'Name 6']
const REQUIRED = [NUMBER, NAME_TYPE, ...NAME_PARTS]

const refuse = (reason: string) => new ListRefused('UK_FCDO', `${FILE} ${reason}`)

type Row = (column: string) => string

/**
 * Entries of the UK sanctions list: one row a name, the rows of one party under one number. The
 * first line is the report date, the second the header.
 *
 * @throws ListRefused when the file is cut short, is HTML, or a column or a row is not what it was.
 */
export function readUk(file: ListFile): WatchlistEntry[] {
  const text = textOf(file)
  if (/^\s*</.test(text)) throw refuse('is a web page and not a list')
  if (!REPORT_DATE.test(text)) throw refuse('does not begin with its report date')
  if (!text.endsWith('\n')) throw refuse('ends in the middle of a line')
  const [header = [], ...rows] = parseRows(text.slice(text.indexOf('\n') + 1))
  const columns = new Map(header.map((name, at) => [name.trim(), at]))
  const missing = REQUIRED.filter((name) => !columns.has(name))
  if (missing.length > 0) throw refuse(`has no column ${missing.join(', ')}`)
  return toEntries('UK_FCDO', FILE, groupByParty(rows, columns))
}

function parseRows(text: string): string[][] {
  try {
    return csvRows(text)
  } catch (error) {
    throw refuse(`does not parse: ${error instanceof Error ? error.message : 'unknown fault'}`)
  }
}

function groupByParty(
  rows: readonly string[][],
  columns: ReadonlyMap<string, number>,
): EntryDraft[] {
  const parties = new Map<string, Row[]>()
  for (const cells of rows) {
    const row: Row = (column) => cells[columns.get(column) ?? -1]?.trim() ?? ''
    const others = parties.get(row(NUMBER))
    if (others === undefined) parties.set(row(NUMBER), [row])
    else others.push(row)
  }
  return [...parties].map(([entryId, rows]) => toDraft(entryId, rows))
}

function toDraft(entryId: string, rows: readonly Row[]): EntryDraft {
  const primary = rows.find((row) => /^primary name$/i.test(row(NAME_TYPE)))
  const programs = new Set(rows.map((row) => row('Regime Name')))
  return {
    entryId,
    type:
      rows.map((row) => typeOf(row('Designation Type'))).find((type) => type !== 'entity') ??
      'entity',
    primaryName: primary === undefined ? '' : nameOf(primary),
    aliases: rows.flatMap(readNames),
    addresses: [],
    programs: [...programs].filter((program) => program !== ''),
  }
}

function typeOf(designation: string): EntryType {
  if (/^individual/i.test(designation)) return 'individual'
  return /^ship/i.test(designation) ? 'vessel' : 'entity'
}

const nameOf = (row: Row): string =>
  NAME_PARTS.map(row)
    .filter((part) => part !== '')
    .join(' ')

function readNames(row: Row): Alias[] {
  const quality = /low|weak/i.test(row('Alias strength')) ? 'weak' : 'strong'
  const names = [nameOf(row), row('Name non-latin script')]
  return names.filter((name) => name !== '').map((name) => ({ name, quality, kind: 'aka' }))
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** The report date of the first line as ISO 8601; null when it cannot be read. */
export function publishedUk(head: string): string | null {
  const [, day = '', month = '', year = ''] = REPORT_DATE.exec(head) ?? []
  const number = MONTHS.indexOf(month) + 1
  if (number === 0) return null
  return `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}T00:00:00.000Z`
}
