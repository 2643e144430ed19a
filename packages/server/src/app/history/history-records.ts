/** What the store keeps of reviews, counterparties, alerts and runs, as values. */
import type {
  AlertId,
  AlertStatus,
  Disposition,
  EpochMs,
  MatchEvidence,
  OperatorId,
  Verdict,
} from '@portcullis/protocol'

/**
 * Digests under which the history of a counterparty is found, 16 hex characters each; null for what
 * was not given.
 */
export interface CounterpartyKeys {
  /** Of the normal form of the name. */
  readonly name: string | null
  /** Of the canonical wallet. */
  readonly wallet: string | null
  /** Both, one after the other, or the one that was given. */
  readonly subject: string
}

/** A counterparty as one screen saw it. */
export interface Sighting {
  readonly keys: CounterpartyKeys
  readonly name: string | null
  readonly wallet: string | null
  /** `LIST:entryId` of everything that it matched, sorted. */
  readonly matches: readonly string[]
}

/** All screens that match a counterparty by name or wallet, whoever asked for them. */
export interface CounterpartyHistory {
  readonly verdicts: Readonly<Record<'CLEAR' | 'REVIEW' | 'BLOCK', number>>
  readonly firstAt: EpochMs
  readonly lastAt: EpochMs
  readonly distinctAgents: number
  readonly distinctOperators: number
}

/** A disposition that waits for a second reviewer. */
export interface Proposal {
  readonly disposition: Disposition
  readonly reviewedBy: string
  readonly notes: string | null
  readonly proposedAt: EpochMs
}

export const SUBJECT_TYPES = ['counterparty', 'operator', 'agent', 'user'] as const
/** Who is screened again, in this order. */
export type SubjectType = (typeof SUBJECT_TYPES)[number]

/** Somebody who was screened once and is screened again. */
export interface RescreenSubject {
  readonly type: SubjectType
  readonly operatorId: OperatorId
  /** Digest that names a counterparty; undefined for the others. */
  readonly counterpartySubject: string | undefined
  /** Id of the operator, agent or user; null for a counterparty. */
  readonly id: string | null
  readonly name: string | null
  readonly wallet: string | null
  /** The verdict of the last screen before it was listed. */
  readonly previousResult: Verdict
  /** Where to go on after this one. */
  readonly place: string
}

/** List entries that a subject is known to match. */
export interface ListedSubject {
  readonly operatorId: OperatorId
  readonly subject: string
  readonly matches: readonly string[]
}

/** A subject whose matches are not what they were. */
export interface RescreenFinding {
  readonly alertId: AlertId
  readonly subject: string
  readonly of: RescreenSubject
  readonly evidence: readonly MatchEvidence[]
  readonly detectedAt: EpochMs
}

export interface Alert {
  readonly alertId: AlertId
  readonly subject: string
  readonly subjectType: SubjectType
  readonly subjectId: string | null
  readonly name: string | null
  readonly wallet: string | null
  readonly previousResult: string
  readonly evidence: readonly MatchEvidence[]
  readonly detectedAt: EpochMs
  readonly status: AlertStatus
  readonly reviewedBy: string | null
  readonly notes: string | null
  readonly reviewedAt: EpochMs | null
}

/** One run of scheduled work: a slot is worked on once, whatever the number of processes. */
export interface JobRun {
  readonly job: string
  readonly slot: string
}

export interface JobProgress {
  /** Where to go on. */
  readonly place: string
  readonly subjects: number
  readonly alerts: number
  /** Subjects of which an extended provider could not be asked. */
  readonly unavailable: number
}

export interface JobLease extends JobRun {
  readonly holder: string
  readonly leaseUntil: EpochMs
}
