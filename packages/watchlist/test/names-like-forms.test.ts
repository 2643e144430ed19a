/** Words that are close to a company's form, or to a listed word, and are somebody's own name. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { buildWatchlist, NAME_BLOCK_SCORE, scorePair } from '../src/index.ts'
import { isBareFiller, isMisspeltForm } from '../src/words/filler-words.ts'
import { entryOf } from './sample-lists.ts'

const ONE_PERSON = [
  ['Hans P. Kaufmann', 'KAUFMANN, Hans Peter'],
  ['Rup Chand Sahni', 'CHAND, Rup'],
  ['Odo Wilhelm Krantz', 'KRANTZ, Odo'],
] as const

for (const [query, candidate] of ONE_PERSON) {
  it(`${query} is ${candidate}`, () => {
    assert.notEqual(scorePair(query, candidate, 'Person').verdict, 'CLEAR')
  })
}

it('a company of Kazakhstan is told by its name', () => {
  assert.notEqual(scorePair('Borealin TOO', 'BOREALIN LLC', 'Company').verdict, 'CLEAR')
})

it('a family name is not left out as a form would be', () => {
  assert.equal(scorePair('Omar Rup', 'OMAR', 'Person').verdict, 'CLEAR')
})

for (const name of 'kaufman mehsud mukolo shariat sharifa sarika dionicio antonina'.split(' ')) {
  it(`${name} is no misspelt form`, () => {
    assert.equal(isMisspeltForm(name), false)
  })
}

it('Muhammad without vowels is no form without vowels', () => {
  assert.equal(isBareFiller('mhd'), false)
})

it('a known company is not blocked for a listed word with two letters the other way round', () => {
  const entries = [entryOf('ARMACO', { type: 'entity' })]
  const nothing = { publishedAt: null, loadedAt: '', source: 'test' }
  const watchlist = buildWatchlist([{ id: 'OFAC_SDN', contentHash: 'one', ...nothing, entries }])
  for (const { score } of watchlist.screenName('Aramco')) assert.ok(score < NAME_BLOCK_SCORE)
})
