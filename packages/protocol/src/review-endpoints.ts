/** The endpoints of the compliance officer: reviews, case files and alerts. */
import { BODY_ERRORS } from './errors.ts'
import { AuditRecord, ReviewBody, TxnParams } from './schemas/audit.ts'
import {
  Alert,
  AlertParams,
  AlertPatch,
  AlertsQuery,
  AlertsResponse,
  CaseFile,
  ReviewsPage,
  ReviewsQuery,
} from './schemas/reviews.ts'

export const REVIEW_ENDPOINTS = {
  review: {
    method: 'POST',
    path: '/v1/reviews/:txnId',
    caller: 'operator',
    summary: 'Record the disposition of a compliance officer on a REVIEW, once',
    params: TxnParams,
    body: ReviewBody,
    answers: { 200: AuditRecord },
    errors: [
      ...BODY_ERRORS,
      'unauthorized',
      'not_found',
      'already_dispositioned',
      'second_reviewer_needed',
      'invalid_disposition',
      'missing_reviewer',
      'store_unavailable',
    ],
  },
  listReviews: {
    method: 'GET',
    path: '/v1/reviews',
    caller: 'operator',
    summary: 'The review queue: own REVIEWs that wait for a disposition, or have one',
    query: ReviewsQuery,
    answers: { 200: ReviewsPage },
    errors: ['invalid_request', 'unauthorized', 'store_unavailable'],
  },
  caseFile: {
    method: 'GET',
    path: '/v1/reviews/:txnId/case',
    caller: 'operator',
    summary: 'Everything about one own REVIEW in one file, for a report or an examiner',
    params: TxnParams,
    answers: { 200: CaseFile },
    errors: ['invalid_request', 'unauthorized', 'not_found', 'store_unavailable'],
  },
  listAlerts: {
    method: 'GET',
    path: '/v1/alerts',
    caller: 'operator',
    summary: 'Own counterparties, agents and users that became listed after they were screened',
    query: AlertsQuery,
    answers: { 200: AlertsResponse },
    errors: ['invalid_request', 'unauthorized', 'store_unavailable'],
  },
  decideAlert: {
    method: 'PATCH',
    path: '/v1/alerts/:alertId',
    caller: 'operator',
    summary: 'Confirm or dismiss an alert, once',
    params: AlertParams,
    body: AlertPatch,
    answers: { 200: Alert },
    errors: [
      ...BODY_ERRORS,
      'unauthorized',
      'not_found',
      'invalid_transition',
      'store_unavailable',
    ],
  },
} as const
