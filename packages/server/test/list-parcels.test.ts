import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pack, Unpacking } from '../src/adapters/lists/parcels.ts'

function throughParcels(value: unknown): unknown {
  const { skeleton, parcels } = pack(value)
  const unpacking = new Unpacking(structuredClone(skeleton))
  for (const parcel of parcels()) unpacking.add(structuredClone(parcel))
  return unpacking.finish()
}

test('plain data arrives as it left, long or short', () => {
  const names = Array.from({ length: 1_234 }, (_, at) => ({ at, text: `name ${at}` }))
  const value = {
    names,
    again: names,
    short: [1, 'two', null, undefined, { three: [3] }],
    ids: new Map(names.map(({ at, text }) => [text, [at]])),
    none: new Map(),
    counts: Int32Array.from({ length: 200_000 }, (_, at) => at),
    weights: Float32Array.of(0.5, 1),
    flags: new Uint8Array(0),
  }
  const arrived = throughParcels(value) as typeof value
  assert.deepEqual(arrived, value)
  assert.equal(arrived.names, arrived.again)
})

test('a parcel is small, however large the data', () => {
  const { skeleton, parcels } = pack({
    names: new Array(100_000).fill('x'),
    keys: new Uint32Array(5e6),
  })
  assert.ok(JSON.stringify(skeleton).length < 1_000)
  for (const { items } of parcels()) assert.ok(items.length <= 65_536)
})

test('what would not arrive as it left is not packed', () => {
  for (const value of [() => 1, new Date(0), new Set([1]), { inside: [new Error('x')] }])
    assert.throws(() => pack(value), /cannot be packed/)
})
