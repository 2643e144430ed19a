import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addMoney,
  AMOUNT_CEILING_USD,
  microUsd,
  NO_MONEY,
  usdNumber,
  usdText,
} from '../src/money.ts'
import type { MicroUsd } from '../src/money.ts'
import { parseStrictJson } from '../src/strict-json.ts'
import { conformance } from './vectors.ts'

const vectors = conformance<{
  accepted: { usd: string; micro: string; text: string; why?: string }[]
  refused: { usd: string; why: string }[]
}>('money.json')

for (const { usd, micro, text, why = 'exactly' } of vectors.accepted) {
  test(`${usd} USD is ${micro} micro-USD and reads ${text} (${why})`, () => {
    const amount = microUsd(parseStrictJson(usd) as number)
    assert.equal(amount, BigInt(micro))
    assert.equal(usdText(BigInt(micro) as MicroUsd), text)
  })
}

for (const { usd, why } of vectors.refused) {
  test(`${usd} USD is no amount of money (${why})`, () => {
    assert.equal(microUsd(Number(usd)), undefined)
  })
}

test('what is no finite number is no amount of money', () => {
  for (const usd of [NaN, Infinity, -Infinity]) assert.equal(microUsd(usd), undefined)
})

const CEILING_MICRO = BigInt(AMOUNT_CEILING_USD) * 1_000_000n
const anyAmount = fc.bigInt({ min: 0n, max: CEILING_MICRO - 1n }) as fc.Arbitrary<MicroUsd>

test('every amount below the ceiling survives the way to the wire and back', () => {
  fc.assert(
    fc.property(anyAmount, (amount) => {
      assert.equal(microUsd(usdNumber(amount)), amount)
      const onTheWire = JSON.stringify(usdNumber(amount))
      assert.equal(microUsd(parseStrictJson(onTheWire) as number), amount)
    }),
    { numRuns: 10_000 },
  )
})

test('the text of an amount is its shortest plain decimal', () => {
  fc.assert(
    fc.property(anyAmount, (amount) => {
      const text = usdText(amount)
      assert.match(text, /^(?:0|[1-9]\d*)(?:\.\d{0,5}[1-9])?$/)
      const [whole = '', fraction = ''] = text.split('.')
      assert.equal(BigInt(whole + fraction.padEnd(6, '0')), amount)
    }),
    { numRuns: 1_000 },
  )
})

test('a number is money exactly when its plain decimal has at most six decimals', () => {
  fc.assert(
    fc.property(fc.nat(999_999_999), fc.nat(99_999_999), fc.nat(8), (whole, digits, places) => {
      const fraction = String(digits).padStart(places, '0').slice(0, places)
      const usd = Number(`${whole}.${fraction}`)
      // Beyond 15 digits the double is another number, and its own shortest text counts.
      fc.pre(String(whole).length + places <= 15)
      const decimals = fraction.replace(/0+$/, '').length
      assert.equal(microUsd(usd) !== undefined, decimals <= 6)
    }),
    { numRuns: 1_000 },
  )
})

test('a sum of amounts is exact and does not depend on their order', () => {
  fc.assert(
    fc.property(fc.array(anyAmount, { maxLength: 50 }), (amounts) => {
      const sum = (list: MicroUsd[]) => list.reduce(addMoney, NO_MONEY)
      assert.equal(sum(amounts), sum(amounts.toReversed()))
      assert.equal(
        sum(amounts),
        amounts.reduce((total, amount) => total + amount, 0n),
      )
    }),
    { numRuns: 1_000 },
  )
})

test('a thousand times ten cents is a hundred dollars', () => {
  const dime = microUsd(0.1) ?? assert.fail('ten cents are money')
  const sum = Array.from({ length: 1_000 }, () => dime).reduce(addMoney, NO_MONEY)
  assert.equal(usdText(sum), '100')
})
