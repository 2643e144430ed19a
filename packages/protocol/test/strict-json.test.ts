import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { JsonRefused, MAX_DEPTH, parseStrictJson } from '../src/strict-json.ts'
import { conformance, sharedFiles } from './vectors.ts'

interface Nested {
  open: string
  inside: string
  close: string
  depth: number
}
interface Vector {
  why: string
  text?: string
  nested?: Nested
}
const vectors = conformance<{
  accepted: (Vector & { value?: unknown })[]
  refused: (Vector & { kind: JsonRefused['kind'] })[]
}>('strict-json.json')

const textOf = ({ text, nested }: Vector): string =>
  text ?? nestedText(nested ?? assert.fail('a vector has a text or a nesting'))

const nestedText = ({ open, inside, close, depth }: Nested): string =>
  `${open.repeat(depth)}${inside}${close.repeat(depth)}`

const kindOf = (text: string): JsonRefused['kind'] | 'accepted' => {
  try {
    parseStrictJson(text)
    return 'accepted'
  } catch (error) {
    if (error instanceof JsonRefused) return error.kind
    throw error
  }
}

for (const vector of vectors.accepted) {
  test(`JSON is accepted: ${vector.why}`, () => {
    const value = parseStrictJson(textOf(vector))
    if ('value' in vector) assert.deepStrictEqual(value, vector.value)
    else assert.deepStrictEqual(value, JSON.parse(textOf(vector)))
  })
}

for (const vector of vectors.refused) {
  test(`JSON is refused for its ${vector.kind}: ${vector.why}`, () => {
    assert.equal(kindOf(textOf(vector)), vector.kind)
  })
}

test('a million open brackets are refused in less than a second', () => {
  const started = performance.now()
  assert.equal(kindOf('[{"a":'.repeat(500_000)), 'depth')
  assert.ok(performance.now() - started < 1_000)
})

test('the refusal of a number or a text names the member to blame', () => {
  for (const text of ['{"a":[{"amount":1e400}]}', '{"a":[{"amount":"\\ud800"}]}']) {
    assert.throws(() => parseStrictJson(text), { name: 'JsonRefused', member: 'amount' })
  }
})

test('a string with a raw half of a surrogate pair is refused', () => {
  assert.equal(kindOf(`{"cpName":"a\ud800b"}`), 'text')
  assert.equal(kindOf(`{"a\udc00b":1}`), 'text')
})

test('negative zero is read as negative zero', () => {
  assert.ok(Object.is(parseStrictJson('-0'), -0))
  assert.deepStrictEqual(parseStrictJson('[-0.0e7]'), [-0])
})

test('an escaped member name is read as written, whatever was read before it', () => {
  const poison = '{"token":"t","amount":1,"cpWalle\\\\":1}'
  assert.equal(kindOf(poison), 'text')
  const { cpWallet } = parseStrictJson('{"token":"t","amount":1,"cpWalle\\u0074":"0xabc"}') as {
    cpWallet: string
  }
  assert.equal(cpWallet, '0xabc')
})

test('`__proto__` is an ordinary own member and changes no prototype', () => {
  const value = parseStrictJson('{"__proto__":{"admin":true},"constructor":1}') as object
  assert.deepEqual(Object.keys(value), ['__proto__', 'constructor'])
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
  assert.equal('admin' in value, false)
})

/** Numbers of up to 15 significant digits, of the size that a request may hold. */
const exactNumber = fc
  .tuple(fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }), fc.nat(15))
  .map(([digits, places]) => Number(`${digits}e-${places}`))

/** Member names that hold a backslash are refused. */
const memberName = fc
  .string({ unit: 'grapheme', maxLength: 4 })
  .filter((name) => !name.includes('\\'))

const exactJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: 'medium' },
    fc.constantFrom(null, true, false),
    exactNumber,
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(
      fc.oneof(memberName, fc.constantFrom('"', '\n', ':', '{', '}', '__proto__', '0', 'toString')),
      tie('value'),
      { maxKeys: 5, noNullPrototype: true },
    ),
  ),
})).value

