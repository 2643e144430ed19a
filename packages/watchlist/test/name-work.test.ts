import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { candidateScratch, findCandidates } from '../src/names/name-candidates.ts'
import type { CandidateScratch } from '../src/names/name-candidates.ts'
import { buildNameIndex } from '../src/names/name-index.ts'
import type { NameIndex } from '../src/names/name-index.ts'
import { findNames } from '../src/names/name-match.ts'
import type { NameQuery } from '../src/names/name-query.ts'
import { NAME_REVIEW_SCORE } from '../src/thresholds.ts'
import { entryOf } from './sample-lists.ts'
import { sharedSdn } from './shared-data.ts'

/** What one look-up may cost, whatever the text: counts and not times, which depend on machines. */
const MOST = { readings: 48, candidates: 256, compared: 40_000 }

/** What a look-up did: readings, candidates of the busiest reading, pairs of words compared. */
function workOf(index: NameIndex, scratch: CandidateScratch, text: string): typeof MOST {
  const queries: NameQuery[] = []
  let candidates = 0
  const find = (query: NameQuery) => {
    const found = findCandidates(index, query, scratch)
    queries.push(query)
    candidates = Math.max(candidates, found.length)
    return found
  }
  findNames(index, text, find, NAME_REVIEW_SCORE)
  assert.ok(
    scratch.sums.every((number, at) => at % 4 > 0 || number === 0),
    'the scratch is left clean',
  )
  let compared = 0
  for (const { rows, similarWords } of queries) {
    assert.ok(similarWords <= 32)
    compared += rows.size * similarWords
  }
  return { readings: queries.length, candidates, compared }
}

function assertBounded(index: NameIndex, scratch: CandidateScratch, text: string): void {
  const work = workOf(index, scratch, text)
  const what = `${JSON.stringify(work)} for ${text.length} characters ${text.slice(0, 60)}`
  assert.ok(work.readings <= MOST.readings, what)
  assert.ok(work.candidates <= MOST.candidates, what)
  assert.ok(work.compared <= MOST.compared, what)
}

const SYLLABLES = 'mu ham mad ab dul rah man kar im ov sky ber lin tra ding bank co'.split(' ')

/** Thousands of names that share most of their words, so that every word leads to many of them. */
function crowdedIndex(): NameIndex {
  const word = (at: number) =>
    `${SYLLABLES[at % 17]}${SYLLABLES[(at * 7) % 13]}${SYLLABLES[(at * 5) % 11]}`
  const entries = Array.from({ length: 4000 }, (_, at) =>
    entryOf(`${word(at % 6)} ${word((at * 3) % 7)} ${word((at * 11) % 97)}`, {
      entryId: String(at),
      type: at % 2 === 0 ? 'individual' : 'entity',
    }),
  )
  return buildNameIndex(entries)
}

/** Text of 5,000 characters, one piece after another. */
function filledWith(piece: (at: number) => string, between = ' '): string {
  let text = ''
  for (let at = 0; text.length < 5000; at++) text += piece(at) + between
  return text.slice(0, 5000)
}

function hostileTexts(index: NameIndex): string[] {
  const { words } = index.table
  const word = (at: number) => words[(at * 37) % words.length]!
  const character = (first: number, count: number) => (at: number) =>
    String.fromCodePoint(first + ((at * 7919) % count))
  return [
    ...[
      'mohammad',
      'ali',
      'llc',
      'trading',
      'bin',
      'a',
      '5',
      'Usama BIN LADIN',
      'd/b/a x',
      '김정은',
    ],
    ...['محمد', '4L1', 'M0H4MM4D B1N', 'АВСЕНКМОРТХ', 'S.A.', '&#66;', '%41', '<a', '😀'],
  ]
    .map((piece) => filledWith(() => piece))
    .concat(
      filledWith(word),
      filledWith((at) => (at % 2 === 0 ? word(at) : 'dba')),
      Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? word(at) : 'dba')).join(' '),
      Array.from({ length: 40 }, (_, at) => word(at % 5)).join(' '),
      `${words[0]} ${words[1]}`,
      filledWith(character(0xac00, 11_172), ''),
      filledWith(character(0xac00, 11_172)),
      filledWith(character(0x4e00, 20_000), ''),
      filledWith(character(0x621, 42)),
      filledWith(character(0x300, 112), ''),
      filledWith(() => 'a\u0301\u0335\u0489', ''),
      filledWith((at) => String(at % 10), ''),
      filledWith(() => '\ufdfa', ''),
    )
}

const anyText = fc
  .tuple(
    fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { maxLength: 120 }),
    fc.constantFrom('', ' ', ' mohammad ', ' d/b/a ', '1'),
  )
  .map(([parts, between]) => parts.join(between))

test('no text makes a look-up cost more than its bound, hostile ones included', () => {
  const index = crowdedIndex()
  const scratch = candidateScratch(index)
  for (const text of hostileTexts(index)) assertBounded(index, scratch, text)
  fc.assert(
    fc.property(anyText, (text) => assertBounded(index, scratch, text)),
    { numRuns: 150 },
  )
})

test('on the whole list too', (t) => {
  const entries = sharedSdn(t)
  if (entries === undefined) return
  const index = buildNameIndex(entries)
  const scratch = candidateScratch(index)
  for (const text of hostileTexts(index)) assertBounded(index, scratch, text)
})
