/** One company under the forms and common words that registers and lists write otherwise. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { scorePair } from '../src/index.ts'

const ONE_COMPANY = [
  ['Eurofootball Ltd', 'EUROFOOTBALL OOD'],
  ['Eurosadruzhie Limited', 'EUROSADRUZHIE OOD'],
  ['Joza Industries Company', 'JOZA INDUSTRIAL COMPANY'],
  ['Midco Financial S.A.', 'MIDCO FINANCE S.A.'],
  ['Korea Samma Shipping Co', 'KOREA SAMMA SHPG CO'],
  ['Borealin SHPK', 'BOREALIN LLC'],
  ['Borealin Gesellschaft mbH', 'BOREALIN S.A.P.I. de C.V.'],
] as const

for (const [query, candidate] of ONE_COMPANY) {
  it(`${query} is ${candidate}`, () => {
    assert.notEqual(scorePair(query, candidate, 'Company').verdict, 'CLEAR')
  })
}

const OTHER_COMPANIES = [
  ['Eurofootball Ltd', 'EUROBASKET OOD'],
  ['Joza Industries Company', 'MILAD INDUSTRIAL COMPANY'],
  ['Samma Finance S.A.', 'MIDCO FINANCE S.A.'],
] as const

for (const [query, candidate] of OTHER_COMPANIES) {
  it(`${query} is not ${candidate}`, () => {
    assert.equal(scorePair(query, candidate, 'Company').verdict, 'CLEAR')
  })
}
