/** The same request against the same state gives the same answer, byte for byte. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { movedClock } from './support/clock.ts'
import { inParallel, range } from './support/load.ts'
import { LISTED, startTestService, UNLISTED_WALLET } from './support/service.ts'

const RUNS = 1_000
const api = await startTestService({}, { clock: movedClock('2026-11-20T12:00:00.000Z') })

const cases = {
  BLOCK: {
    cpName: `${LISTED.name} Ltd`,
    cpWallet: LISTED.wallet,
    chain: 'SOL',
    protocol: 'Tornado Cash',
    amount: 70,
  },
  REVIEW: { cpName: 'Acme Corp', amount: 50.5, chain: 'SOL', rail: 'WIRE', memo: 'not known' },
  CLEAR: { cpName: 'Acme Corp', cpWallet: UNLISTED_WALLET, amount: 0, chain: 'BASE' },
}

for (const [verdict, payment] of Object.entries(cases)) {
  test(`${verdict}: the same request against the same state answers the same, ${RUNS} times`, async () => {
    const party = await api.party({
      maxSingleTxUSDC: 50,
      allowedChains: ['BASE'],
      allowedRails: ['USDC'],
      dailyLimitUSDC: 40,
    })
    const seen = new Set<string>()
    await inParallel(range(RUNS), 32, async () => {
      const { body } = await api.screen(party, payment)
      // What differs by its nature: the id, how long it took, and the receipt, which holds both a fresh id and ECDSA chance.
      const { txnId: _txnId, responseTimeMs: _ms, receipt: _receipt, ...rest } = body
      assert.equal(rest.verdict, verdict)
      seen.add(JSON.stringify(rest))
    })
    assert.equal(seen.size, 1)
  })
}
