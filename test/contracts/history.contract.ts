/**
 * What every store must do for reviews, counterparties, alerts and runs: each MUST of
 * `history-ports.ts`. An engine's own test file calls {@link historyContract}.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type {
  AgentId,
  AlertId,
  AuditRecord,
  MatchEvidence,
  MicroUsd,
  OperatorId,
  TxnId,
  Verdict,
} from '@portcullis/protocol'
import { vault } from '../../packages/server/src/adapters/vault.ts'
import { counterpartyKeys } from '../../packages/server/src/app/history/counterparty-keys.ts'
import type {
  CounterpartyHistory,
  CounterpartyKeys,
  RescreenFinding,
  RescreenSubject,
} from '../../packages/server/src/app/history/history-records.ts'
import type { LedgerKey, Store } from '../../packages/server/src/app/ports.ts'
import type { Agent, Operator, ScreenOutcome } from '../../packages/server/src/app/records.ts'
import { random, range } from '../support/load.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const YEAR_MS = 31_536_000_000

let ids = 0
const nextId = (): string => (++ids).toString(36)

interface Party {
  readonly operatorId: OperatorId
  readonly agentId: AgentId
}

async function register(store: Store): Promise<Party> {
  const operatorId = `op_h${nextId()}` as OperatorId
  const agentId = `agt_h${nextId()}` as AgentId
  const [issuedAt, expiresAt, credentialId] = [NOW, NOW + YEAR_MS, `cred_h${nextId()}`]
  const dates = { issuedAt, expiresAt, credentialId, status: 'ACTIVE' as const }
  const operator: Operator = {
    operatorId,
    legalName: 'History Operator',
    email: 'history@example.com',
    wallet: null,
    description: null,
    plan: 'free',
    planActive: true,
    fourEyes: false,
    ...dates,
  }
  const agent: Agent = {
    agentId,
    operatorId,
    agentName: 'History agent',
    agentFramework: null,
    underlyingModel: null,
    agentType: 'supervised',
    operatorWallet: null,
    operatorEIN: null,
    operatorLegalName: 'History Operator',
    purpose: 'contract tests',
    spendPolicy: {},
    statusReason: null,
    ownershipTransferred: false,
    operatorWalletListedAtIssuance: false,
    modelAtIssuance: null,
    fleetId: null,
    parentAgentId: null,
    depth: 0,
    attestation: null,
    ...dates,
  }
  await store.registerOperator({
    operator,
    agent,
    emailDigest: `digest-h${nextId()}`,
    date: '2026-11-20',
    maxPerDay: 3,
  })
  return { operatorId, agentId }
}

const keysOf = (name: string | null, wallet: string | null): CounterpartyKeys => {
  const keys = counterpartyKeys(vault, name, wallet)
  assert.ok(keys)
  return keys
}

/** A screen of the counterparty; answers what was known before it. */
async function screen(
  store: Store,
  party: Party,
  keys: CounterpartyKeys,
  verdict: Verdict = 'CLEAR',
  at = NOW,
): Promise<{ txnId: TxnId; known: CounterpartyHistory | undefined }> {
  let known: CounterpartyHistory | undefined
  const key: LedgerKey = {
    ...party,
    userId: undefined,
    date: '2026-11-20',
    month: '2026-11',
    screensPerMinute: () => 60,
    newTxnId: () => `txn_${`H${nextId()}`.toUpperCase().padStart(8, '0')}` as TxnId,
  }
  const done = await store.commitScreen(key, ({ txnId }) => ({
    historyOf: keys,
    finish: (history): ScreenOutcome => {
      known = history
      const record = { txnId, verdict, _request: { amount: 5 } } as unknown as AuditRecord
      const audit = { txnId, ...party, verdict, screenedAt: at, record, facts: '{}' }
      const sighting = { keys, name: keys.name, wallet: keys.wallet, matches: [] }
      const spend = 0n as MicroUsd
      return { audit, spend, charge: 0, history: undefined, effects: [], sighting }
    },
  }))
  assert.equal(done.replayed, false)
  return { txnId: done.value.audit.txnId, known }
}

const total = (history: CounterpartyHistory | undefined): number =>
  history === undefined ? 0 : Object.values(history.verdicts).reduce((sum, n) => sum + n, 0)

const VERDICTS = ['CLEAR', 'REVIEW', 'BLOCK'] as const

