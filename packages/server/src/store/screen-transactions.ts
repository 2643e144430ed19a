/** One screen in the store: the ledger read, the decision asked for, the outcome written. */
import { NO_HISTORY } from '@portcullis/engine'
import {
  type AgentId,
  type EpochMs,
  type MicroUsd,
  NO_MONEY,
  ServiceError,
  type TxnId,
} from '@portcullis/protocol'
import type { ChainLink, FleetLedger, Idempotent, Ledger, LedgerKey, Once } from '../app/ports.ts'
import type { OutcomeAfterHistory } from '../app/history/history-ports.ts'
import type { ScreenOutcome } from '../app/records.ts'
import type { AccountRow } from './ledger-statements.ts'
import { readCounterpartyHistory } from './history/counterparty-history.ts'
import { leafOfScreen } from './audit/audit-log-rows.ts'
import { chainFrom } from './party-transactions.ts'
import { agentOf, fleetOf, historyOf, historyRow, operatorOf, userOf } from './rows.ts'
import { keepRecord } from './audit/record-text.ts'
import { all, first, type Script } from './script.ts'
import { addSighting } from './history/sightings.ts'
import type { Statements } from './statements.ts'
import { takeOnce } from './take-once.ts'

/** SQLite would turn a larger sum into a rounded float without a word. */
const MAX_STORED_INTEGER = 2n ** 63n - 1n

export function screenTransactions(sql: Statements) {
  return {
    *commitScreen(
      key: LedgerKey,
      decide: (ledger: Ledger) => ScreenOutcome | OutcomeAfterHistory,
      once?: Idempotent<ScreenOutcome>,
    ): Script<Once<ScreenOutcome>> {
      return yield* takeOnce(sql, once, function* () {
        const ledger = yield* readLedger(sql, key)
        const outcome = yield* afterHistory(sql, decide(ledger))
        yield* writeOutcome(sql, key, ledger, outcome)
        return outcome
      })
    },
  }
}

/** A REVIEW is written down with what is known of the counterparty; nothing else asks for it. */
function* afterHistory(
  sql: Statements,
  decided: ScreenOutcome | OutcomeAfterHistory,
): Script<ScreenOutcome> {
  if (!('historyOf' in decided)) return decided
  return decided.finish(yield* readCounterpartyHistory(sql, decided.historyOf))
}

function* readLedger(sql: Statements, key: LedgerKey): Script<Ledger> {
  const { userId } = key
  const { txnId, account } = yield* readAccount(sql, key)
  const user = userId && (yield* first(sql.findUser({ userId })))
  return {
    txnId,
    operator: operatorOf(account),
    ...(yield* readAgentLedger(sql, key)),
    user: user === undefined ? undefined : userOf(user),
    screensThisMonth: Number(account.screens ?? 0n),
  }
}

/** Eight characters collide sooner or later; the store asks until an id is free. */
function* readAccount(
  sql: Statements,
  { operatorId, month, newTxnId }: LedgerKey,
): Script<{ txnId: TxnId; account: AccountRow }> {
  for (;;) {
    const txnId = newTxnId()
    const account = yield* first(sql.accountOf({ operatorId, month, txnId }))
    if (account === undefined) throw new ServiceError('unauthorized')
    if (account.taken === null) return { txnId, account }
  }
}

function* readAgentLedger(sql: Statements, { agentId, date, screensPerMinute }: LedgerKey) {
  const none = { chain: [], fleets: [], history: NO_HISTORY, velocityMarkAt: undefined }
  if (agentId === undefined) return none
  const holders = yield* readHolders(sql, agentId, date)
  const policies = holders.chain.map(({ agent }) => agent.spendPolicy).toReversed()
  if (policies.length === 0) return none
  const mark = holders.history.screens - screensPerMinute(policies) + 1
  return { ...holders, velocityMarkAt: yield* screenedAt(sql, agentId, mark) }
}

/**
 * The agent with its ancestors and all their fleets, what each of them spent on the date, and the
 * agent's history.
 */
