/** Parties, ledgers and outcomes for the contract of the store. */
import assert from 'node:assert/strict'
import { addScreen } from '@portcullis/engine'
import {
  type AgentId,
  type AuditRecord,
  DAY_MS,
  ERRORS,
  type ErrorCode,
  type FleetId,
  MAX_DELEGATION_DEPTH,
  type MicroUsd,
  type OperatorId,
  ServiceError,
  type TxnId,
  type UserId,
  utcDate,
  utcMonth,
  type Verdict,
} from '@portcullis/protocol'
import type {
  Idempotent,
  Ledger,
  LedgerKey,
  OperatorRegistration,
  Store,
} from '../../packages/server/src/app/ports.ts'
import type {
  Agent,
  Fleet,
  Operator,
  ScreenOutcome,
  User,
} from '../../packages/server/src/app/records.ts'

export interface OpenedStore {
  readonly store: Store
  /** A second store over the same data, while the first is open or after it was closed. */
  reopen(): Promise<Store>
  /** What another connection sees of the queued effects, oldest first: `txnId kind payload`. */
  queuedEffects(): Promise<string[]>
  /** Closes everything and removes the data. */
  close(): Promise<void>
}

export const NOW = Date.UTC(2026, 10, 20, 12)
export const TODAY = utcDate(NOW)
export const MONTH = utcMonth(NOW)

let ids = 0
export const nextId = (): string => (++ids).toString(36)
export const newTxn = (): TxnId => `txn_${nextId().toUpperCase().padStart(8, '0')}` as TxnId
export const usd = (dollars: number): MicroUsd => (BigInt(dollars) * 1_000_000n) as MicroUsd

export function newOperator(): Operator {
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

export const newAgent = (operator: Operator, more: Partial<Agent> = {}): Agent => ({
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
  modelAtIssuance: 'the model of issuance',
  fleetId: null,
  parentAgentId: null,
  depth: 0,
  attestation: null,
  credentialId: `cred_${nextId()}`,
  issuedAt: NOW,
  expiresAt: NOW + DAY_MS,
  ...more,
})

export const newDelegate = (parent: Agent, more: Partial<Agent> = {}): Agent => ({
  ...parent,
  agentId: `agt_${nextId()}` as AgentId,
  credentialId: `cred_${nextId()}`,
  parentAgentId: parent.agentId,
  depth: parent.depth + 1,
  ...more,
})

export const newFleet = (operator: Operator, more: Partial<Fleet> = {}): Fleet => ({
  fleetId: `flt_${nextId()}` as FleetId,
  operatorId: operator.operatorId,
  fleetName: 'Contract fleet',
  operatorLegalName: operator.legalName,
  // More than a double can hold.
  dailyLimit: (2n ** 60n + 1n) as MicroUsd,
  status: 'ACTIVE',
  createdAt: NOW,
  ...more,
})

export const newUser = (agent: Agent): User => ({
  userId: `usr_${nextId()}` as UserId,
  operatorId: agent.operatorId,
  agentId: agent.agentId,
  legalName: 'Contract User',
  role: 'Treasurer',
  status: 'ACTIVE',
  credentialId: `cred_${nextId()}`,
  issuedAt: NOW,
  expiresAt: NOW + DAY_MS,
})

export const registrationOf = (
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

export interface Party {
  readonly operator: Operator
  readonly agent: Agent
}

export async function register(store: Store): Promise<Party> {
  const registration = registrationOf(newOperator())
  await store.registerOperator(registration)
  return registration
}

export const keyOf = ({ operator, agent }: Party, more: Partial<LedgerKey> = {}): LedgerKey => ({
  operatorId: operator.operatorId,
  agentId: agent.agentId,
  userId: undefined,
  date: TODAY,
  month: MONTH,
  screensPerMinute: () => 60,
  newTxnId: newTxn,
  ...more,
})

export const recordOf = (txnId: TxnId): AuditRecord =>
  ({ txnId, reason: 'a record' }) as unknown as AuditRecord

export interface OutcomeChange extends Partial<ScreenOutcome> {
  readonly at?: number
  readonly verdict?: Verdict
  readonly record?: AuditRecord
}

export function outcomeOf(ledger: Ledger, more: OutcomeChange = {}): ScreenOutcome {
  const { at = NOW, verdict = 'CLEAR', record = recordOf(ledger.txnId), ...rest } = more
  const agentId = agentOf(ledger)?.agentId ?? null
  return {
    audit: {
      txnId: ledger.txnId,
      operatorId: ledger.operator.operatorId,
      agentId,
      verdict,
      screenedAt: at,
      record,
      facts: '{}',
    },
    spend: usd(1),
    charge: 1,
    history: agentId === null ? undefined : addScreen(ledger.history, at, verdict),
    effects: [],
    ...rest,
  }
}

export const agentOf = ({ chain }: Ledger): Agent | undefined => chain[0]?.agent

/** What the agent of the token spent on the date of the key; nothing without an agent. */
export const spentOf = ({ chain }: Ledger): bigint => chain[0]?.spentToday ?? 0n

/** What everybody in the chain, then every fleet, spent on the date of the key. */
export const allSpent = ({ chain, fleets }: Ledger): bigint[] =>
  [...chain, ...fleets].map(({ spentToday }) => spentToday)

/** An agent with a delegate on every level below it, the youngest first. */
export async function registerChain(
  store: Store,
): Promise<{ operator: Operator; chain: readonly Agent[] }> {
  const { operator, agent } = await register(store)
  let chain: readonly Agent[] = [agent]
  for (let depth = 1; depth <= MAX_DELEGATION_DEPTH; depth++) {
    const minted = await store.mintDelegate(operator.operatorId, chain[0]!.agentId, ([parent]) =>
      newDelegate(parent!),
    )
    assert.ok(minted?.replayed === false)
    chain = [minted.value, ...chain]
  }
  return { operator, chain }
}

/** What the ledger says now, read the only way there is: by a screen that changes nothing. */
export async function ledgerOf(store: Store, key: LedgerKey): Promise<Ledger> {
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

export const failsWith = (code: ErrorCode) => (error: unknown) =>
  error instanceof ServiceError && error.code === code && error.status === ERRORS[code].status

export const onceOf = <T>(
  id: string,
  answerOf: (value: T) => string,
  more: Partial<Idempotent<T>['key']> = {},
): Idempotent<T> => ({
  key: { id, requestDigest: 'the request', now: NOW, expiresAt: NOW + DAY_MS, ...more },
  answerOf,
})

export const txnOf = (outcome: ScreenOutcome): string => outcome.audit.txnId
