/** R20 and R24 over every pair that a payment can name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHAINS, RAILS } from '@portcullis/protocol'
import { evaluate } from '../src/index.ts'
import { factsFrom, type Overlay, rulesFile } from './facts-vectors.ts'

const fired = (payment: Overlay, rule: string): boolean =>
  evaluate(factsFrom({ payment })).findings.some(({ rule: { id } }) => id.startsWith(rule))

test('the vectors name every rail, and nothing but known chains', () => {
  assert.deepEqual(Object.keys(rulesFile.chainsOfRail).sort(), [...RAILS].sort())
  const lists = [
    ...Object.values(rulesFile.chainsOfRail),
    ...rulesFile.chainsOfWallets.map(({ chains }) => chains),
  ]
  for (const chain of lists.flat()) assert.ok((CHAINS as readonly string[]).includes(chain), chain)
})

for (const rail of RAILS) {
  for (const chain of CHAINS) {
    const fits = rulesFile.chainsOfRail[rail]?.includes(chain) === true
    test(`rail ${rail} ${fits ? 'goes' : 'cannot go'} over ${chain}`, () => {
      assert.equal(fired({ chain, rail }, 'R20_'), !fits)
    })
  }
}

for (const { family, wallets, chains } of rulesFile.chainsOfWallets) {
  for (const chain of CHAINS) {
    const fits = chains.includes(chain)
    test(`a wallet ${family} ${fits ? 'fits' : 'does not fit'} ${chain}`, () => {
      for (const counterpartyWallet of wallets) {
        assert.equal(fired({ chain, counterpartyWallet }, 'R24_'), !fits, counterpartyWallet)
      }
    })
  }
}

test('no family of wallets and no chain goes without a pair that fits', () => {
  const families = rulesFile.chainsOfWallets.filter(({ chains }) => chains.length > 0)
  assert.deepEqual(
    families.map(({ family }) => family),
    ['EVM', 'SOLANA', 'TRON', 'SEI', 'BITCOIN'],
  )
  for (const chain of CHAINS) assert.ok(families.some(({ chains }) => chains.includes(chain)))
})