export function* readHolders(
  sql: Statements,
  agentId: AgentId,
  date: string,
): Script<SpendHolders & Pick<Ledger, 'history'>> {
  const rows = yield* chainFrom(agentId, (next) => sql.holderOn({ agentId: next, date }))
  const chain = rows.map((row) => ({
    agent: agentOf(row),
    spentToday: (row.spent_micro_usd as MicroUsd | null) ?? NO_MONEY,
  }))
  const [own] = rows
  const history = own === undefined ? NO_HISTORY : historyOf(own)
  return { chain, fleets: yield* readFleets(sql, chain, date), history }
}

function* readFleets(
  sql: Statements,
  chain: readonly ChainLink[],
  date: string,
): Script<readonly FleetLedger[]> {
  const ids = new Set(chain.flatMap(({ agent: { fleetId } }) => fleetId ?? []))
  const fleets: FleetLedger[] = []
  for (const fleetId of ids) {
    const row = yield* first(sql.findFleet({ fleetId }))
    if (row === undefined) throw new RangeError(`the fleet ${fleetId} is missing`)
    const spent = yield* first(sql.fleetSpentOn({ fleetId, date }))
    const spentToday = (spent?.spent_micro_usd as MicroUsd | undefined) ?? NO_MONEY
    fleets.push({ fleet: fleetOf(row), spentToday })
  }
  return fleets
}

/** When the agent's screen with this ordinal was made: one look-up, however many there are. */
function* screenedAt(
  sql: Statements,
  agentId: AgentId,
  ordinal: number,
): Script<EpochMs | undefined> {
  if (ordinal < 1) return undefined
  const row = yield* first(sql.screenedAt({ agentId, ordinal: BigInt(ordinal) }))
  return row === undefined ? undefined : Number(row.screened_at_ms)
}

function* writeOutcome(
  sql: Statements,
  { operatorId, month, date }: LedgerKey,
  ledger: Ledger,
  outcome: ScreenOutcome,
): Script<void> {
  const { audit, spend, charge, history, effects, sighting } = outcome
  if (spend > 0n) yield* addSpend(sql, ledger, date, spend)
  if (charge > 0) yield* all(sql.addUsage({ operatorId, month, screens: BigInt(charge) }))
  if (audit.agentId !== null && history !== undefined) {
    yield* all(sql.putHistory(historyRow(audit.agentId, history)))
  }
  yield* writeEntry(sql, outcome)
  if (sighting !== undefined) yield* addSighting(sql, audit, sighting)
  if (audit.verdict === 'REVIEW') {
    const { txnId, screenedAt } = audit
    yield* all(sql.insertReview({ txnId, operatorId, at: BigInt(screenedAt) }))
  }
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

/** The audit entry with the leaf that it will be in the tree: who changes it later is found. */
function* writeEntry(sql: Statements, outcome: ScreenOutcome): Script<void> {
  const { audit, spend, charge, history } = outcome
  const row = {
    txn_id: audit.txnId,
    operator_id: audit.operatorId,
    agent_id: audit.agentId,
    verdict: audit.verdict,
    screened_at_ms: BigInt(audit.screenedAt),
    spend_micro_usd: spend,
    charge: BigInt(charge),
    agent_ordinal: history === undefined ? null : BigInt(history.screens),
    record: JSON.stringify(audit.record),
    facts: audit.facts,
  }
  const record = yield* keepRecord(sql, audit.record, row.record)
  yield* all(sql.insertAuditEntry({ ...row, record, leaf: leafOfScreen(row) }))
}

/** Everybody whose day a payment counts for. */
export type SpendHolders = Pick<Ledger, 'chain' | 'fleets'>

/** A delegate's spend counts for every ancestor and fleet; otherwise minting would lift limits. */
export function* addSpend(
  sql: Statements,
  { chain, fleets }: SpendHolders,
  date: string,
  amount: MicroUsd,
): Script<void> {
  for (const { agent, spentToday } of chain) {
    refuseOverflow(spentToday, amount)
    yield* all(sql.addSpend({ agentId: agent.agentId, date, amount }))
  }
  for (const { fleet, spentToday } of fleets) {
    refuseOverflow(spentToday, amount)
    yield* all(sql.addFleetSpend({ fleetId: fleet.fleetId, date, amount }))
  }
}

function refuseOverflow(spent: MicroUsd, amount: MicroUsd): void {
  if (spent + amount > MAX_STORED_INTEGER) throw new RangeError('a day of spend overflows')
}
