import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildWatchlist } from '../src/index.ts'
import { entryOf, listOf, watchlistOf } from './sample-lists.ts'

const EVM = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96'

test('the version names every list with its content, in one order', () => {
  const sdn = listOf('OFAC_SDN', [entryOf('A')], 'sha256:0123456789abcdef0123456789abcdef')
  const un = listOf('UN_SC', [], 'ffff')
  assert.equal(buildWatchlist([un, sdn]).version, 'OFAC_SDN@0123456789abcdef+UN_SC@ffff')
  assert.equal(buildWatchlist([sdn, un]).version, buildWatchlist([un, sdn]).version)
  assert.equal(buildWatchlist([]).version, '')
})

test('a list given twice is a programming fault', () => {
  assert.throws(() => buildWatchlist([listOf('UN_SC', []), listOf('UN_SC', [])]), /twice/)
})

test('a snapshot cannot be changed', () => {
  const watchlist = watchlistOf(entryOf('ACME STAR'))
  assert.ok(
    [watchlist, watchlist.lists, watchlist.lists[0], watchlist.addressesByTicker].every(
      Object.isFrozen,
    ),
  )
  assert.ok(
    Object.isFrozen(watchlist.screenName('acme star')) &&
      Object.isFrozen(watchlist.screenName('acme star')[0]),
  )
})

test('each list tells how many entries, names and different addresses it holds', () => {
  const addresses = [
    { ticker: 'ETH', address: EVM },
    { ticker: 'USDT', address: EVM.toLowerCase() },
  ]
  const entry = entryOf('A', { addresses, aliases: [{ name: 'B', quality: 'weak', kind: 'aka' }] })
  const [summary] = watchlistOf(entry).lists
  assert.deepEqual([summary?.entries, summary?.names, summary?.addresses], [1, 2, 1])
})

test('a wallet match names every ticker and every entry that lists the address', () => {
  const first = entryOf('A', {
    addresses: [
      { ticker: 'ETH', address: EVM },
      { ticker: 'USDT', address: EVM.toLowerCase() },
    ],
  })
  const second = entryOf('B', { addresses: [{ ticker: 'ARB', address: EVM.toLowerCase() }] })
  const { screenWallet } = watchlistOf(first, second)
  assert.deepEqual(screenWallet(`ethereum:${EVM.toUpperCase().replace('0X', '0x')}@1`), [
    {
      list: 'OFAC_SDN',
      entryId: 'A',
      primaryName: 'A',
      matchedAddress: EVM,
      tickers: ['ETH', 'USDT'],
    },
    {
      list: 'OFAC_SDN',
      entryId: 'B',
      primaryName: 'B',
      matchedAddress: EVM.toLowerCase(),
      tickers: ['ARB'],
    },
  ])
  assert.deepEqual(screenWallet(EVM.replace('96', '97')), [])
})

test('an answer from memory is the answer', () => {
  const { screenName } = watchlistOf(entryOf('ACME STAR'))
  const fresh = screenName('Acme Star')
  for (let at = 0; at < 10_100; at++) screenName(`name ${at}`)
  assert.deepEqual(screenName('Acme Star'), fresh)
  assert.equal(screenName('Acme Star'), screenName('Acme Star'))
})
