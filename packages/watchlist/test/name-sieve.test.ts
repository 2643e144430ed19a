/** Who a change of some entries may concern: nobody who is found on all lists is passed over. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { disguisesOf, type EntryRef, seeded, type Watchlist } from '../src/index.ts'
import type { WatchlistEntry } from '../src/index.ts'
import { entryOf, watchlistOf } from './sample-lists.ts'
import { sharedSdn } from './shared-data.ts'

const WORDS = (
  'muhammad mohammed yusuf joseph ivan ivanovich sidorenko petrova al abd rahman abdulrahman ' +
  'nasir kim jong un jongun trading company limited llc bank 7 vii 12 plant khaled khalid castro castillo'
).split(' ')

const wallet = fc.stringMatching(/^[0-9a-f]{40}$/).map((digits) => `0x${digits}`)
const name = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 })
const entries = fc.array(
  fc.record({
    words: name,
    alias: name,
    quality: fc.constantFrom('strong' as const, 'weak' as const),
    type: fc.constantFrom('individual' as const, 'entity' as const, 'vessel' as const),
    list: fc.constantFrom('OFAC_SDN' as const, 'UN_SC' as const),
    address: wallet,
    isNew: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
)

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

const namesOf = ({ primaryName, aliases }: WatchlistEntry): string[] => [
  primaryName,
  ...aliases.map((alias) => alias.name),
]

const asKey = ({ list, entryId }: EntryRef): string => `${list}:${entryId}`

/** What is found for a text, of these entries alone, looking everybody up and who passes only. */
function both(watchlist: Watchlist, added: readonly WatchlistEntry[]) {
  const keys = new Set(added.map(asKey))
  const sieve = watchlist.sieve(added)
  const isAdded = (match: EntryRef) => keys.has(asKey(match))
  return (text: string) => ({
    whole: [...watchlist.screenName(text), ...watchlist.screenWallet(text)].filter(isAdded),
    sieved: [
      ...(sieve.name(text) ? watchlist.screenName(text) : []),
      ...(sieve.wallet(text) ? watchlist.screenWallet(text) : []),
    ].filter(isAdded),
  })
}

test('what a difference finds is what all lists find of its entries', () => {
  let found = 0
  fc.assert(
    fc.property(entries, fc.nat(), (drafts, drawn) => {
      const all = drafts.map(({ words, alias, quality, address, ...more }, at) =>
        entryOf(words.join(' '), {
          ...more,
          entryId: `${at}`,
          aliases: [{ name: alias.join(' '), quality, kind: 'aka' }],
          addresses: [{ ticker: 'ETH', address }],
        }),
      )
      const added = all.filter((_, at) => drafts[at]?.isNew === true)
      const look = both(watchlistOf(...all), added)
      const asked = all[drawn % all.length]!
      const texts = disguisesOf(asked.primaryName).map(({ input }) => input)
      const aliases = asked.aliases.map((one) => one.name)
      const hidden = `pay ${asked.addresses[0]!.address} soon`
      for (const text of [...texts, ...aliases, asked.primaryName, hidden]) {
        const { whole, sieved } = look(text)
        assert.deepEqual(sieved, whole, text)
        found += whole.length
      }
    }),
    { numRuns: 200 },
  )
  assert.ok(found > 1_000, `${found} matches are too few to say anything`)
})

test('the same on the whole SDN list, for listed names, disguised ones and mixtures', (t) => {
  const sdn = sharedSdn(t)
  if (sdn === undefined) return
  const watchlist = watchlistOf(...sdn)
  const chance = seeded(11)
  const one = <T>(items: readonly T[]): T => items[Math.floor(chance() * items.length)] as T
  const wordOf = ({ primaryName }: WatchlistEntry): string => one(primaryName.split(' '))
  let [found, passed, asked] = [0, 0, 0]
  for (let round = 0; round < 3; round++) {
    const added: WatchlistEntry[] = range(10 ** (1 + round) / 2).map(() => one(sdn))
    const look = both(watchlist, added)
    const sieve = watchlist.sieve(added)
    for (let at = 0; at < 60; at++) {
      const plain: string = one(namesOf(one(at % 2 === 0 ? added : sdn)))
      const mixture: string = `${wordOf(one(sdn))} ${wordOf(one(added))}`
      for (const text of [plain, mixture, ...disguisesOf(plain).map(({ input }) => input)]) {
        const { whole, sieved } = look(text)
        assert.deepEqual(sieved, whole, text)
        found += whole.length
        asked++
        if (sieve.name(text)) passed++
      }
    }
  }
  t.diagnostic(`${found} matches of ${asked} names; ${passed} passed the sieve`)
  assert.ok(found > 500, `${found} matches are too few to say anything`)
  assert.ok(passed < asked, 'the sieve holds nobody back')
})

test('what is no entry of the watchlist concerns nobody', () => {
  const watchlist = watchlistOf(entryOf('Somebody Listed'))
  const sieve = watchlist.sieve([{ list: 'OFAC_SDN', entryId: 'gone' }])
  assert.equal(sieve.name('Somebody Listed'), false)
  assert.equal(sieve.wallet('0x098b716b8aaf21512996dc57eb0615e2383e2f96'), false)
})
