/**
 * What the use cases need from the world. Each MUST is a line of the contract tests, which every
 * implementation passes.
 */
import type {
  AgentId,
  AlertId,
  AuditRecord,
  EpochMs,
  FleetId,
  JwksDocument,
  MicroUsd,
  OperatorId,
  SpendPolicy,
  TxnId,
  UserId,
} from '@portcullis/protocol'
import type { AdverseMedia, AgentHistory, Extended, ExtendedMatches } from '@portcullis/engine'
import type { EntryRef, Watchlist } from '@portcullis/watchlist'
import type { AuditStore } from './audit/audit-store.ts'
import type { ListStatus } from './lists/list-ports.ts'
import type { HistoryStore, OutcomeAfterHistory } from './history/history-ports.ts'
import type { Agent, DispositionEntry, Fleet, Operator, ScreenOutcome, User } from './records.ts'

export interface Clock {
  /** Wall time; for everything that is written down. */
  now(): EpochMs
  /** Milliseconds on a clock that never steps back; for durations only. */
  monotonicMs(): number
}

/** Background work at intervals. */
export interface Timer {
  /** MUST NOT start `work` while it still runs. Answers how to stop it, after the last run. */
  every(ms: number, work: () => Promise<void>): () => Promise<void>
}

/** Where archive segments are kept for longer than the records. */
export interface Archive {
  /** MUST be durable and whole when it resolves, or not there at all. */
  write(name: string, lines: AsyncIterable<string>): Promise<void>
}

/** Fresh, unguessable identifiers. */
export interface Ids {
  operator(): OperatorId
  agent(): AgentId
  txn(): TxnId
  fleet(): FleetId
  user(): UserId
  alert(): AlertId
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
  /**
   * The entries in which two versions differ, those that are gone included; undefined when it is
   * not known.
   */
  readonly difference?: (from: string, to: string) => Promise<readonly EntryRef[] | undefined>
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
  /** Undefined without a user credential. */
  readonly userId: UserId | undefined
  readonly date: string
  readonly month: string
  /** How many screens back to look for the velocity, from the policies of the chain. */
  readonly screensPerMinute: (chain: readonly SpendPolicy[]) => number
  /** Asked again until it gives an id that no record has. */
  readonly newTxnId: () => TxnId
}

/** One agent of a delegation chain, and what it spent today, its delegates included. */
export interface ChainLink {
  readonly agent: Agent
  readonly spentToday: MicroUsd
}

export interface FleetLedger {
  readonly fleet: Fleet
  readonly spentToday: MicroUsd
}

/** What a decision rests on, read under lock. */
export interface Ledger {
  readonly txnId: TxnId
  readonly operator: Operator
  /** The agent of the token first, then its ancestors; empty when it names no agent of ours. */
  readonly chain: readonly ChainLink[]
  /** The fleets of all agents in the chain, each once. */
  readonly fleets: readonly FleetLedger[]
  readonly history: AgentHistory
  /** When the n-th screen before this one was made, n from `screensPerMinute`. */
  readonly velocityMarkAt: EpochMs | undefined
  readonly user: User | undefined
  readonly screensThisMonth: number
}

/** A page of a list, in the order of ids; `after` is the last id of the page before. */
export interface PageRequest {
  readonly after: string
  readonly limit: number
}

/** Every method may fail with `store_unavailable`; then nothing of it was written. */
export interface Store extends AuditStore, HistoryStore {
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
  setOperatorWallet(operatorId: OperatorId, wallet: string): Promise<Operator | undefined>

  /** The operator's own agent; undefined for another's, as for one that does not exist. */
  findAgent(operatorId: OperatorId, agentId: AgentId): Promise<Agent | undefined>
  listAgents(operatorId: OperatorId, page: PageRequest): Promise<readonly Agent[]>
  /**
   * MUST read the agent with its ancestors (agent first) and write the change in one transaction,
   * so that two changes never lose one. Answers undefined when the operator has no such agent.
   * MUST refuse a fleet that the operator does not have (`invalid_request`).
   * MUST leave no trace when `change` throws, and throw the same error.
   */
  changeAgent(
    operatorId: OperatorId,
    agentId: AgentId,
    change: (agent: Agent, ancestors: readonly Agent[]) => Agent,
    once?: Idempotent<Agent>,
  ): Promise<Once<Agent> | undefined>
  /** MUST read the parent chain and write the delegate in one transaction. */
  mintDelegate(
    operatorId: OperatorId,
    parentId: AgentId,
    mint: (chain: readonly Agent[]) => Agent,
    once?: Idempotent<Agent>,
  ): Promise<Once<Agent> | undefined>

  createFleet(fleet: Fleet, once?: Idempotent<Fleet>): Promise<Once<Fleet>>
  findFleet(operatorId: OperatorId, fleetId: FleetId): Promise<Fleet | undefined>
  listFleets(operatorId: OperatorId, page: PageRequest): Promise<readonly Fleet[]>
  changeFleet(
    operatorId: OperatorId,
    fleetId: FleetId,
    change: (fleet: Fleet) => Fleet,
  ): Promise<Fleet | undefined>

  registerUser(user: User, once?: Idempotent<User>): Promise<Once<User>>

  /**
   * Reads the ledger, asks `decide`, and writes the outcome, all in one transaction.
   *
   * `decide` MUST be repeatable: when two screens collide it runs again on a fresh ledger.
   * MUST serialise screens that share an agent-date, a fleet-date or an operator-month.
   * MUST leave no trace when `decide` throws, and throw the same error.
   * MUST NOT resolve before the outcome is durable.
   */
  commitScreen(
    key: LedgerKey,
    decide: (ledger: Ledger) => ScreenOutcome | OutcomeAfterHistory,
    once?: Idempotent<ScreenOutcome>,
  ): Promise<Once<ScreenOutcome>>
  /**
   * Answers the record with its disposition, or undefined as {@link findAuditRecord} does.
   * MUST keep exactly one disposition under any concurrency; the others fail with
   * `already_dispositioned` and the record.
   * MUST refuse a record whose verdict is not REVIEW (`invalid_request`).
   * MUST keep the disposition as a proposal, and answer with it, while the operator wants four eyes
   * and no other reviewer has proposed the same (`second_reviewer_needed` for one's own).
   * MUST add an APPROVED amount to the day `date` of the agent, its ancestors and their fleets, in
   * the same transaction.
   */
  recordDisposition(
    operatorId: OperatorId,
    txnId: TxnId,
    entry: DispositionEntry,
    date: string,
    since: EpochMs,
  ): Promise<AuditRecord | undefined>
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

/** Counterparty of a screen that asks for extended lists. */
export interface ExtendedQuery {
  readonly name: string | undefined
  readonly wallet: string | undefined
  readonly type: string | undefined
}

/** Extended list providers. A failure or a timeout is the answer UNAVAILABLE, never an error. */
export interface ExtendedScreening {
  readonly configured: { readonly sanctions: boolean; readonly adverseMedia: boolean }
  sanctions(query: ExtendedQuery): Promise<Extended<ExtendedMatches>>
  adverseMedia(query: ExtendedQuery): Promise<Extended<AdverseMedia>>
}

/** On-chain identity anchoring of agents (ERC-8004): planned, so every agent is PENDING. */
export interface IdentityRegistry {
  statusOf(agentId: AgentId | undefined): 'PENDING'
}

/** Where an outside service is, and the key to it. */
export interface OutsideService {
  readonly url: string
  readonly key: string | undefined
}
