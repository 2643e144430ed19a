/**
 * What stands beside the tree and drives decisions, held against the log that it follows from. Each
 * check is one look at the store, so that a service that goes on meanwhile disturbs none.
 */
import { isoTime } from '@portcullis/protocol'
import type { DerivedState, StateDifference } from '../../app/audit/audit-store.ts'
import { baselineDifference, spendDifference, usageDifference } from './derived-counters.ts'
import { alertIdOf, decidedEvent, raisedEvent } from '../history/alert-entries.ts'
import type { AlertRow } from '../history/rescreen-statements.ts'
import { proposalBody } from '../proposals.ts'
import type { EventRow } from './audit-log-statements.ts'
import { all, first, type Script } from '../script.ts'
import type { Statements } from '../statements.ts'

type Check = (sql: Statements) => Script<StateDifference | undefined>

const CHECKS: Readonly<Record<DerivedState, Check>> = {
  reviews: reviewDifference,
  proposals: proposalDifference,
  'four-eyes': fourEyesDifference,
  alerts: alertDifference,
  spend: spendDifference,
  usage: usageDifference,
  baselines: baselineDifference,
}

export const derivedTransactions = (sql: Statements) => ({
  *stateDifference(what: DerivedState): Script<StateDifference | undefined> {
    return yield* CHECKS[what](sql)
  },
})

function* reviewDifference(sql: Statements): Script<StateDifference | undefined> {
  const unlike = yield* first(sql.reviewUnlikeLog({}))
  if (unlike !== undefined) {
    const { txn_id: txnId, status } = unlike
    const is = status === null ? 'is not in the queue' : `stands in the queue as ${status}`
    return { txnId, message: `the review ${is}, and the log says otherwise` }
  }
  const strange = yield* first(sql.reviewNotLogged({}))
  if (strange === undefined) return undefined
  return { txnId: strange.txn_id, message: 'it waits in the queue, and the log has no such REVIEW' }
}

const PAGE = 500

function* proposalDifference(sql: Statements): Script<StateDifference | undefined> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const page: { txn_id: string }[] = yield* all(sql.proposedAfter({ after, limit: BigInt(PAGE) }))
    for (const { txn_id: txnId } of page) {
      const kept = (yield* all(sql.proposalsOf({ txnId }))).map(proposalBody)
      const events = yield* all(sql.eventsOf({ txnId }))
      const logged = events.filter(({ kind }) => kind === 'proposal').map(({ body }) => body)
      if (kept.join('\n') === logged.join('\n')) continue
      return { txnId, message: 'the proposals of its reviewers are not those of the log' }
    }
    after = page.length < PAGE ? undefined : page.at(-1)?.txn_id
  }
  return undefined
}

function* fourEyesDifference(sql: Statements): Script<StateDifference | undefined> {
  const due = new Map<string, boolean>()
  for (const { operator_id, kind } of yield* all(sql.fourEyesEvents({}))) {
    due.set(operator_id ?? '', kind === 'four-eyes-on')
  }
  const on = yield* all(sql.operatorsWithFourEyes({}))
  const strange = on.find((row) => row.four_eyes !== 1n || due.get(row.operator_id) !== true)
  if (strange !== undefined) {
    const message = `four eyes of ${strange.operator_id} are on, and the log did not switch them on`
    return { txnId: null, message }
  }
  const isOn = new Set(on.map(({ operator_id }) => operator_id))
  const off = [...due].find(([operatorId, switchedOn]) => switchedOn && !isOn.has(operatorId))
  if (off === undefined) return undefined
  return { txnId: null, message: `four eyes of ${off[0]} are off, and the log switched them on` }
}

interface LoggedAlert {
  raised?: EventRow
  decided?: EventRow
}

function* alertDifference(sql: Statements): Script<StateDifference | undefined> {
  const logged = new Map<string, LoggedAlert>()
  for (const event of yield* all(sql.alertEvents({}))) {
    const alertId = alertIdOf(event) ?? ''
    const known = logged.get(alertId) ?? {}
    logged.set(alertId, known)
    // The first decision stands: there is but one.
    if (event.kind === 'alert') known.raised ??= event
    else known.decided ??= event
  }
  for (const row of yield* all(sql.allAlerts({}))) {
    const wrong = wrongAlert(row, logged.get(row.alert_id) ?? {})
    if (wrong !== undefined) return { txnId: null, message: `alert ${row.alert_id}: ${wrong}` }
    logged.delete(row.alert_id)
  }
  // A decision outlives its alert by the days that it came after it.
  const gone = [...logged].find(([, { raised }]) => raised !== undefined)
  if (gone === undefined) return undefined
  return { txnId: null, message: `alert ${gone[0]}: it was raised, and is gone` }
}

function wrongAlert(row: AlertRow, { raised, decided }: LoggedAlert): string | undefined {
  if (raised === undefined) return 'the log never raised it'
  if (!isSame(raised, raisedEvent(row))) return 'it is not what the log raised'
  if (decided === undefined) {
    const isPending = row.status === 'PENDING_REVIEW' && row.reviewed_at_ms === null
    if (isPending && row.reviewed_by === null && row.notes === null) return undefined
    return `it is ${row.status}, and the log has no decision of it`
  }
  if (row.reviewed_at_ms !== null && isSame(decided, decidedEvent(row))) return undefined
  const at = isoTime(Number(decided.at_ms))
  return `it is ${row.status}, and that is not the decision that the log has of ${at}`
}

const isSame = (logged: EventRow, due: Pick<EventRow, 'operator_id' | 'at_ms' | 'body'>): boolean =>
  logged.operator_id === due.operator_id && logged.at_ms === due.at_ms && logged.body === due.body
