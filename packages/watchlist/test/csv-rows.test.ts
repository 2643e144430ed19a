import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { csvRows, plainRows } from '../src/lists/csv-rows.ts'

/** Pieces of CSV files, whole ones and ones that are cut, quoted wrongly, or of two kinds. */
const piece = fc.constantFrom(
  ...['a', 'bc', '"', '""', '"x"', '"x,y"', '"x ""y"""', '"\n"', '"\r\n"', ',', ',', ',,'],
  ...['\n', '\r\n', '\r\n', '\r', ' ', '\uFEFF', '-0- ', 'é', '\u001a', ''],
)
const anyText = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''))

/** Rows of one length with one line end, of cells with every kind of character. */
const cell = fc.string({ unit: fc.constantFrom(...'ab" ,é\n\r'), maxLength: 6 })
const table = fc
  .integer({ min: 2, max: 4 })
  .chain((columns) => fc.array(fc.array(cell, { minLength: columns, maxLength: columns })))
const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`
const lineEnd = fc.constantFrom('\n', '\r\n')

function outcome(read: () => string[][]): unknown {
  try {
    return read()
  } catch {
    return 'refused'
  }
}

test('every text reads as the parser of all forms of CSV reads it, or is refused as there', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const expected = outcome(() => parse(text, { bom: true }))
      assert.deepEqual(
        outcome(() => csvRows(text)),
        expected,
      )
    }),
    { numRuns: 20_000 },
  )
})

test('a table that is written as published files are is read without that parser', () => {
  fc.assert(
    fc.property(table, lineEnd, (rows, end) => {
      const text = rows.map((row) => row.map(quoted).join(',') + end).join('')
      const first = /^(?:"(?:[^"]|"")*",?)+/.exec(text)?.[0] ?? ''
      fc.pre(rows.length > 0 && !/[\r\n]/.test(first))
      assert.deepEqual(plainRows(text), rows)
    }),
    { numRuns: 2000 },
  )
})
