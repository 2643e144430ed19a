/** Recorded facts, evaluated again, come to what was recorded. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { evaluate, type Facts } from '@portcullis/engine'
import type { AuditRecord, LoggedEntry } from '@portcullis/protocol'
import { readFacts } from '../../packages/server/src/app/screening/facts-reader.ts'
import { factsText } from '../../packages/server/src/app/screening/facts-text.ts'
import { policyDryRun, replay } from '../../packages/server/src/app/audit/replay.ts'
import { randomFacts } from '../support/random-facts.ts'
import { random, range } from '../support/load.ts'
import { LISTED, startTestService, UNLISTED_WALLET } from '../support/service.ts'

const api = await startTestService()
after(() => api.stop())

/** As the screen records it. */
export function recorded(facts: Facts): LoggedEntry {
  const { verdict, riskScore, ruleTriggered, reason, log, agentScore } = evaluate(facts)
  const record = { verdict, riskScore, ruleTriggered, reason, log, signals: { agentScore } }
  return {
    hashVersion: 1,
    kind: 'screen',
    txnId: 'txn_00000000',
    operatorId: 'op_1',
    at: '2026-11-20T12:00:00.000Z',
    record: JSON.stringify(record),
    facts: factsText(facts),
    agentId: 'agt_1',
    verdict,
  }
}

test('5,000 generated screens replay to identical verdicts, scores, reasons and checks', () => {
  const next = random(7)
  const verdicts = new Map<string, number>()
  for (let screen = 0; screen < 5_000; screen++) {
    const entry = recorded(randomFacts(next))
    assert.deepEqual(replay(entry), [])
    verdicts.set(entry.verdict!, (verdicts.get(entry.verdict!) ?? 0) + 1)
  }
  for (const verdict of ['CLEAR', 'REVIEW', 'BLOCK', 'UNKNOWN']) {
    assert.ok((verdicts.get(verdict) ?? 0) > 50, `${verdict}: ${verdicts.get(verdict) ?? 0}`)
  }
})

test('facts read back are the facts that were written', () => {
  const next = random(8)
  for (let screen = 0; screen < 500; screen++) {
    const facts = randomFacts(next)
    assert.equal(factsText(readFacts(factsText(facts))), factsText(facts))
    assert.deepEqual(evaluate(readFacts(factsText(facts))), evaluate(facts))
  }
})

test('a record that says another verdict is told apart, member by member', () => {
  const entry = recorded(randomFacts(random(9)))
  const record = JSON.parse(entry.record) as AuditRecord
  const altered = { ...record, verdict: 'x', riskScore: -1 }
  const differences = replay({ ...entry, record: JSON.stringify(altered) })
  assert.deepEqual(
    differences.map(({ member }) => member),
    ['verdict', 'riskScore'],
  )
})

async function screened(): Promise<LoggedEntry[]> {
  const party = await api.party({ dailyLimitUSDC: 100, maxSingleTxUSDC: 60 })
  const payee = { cpName: 'Acme Corp', cpWallet: UNLISTED_WALLET, chain: 'BASE' }
  const txnIds: string[] = []
  for (const payment of [
    { amount: 50 },
    { amount: 40 },
    { amount: 30 },
    { amount: 61 },
    { amount: 1, cpWallet: LISTED.wallet },
  ]) {
    txnIds.push((await api.screen(party, { ...payee, ...payment })).body.txnId)
  }
  await api.call(`/v1/audit/${txnIds[0]}/proof`, {
    headers: { authorization: `Bearer ${party.operatorToken}` },
  })
  const leaves = await api.service.env.store.leavesOf(txnIds as never)
  return leaves.map(({ entry }) => entry!)
}

describe('screens of the service', () => {
  test('replay to what was recorded', async () => {
    for (const entry of await screened()) assert.deepEqual(replay(entry), [])
  })

  test('under another policy: spend of the day is carried along', async () => {
    const entries = await screened()
    const outcomes = (change: object) => {
      const run = policyDryRun(change)
      return entries.map((entry) => run(entry).now)
    }
    const before = entries.map(({ verdict }) => verdict)
    assert.deepEqual(outcomes({}), before)
    assert.deepEqual(outcomes({ dailyLimitUSDC: 100 }), before)
    assert.deepEqual(outcomes({ maxSingleTxUSDC: 45 })[0], 'REVIEW')
    assert.deepEqual(outcomes({ maxSingleTxUSDC: null, dailyLimitUSDC: null }).slice(0, 4), [
      'CLEAR',
      'CLEAR',
      'CLEAR',
      'CLEAR',
    ])
    assert.deepEqual(
      outcomes({ allowedChains: ['SOL'] }).slice(0, 4),
      range(4).map(() => 'REVIEW'),
    )
    assert.equal(outcomes({ counterpartyWhitelist: ['acme corp'] })[0], 'CLEAR')
    assert.equal(outcomes({ counterpartyWhitelist: ['Other'] })[0], 'REVIEW')
  })
})
