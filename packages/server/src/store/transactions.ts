/** The transactions of the store, each a script that every engine can run. */
import {
  type AgentId,
  type AuditRecord,
  type EpochMs,
  type MicroUsd,
  NO_MONEY,
  type OperatorId,
  ServiceError,
  type SpendPolicy,
  type TxnId,
} from '@portcullis/protocol'
import type { Idempotent, Ledger, LedgerKey, Once, OperatorRegistration } from '../app/ports.ts'
import type { Agent, Operator, ScreenOutcome } from '../app/records.ts'
import { agentOf, agentRow, operatorOf, operatorRow } from './rows.ts'
import { all, first, type Script } from './script.ts'
import type { Statements } from './statements.ts'

/** SQLite would turn a larger sum into a rounded float without a word. */
const MAX_STORED_INTEGER = 2n ** 63n - 1n

export type Transactions = ReturnType<typeof transactions>

export function transactions(sql: Statements) {
  return {
    ...partyTransactions(sql),
    commitScreen: commitScreen(sql),
    *findAuditRecord(
      operatorId: OperatorId,
      txnId: TxnId,
      since: EpochMs,
    ): Script<AuditRecord | undefined> {
      const row = yield* first(sql.findAuditRecord({ operatorId, txnId, since: BigInt(since) }))
      return row === undefined ? undefined : (JSON.parse(row.record) as AuditRecord)
    },
    *ping(): Script<boolean> {
      yield* all(sql.findOperator({ operatorId: 'op_0' }))
      return true
    },
  }
}

function partyTransactions(sql: Statements) {
  return {
    *registerOperator(
      registration: OperatorRegistration,
      once?: Idempotent<OperatorRegistration>,
    ): Script<Once<OperatorRegistration>> {
      return yield* takeOnce(sql, once, function* () {
        const { operator, agent, emailDigest, date, maxPerDay } = registration
        const counted = yield* first(sql.countRegistrations({ emailDigest, date }))
        if (Number(counted?.count ?? 0n) >= maxPerDay) {
          const message = `this email has used its ${maxPerDay} registrations of the day`
          throw new ServiceError('rate_limit_exceeded', { message })
        }
        yield* all(sql.addRegistration({ emailDigest, date }))
        yield* all(sql.insertOperator(operatorRow(operator)))
        yield* all(sql.insertAgent(agentRow(agent)))
        return registration
      })
    },
    *registerAgent(agent: Agent, once?: Idempotent<Agent>): Script<Once<Agent>> {
      return yield* takeOnce(sql, once, function* () {
        yield* all(sql.insertAgent(agentRow(agent)))
        return agent
      })
    },
    *ensureOperator(operator: Operator, agent: Agent): Script<void> {
      const { operatorId } = operator
      if ((yield* first(sql.findOperator({ operatorId }))) !== undefined) return
      yield* all(sql.insertOperator(operatorRow(operator)))
      yield* all(sql.insertAgent(agentRow(agent)))
    },
    *findOperator(operatorId: OperatorId): Script<Operator | undefined> {
      const row = yield* first(sql.findOperator({ operatorId }))
      return row === undefined ? undefined : operatorOf(row)
    },
    *changeSpendPolicy(
      operatorId: OperatorId,
      agentId: AgentId,
      change: (policy: SpendPolicy) => SpendPolicy,
    ): Script<Agent | undefined> {
      const row = yield* first(sql.findAgent({ agentId }))
      if (row?.operator_id !== operatorId) return undefined
      const agent = agentOf(row)
      const spendPolicy = change(agent.spendPolicy)
      yield* all(sql.setSpendPolicy({ agentId, spendPolicy: JSON.stringify(spendPolicy) }))
      return { ...agent, spendPolicy }
    },
  }
}

function commitScreen(sql: Statements) {
  return function* (
    key: LedgerKey,
    decide: (ledger: Ledger) => ScreenOutcome,
    once?: Idempotent<ScreenOutcome>,
  ): Script<Once<ScreenOutcome>> {
    return yield* takeOnce(sql, once, function* () {
      const ledger = yield* readLedger(sql, key)
      const outcome = decide(ledger)
      yield* writeOutcome(sql, key, ledger, outcome)
      return outcome
    })
  }
}

function* readLedger(sql: Statements, key: LedgerKey): Script<Ledger> {
  const { operatorId, agentId, date, month } = key
  const operator = yield* first(sql.findOperator({ operatorId }))
  if (operator === undefined) throw new ServiceError('unauthorized')
  const agent = agentId && (yield* first(sql.findAgent({ agentId })))
  const spent = agentId && (yield* first(sql.spentOn({ agentId, date })))
  const usage = yield* first(sql.usageOf({ operatorId, month }))
  return {
    txnId: yield* freeTxnId(sql, key.newTxnId),
    operator: operatorOf(operator),
    agent: agent === undefined ? undefined : agentOf(agent),
    spentToday: (spent?.spent_micro_usd as MicroUsd | undefined) ?? NO_MONEY,
    screensThisMonth: Number(usage?.screens ?? 0n),
  }
}

/** Eight characters collide sooner or later; the store asks until one is free. */
function* freeTxnId(sql: Statements, newTxnId: () => TxnId): Script<TxnId> {
  for (;;) {
    const txnId = newTxnId()
    if ((yield* first(sql.txnIdTaken({ txnId }))) === undefined) return txnId
  }
}

function* writeOutcome(
  sql: Statements,
  { operatorId, agentId, date, month }: LedgerKey,
  ledger: Ledger,
  { audit, spend, charge, effects }: ScreenOutcome,
): Script<void> {
  if (agentId !== undefined && spend > 0n) {
    if (ledger.spentToday + spend > MAX_STORED_INTEGER) throw new RangeError('spend overflows')
    yield* all(sql.addSpend({ agentId, date, amount: spend }))
  }
  if (charge > 0) yield* all(sql.addUsage({ operatorId, month, screens: BigInt(charge) }))
  yield* all(
    sql.insertAuditEntry({
      txn_id: audit.txnId,
      operator_id: audit.operatorId,
      agent_id: audit.agentId,
      verdict: audit.verdict,
      screened_at_ms: BigInt(audit.screenedAt),
      spend_micro_usd: spend,
      charge: BigInt(charge),
      record: JSON.stringify(audit.record),
      facts: audit.facts,
    }),
  )
  for (const { kind, payload } of effects) {
    yield* all(
      sql.insertEffect({
        txn_id: audit.txnId,
        kind,
        payload: JSON.stringify(payload),
        queued_at_ms: BigInt(audit.screenedAt),
      }),
    )
  }
}

/** Runs `work` unless its key has an answer already; keeps the answer in the same transaction. */
function* takeOnce<T>(
  sql: Statements,
  once: Idempotent<T> | undefined,
  work: () => Script<T>,
): Script<Once<T>> {
  if (once === undefined) return { replayed: false, value: yield* work() }
  const { id, requestDigest, now, expiresAt } = once.key
  const taken = yield* first(sql.findIdempotencyKey({ id, now: BigInt(now) }))
  if (taken !== undefined) {
    if (taken.request_digest !== requestDigest) throw new ServiceError('idempotency_key_reused')
    return { replayed: true, answer: taken.answer }
  }
  const value = yield* work()
  yield* all(sql.purgeIdempotencyKeys({ now: BigInt(now) }))
  yield* all(
    sql.insertIdempotencyKey({
      id,
      request_digest: requestDigest,
      answer: once.answerOf(value),
      expires_at_ms: BigInt(expiresAt),
    }),
  )
  return { replayed: false, value }
}
