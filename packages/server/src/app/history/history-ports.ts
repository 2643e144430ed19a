/** What reviews, prior screenings and re-screening need of the store. */
import type {
  AlertId,
  AlertStatus,
  AuditRecord,
  EpochMs,
  OperatorId,
  TxnId,
} from '@portcullis/protocol'
import type { WatchlistEntry } from '@portcullis/watchlist'
import type {
  Alert,
  CounterpartyHistory,
  CounterpartyKeys,
  JobLease,
  JobProgress,
  JobRun,
  ListedSubject,
  Proposal,
  RescreenFinding,
  RescreenSubject,
  SubjectType,
} from './history-records.ts'
import type { Operator, ScreenOutcome } from '../records.ts'

/**
 * A decision that must know the counterparty's history before it can be written down. The store
 * reads it in the same transaction, so that this screen is not in it and every earlier one is.
 */
export interface OutcomeAfterHistory {
  readonly historyOf: CounterpartyKeys
  readonly finish: (history: CounterpartyHistory | undefined) => ScreenOutcome
}

export interface ReviewPage {
  readonly status: 'pending' | 'decided'
  readonly after: ReviewPlace | undefined
  readonly limit: number
  /** Records that are older have expired. */
  readonly since: EpochMs
}

/** A place in the queue. */
export interface ReviewPlace {
  readonly at: EpochMs
  readonly txnId: string
}

export interface QueuedReview {
  readonly record: AuditRecord
  readonly place: ReviewPlace
}

export interface AlertQuery {
  readonly since: EpochMs
  readonly status: AlertStatus | undefined
}

export interface AlertDecision {
  readonly status: Exclude<AlertStatus, 'PENDING_REVIEW'>
  readonly reviewedBy: string | null
  readonly notes: string | null
  readonly reviewedAt: EpochMs
}

/** What stands behind a review, for its case file. */
export interface CaseMaterial {
  readonly record: AuditRecord
  /** The facts as they were recorded. */
  readonly facts: string
  readonly proposals: readonly Proposal[]
}

export interface HistoryStore {
  /** A change is an entry of the log: whoever could decide alone, and when, is evidence. */
  setFourEyes(operatorId: OperatorId, fourEyes: boolean, at: EpochMs): Promise<Operator | undefined>
  /** Pending: the oldest first. Decided: the newest disposition first. The operator's own only. */
  listReviews(operatorId: OperatorId, page: ReviewPage): Promise<readonly QueuedReview[]>
  findCase(operatorId: OperatorId, txnId: TxnId, since: EpochMs): Promise<CaseMaterial | undefined>
  /** MUST count a screen once, also when it matches by name and by wallet. */
  counterpartyHistory(keys: CounterpartyKeys): Promise<CounterpartyHistory | undefined>

  /** Newest first; the operator's own only. */
  listAlerts(operatorId: OperatorId, query: AlertQuery): Promise<readonly Alert[]>
  alertsOf(operatorId: OperatorId, subject: string, since: EpochMs): Promise<readonly Alert[]>
  /**
   * MUST take one decision on an alert (`invalid_transition` for another). Undefined for an id that
   * is unknown, expired or another operator's.
   */
  decideAlert(
    operatorId: OperatorId,
    alertId: AlertId,
    decision: AlertDecision,
    since: EpochMs,
  ): Promise<Alert | undefined>

  /** Writes the run down, so that somebody will do it; leaves one that is there alone. */
  announceRun(run: JobRun, now: EpochMs): Promise<void>
  /** Unfinished runs that nobody works on, the oldest first. */
  openRuns(job: string, now: EpochMs): Promise<readonly JobRun[]>
  /** The last hundred runs, finished ones too, the newest first. */
  recentRuns(job: string): Promise<readonly JobRun[]>
  /** MUST give a run to one holder at a time; undefined when it is held or finished. */
  claimRun(lease: JobLease, now: EpochMs): Promise<JobProgress | undefined>
  /** Gives the run back unfinished. */
  releaseRun(lease: JobLease): Promise<void>
  /**
   * Writes the alerts of the findings, what is known of the subjects now, and the progress, all in
   * one transaction; answers how many alerts were new.
   * MUST raise one alert for a match, however often and by how many it is found.
   * MUST write nothing when the lease is lost, and answer undefined.
   */
  saveRescreened(
    lease: JobLease,
    progress: JobProgress,
    findings: readonly RescreenFinding[],
    finishedAt: EpochMs | null,
  ): Promise<number | undefined>
  /** In the order of places; `after` is empty at the start. */
  rescreenSubjects(
    type: SubjectType,
    after: string,
    limit: number,
  ): Promise<readonly RescreenSubject[]>
  listedSubjects(): Promise<readonly ListedSubject[]>
  /** About how many there are; costs no scan of counterparties. */
  countSubjects(): Promise<number>
  /** Forgets counterparties, from one place to another, that were last seen before that time. */
  purgeHistory(before: EpochMs, from: number, to: number): Promise<void>
}

/** Told when a new list is in force. */
export interface ListsListener {
  /** Resolves when the re-screening is written down as due; it goes on by itself. */
  listsChanged(added?: readonly WatchlistEntry[]): Promise<void>
}
