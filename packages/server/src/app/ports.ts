/**
 * What the use cases need from the world. Each MUST is a line of the contract tests, which every
 * implementation passes.
 */
import type {
  AgentId,
  AuditRecord,
  EpochMs,
  JwksDocument,
  MicroUsd,
  OperatorId,
  SpendPolicy,
  TxnId,
} from '@portcullis/protocol'
import type { Watchlist } from '@portcullis/watchlist'
import type { ListStatus } from './list-ports.ts'
import type { Agent, Operator, ScreenOutcome } from './records.ts'

export interface Clock {
  /** Wall time; for everything that is written down. */
  now(): EpochMs
  /** Milliseconds on a clock that never steps back; for durations only. */
  monotonicMs(): number
}

/** Fresh, unguessable identifiers. */
export interface Ids {
  operator(): OperatorId
  agent(): AgentId
  txn(): TxnId
  credential(): string
}

/** ES256 keys: one signs, all are published. */
export interface Keyring {
  /** A compact JWS of the claims, with `alg`, `typ` and `kid` in its header. */
  sign(typ: string, claims: object): string
  /** Whether the signature is good; false for a `kid` that is not ours. */
  verify(kid: string, signingInput: string, signature: Uint8Array): boolean
  jwks(): JwksDocument
}

/** The sanctions lists in force, replaced as a whole. */
export interface Watchlists {
  /** Undefined while no OFAC list is loaded; then nothing may be screened. */
  current(): Watchlist | undefined
  /** What is known of each list, the refused ones included. */
  readonly status?: () => readonly ListStatus[]
}

/** Text in, text out, so that a stored answer is of no use to somebody who reads the store. */
export interface Vault {
  /** Lower-case hex SHA-256. */
  digest(text: string): string
  seal(text: string, secret: string): string
  /** Throws when the secret is another or the text was altered. */
  open(sealed: string, secret: string): string
}

export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The first answer to an `Idempotency-Key`, kept for 24 hours. */
export interface IdempotencyKey {
  /** Digest of caller and key: the key itself is not stored. */
  readonly id: string
  /** Digest of the request; another request under the same key is refused. */
  readonly requestDigest: string
  readonly now: EpochMs
  readonly expiresAt: EpochMs
}

/** What was done now, or what was answered when it was first done. */
export type Once<T> =
  | { readonly replayed: false; readonly value: T }
  | { readonly replayed: true; readonly answer: string }

/** A stored answer for a key, taken in the same transaction as what it answers. */
export interface Idempotent<T> {
  readonly key: IdempotencyKey
  readonly answerOf: (value: T) => string
}

export interface OperatorRegistration {
  readonly operator: Operator
  readonly agent: Agent
  /** Digest of the normalised email, and the UTC date: registrations are counted under both. */
  readonly emailDigest: string
  readonly date: string
  readonly maxPerDay: number
}

export interface LedgerKey {
  readonly operatorId: OperatorId
  /** Undefined when the token names no agent of ours. */
  readonly agentId: AgentId | undefined
  readonly date: string
  readonly month: string
  /** Asked again until it gives an id that no record has. */
  readonly newTxnId: () => TxnId
}

/** What a decision rests on, read under lock. */
export interface Ledger {
  readonly txnId: TxnId
  readonly operator: Operator
  readonly agent: Agent | undefined
  readonly spentToday: MicroUsd
  readonly screensThisMonth: number
}

/** Every method may fail with `store_unavailable`; then nothing of it was written. */
export interface Store {
  /**
   * MUST write operator, agent and count together or not at all.
   * MUST fail with `rate_limit_exceeded` when the email has used up its registrations of the date.
   */
  registerOperator(
    registration: OperatorRegistration,
    once?: Idempotent<OperatorRegistration>,
  ): Promise<Once<OperatorRegistration>>
  registerAgent(agent: Agent, once?: Idempotent<Agent>): Promise<Once<Agent>>
  /** Writes operator and agent when they are not there yet; leaves existing ones alone. */
  ensureOperator(operator: Operator, agent: Agent): Promise<void>
  findOperator(operatorId: OperatorId): Promise<Operator | undefined>
  /**
   * MUST read and write the policy in one transaction, so that two changes never lose one.
   * Answers undefined when the operator has no such agent.
   */
  changeSpendPolicy(
    operatorId: OperatorId,
    agentId: AgentId,
    change: (policy: SpendPolicy) => SpendPolicy,
  ): Promise<Agent | undefined>
  /**
   * Reads the ledger, asks `decide`, and writes the outcome, all in one transaction.
   *
   * `decide` MUST be repeatable: when two screens collide it runs again on a fresh ledger.
   * MUST serialise screens that share an agent-date or an operator-month.
   * MUST leave no trace when `decide` throws, and throw the same error.
   * MUST NOT resolve before the outcome is durable.
   */
  commitScreen(
    key: LedgerKey,
    decide: (ledger: Ledger) => ScreenOutcome,
    once?: Idempotent<ScreenOutcome>,
  ): Promise<Once<ScreenOutcome>>
  /** The operator's own record that is not older than `since`; undefined otherwise. */
  findAuditRecord(
    operatorId: OperatorId,
    txnId: TxnId,
    since: EpochMs,
  ): Promise<AuditRecord | undefined>
  /** Whether the store answers. Costs no scan. */
  ping(): Promise<boolean>
  /** Finishes what was accepted, then refuses. */
  close(): Promise<void>
}
