/** Runs of the re-screening: one holder at a time, and what was found kept with the progress. */
import type { EpochMs, OperatorId, Verdict } from '@portcullis/protocol'
import type {
  JobLease,
  JobProgress,
  JobRun,
  ListedSubject,
  RescreenFinding,
  RescreenSubject,
  SubjectType,
} from '../../app/history/history-records.ts'
import { matchId } from '../../app/screening/listed-matches.ts'
import { raiseAlert } from './alert-transactions.ts'
import type { CounterpartyRow } from './counterparty-statements.ts'
import { subjectOf } from './counterparty-numbers.ts'
import { all, first, type Script } from '../script.ts'
import type { AgentRow, OperatorRow, Statements, UserRow } from '../statements.ts'

export function rescreenTransactions(sql: Statements) {
  return { ...runTransactions(sql), ...subjectTransactions(sql) }
}

function runTransactions(sql: Statements) {
  return {
    *announceRun({ job, slot }: JobRun, now: EpochMs): Script<void> {
      yield* all(sql.announceRun({ job, slot, at: BigInt(now) }))
    },
    *openRuns(job: string, now: EpochMs): Script<readonly JobRun[]> {
      const rows = yield* all(sql.openRuns({ job, now: BigInt(now) }))
      return rows.map(({ slot }) => ({ job, slot }))
    },
    *recentRuns(job: string): Script<readonly JobRun[]> {
      const rows = yield* all(sql.recentRuns({ job }))
      return rows.map(({ slot }) => ({ job, slot }))
    },
    *claimRun(lease: JobLease, now: EpochMs): Script<JobProgress | undefined> {
      const { job, slot, holder, leaseUntil } = lease
      const row = yield* first(
        sql.claimRun({ job, slot, holder, leaseUntil: BigInt(leaseUntil), now: BigInt(now) }),
      )
      if (row === undefined) return undefined
      return {
        place: row.place,
        subjects: Number(row.subjects),
        alerts: Number(row.alerts),
        unavailable: Number(row.unavailable),
      }
    },
    *releaseRun({ job, slot, holder }: JobLease): Script<void> {
      yield* all(sql.releaseRun({ job, slot, holder }))
    },
    *saveRescreened(
      lease: JobLease,
      progress: JobProgress,
      findings: readonly RescreenFinding[],
      finishedAt: EpochMs | null,
    ): Script<number | undefined> {
      const { job, slot, holder } = lease
      const leaseUntil = BigInt(lease.leaseUntil)
      const kept = yield* first(sql.keepRun({ job, slot, holder, leaseUntil }))
      if (kept === undefined) return undefined
      let alerts = 0
      for (const finding of findings) if (yield* keepFinding(sql, finding)) alerts++
      yield* all(
        sql.saveRun({
          job,
          slot,
          place: progress.place,
          subjects: BigInt(progress.subjects),
          alerts: BigInt(alerts),
          unavailable: BigInt(progress.unavailable),
          finishedAt: finishedAt === null ? null : BigInt(finishedAt),
        }),
      )
      return alerts
    },
  }
}

/** Whether it raised an alert: only matches that were not known before do. */
function* keepFinding(sql: Statements, finding: RescreenFinding): Script<boolean> {
  const { operatorId } = finding.of
  const { subject, evidence } = finding
  const listed = yield* first(sql.findListed({ operatorId, subject }))
  const known = listed === undefined ? [] : (JSON.parse(listed.matches) as string[])
  const matches = JSON.stringify([...new Set(evidence.map(matchId))].toSorted())
  if (matches === (listed?.matches ?? '[]')) return false
  const revision = (listed?.revision ?? 0n) + 1n
  yield* all(sql.putListed({ operatorId, subject, matches, revision }))
  const fresh = evidence.filter((match) => !known.includes(matchId(match)))
  if (fresh.length === 0) return false
  yield* raiseAlert(sql, {
    alert_id: finding.alertId,
    operator_id: operatorId,
    subject,
    revision,
    subject_type: finding.of.type,
    subject_id: finding.of.id,
    name: finding.of.name,
    wallet: finding.of.wallet,
    previous_result: finding.of.previousResult,
    evidence: JSON.stringify(fresh),
    detected_at_ms: BigInt(finding.detectedAt),
    status: 'PENDING_REVIEW',
    reviewed_by: null,
    notes: null,
    reviewed_at_ms: null,
  })
  return true
}

function subjectTransactions(sql: Statements) {
  return {
    *rescreenSubjects(
      type: SubjectType,
      after: string,
      count: number,
    ): Script<readonly RescreenSubject[]> {
      const limit = BigInt(count)
      switch (type) {
        case 'counterparty': {
          const rows = yield* all(sql.counterpartiesAfter({ after: BigInt(after || '0'), limit }))
          return rows.map(counterpartySubject)
        }
        case 'operator':
          return (yield* all(sql.allOperatorsAfter({ after, limit }))).map(operatorSubject)
        case 'agent':
          return (yield* all(sql.allAgentsAfter({ after, limit }))).map(agentSubject)
        case 'user':
          return (yield* all(sql.allUsersAfter({ after, limit }))).map(userSubject)
      }
    },
    *listedSubjects(): Script<readonly ListedSubject[]> {
      const rows = yield* all(sql.allListed({}))
      return rows.map(({ operator_id, subject, matches }) => ({
        operatorId: operator_id as OperatorId,
        subject,
        matches: JSON.parse(matches) as string[],
      }))
    },
    *countSubjects(): Script<number> {
      const last = yield* first(sql.lastCounterparty({}))
      const parties = yield* first(sql.countParties({}))
      return Number((last?.seq ?? 0n) + (parties?.count ?? 0n))
    },
    *purgeHistory(before: EpochMs, from: number, to: number): Script<void> {
      const time = BigInt(before)
      yield* all(sql.purgeCounterparties({ from: BigInt(from), to: BigInt(to), before: time }))
    },
  }
}

const counterpartySubject = (row: CounterpartyRow): RescreenSubject => ({
  type: 'counterparty',
  operatorId: row.operator_id as OperatorId,
  counterpartySubject: subjectOf(row),
  id: null,
  name: row.name,
  wallet: row.wallet,
  previousResult: row.last_verdict as Verdict,
  place: String(row.seq),
})

/** Operators, agents and users were screened when they registered, and were on no list. */
const party = (
  type: SubjectType,
  operatorId: string,
  id: string,
  name: string,
  wallet: string | null,
): RescreenSubject => ({
  type,
  operatorId: operatorId as OperatorId,
  counterpartySubject: undefined,
  id,
  name,
  wallet,
  previousResult: 'CLEAR',
  place: id,
})

const operatorSubject = (row: OperatorRow) =>
  party('operator', row.operator_id, row.operator_id, row.legal_name, row.wallet)

const agentSubject = (row: AgentRow) =>
  party('agent', row.operator_id, row.agent_id, row.operator_legal_name, row.operator_wallet)

const userSubject = (row: UserRow) =>
  party('user', row.operator_id, row.user_id, row.legal_name, null)
