import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { readWallet, WALLET_TEXT_LIMIT, walletCandidates } from '../src/wallet.ts'
import type { Wallet } from '../src/wallet.ts'

interface Vectors {
  read: ({ text: string } & Wallet)[]
  candidates: { text: string; candidates: string[] }[]
}

const vectors = JSON.parse(
  readFileSync(new URL('../../../conformance/wallets.json', import.meta.url), 'utf8'),
) as Vectors

for (const { text, family, canonical, checksum } of vectors.read) {
  test(`the address \`${text}\` is ${family} with checksum ${checksum}`, () => {
    assert.deepEqual(readWallet(text), { family, canonical, checksum })
  })
}

for (const { text, candidates } of vectors.candidates) {
  test(`the text \`${text}\` denotes ${candidates.length} addresses`, () => {
    assert.deepEqual(walletCandidates(text), candidates)
  })
}

test('a Sei address compares in lower case', () => {
  const address = 'sei1w508d6qejxtdg4y5r3zarvary0c5xw7kgs86fh'
  assert.equal(readWallet(address.toUpperCase()).canonical, address)
  assert.equal(readWallet(address).family, 'SEI')
})

test('base58 addresses that differ in case alone are different accounts', () => {
  const address = 'Fc1EwQUZyTEagaDvA1utHXCcZNyG1x2PLt2DfNu1cJdH'
  assert.notDeepEqual(walletCandidates(address), walletCandidates(address.toLowerCase()))
})

test('a canonical form is its own canonical form', () => {
  for (const { canonical } of vectors.read) assert.equal(readWallet(canonical).canonical, canonical)
})

test('no text throws, and an address is found wherever it stands in one', () => {
  const address = '0x098b716b8aaf21512996dc57eb0615e2383e2f96'
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      walletCandidates(text)
      readWallet(text)
      assert.ok(walletCandidates(`${address.toUpperCase()}, ${text}`).includes(address))
    }),
  )
})

test('text beyond the limit is not looked at', () => {
  const far = `${' '.repeat(WALLET_TEXT_LIMIT)}149w62rY42aZBox8fGcmqNsXUzSStKeq8C`
  assert.deepEqual(walletCandidates(far), [])
})
