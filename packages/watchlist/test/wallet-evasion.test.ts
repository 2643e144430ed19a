import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryOf, watchlistOf } from './sample-lists.ts'
import { sharedText } from './shared-data.ts'

/**
 * Cases that the lists alone cannot answer: for the rules that look at a wallet's form, or
 * descriptions of a case.
 */
const NOT_FOR_THE_LISTS: Readonly<Record<string, string>> = {
  'EVM ens': 'a name service is no address: a rule reviews it',
  'EVM 39hex': 'a malformed address: a rule reviews it',
  'EVM 41hex': 'a malformed address: a rule reviews it',
  'EVM nonhex': 'a malformed address: a rule reviews it',
  'BTC bech32_mixed': 'a malformed address: a rule reviews it',
  'TRON case': 'a wrong checksum: a rule reviews it',
  'SOL case_differs': 'a description and no address; held in protocol/test/wallet.test.ts',
  'SOL len': 'a malformed address: a rule reviews it',
  'SOL 0OIl': 'a malformed address: a rule reviews it',
  'SEI upper': 'a description and no address; held in protocol/test/wallet.test.ts',
  'SEI mixed': 'a description and no address',
  'SEI evm_twin': 'a description; the twin cannot be derived without chain state',
  'any empty_on_crypto': 'a missing wallet: a rule reviews it',
}

const LISTED = [
  '0x098B716B8Aaf21512996dC57EB0615e2383E2f96',
  '149w62rY42aZBox8fGcmqNsXUzSStKeq8C',
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
]

/** Near misses, which are other accounts. */
const NOT_LISTED = new Set(['EVM zero', 'EVM near_miss', 'EVM vanity_lookalike', 'BTC lower'])

test('a listed address is found however it is written, and a near miss is not', async (t) => {
  const text = sharedText(t, 'vectors/own/wallet-evasion.json')
  if (text === undefined) return
  const { screenWallet } = watchlistOf(
    ...LISTED.map((address) => entryOf(address, { addresses: [{ ticker: 'XBT', address }] })),
  )
  for (const { family, id, input } of JSON.parse(text) as {
    family: string
    id: string
    input: string
  }[]) {
    const name = `${family} ${id}`
    if (name in NOT_FOR_THE_LISTS) continue
    await t.test(name, () => {
      assert.equal(screenWallet(input).length > 0, !NOT_LISTED.has(name), input)
    })
  }
})
