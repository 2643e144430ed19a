import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressesByTicker, FALLBACK_ENTRIES, REPORTED_TICKERS } from '../src/index.ts'
import type { WatchlistEntry } from '../src/index.ts'
import { verdictOf, watchlistOf } from './sample-lists.ts'
import { sharedSdn } from './shared-data.ts'

test('the embedded fallback has an address under every reported ticker', () => {
  const counts = addressesByTicker(FALLBACK_ENTRIES)
  for (const ticker of REPORTED_TICKERS) assert.ok(counts[ticker]! > 0, ticker)
})

test('the embedded fallback blocks as a whole list would', () => {
  const { screenName } = watchlistOf(...FALLBACK_ENTRIES)
  for (const name of [
    'Lazarus Group',
    'Garantex LLC',
    'Mr. Vladimir Vladimirovich PUTIN',
    'L4zarus Gr0up',
    'Payment to Cartel de Sinaloa invoice 7',
  ]) {
    assert.equal(verdictOf(screenName(name)), 'BLOCK', name)
  }
  for (const name of ['Acme', 'John Smith', 'Maria Garcia', 'Lazarus Grooming Ltd', 'Kim Young']) {
    assert.equal(verdictOf(screenName(name)), 'CLEAR', name)
  }
})

test('every embedded designation stands in the published list', (t) => {
  const published = sharedSdn(t)
  if (published === undefined) return
  for (const fact of FALLBACK_ENTRIES) {
    const entry: WatchlistEntry | undefined = published.find(
      ({ primaryName }) => primaryName === fact.primaryName,
    )
    assert.ok(entry, fact.primaryName)
    assert.equal(entry.type, fact.type)
    assert.deepEqual(entry.programs, fact.programs)
    for (const alias of fact.aliases)
      assert.ok(
        entry.aliases.some(({ name }) => name === alias.name),
        alias.name,
      )
    for (const { ticker, address } of fact.addresses) {
      assert.ok(
        entry.addresses.some((listed) => listed.ticker === ticker && listed.address === address),
        address,
      )
    }
  }
})
