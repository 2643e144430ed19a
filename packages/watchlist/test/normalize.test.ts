import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { NAME_TEXT_LIMIT, normalise } from '../src/index.ts'

const vectors = JSON.parse(
  readFileSync(new URL('../../../conformance/names.json', import.meta.url), 'utf8'),
) as { normalForms: { text: string; form: string }[] }

for (const { text, form } of vectors.normalForms) {
  test(`the normal form of ${JSON.stringify(text)} is ${JSON.stringify(form)}`, () => {
    assert.equal(normalise(text), form)
  })
}

test('normalising twice is normalising once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      assert.equal(normalise(normalise(text)), normalise(text))
    }),
    { numRuns: 3000 },
  )
})

test('every assigned character alone normalises to a fixed point', () => {
  for (let code = 0; code < 0x110000; code++) {
    const form = normalise(`a${String.fromCodePoint(code)}b`)
    assert.equal(normalise(form), form, `U+${code.toString(16)}`)
  }
})

test('a normal form is no longer than the limit, whatever the text', () => {
  for (const text of [
    '\ufdfa'.repeat(9999),
    'a '.repeat(9999),
    'a.'.repeat(9999),
    `a${'\u0301'.repeat(9999)}`,
  ]) {
    const form = normalise(text)
    assert.ok(form.length <= NAME_TEXT_LIMIT)
    assert.equal(normalise(form), form)
  }
})
