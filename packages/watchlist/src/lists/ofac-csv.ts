import { parse } from 'csv-parse/sync'
import type { ListId } from '../entry.ts'
import { ListRefused } from './list-refused.ts'

/**
 * The published file ends with this alone on its last line (Ctrl-Z); some copies drop it and end
 * with a line end.
 */
const END_OF_FILE = '\u001a'

/** OFAC's word for "no value", published with a trailing space. */
const NULL = '-0-'

/** True when a file ends with the mark by which its publisher ends all of them. */
export function isMarkedAtEnd(text: string): boolean {
  return text.slice(-MARK_WITHIN).trimEnd().endsWith(END_OF_FILE)
}

/** White space may stand behind the mark. */
const MARK_WITHIN = 16

/**
 * Rows of one OFAC CSV file: no header, CRLF, nulls as empty strings. Values keep their spaces,
 * since remarks are cut and go on in another file.
 *
 * @throws ListRefused when the file is cut short, is HTML, holds no row, or a row has another
 * number of columns.
 */
export function readOfacCsv(list: ListId, file: string, text: string, columns: number): string[][] {
  const refuse = (reason: string) => new ListRefused(list, `${file} ${reason}`)
  if (/^\s*</.test(text)) throw refuse('is a web page and not a list')
  const ended = isMarkedAtEnd(text)
  if (!ended && !text.endsWith('\n')) throw refuse('ends in the middle of a line')
  const rows = parseRows(ended ? text.slice(0, text.lastIndexOf(END_OF_FILE)) : text, refuse)
  if (rows.length === 0) throw refuse('holds no entry')
  const uneven = rows.findIndex((row) => row.length !== columns)
  if (uneven >= 0) {
    throw refuse(`has ${rows[uneven]?.length} columns instead of ${columns} in row ${uneven + 1}`)
  }
  for (const row of rows)
    row.forEach((value, at) => {
      if (isNull(value)) row[at] = ''
    })
  return rows
}

function isNull(value: string): boolean {
  return value.startsWith(NULL) && value.trimEnd() === NULL
}

function parseRows(text: string, refuse: (reason: string) => ListRefused): string[][] {
  try {
    return parse(text, { bom: true })
  } catch (error) {
    throw refuse(`does not parse: ${error instanceof Error ? error.message : 'unknown fault'}`)
  }
}
