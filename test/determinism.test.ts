/** The same request against the same state gives the same answer, byte for byte. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { movedClock } from './support/clock.ts'
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

/** A screen is part of its agent's history and day: this takes it out again. */
const db = new DatabaseSync(join(api.dataDir, 'portcullis.sqlite'))
db.exec('pragma busy_timeout = 2000; pragma foreign_keys = off')
// The log refuses every change; this test needs the state before the screen, and nothing else does.
for (const { name } of db.prepare("select name from sqlite_master where type = 'trigger'").all()) {
  db.exec(`drop trigger ${String(name)}`)
}
after(() => db.close())
const forget = () =>
  db.exec(`
    begin immediate;
    delete from agent_history;
    delete from agent_spend;
    delete from counterparty_keys;
    delete from counterparty_agents;
    delete from counterparty_operators;
    delete from counterparties;
    delete from counterparty_visitors;
    update audit_entries set agent_ordinal = null where agent_ordinal is not null;
    commit;
  `)

for (const [verdict, payment] of Object.entries(cases)) {
  test(`${verdict}: same request, same state, same answer, ${RUNS} times`, async () => {
    const party = await api.party({
      maxSingleTxUSDC: 50,
      allowedChains: ['BASE'],
      allowedRails: ['USDC'],
      dailyLimitUSDC: 40,
    })
    const seen = new Set<string>()
    for (let run = 0; run < RUNS; run++) {
      const { body } = await api.screen(party, payment)
      forget()
      // By nature another each time: the id, the duration, and the receipt, which holds a fresh
      // id and ECDSA chance.
      const { txnId: _txnId, responseTimeMs: _ms, receipt: _receipt, ...rest } = body
      assert.equal(rest.verdict, verdict)
      seen.add(JSON.stringify(rest))
    }
    assert.equal(seen.size, 1)
  })
}

test('what a screen adds to the history moves the next one, and nothing else does', async () => {
  const party = await api.party()
  const screened = async () => (await api.screen(party, cases.BLOCK)).body
  const [first, second] = [await screened(), await screened()]
  assert.ok(second.signals.agentScore.score < first.signals.agentScore.score)
  forget()
  assert.deepEqual((await screened()).signals, first.signals)
})
