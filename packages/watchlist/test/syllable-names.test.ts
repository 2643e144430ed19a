/** One Korean, Chinese or Burmese name in the romanisations that stand beside one another. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { scorePair } from '../src/index.ts'

const ONE_NAME = [
  ['Kim Young-Chol', 'KIM, Yong Chol'],
  ['Kim Yeong-Cheol', 'KIM, Yong Chol'],
  ['Kim Kang-chin', 'KIM, Kang Jin'],
  ['Jang Myong-Jin', 'CHANG, Myong-Chin'],
  ['Pak Kwang Hun', 'PAK, Gwang Hoon'],
  ['Xi Jin Ping', 'HSI, Chin-p\u2019ing'],
  ['Khin Mg Swe', 'SWE, Khin Maung'],
] as const

for (const [query, candidate] of ONE_NAME) {
  it(`${query} is ${candidate}`, () => {
    assert.notEqual(scorePair(query, candidate, 'Person').verdict, 'CLEAR')
  })
}

const OTHER_NAMES = [
  ['Kim Yong Min', 'KIM, Yong Chol'],
  ['Kim Song Chol', 'KIM, Yong Chol'],
  ['Pak Young Chol', 'KIM, Yong Chol'],
] as const

for (const [query, candidate] of OTHER_NAMES) {
  it(`${query} is not ${candidate}`, () => {
    assert.equal(scorePair(query, candidate, 'Person').verdict, 'CLEAR')
  })
}