interface Seen {
  readonly party: Party
  readonly name: string | null
  readonly wallet: string | null
  readonly verdict: (typeof VERDICTS)[number]
  readonly at: number
}

/** What the specification says of prior screenings, by a walk over all. */
function modelHistory(
  seen: readonly Seen[],
  name: string | null,
  wallet: string | null,
): CounterpartyHistory | undefined {
  const fits = seen.filter(
    (one) => (name !== null && one.name === name) || (wallet !== null && one.wallet === wallet),
  )
  if (fits.length === 0) return undefined
  const count = (verdict: string) => fits.filter((one) => one.verdict === verdict).length
  return {
    verdicts: { CLEAR: count('CLEAR'), REVIEW: count('REVIEW'), BLOCK: count('BLOCK') },
    firstAt: Math.min(...fits.map(({ at }) => at)),
    lastAt: Math.max(...fits.map(({ at }) => at)),
    distinctAgents: new Set(fits.map(({ party }) => party.agentId)).size,
    distinctOperators: new Set(fits.map(({ party }) => party.operatorId)).size,
  }
}

const match = (entryId: string): MatchEvidence => ({
  field: 'cpName',
  list: 'OFAC_SDN',
  entryId,
  primaryName: entryId,
  matched: entryId,
  score: 1,
  method: 'exact',
})

function findingOf({ operatorId }: Party, subject: string, ...entries: string[]): RescreenFinding {
  const of: RescreenSubject = {
    type: 'counterparty',
    operatorId,
    counterpartySubject: subject,
    id: null,
    name: subject,
    wallet: null,
    previousResult: 'CLEAR',
    place: '1',
  }
  const alertId = `alert_h${nextId()}` as AlertId
  return { alertId, subject, of, evidence: entries.map(match), detectedAt: NOW }
}

const NO_PROGRESS = { place: '', subjects: 0, alerts: 0, unavailable: 0 }

