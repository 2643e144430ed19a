/** The queue of a compliance officer, and the file that a case goes on with. */
import {
  CASE_FORMAT,
  CASE_TYP,
  caseClaims,
  type CaseFile,
  invalidField,
  isoTime,
  originOf,
  parseTxnId,
  type ReviewsPage,
  type ReviewsRequest,
  ServiceError,
  type UnsignedCase,
} from '@portcullis/protocol'
import { viewAlert } from '../history/alerts.ts'
import { noSuchRecord } from '../audit/audit.ts'
import { counterpartyKeys } from '../history/counterparty-keys.ts'
import type { Caller, Env } from '../env.ts'
import type { CaseMaterial, ReviewPlace } from '../history/history-ports.ts'
import type { Proposal } from '../history/history-records.ts'
import { readPage, toPage } from '../pages.ts'
import { proveCase } from './case-proofs.ts'
import { priorScreenings } from '../history/prior-screenings.ts'
import { NO_HISTORY } from '@portcullis/engine'

export async function listReviews(
  { store, settings }: Env,
  request: ReviewsRequest,
  { operator, now }: Caller,
): Promise<ReviewsPage> {
  const { after, limit } = readPage(request)
  const found = await store.listReviews(operator.operatorId, {
    status: request.status ?? 'pending',
    after: after === '' ? undefined : readPlace(after),
    limit: limit + 1,
    since: now - settings.retentionMs,
  })
  return toPage(
    found,
    limit,
    ({ place }) => `${place.at}.${place.txnId}`,
    ({ record }) => record,
  )
}

/** The time and the id at which the page before ended. */
function readPlace(cursor: string): ReviewPlace {
  const [, at, txnId] = /^(\d{1,15})\.(txn_[0-9A-Z]{8})$/.exec(cursor) ?? []
  if (at === undefined || txnId === undefined) throw invalidField('cursor', 'is none of ours')
  return { at: Number(at), txnId }
}

/** Facts, evidence, history, receipt and proof of one REVIEW, so that it can leave the service. */
export async function caseFile(
  env: Env,
  txnId: string,
  { operator, now }: Caller,
): Promise<CaseFile> {
  const known = parseTxnId(txnId)
  const since = now - env.settings.retentionMs
  const material = known && (await env.store.findCase(operator.operatorId, known, since))
  if (known === undefined || material === undefined) throw noSuchRecord()
  const { record, facts } = material
  if (record.verdict !== 'REVIEW') {
    const message = `only a REVIEW has a case file; the verdict is ${record.verdict}`
    throw new ServiceError('invalid_request', { message })
  }
  const { screen, others } = await proveCase(env, known)
  return signed(env, {
    format: CASE_FORMAT,
    txnId: known,
    exportedAt: isoTime(now),
    record,
    facts: JSON.parse(facts) as object,
    evidence: record.matches,
    history: await historyOf(env, material, operator.operatorId, now),
    receipt: { jws: record.receipt, keys: [...env.keyring.jwks().keys] },
    proof: screen,
    furtherProofs: [...others],
  })
}

/**
 * As a whole, so that a part left out is found. What is signed is what is sent: a member without a
 * value is not.
 */
function signed({ keyring, settings, sha256 }: Env, file: UnsignedCase): CaseFile {
  const claims = caseClaims(file, originOf(settings.issuer), sha256)
  return { ...file, manifest: keyring.sign(CASE_TYP, claims) }
}

async function historyOf(
  { store, vault, settings }: Env,
  { record, proposals }: CaseMaterial,
  operatorId: Caller['operator']['operatorId'],
  now: number,
): Promise<CaseFile['history']> {
  const { cpName, cpWallet } = record._request
  const keys = counterpartyKeys(vault, cpName, cpWallet)
  const today = priorScreenings(keys && (await store.counterpartyHistory(keys)), NO_HISTORY, now)
  const since = now - settings.retentionMs
  const alerts = keys === undefined ? [] : await store.alertsOf(operatorId, keys.subject, since)
  return {
    ...(record.priorScreenings !== undefined && { atScreen: record.priorScreenings }),
    ...(today !== undefined && { now: today }),
    proposals: proposals.map(viewStep),
    alerts: alerts.map(viewAlert),
  }
}

const viewStep = ({ disposition, reviewedBy, notes, proposedAt }: Proposal) => ({
  disposition,
  reviewedBy,
  notes,
  proposedAt: isoTime(proposedAt),
})
