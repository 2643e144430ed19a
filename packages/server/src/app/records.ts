/** What the store keeps, as values. Times are {@link EpochMs}; money is micro-USD. */
import type { AgentHistory } from '@portcullis/engine'
import type { Sighting } from './history/history-records.ts'
import type {
  AgentId,
  AgentType,
  AuditRecord,
  CredentialStatus,
  Disposition,
  EpochMs,
  FleetId,
  FleetStatus,
  MicroUsd,
  OperatorId,
  Plan,
  SpendPolicy,
  TxnId,
  UserId,
  Verdict,
} from '@portcullis/protocol'

export interface Operator {
  readonly operatorId: OperatorId
  readonly legalName: string
  readonly email: string
  readonly wallet: string | null
  readonly description: string | null
  readonly plan: Plan
  /** False for a paid plan whose checkout is not complete: its screens answer 402. */
  readonly planActive: boolean
  /** A disposition takes effect only when a second reviewer confirms it. */
  readonly fourEyes: boolean
  readonly status: CredentialStatus
  /** `jti` of the current credential; an older one does not pass. */
  readonly credentialId: string
  readonly issuedAt: EpochMs
  readonly expiresAt: EpochMs
}

export interface Agent {
  readonly agentId: AgentId
  readonly operatorId: OperatorId
  readonly agentName: string
  readonly agentFramework: string | null
  readonly underlyingModel: string | null
  readonly agentType: AgentType
  readonly operatorWallet: string | null
  readonly operatorEIN: string | null
  readonly operatorLegalName: string
  readonly purpose: string
  readonly spendPolicy: SpendPolicy
  readonly status: CredentialStatus
  /** Why the status is what it is; null while ACTIVE. */
  readonly statusReason: string | null
  readonly ownershipTransferred: boolean
  readonly operatorWalletListedAtIssuance: boolean
  /** The model named when the current credential was issued (R15). */
  readonly modelAtIssuance: string | null
  readonly fleetId: FleetId | null
  /** The agent that minted this delegate; null for an agent. */
  readonly parentAgentId: AgentId | null
  /** 0 for an agent, 1 to 3 for its delegates. */
  readonly depth: number
  /** The last human heartbeat; null before the first. */
  readonly attestation: HumanAttestation | null
  readonly credentialId: string
  readonly issuedAt: EpochMs
  readonly expiresAt: EpochMs
}

export interface HumanAttestation {
  readonly attestedBy: string
  readonly note: string | null
  readonly attestedAt: EpochMs
}

/** Agents that share one daily limit. */
export interface Fleet {
  readonly fleetId: FleetId
  readonly operatorId: OperatorId
  readonly fleetName: string
  readonly operatorLegalName: string
  readonly dailyLimit: MicroUsd
  readonly status: FleetStatus
  readonly createdAt: EpochMs
}

/** A person who stands behind a supervised agent. */
export interface User {
  readonly userId: UserId
  readonly operatorId: OperatorId
  readonly agentId: AgentId
  readonly legalName: string
  readonly role: string
  readonly status: CredentialStatus
  readonly credentialId: string
  readonly issuedAt: EpochMs
  readonly expiresAt: EpochMs
}

/** One screen as the audit log keeps it; written once, never changed. */
export interface AuditEntry {
  readonly txnId: TxnId
  readonly operatorId: OperatorId
  readonly agentId: AgentId | null
  readonly verdict: Verdict
  readonly screenedAt: EpochMs
  /** The wire record: what `GET /v1/audit/:txnId` answers. */
  readonly record: AuditRecord
  /** Everything that the rules looked at, so that the screen can be evaluated again. */
  readonly facts: string
}

/** Something to do once the outcome is durable. */
export interface QueuedEffect {
  readonly kind: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** Everything that one screen changes, committed together. */
export interface ScreenOutcome {
  readonly audit: AuditEntry
  /** Micro-USD that this payment adds to the day of the agent, its ancestors and their fleets. */
  readonly spend: MicroUsd
  /** Screens that it adds to the operator's month: 0 or 1. */
  readonly charge: number
  /** The agent's history with this screen; undefined when no agent is known. */
  readonly history: AgentHistory | undefined
  readonly effects: readonly QueuedEffect[]
  /** Undefined when no counterparty was named, and for a staged payment. */
  readonly sighting?: Sighting | undefined
}

/** An officer's answer to a REVIEW: a new entry of the log, never an edit of the record. */
export interface DispositionEntry {
  readonly disposition: Disposition
  readonly reviewedBy: string
  readonly notes: string | null
  readonly reviewedAt: EpochMs
}