/** Defines the contract's tests for one engine. */
export function historyContract(
  name: string,
  openStore: () => Promise<{ readonly store: Store; close(): Promise<void> }>,
): void {
  describe(`the history contract: ${name}`, () => {
    let opened: Awaited<ReturnType<typeof openStore>>
    let store: Store
    before(async () => {
      opened = await openStore()
      store = opened.store
    })
    after(() => opened.close())

    describe('counterpartyHistory', () => {
      test('is what was before the screen, however many come together', async () => {
        const party = await register(store)
        const keys = keysOf('together', 'wallet together')
        const seen = await Promise.all(range(100).map(() => screen(store, party, keys)))
        const counts = seen.map(({ known }) => total(known)).toSorted((a, b) => a - b)
        assert.deepEqual(counts, range(100))
      })

      test('counts a screen once that matches by name and by wallet', async () => {
        const [one, other] = [await register(store), await register(store)]
        const both = keysOf('either', 'wallet either')
        await screen(store, one, both, 'BLOCK', NOW - 5)
        await screen(store, one, keysOf('either', null), 'REVIEW', NOW + 5)
        await screen(store, other, keysOf(null, 'wallet either'))
        await screen(store, other, keysOf('either', 'another wallet'))
        await screen(store, one, keysOf('another', 'wallet either'))
        assert.deepEqual(await store.counterpartyHistory(both), {
          verdicts: { CLEAR: 3, REVIEW: 1, BLOCK: 1 },
          firstAt: NOW - 5,
          lastAt: NOW + 5,
          distinctAgents: 2,
          distinctOperators: 2,
        })
      })

      test('equals a model, of few screens and of many, with look-ups in between', async () => {
        const draw = random(7)
        const pick = <T>(from: readonly T[]): T => from[Math.floor(draw() * from.length)] as T
        const operators = await Promise.all(range(40).map(() => register(store)))
        const parties = range(600).map((n) => ({
          operatorId: pick(operators).operatorId,
          agentId: `agt_model${n}` as AgentId,
        }))
        const names = [null, ...range(4).map((n) => `model ${n}`), 'seldom']
        const wallets = [null, ...range(4).map((n) => `model wallet ${n}`)]
        const seen: Seen[] = []
        const look = async (name: string | null, wallet: string | null) => {
          const known = await store.counterpartyHistory(keysOf(name, wallet))
          assert.deepEqual(known, modelHistory(seen, name, wallet), `${name} ${wallet}`)
        }
        for (let n = 0; n < 1_500; n++) {
          const [name, wallet] = [pick(names.slice(0, n % 9 === 0 ? 6 : 5)), pick(wallets)]
          if (name === null && wallet === null) continue
          const one = { party: pick(parties), name, wallet, verdict: pick(VERDICTS) }
          const at = NOW + Math.floor(draw() * 1_000)
          await screen(store, one.party, keysOf(name, wallet), one.verdict, at)
          seen.push({ ...one, at })
          if (n % 50 === 0) await look(pick(names.slice(1)), pick(wallets))
          if (n % 50 === 25) await look(null, pick(wallets.slice(1)))
        }
        for (const name of names) {
          for (const wallet of wallets) if (name ?? wallet) await look(name, wallet)
        }
        await look('never seen', wallets[1] ?? null)
        await look(names[1] ?? null, 'never seen')
      })

      test('is undefined for nobody', async () => {
        assert.equal(await store.counterpartyHistory(keysOf('nobody', 'nowhere')), undefined)
      })
    })

    describe('runs', () => {
      const leaseOf = (slot: string, holder: string, leaseUntil = NOW + 1_000) => ({
        job: 'contract',
        slot,
        holder,
        leaseUntil,
      })
      const announce = async (): Promise<string> => {
        const slot = `slot ${nextId()}`
        await store.announceRun({ job: 'contract', slot }, NOW)
        return slot
      }

      test('a run has one holder at a time, and another when the lease is over', async () => {
        const slot = await announce()
        const claims = await Promise.all(
          range(20).map((n) => store.claimRun(leaseOf(slot, `holder ${n}`), NOW)),
        )
        assert.equal(claims.filter((claim) => claim !== undefined).length, 1)
        assert.equal(await store.claimRun(leaseOf(slot, 'late'), NOW + 999), undefined)
        assert.ok(await store.claimRun(leaseOf(slot, 'late'), NOW + 1_000))
      })

      test('a run goes on where it was, and a finished one is over', async () => {
        const slot = await announce()
        const lease = leaseOf(slot, 'first')
        await store.claimRun(lease, NOW)
        await store.saveRescreened(lease, { ...NO_PROGRESS, place: 'here', subjects: 7 }, [], null)
        await store.releaseRun(lease)
        const second = leaseOf(slot, 'second')
        const progress = await store.claimRun(second, NOW)
        assert.deepEqual(progress, { ...NO_PROGRESS, place: 'here', subjects: 7 })
        await store.saveRescreened(second, NO_PROGRESS, [], NOW)
        assert.equal(await store.claimRun(leaseOf(slot, 'third'), NOW + YEAR_MS), undefined)
        await store.announceRun({ job: 'contract', slot }, NOW)
        const open = await store.openRuns('contract', NOW + YEAR_MS)
        assert.ok(!open.some((run) => run.slot === slot))
      })

      test('a lost lease writes nothing', async () => {
        const party = await register(store)
        const slot = await announce()
        await store.claimRun(leaseOf(slot, 'slow', NOW), NOW)
        await store.claimRun(leaseOf(slot, 'quick'), NOW)
        const finding = findingOf(party, 'lost', 'entry')
        const saved = store.saveRescreened(leaseOf(slot, 'slow'), NO_PROGRESS, [finding], NOW)
        assert.equal(await saved, undefined)
        const alerts = { since: 0, status: undefined }
        assert.deepEqual(await store.listAlerts(party.operatorId, alerts), [])
      })

      test('a match raises one alert however often found, a new one another', async () => {
        const party = await register(store)
        const slot = await announce()
        const lease = leaseOf(slot, 'holder')
        await store.claimRun(lease, NOW)
        const save = (...entries: string[]) =>
          store.saveRescreened(lease, NO_PROGRESS, [findingOf(party, 'one', ...entries)], null)
        assert.deepEqual(await Promise.all(range(10).map(() => save('a'))).then(sum), 1)
        assert.equal(await save('a', 'b'), 1)
        assert.equal(await save('b'), 0)
        assert.equal(await save('a', 'b'), 1)
        const found = await store.listAlerts(party.operatorId, { since: 0, status: undefined })
        assert.deepEqual(
          found.map(({ evidence }) => evidence.map(({ entryId }) => entryId)),
          [['a'], ['b'], ['a']],
        )
      })
    })
  })
}

const sum = (numbers: readonly (number | undefined)[]): number =>
  numbers.reduce<number>((all, one) => all + (one ?? 0), 0)
