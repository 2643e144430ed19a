import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addPair,
  buildMultimap,
  eachValue,
  hasKey,
  noPairs,
  slotOf,
  valueIn,
} from '../src/words/int-multimap.ts'

/** Keys that share buckets, and some that are equal as 32 bits, signed or not. */
const key = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  fc.constantFrom(-1, 0xffffffff, 0x80000000, -0x80000000),
  fc.integer({ min: 0, max: 0xffffffff }),
)

test('a multimap gives every value of a key, in the order in which they were added', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.integer())), fc.array(key), (added, others) => {
      const pairs = noPairs(1)
      const expected = new Map<number, number[]>()
      for (const [one, value] of added) {
        addPair(pairs, one, value | 0)
        expected.set(one | 0, [...(expected.get(one | 0) ?? []), value | 0])
      }
      const map = buildMultimap(pairs)
      for (const one of [...others, ...expected.keys()]) {
        const values: number[] = []
        eachValue(map, one, (value) => values.push(value))
        assert.deepEqual(values, expected.get(one | 0) ?? [])
        assert.equal(hasKey(map, one), values.length > 0)
        const first = slotOf(map, one)
        assert.equal(first < 0 ? undefined : valueIn(map, first), values[0])
      }
    }),
  )
})
