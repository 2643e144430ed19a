import { parse } from 'csv-parse/sync'

const QUOTE = 34
const COMMA = 44
const LINE_FEED = 10
const RETURN = 13

/**
 * The rows of a CSV file (RFC 4180), all of one length. What is plain, as published files are, is
 * cut at its marks; anything else is for the parser, which looks at every letter, to read or to
 * refuse.
 *
 * @throws the parser's error when the text is not well-formed.
 */
export function csvRows(text: string): string[][] {
  return plainRows(text) ?? parse(text, { bom: true })
}

/**
 * The rows of a text of which every line ends alike, the last one too, and every row has as many
 * columns; undefined for any other.
 */
export function plainRows(text: string): string[][] | undefined {
  const lineEnd = text.charAt(text.indexOf('\n') - 1) === '\r' ? '\r\n' : '\n'
  if (text.startsWith('\uFEFF') || !text.endsWith(lineEnd)) return undefined
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < text.length;) {
    const quoted = text.charCodeAt(at) === QUOTE
    const end = quoted ? endOfQuoted(text, at) : endOfPlain(text, at)
    const value = quoted ? text.slice(at + 1, end - 1) : text.slice(at, end)
    row.push(quoted && value.includes('"') ? value.replaceAll('""', '"') : value)
    if (text.charCodeAt(end) === COMMA) at = end + 1
    else if (text.startsWith(lineEnd, end) && isWhole(row, rows[0])) {
      rows.push(row)
      row = []
      at = end + lineEnd.length
    } else return undefined
  }
  return row.length === 0 ? rows : undefined
}

/** An empty line is no row. */
function isWhole(row: readonly string[], first: readonly string[] | undefined): boolean {
  return first === undefined ? row.length > 1 || row[0] !== '' : row.length === first.length
}

/** Where the value that opens with a quote ends, behind its closing quote; or at the end. */
function endOfQuoted(text: string, start: number): number {
  let at = start
  do {
    at = text.indexOf('"', at + 1) + 1
    if (at === 0) return text.length
  } while (text.charCodeAt(at) === QUOTE)
  return at
}

/** Where a value without quotes ends: at any mark. */
function endOfPlain(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === COMMA || unit === LINE_FEED || unit === RETURN || unit === QUOTE) return at
  }
  return text.length
}
