/**
 * What every store must do, whatever its engine: each MUST of `ports.ts` is one test. An engine's
 * own test file calls {@link storeContract} with a way to open a fresh, empty store.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type AgentId,
  type AuditRecord,
  DAY_MS,
  ERRORS,
  type ErrorCode,
  type MicroUsd,
  type OperatorId,
  ServiceError,
  type TxnId,
  utcDate,
  utcMonth,
} from '@portcullis/protocol'
import type {
  Idempotent,
  Ledger,
  LedgerKey,
  OperatorRegistration,
  Store,
} from '../../packages/server/src/app/ports.ts'
import type { Agent, Operator, ScreenOutcome } from '../../packages/server/src/app/records.ts'

export interface OpenedStore {
  readonly store: Store
  /** A second store over the same data, while the first is open or after it was closed. */
  reopen(): Promise<Store>
  /** What another connection sees of the queued effects, oldest first: `txnId kind payload`. */
  queuedEffects(): Promise<string[]>
  /** Closes everything and removes the data. */
  close(): Promise<void>
}

const NOW = Date.UTC(2026, 10, 20, 12)
const TODAY = utcDate(NOW)
const MONTH = utcMonth(NOW)

let ids = 0
const nextId = (): string => (++ids).toString(36)
const newTxn = (): TxnId => `txn_${nextId().toUpperCase().padStart(8, '0')}` as TxnId
const usd = (dollars: number): MicroUsd => (BigInt(dollars) * 1_000_000n) as MicroUsd

function newOperator(): Operator {
  return {
    operatorId: `op_${nextId()}` as OperatorId,
    legalName: 'Contract Operator "quoted" Ünïcode',
    email: 'contract@example.com',
    wallet: null,
    description: null,
    plan: 'free',
    planActive: true,
    fourEyes: false,
    status: 'ACTIVE',
    credentialId: `cred_${nextId()}`,
    issuedAt: NOW,
    expiresAt: NOW + DAY_MS,
  }
}

const newAgent = (operator: Operator): Agent => ({
  agentId: `agt_${nextId()}` as AgentId,
  operatorId: operator.operatorId,
  agentName: 'Contract agent',
  agentFramework: 'framework',
  underlyingModel: null,
  agentType: 'supervised',
  operatorWallet: null,
  operatorEIN: null,
  operatorLegalName: operator.legalName,
  purpose: 'contract tests',
  spendPolicy: { maxSingleTxUSDC: 12.345678, allowedChains: ['BASE'] },
  status: 'ACTIVE',
  statusReason: null,
  ownershipTransferred: true,
  operatorWalletListedAtIssuance: false,
  credentialId: `cred_${nextId()}`,
  issuedAt: NOW,
  expiresAt: NOW + DAY_MS,
})

const registrationOf = (
  operator: Operator,
  more: Partial<OperatorRegistration> = {},
): OperatorRegistration => ({
  operator,
  agent: newAgent(operator),
  emailDigest: `digest-${nextId()}`,
  date: TODAY,
  maxPerDay: 3,
  ...more,
})

interface Party {
  readonly operator: Operator
  readonly agent: Agent
}

async function register(store: Store): Promise<Party> {
  const registration = registrationOf(newOperator())
  await store.registerOperator(registration)
  return registration
}

const keyOf = ({ operator, agent }: Party, more: Partial<LedgerKey> = {}): LedgerKey => ({
  operatorId: operator.operatorId,
  agentId: agent.agentId,
  date: TODAY,
  month: MONTH,
  newTxnId: newTxn,
  ...more,
})

const recordOf = (txnId: TxnId): AuditRecord =>
  ({ txnId, reason: 'a record' }) as unknown as AuditRecord

function outcomeOf(
  ledger: Ledger,
  more: Partial<ScreenOutcome> & { at?: number } = {},
): ScreenOutcome {
  const { at = NOW, ...rest } = more
  return {
    audit: {
      txnId: ledger.txnId,
      operatorId: ledger.operator.operatorId,
      agentId: ledger.agent?.agentId ?? null,
      verdict: 'CLEAR',
      screenedAt: at,
      record: recordOf(ledger.txnId),
      facts: '{}',
    },
    spend: usd(1),
    charge: 1,
    effects: [],
    ...rest,
  }
}