test('every exact value that JSON.stringify writes is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(exactJson, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      assert.deepStrictEqual(parseStrictJson(text), JSON.parse(text))
    }),
    { numRuns: 1_000 },
  )
})

test('no text makes the reader throw anything but its own refusal, or accept what JSON.parse refuses', () => {
  const piece = fc.constantFrom(
    ...['{', '}', '[', ']', ':', ',', '"', '\\', '"a"', '"b":', '1', '-0', '1e9', 'null', ' ', 'é'],
  )
  const mess = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 20 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(mess, (text) => {
      if (kindOf(text) === 'accepted') JSON.parse(text)
    }),
    { numRuns: 10_000 },
  )
})

test('an object with any one of its members written again is refused', () => {
  fc.assert(
    fc.property(
      fc.dictionary(memberName, exactJson, {
        minKeys: 1,
        noNullPrototype: true,
      }),
      fc.nat(),
      exactJson,
      (object, pick, again) => {
        const keys = Object.keys(object)
        const key = keys[pick % keys.length] ?? assert.fail('there is a member')
        const whole = JSON.stringify(object)
        const text = `${whole.slice(0, -1)},${JSON.stringify(key)}:${JSON.stringify(again)}}`
        assert.equal(kindOf(text), 'duplicate')
      },
    ),
    { numRuns: 1_000 },
  )
})

test('nesting is refused exactly beyond the limit, whatever it is made of', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 2 * MAX_DEPTH }), (levels) => {
      const open = levels.map((array) => (array ? '[' : '{"a":')).join('')
      const close = levels.map((array) => (array ? ']' : '}'))
      const text = `${open}1${close.reverse().join('')}`
      assert.equal(kindOf(text), levels.length > MAX_DEPTH ? 'depth' : 'accepted')
    }),
    { numRuns: 1_000 },
  )
})

/** Texts that RFC 8259 allows and we refuse on purpose: two readers could see two values. */
const REFUSED_ON_PURPOSE = [
  'y_object_duplicated_key.json',
  'y_object_duplicated_key_and_value.json',
]

/**
 * Where RFC 8259 leaves the choice, one text stands: 1e20 in full digits, whose double is exact.
 * Every other is refused: numbers that a double cannot hold, halves of surrogate pairs, bytes that
 * are no UTF-8, a byte order mark, 500 levels.
 */
const ACCEPTED_BY_CHOICE = ['i_number_too_big_pos_int.json']

/** As request bodies and token parts are decoded. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function readsBytes(bytes: Buffer): boolean {
  let text: string
  try {
    text = UTF8.decode(bytes)
  } catch {
    return false
  }
  return kindOf(text) === 'accepted'
}

test('JSONTestSuite: valid texts are read, others refused, and every choice is listed', (t) => {
  const files = sharedFiles(t, 'jsontestsuite/test_parsing')
  if (files === undefined) return
  assert.equal(files.length, 318)
  for (const [name, bytes] of files) {
    const expected = name.startsWith('y_')
      ? !REFUSED_ON_PURPOSE.includes(name)
      : ACCEPTED_BY_CHOICE.includes(name)
    assert.equal(readsBytes(bytes), expected, name)
  }
})

/** Texts on which parsers are known to differ: these mean one thing to us, others are refused. */
const TRANSFORMED_ALIKE = [
  'number_1.0.json',
  'number_1000000000000000.json',
  'number_1e6.json',
  'object_key_nfc_nfd.json',
  'object_key_nfd_nfc.json',
  'string_with_escaped_NULL.json',
]

test('JSONTestSuite: a text that parsers read differently is read as written or refused', (t) => {
  const files = sharedFiles(t, 'jsontestsuite/test_transform')
  if (files === undefined) return
  const read = files.filter(([, bytes]) => readsBytes(bytes))
  assert.deepEqual(read.map(([name]) => name).sort(), TRANSFORMED_ALIKE)
  for (const [name, bytes] of read) {
    const text = UTF8.decode(bytes)
    assert.deepStrictEqual(parseStrictJson(text), JSON.parse(text), name)
  }
})
