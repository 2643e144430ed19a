/** Latencies, unknown fields, and the vault. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCREEN_FIELD_NAMES } from '@portcullis/protocol'
import { vault } from '../src/adapters/vault.ts'
import { lastScreens } from '../src/app/screening/latencies.ts'
import { unknownFields } from '../src/app/unknown-fields.ts'

test('percentiles are null before the first screen', () => {
  assert.deepEqual(lastScreens().percentiles(), { p50Ms: null, p99Ms: null, sampleSize: 0 })
})

test('percentiles are those of the nearest rank', () => {
  const latencies = lastScreens()
  for (let ms = 100; ms >= 1; ms--) latencies.record(ms)
  assert.deepEqual(latencies.percentiles(), { p50Ms: 50, p99Ms: 99, sampleSize: 100 })
})

test('only the last 1,000 screens count', () => {
  const latencies = lastScreens()
  for (let i = 0; i < 500; i++) latencies.record(1_000_000)
  for (let i = 0; i < 1_000; i++) latencies.record(2)
  assert.deepEqual(latencies.percentiles(), { p50Ms: 2, p99Ms: 2, sampleSize: 1_000 })
})

test('known fields are no strangers, and far ones are named', () => {
  assert.deepEqual(unknownFields({ token: 1, memo: 1, invoiceNumber: 1 }, SCREEN_FIELD_NAMES), [
    'memo',
    'invoiceNumber',
  ])
})

test('every known field with one letter dropped, doubled or swapped is refused', () => {
  for (const name of SCREEN_FIELD_NAMES) {
    for (let at = 0; at < name.length; at++) {
      const dropped = name.slice(0, at) + name.slice(at + 1)
      const doubled = name.slice(0, at + 1) + name.slice(at)
      for (const slip of [dropped, doubled, name.toUpperCase()]) {
        assert.throws(() => unknownFields({ [slip]: 1 }, SCREEN_FIELD_NAMES), /did you mean/, slip)
      }
    }
  }
})

test('a sealed answer opens with its secret only, and not when altered', () => {
  const sealed = vault.seal('an answer with a credential', 'secret')
  assert.equal(vault.open(sealed, 'secret'), 'an answer with a credential')
  assert.equal(sealed.includes('credential'), false)
  assert.throws(() => vault.open(sealed, 'Secret'))
  const bytes = Buffer.from(sealed, 'base64')
  bytes[bytes.length - 1]! ^= 1
  assert.throws(() => vault.open(bytes.toString('base64'), 'secret'))
  assert.notEqual(vault.seal('x', 'secret'), vault.seal('x', 'secret'))
})
