import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAgentId, parseOperatorId, parseTxnId } from '../src/ids.ts'
import { isoTime, nextUtcMonth, numericDate, utcDate, utcMonth } from '../src/time.ts'

test('an identifier has its prefix and its alphabet, and nothing around it', () => {
  assert.equal(parseOperatorId('op_0a9z'), 'op_0a9z')
  assert.equal(parseAgentId('agt_0a9z'), 'agt_0a9z')
  assert.equal(parseTxnId('txn_0A9Z0A9Z'), 'txn_0A9Z0A9Z')
  const strays = [
    '',
    'op_',
    'agt_',
    'op_A',
    'agt_a\n',
    ' agt_a',
    'agt_../a',
    `agt_${'a'.repeat(33)}`,
  ]
  for (const stray of [...strays, 'txn_0A9Z0A9', 'txn_0A9Z0A9Z0', 'txn_0a9z0a9z', null, 7, {}]) {
    assert.equal(parseOperatorId(stray), undefined)
    assert.equal(parseAgentId(stray), undefined)
    assert.equal(parseTxnId(stray), undefined)
  }
})

test('an identifier of one kind is none of another kind', () => {
  assert.equal(parseAgentId('op_a'), undefined)
  assert.equal(parseOperatorId('agt_a'), undefined)
  assert.equal(parseTxnId('op_aaaaaaaa'), undefined)
})

const lastOfYear = Date.UTC(2026, 11, 31, 23, 59, 59, 999)

test('days and months turn at midnight UTC', () => {
  assert.equal(utcDate(lastOfYear), '2026-12-31')
  assert.equal(utcDate(lastOfYear + 1), '2027-01-01')
  assert.equal(utcMonth(lastOfYear), '2026-12')
  assert.equal(utcMonth(lastOfYear + 1), '2027-01')
})

test('the next month starts at its first instant, over years and short months', () => {
  assert.equal(isoTime(nextUtcMonth(lastOfYear)), '2027-01-01T00:00:00.000Z')
  assert.equal(isoTime(nextUtcMonth(lastOfYear + 1)), '2027-02-01T00:00:00.000Z')
  assert.equal(isoTime(nextUtcMonth(Date.UTC(2028, 0, 31))), '2028-02-01T00:00:00.000Z')
})

test('a NumericDate is in whole seconds, rounded down', () => {
  assert.equal(numericDate(1_999), 1)
  assert.equal(numericDate(2_000), 2)
})