/** What the ledger says now, read the only way there is: by a screen that changes nothing. */
async function ledgerOf(store: Store, key: LedgerKey): Promise<Ledger> {
  let seen: Ledger | undefined
  const stop = new Error('only looking')
  const look = store.commitScreen(key, (ledger) => {
    seen = ledger
    throw stop
  })
  await assert.rejects(look, (error) => error === stop)
  assert.ok(seen)
  return seen
}

const failsWith = (code: ErrorCode) => (error: unknown) =>
  error instanceof ServiceError && error.code === code && error.status === ERRORS[code].status

const onceOf = <T>(
  id: string,
  answerOf: (value: T) => string,
  more: Partial<Idempotent<T>['key']> = {},
): Idempotent<T> => ({
  key: { id, requestDigest: 'the request', now: NOW, expiresAt: NOW + DAY_MS, ...more },
  answerOf,
})

const txnOf = (outcome: ScreenOutcome): string => outcome.audit.txnId

/** Defines the contract's tests for one engine. */
export function storeContract(name: string, openStore: () => Promise<OpenedStore>): void {
  describe(`the store contract: ${name}`, () => {
    let opened: OpenedStore
    let store: Store
    before(async () => {
      opened = await openStore()
      store = opened.store
    })
    after(() => opened.close())

    describe('registerOperator', () => {
      test('keeps every field of operator and agent', async () => {
        const { operator, agent } = await register(store)
        assert.deepEqual(await store.findOperator(operator.operatorId), operator)
        assert.deepEqual((await ledgerOf(store, keyOf({ operator, agent }))).agent, agent)
      })

      test('writes operator, agent and count together or not at all', async () => {
        const { agent } = await register(store)
        const operator = newOperator()
        const emailDigest = 'digest-atomic'
        // The agent's id is taken, so the last write of the three fails.
        const clash = registrationOf(operator, {
          agent: { ...agent, operatorId: operator.operatorId },
          emailDigest,
          maxPerDay: 1,
        })
        await assert.rejects(store.registerOperator(clash))
        assert.equal(await store.findOperator(operator.operatorId), undefined)
        await store.registerOperator(registrationOf(operator, { emailDigest, maxPerDay: 1 }))
        assert.ok(await store.findOperator(operator.operatorId))
      })

      test('refuses a registration past the limit of the email and date, and writes nothing of it', async () => {
        const emailDigest = 'digest-limited'
        const attempts = Array.from({ length: 8 }, () =>
          registrationOf(newOperator(), { emailDigest }),
        )
        const results = await Promise.allSettled(attempts.map((one) => store.registerOperator(one)))
        const refused = results.flatMap((one, at) =>
          one.status === 'rejected' ? [{ at, reason: one.reason as unknown }] : [],
        )
        assert.equal(refused.length, 5)
        for (const { at, reason } of refused) {
          assert.ok(failsWith('rate_limit_exceeded')(reason))
          assert.equal(await store.findOperator(attempts[at]!.operator.operatorId), undefined)
        }
      })

      test('counts each email and each date by itself', async () => {
        const emailDigest = 'digest-by-date'
        const limited = { emailDigest, maxPerDay: 1 }
        await store.registerOperator(registrationOf(newOperator(), limited))
        await store.registerOperator(
          registrationOf(newOperator(), { ...limited, emailDigest: 'digest-other' }),
        )
        await store.registerOperator(
          registrationOf(newOperator(), { ...limited, date: '2026-11-21' }),
        )
        await assert.rejects(
          store.registerOperator(registrationOf(newOperator(), limited)),
          failsWith('rate_limit_exceeded'),
        )
      })
    })

    describe('ensureOperator', () => {
      test('writes operator and agent once and leaves existing ones alone', async () => {
        const operator = newOperator()
        const agent = newAgent(operator)
        await store.ensureOperator(operator, agent)
        await store.ensureOperator(
          { ...operator, legalName: 'Somebody Else' },
          { ...agent, agentName: 'Other' },
        )
        const ledger = await ledgerOf(store, keyOf({ operator, agent }))
        assert.deepEqual(ledger.operator, operator)
        assert.deepEqual(ledger.agent, agent)
      })
    })

    describe('changeSpendPolicy', () => {
      test('never loses one of many concurrent changes', async () => {
        const party = await register(store)
        const { operator, agent } = party
        await store.changeSpendPolicy(operator.operatorId, agent.agentId, () => ({
          allowedChains: [],
        }))
        const chains = Array.from({ length: 50 }, (_, at) => `CHAIN${at}`)
        await Promise.all(
          chains.map((chain) =>
            store.changeSpendPolicy(operator.operatorId, agent.agentId, (policy) => ({
              ...policy,
              allowedChains: [...(policy.allowedChains ?? []), chain],
            })),
          ),
        )
        const { agent: changed } = await ledgerOf(store, keyOf(party))
        assert.deepEqual(changed?.spendPolicy.allowedChains?.toSorted(), chains.toSorted())
      })

      test('answers undefined for an agent that is unknown or of another operator, and asks nothing', async () => {
        const [mine, other] = [await register(store), await register(store)]
        const change = () => assert.fail('the policy of a stranger was read')
        assert.equal(
          await store.changeSpendPolicy(mine.operator.operatorId, other.agent.agentId, change),
          undefined,
        )
        assert.equal(
          await store.changeSpendPolicy(mine.operator.operatorId, 'agt_nobody' as AgentId, change),
          undefined,
        )
      })

      test('writes nothing when the change throws, and throws the same error', async () => {
        const party = await register(store)
        const wrong = new Error('not a policy')
        await assert.rejects(
          store.changeSpendPolicy(party.operator.operatorId, party.agent.agentId, () => {
            throw wrong
          }),
          (error) => error === wrong,
        )
        const { agent } = await ledgerOf(store, keyOf(party))
        assert.deepEqual(agent?.spendPolicy, party.agent.spendPolicy)
      })
    })

    describe('commitScreen', () => {
      test('gives decide the operator, the agent, the spend of the date and the screens of the month', async () => {
        const party = await register(store)
        const key = keyOf(party)
        await store.commitScreen(key, (ledger) => outcomeOf(ledger, { spend: usd(7) }))
        await store.commitScreen(key, (ledger) => outcomeOf(ledger, { spend: usd(5), charge: 0 }))
        const ledger = await ledgerOf(store, key)
        assert.deepEqual(ledger.operator, party.operator)
        assert.deepEqual(ledger.agent, party.agent)
        assert.equal(ledger.spentToday, usd(12))
        assert.equal(ledger.screensThisMonth, 1)
      })

      test('counts spend by agent and date, and screens by operator and month', async () => {
        const party = await register(store)
        await store.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger))
        const tomorrow = await ledgerOf(store, keyOf(party, { date: '2026-11-21' }))
        assert.deepEqual([tomorrow.spentToday, tomorrow.screensThisMonth], [0n, 1])
        const nextMonth = await ledgerOf(
          store,
          keyOf(party, { date: '2026-12-01', month: '2026-12' }),
        )
        assert.deepEqual([nextMonth.spentToday, nextMonth.screensThisMonth], [0n, 0])
        const agent = newAgent(party.operator)
        await store.registerAgent(agent)
        const sibling = await ledgerOf(store, keyOf({ ...party, agent }))
        assert.deepEqual([sibling.spentToday, sibling.screensThisMonth], [0n, 1])
      })

      test('has no agent and no spend for a token that names none', async () => {
        const party = await register(store)
        const ledger = await ledgerOf(store, keyOf(party, { agentId: undefined }))
        assert.deepEqual([ledger.agent, ledger.spentToday], [undefined, 0n])
      })

      test('refuses an operator that it does not know', async () => {
        const key = keyOf(await register(store), { operatorId: 'op_nobody' as OperatorId })
        await assert.rejects(
          store.commitScreen(key, (ledger) => outcomeOf(ledger)),
          failsWith('unauthorized'),
        )
      })

      test('leaves no trace when decide throws, throws the same error, and harms no other of the batch', async () => {
        const party = await register(store)
        const key = keyOf(party)
        const wrong = new Error('decide failed')
        const txns: TxnId[] = []
        const results = await Promise.allSettled(
          Array.from({ length: 30 }, (_, at) =>
            store.commitScreen(key, (ledger) => {
              txns[at] = ledger.txnId
              if (at % 3 === 0) throw wrong
              return outcomeOf(ledger)
            }),
          ),
        )
        for (const [at, result] of results.entries()) {
          const kept = await store.findAuditRecord(party.operator.operatorId, txns[at]!, 0)
          if (at % 3 !== 0) {
            assert.equal(result.status, 'fulfilled')
            assert.deepEqual(kept, recordOf(txns[at]!))
          } else {
            assert.equal(result.status === 'rejected' && result.reason, wrong)
            assert.equal(kept, undefined)
          }
        }
        const { spentToday, screensThisMonth } = await ledgerOf(store, key)
        assert.deepEqual([spentToday, screensThisMonth], [usd(20), 20])
      })

      test('writes nothing of an outcome whose last write fails', async () => {
        const party = await register(store)
        const key = keyOf(party)
        let txnId: TxnId | undefined
        const circular: Record<string, unknown> = {}
        circular['self'] = circular
        await assert.rejects(
          store.commitScreen(key, (ledger) => {
            txnId = ledger.txnId
            return outcomeOf(ledger, { effects: [{ kind: 'broken', payload: circular }] })
          }),
        )
        assert.ok(txnId)
        assert.equal(await store.findAuditRecord(party.operator.operatorId, txnId, 0), undefined)
        const { spentToday, screensThisMonth } = await ledgerOf(store, key)
        assert.deepEqual([spentToday, screensThisMonth], [0n, 0])
      })

      test('asks for another transaction id until one is free', async () => {
        const party = await register(store)
        const taken = [newTxn(), newTxn()]
        const asked: TxnId[] = []
        const offer = (offers: TxnId[]) => () => {
          const txnId = offers.shift() ?? newTxn()
          asked.push(txnId)
          return txnId
        }
        for (const txnId of taken) {
          await store.commitScreen(keyOf(party, { newTxnId: () => txnId }), (ledger) =>
            outcomeOf(ledger),
          )
        }
        const free = newTxn()
        const offers = [...taken, ...taken, free]
        const done = await store.commitScreen(keyOf(party, { newTxnId: offer(offers) }), (ledger) =>
          outcomeOf(ledger),
        )
        assert.deepEqual(asked, [...taken, ...taken, free])
        assert.equal(!done.replayed && done.value.audit.txnId, free)
      })

      test('gives two screens of one batch that draw the same id different ones', async () => {
        const party = await register(store)
        const wanted = newTxn()
        const draw = () => {
          let first = true
          return () => {
            const txnId = first ? wanted : newTxn()
            first = false
            return txnId
          }
        }
        const done = await Promise.all(
          Array.from({ length: 5 }, () =>
            store.commitScreen(keyOf(party, { newTxnId: draw() }), (ledger) => outcomeOf(ledger)),
          ),
        )
        assert.equal(new Set(done.map((one) => !one.replayed && one.value.audit.txnId)).size, 5)
      })

      test('is durable before it resolves: another connection reads the record at once', async () => {
        const party = await register(store)
        const other = await opened.reopen()
        try {
          for (let at = 0; at < 10; at++) {
            const done = await store.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger))
            assert.ok(!done.replayed)
            const { txnId } = done.value.audit
            assert.deepEqual(
              await other.findAuditRecord(party.operator.operatorId, txnId, 0),
              recordOf(txnId),
            )
            assert.equal((await ledgerOf(other, keyOf(party))).spentToday, usd(at + 1))
          }
        } finally {
          await other.close()
        }
      })

      test('serialises 500 concurrent screens of one agent-date and operator-month', async () => {
        const party = await register(store)
        const seen = new Set<string>()
        await Promise.all(
          Array.from({ length: 500 }, () =>
            store.commitScreen(keyOf(party), (ledger) => {
              seen.add(`${ledger.spentToday} ${ledger.screensThisMonth}`)
              return outcomeOf(ledger)
            }),
          ),
        )
        const expected = Array.from({ length: 500 }, (_, at) => `${usd(at)} ${at}`)
        assert.deepEqual([...seen].toSorted(), expected.toSorted())
      })

      test('keeps money beyond 2^53 micro-USD exactly', async () => {
        const party = await register(store)
        const large = (2n ** 53n + 1n) as MicroUsd
        await store.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger, { spend: large }))
        assert.equal((await ledgerOf(store, keyOf(party))).spentToday, large)
        await store.commitScreen(keyOf(party), (ledger) =>
          outcomeOf(ledger, { spend: 2n as MicroUsd }),
        )
        assert.equal((await ledgerOf(store, keyOf(party))).spentToday, large + 2n)
      })

      test('fails rather than rounds a day that no integer column can hold', async () => {
        const party = await register(store)
        const largest = (2n ** 63n - 1n) as MicroUsd
        await store.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger, { spend: largest }))
        await assert.rejects(store.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger)))
        const { spentToday, screensThisMonth } = await ledgerOf(store, keyOf(party))
        assert.deepEqual([spentToday, screensThisMonth], [largest, 1])
      })

      test('writes queued effects in the transaction of the outcome, and none when it fails', async () => {
        const party = await register(store)
        const before = (await opened.queuedEffects()).length
        const effects = [
          { kind: 'first', payload: { at: 1 } },
          { kind: 'second', payload: { text: 'ü' } },
        ]
        const done = await store.commitScreen(keyOf(party), (ledger) =>
          outcomeOf(ledger, { effects }),
        )
        const failed = store.commitScreen(keyOf(party), (ledger) => ({
          ...outcomeOf(ledger, { effects, spend: (2n ** 63n - 1n) as MicroUsd }),
        }))
        await assert.rejects(failed)
        assert.ok(!done.replayed)
        const { txnId } = done.value.audit
        assert.deepEqual((await opened.queuedEffects()).slice(before), [
          `${txnId} first {"at":1}`,
          `${txnId} second {"text":"ü"}`,
        ])
      })
    })

    describe('idempotency', () => {
      test('replays the first answer and does the work once', async () => {
        const party = await register(store)
        const id = `idem-${nextId()}`
        const screenOnce = () =>
          store.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger), onceOf(id, txnOf))
        const done = await Promise.all(Array.from({ length: 20 }, screenOnce))
        const first = done.filter((one) => !one.replayed)
        assert.equal(first.length, 1)
        const txnId = !first[0]!.replayed && first[0]!.value.audit.txnId
        for (const one of done) assert.ok(!one.replayed || one.answer === txnId)
        const { spentToday, screensThisMonth } = await ledgerOf(store, keyOf(party))
        assert.deepEqual([spentToday, screensThisMonth], [usd(1), 1])
      })

      test('refuses another request under the same key, and does none of it', async () => {
        const party = await register(store)
        const id = `idem-${nextId()}`
        await store.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger), onceOf(id, txnOf))
        await assert.rejects(
          store.commitScreen(
            keyOf(party),
            () => assert.fail('decide ran for a reused key'),
            onceOf(id, txnOf, { requestDigest: 'another request' }),
          ),
          failsWith('idempotency_key_reused'),
        )
        assert.equal((await ledgerOf(store, keyOf(party))).screensThisMonth, 1)
      })

      test('forgets a key at its expiry and not a millisecond before', async () => {
        const party = await register(store)
        const id = `idem-${nextId()}`
        const at = (now: number) =>
          store.commitScreen(
            keyOf(party),
            (ledger) => outcomeOf(ledger),
            onceOf(id, txnOf, { now, expiresAt: now + DAY_MS }),
          )
        assert.equal((await at(NOW)).replayed, false)
        assert.equal((await at(NOW + DAY_MS - 1)).replayed, true)
        assert.equal((await at(NOW + DAY_MS)).replayed, false)
        assert.equal((await ledgerOf(store, keyOf(party))).screensThisMonth, 2)
      })

      test('does not keep the answer of work that failed', async () => {
        const party = await register(store)
        const once = onceOf(`idem-${nextId()}`, txnOf)
        const wrong = new Error('no')
        await assert.rejects(
          store.commitScreen(
            keyOf(party),
            () => {
              throw wrong
            },
            once,
          ),
        )
        const again = await store.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger), once)
        assert.equal(again.replayed, false)
      })

      test('covers registrations of operators and agents too', async () => {
        const operatorKey = onceOf<OperatorRegistration>(
          `idem-${nextId()}`,
          ({ operator }) => operator.operatorId,
        )
        const emailDigest = 'digest-idempotent'
        const first = registrationOf(newOperator(), { emailDigest, maxPerDay: 1 })
        const second = registrationOf(newOperator(), { emailDigest, maxPerDay: 1 })
        assert.equal((await store.registerOperator(first, operatorKey)).replayed, false)
        const replay = await store.registerOperator(second, operatorKey)
        assert.deepEqual(replay, { replayed: true, answer: first.operator.operatorId })
        assert.equal(await store.findOperator(second.operator.operatorId), undefined)

        const agentKey = onceOf<Agent>(`idem-${nextId()}`, ({ agentId }) => agentId)
        const agent = newAgent(first.operator)
        await store.registerAgent(agent, agentKey)
        const again = await store.registerAgent(newAgent(first.operator), agentKey)
        assert.deepEqual(again, { replayed: true, answer: agent.agentId })
      })
    })

    describe('findAuditRecord', () => {
      test('gives a record to its operator only', async () => {
        const [mine, other] = [await register(store), await register(store)]
        const done = await store.commitScreen(keyOf(mine), (ledger) => outcomeOf(ledger))
        assert.ok(!done.replayed)
        const { txnId } = done.value.audit
        assert.deepEqual(
          await store.findAuditRecord(mine.operator.operatorId, txnId, 0),
          recordOf(txnId),
        )
        assert.equal(await store.findAuditRecord(other.operator.operatorId, txnId, 0), undefined)
        assert.equal(await store.findAuditRecord(mine.operator.operatorId, newTxn(), 0), undefined)
      })

      test('gives a record only while it is not too old', async () => {
        const party = await register(store)
        const done = await store.commitScreen(keyOf(party), (ledger) =>
          outcomeOf(ledger, { at: NOW }),
        )
        assert.ok(!done.replayed)
        const { txnId } = done.value.audit
        const find = (since: number) =>
          store.findAuditRecord(party.operator.operatorId, txnId, since)
        assert.deepEqual(await find(NOW), recordOf(txnId))
        assert.equal(await find(NOW + 1), undefined)
      })
    })

    describe('ping and close', () => {
      test('ping tells that the store answers', async () => {
        assert.equal(await store.ping(), true)
      })

      test('close finishes what was accepted, then refuses', async () => {
        const party = await register(store)
        const closing = await opened.reopen()
        const accepted = Array.from({ length: 300 }, () =>
          closing.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger)),
        )
        const closed = closing.close()
        const late = closing.commitScreen(keyOf(party), (ledger) => outcomeOf(ledger))
        await assert.rejects(late, failsWith('store_unavailable'))
        assert.equal((await Promise.all(accepted)).length, 300)
        await closed
        await assert.rejects(
          closing.findOperator(party.operator.operatorId),
          failsWith('store_unavailable'),
        )
        assert.equal((await ledgerOf(store, keyOf(party))).screensThisMonth, 300)
      })
    })
  })
}
