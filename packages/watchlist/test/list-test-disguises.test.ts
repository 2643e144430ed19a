import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readWallet, walletCandidates } from '@portcullis/protocol'
import { disguisesOf, type Kept } from '../src/effectiveness/disguises.ts'
import { cleanNames } from '../src/effectiveness/clean-names.ts'
import { draw, seeded, seededFor } from '../src/effectiveness/seeded.ts'
import { nearMisses, walletDisguises } from '../src/effectiveness/wallet-disguises.ts'
import { editDistance, normalise } from '../src/index.ts'

/** Short enough for `editDistance`. */
const lettersFrom = (alphabet: string, minLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength: 9 })
const word = fc.oneof(
  lettersFrom('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 2),
  lettersFrom('abcdefghijklmnopqrstuvwxyz', 2),
)
const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))

const sorted = (text: string) => normalise(text).split(' ').toSorted().join(' ')
const joined = (text: string) => text.replaceAll(' ', '')
const isPartOf = (part: string, whole: string) => {
  let at = 0
  for (const letter of whole) if (letter === part[at]) at++
  return at === part.length
}
const decode = (text: string) =>
  text.includes('&#')
    ? text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    : decodeURIComponent(text)

/** Whether a disguise left of a name what it says. */
const KEEPS: Readonly<Record<Kept, (input: string, name: string) => boolean>> = {
  words: (input, name) => sorted(input) === sorted(name),
  name: (input, name) => input.includes(name),
  places: (input, name) => [...input].every((one, at) => (one === ' ') === (name[at] === ' ')),
  code: (input, name) => decode(input) === name,
  letters: (input, name) => joined(input) === joined(name),
  edits: (input, name) => editDistance(input, name, 2) <= 2,
  subsequence: (input, name) => isPartOf(input.replaceAll('.', ''), name),
  backwards: (input, name) => [...input].reverse().join('') === name,
}

describe('disguises of names', () => {
  test('each changes the name and keeps of it what it says', () => {
    fc.assert(
      fc.property(name, (name) => {
        for (const { transform, keeps, input } of disguisesOf(name)) {
          assert.notEqual(input, name, transform)
          assert.ok(KEEPS[keeps](input, name), `${transform}: ${JSON.stringify(input)}`)
        }
      }),
    )
  })

  test('a long name gets every disguise of every level, each once', () => {
    const found = disguisesOf('Konstantin Petrovich Sevastyanov')
    const names = found.map(({ transform }) => transform)
    assert.equal(new Set(names).size, names.length)
    const perLevel = [1, 2, 3].map((level) => found.filter((one) => one.level === level).length)
    assert.deepEqual(perLevel, [31, 13, 5])
  })

  test('a name that gives no occasion gets no disguise that is the name itself', () => {
    for (const name of ['X', '12', '', ' ', '★', 'MIR', 'ЛУКОЙЛ'])
      for (const { transform, input } of disguisesOf(name)) {
        assert.notEqual(input, name, transform)
        assert.notEqual(input.trim(), '', transform)
      }
  })
})

const EVM = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96'
const ADDRESSES = [
  EVM,
  '149w62rY42aZBox8fGcmqNsXUzSStKeq8C',
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
  '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
]

describe('disguises of wallets', () => {
  for (const address of ADDRESSES) {
    const { canonical } = readWallet(address)
    test(`${address} is the same account in each`, () => {
      const texts = walletDisguises(address)
      assert.ok(texts.length >= 10)
      for (const { transform, input } of texts) {
        assert.notEqual(input, address, transform)
        assert.ok(walletCandidates(input).includes(canonical), `${transform}: ${input}`)
      }
    })

    test(`${address} is another account in each near miss`, () => {
      fc.assert(
        fc.property(fc.nat(), (seed) => {
          const texts = nearMisses(address, seeded(seed))
          assert.ok(texts.length >= 4)
          for (const { transform, input } of texts)
            assert.ok(!walletCandidates(input).includes(canonical), `${transform}: ${input}`)
        }),
      )
    })
  }
})

describe('what is drawn by a seed', () => {
  test('is the same for the same seed, and different items of the list', () => {
    const items = Array.from({ length: 50 }, (_, at) => at)
    fc.assert(
      fc.property(fc.nat(), fc.nat(80), (seed, count) => {
        const drawn = draw(items, count, seeded(seed))
        assert.deepEqual(drawn, draw(items, count, seeded(seed)))
        assert.equal(new Set(drawn).size, Math.min(count, items.length))
      }),
    )
  })

  test('is another one for another purpose', () => {
    assert.notEqual(seededFor(1, 'names of UN_SC')(), seededFor(1, 'names of EU_FSF')())
    assert.notEqual(seededFor(1, 'names of UN_SC')(), seededFor(2, 'names of UN_SC')())
  })

  test('two thousand clean names are mostly different ones', () => {
    const names = cleanNames(2_000, seeded(1))
    assert.ok(new Set(names).size > 1_900)
    assert.ok(names.every((name) => name.trim() === name && name.split(' ').length >= 2))
  })
})
