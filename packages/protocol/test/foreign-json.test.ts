/** Answers of other services: read as `JSON.parse` reads them, or refused like a request. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { JsonRefused, MAX_DEPTH, parseForeignJson, parseStrictJson } from '../src/strict-json.ts'
import { conformance } from './vectors.ts'

interface Vector {
  why: string
  text?: string
  nested?: { open: string; inside: string; close: string; depth: number }
}
const vectors = conformance<{
  accepted: Vector[]
  refused: (Vector & { kind: JsonRefused['kind'] })[]
}>('strict-json.json')

const textOf = ({ text, nested }: Vector): string => {
  if (text !== undefined) return text
  const { open, inside, close, depth } = nested ?? assert.fail('a text or a nesting')
  return `${open.repeat(depth)}${inside}${close.repeat(depth)}`
}

const kindOf = (text: string, parse = parseForeignJson): JsonRefused['kind'] | 'accepted' => {
  try {
    parse(text)
    return 'accepted'
  } catch (error) {
    if (error instanceof JsonRefused) return error.kind
    throw error
  }
}

for (const vector of vectors.accepted) {
  test(`foreign JSON is accepted as in requests: ${vector.why}`, () => {
    assert.deepStrictEqual(parseForeignJson(textOf(vector)), parseStrictJson(textOf(vector)))
  })
}

for (const vector of vectors.refused) {
  const overflows = /1e400/.test(vector.text ?? '')
  if (vector.kind === 'number' && !overflows) {
    test(`foreign JSON is accepted, rounded: ${vector.why}`, () => {
      assert.deepStrictEqual(parseForeignJson(textOf(vector)), JSON.parse(textOf(vector)))
    })
  } else {
    test(`foreign JSON is refused for its ${vector.kind}: ${vector.why}`, () => {
      assert.equal(kindOf(textOf(vector)), vector.kind)
    })
  }
}

test('a score of 17 digits is read as the double that it was', () => {
  assert.deepEqual(parseForeignJson('{"score":0.30000000000000004}'), { score: 0.1 + 0.2 })
})

test('no foreign text changes how a request is read after it', () => {
  const request = '{"token":"t","amount":1,"cpWalle\\u0074":"0xabc"}'
  for (const poison of ['cpWalle\\\\', 'cpWalle\\\\t', 'cpWalle\\u005c', 'cpWalle\\u005Ct']) {
    assert.equal(kindOf(`{"responses":{"${poison}":1}}`), 'text')
    assert.deepEqual(parseStrictJson(request), { token: 't', amount: 1, cpWallet: '0xabc' })
  }
})

const anyJson = fc.jsonValue({ noUnicodeString: false }).map((value) => JSON.stringify(value))

test('a foreign text is read as JSON.parse reads it, or refused', () => {
  fc.assert(
    fc.property(anyJson, (text) => {
      const kind = kindOf(text)
      if (kind === 'accepted') assert.deepStrictEqual(parseForeignJson(text), JSON.parse(text))
      else assert.ok(kind === 'text' || kind === 'depth', kind)
    }),
    { numRuns: 10_000 },
  )
})

test('what a request may say a foreign text may say too; only numbers make a difference', () => {
  const piece = fc.constantFrom(
    ...['{', '}', '[', ']', ':', ',', '"', '\\', '"a"', '"b":', '1', '-0', '1e9', '0.1', 'null'],
    ...['"\\ud800"', '"\\\\":', '12345678901234567', '1e400', ' ', 'é'],
  )
  const mess = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 20 }).map((parts) => parts.join('')),
    fc.array(piece, { maxLength: 5 }).map((parts) => `[${parts.join(',')}]`),
  )
  fc.assert(
    fc.property(mess, (text) => {
      const [strict, foreign] = [kindOf(text, parseStrictJson), kindOf(text)]
      if (strict !== 'number') assert.equal(foreign, strict)
    }),
    { numRuns: 10_000 },
  )
})

test('foreign nesting is refused exactly beyond the limit', () => {
  const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`
  assert.equal(kindOf(nested(MAX_DEPTH)), 'accepted')
  assert.equal(kindOf(nested(MAX_DEPTH + 2)), 'depth')
  assert.equal(kindOf('['.repeat(1_000_000)), 'depth')
})

test('an answer of 4 MiB is read well within the 5 seconds that a provider has', () => {
  const result = { id: 'NK-1', caption: 'Acme', score: 0.71, properties: { topics: ['sanction'] } }
  const results = Array.from({ length: 50_000 }, () => result)
  const text = JSON.stringify({ responses: { name: { results } } })
  assert.ok(text.length > 4_000_000)
  const started = performance.now()
  assert.equal(kindOf(text), 'accepted')
  assert.ok(performance.now() - started < 2_500)
})
