/** Re-screening alerts as their operator reads and decides them (spec: GET /v1/alerts). */
import {
  type Alert as AlertView,
  type AlertChange,
  type AlertsRequest,
  type AlertsResponse,
  isoTime,
  type MatchEvidence,
  parseAlertId,
  ServiceError,
} from '@portcullis/protocol'
import type { Caller, Env } from '../env.ts'
import type { Alert } from './history-records.ts'
import { MEDIA_LIST, PEP_LIST_PREFIX } from '../screening/listed-matches.ts'
import { keptText } from '../parties/registration.ts'
import { LAYERS } from '../screening/screening.ts'

export async function listAlerts(
  { store, settings }: Env,
  { status }: AlertsRequest,
  { operator, now }: Caller,
): Promise<AlertsResponse> {
  const query = { since: now - settings.retentionMs, status }
  const alerts = await store.listAlerts(operator.operatorId, query)
  return { count: alerts.length, alerts: alerts.map(viewAlert) }
}

/** Once: a second decision is refused (409), since somebody may have acted on the first. */
export async function decideAlert(
  { store, settings }: Env,
  alertId: string,
  change: AlertChange,
  { operator, now }: Caller,
): Promise<AlertView> {
  const known = parseAlertId(alertId)
  const decision = {
    status: change.status,
    reviewedBy: keptText(change.reviewedBy),
    notes: keptText(change.notes),
    reviewedAt: now,
  }
  const since = now - settings.retentionMs
  const alert = known && (await store.decideAlert(operator.operatorId, known, decision, since))
  if (alert === undefined) throw noSuchAlert()
  return viewAlert(alert)
}

const noSuchAlert = (): ServiceError =>
  new ServiceError('not_found', { message: 'the alert does not exist or has expired' })

/** Lists of people in office, and providers' records of them; everything else is a sanction. */
const OFFICIALS: readonly string[] = LAYERS.officials

const isPep = ({ list }: MatchEvidence): boolean =>
  OFFICIALS.includes(list) || list.startsWith(PEP_LIST_PREFIX)
const isMedia = ({ list }: MatchEvidence): boolean => list === MEDIA_LIST

export function viewAlert(alert: Alert): AlertView {
  const { evidence, reviewedAt } = alert
  const hit = ({ list, score }: MatchEvidence) => ({ list, score })
  return {
    alertId: alert.alertId,
    counterparty: alert.name,
    wallet: alert.wallet,
    previousResult: alert.previousResult,
    newResult: {
      pepHits: evidence.filter(isPep).map(hit),
      sanctionHits: evidence.filter((match) => !isPep(match) && !isMedia(match)).map(hit),
      adverseMediaHits: evidence
        .filter(isMedia)
        .map(({ entryId, score }) => ({ category: entryId, score })),
    },
    detectedAt: isoTime(alert.detectedAt),
    status: alert.status,
    subjectType: alert.subjectType,
    subjectId: alert.subjectId,
    matches: [...evidence],
    reviewedBy: alert.reviewedBy,
    reviewedAt: reviewedAt === null ? null : isoTime(reviewedAt),
    notes: alert.notes,
  }
}
