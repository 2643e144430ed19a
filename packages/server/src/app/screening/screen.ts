/** One screen, start to finish. */
import {
  type AuditRecord,
  effectivePolicy,
  isoTime,
  type ListVersion,
  type LogEntry,
  parseAgentId,
  parseUserId,
  type PriorScreenings,
  RECEIPT_TYP,
  type ReceiptClaims,
  requestHash,
  type ScreenRequest,
  type ScreenResult,
  ServiceError,
  usdNumber,
  utcDate,
  utcMonth,
} from '@portcullis/protocol'
import type { Watchlist } from '@portcullis/watchlist'
import type { CredentialReading } from '../parties/credentials.ts'
import {
  askProviders,
  counterpartyScreenings,
  evidenceOf,
  identityAssertions,
  identityClaims,
  identityOf,
  NOT_ASKED,
  notesOn,
} from './counterparty.ts'
import { decide, type Decision } from './decide.ts'
import type { Answer, Caller, Env } from '../env.ts'
import { factsText } from './facts-text.ts'
import { screensPerMinute } from './gather-facts.ts'
import { answerOnce } from '../idempotency.ts'
import type { OutcomeAfterHistory } from '../history/history-ports.ts'
import type { CounterpartyHistory, Sighting } from '../history/history-records.ts'
import type { Ledger, LedgerKey } from '../ports.ts'
import { readPayment } from './payment.ts'
import { type QuotaState, quotaState } from './quota.ts'
import { priorScreenings } from '../history/prior-screenings.ts'
import type { ScreenOutcome } from '../records.ts'
import type { ScreenCase } from './screen-case.ts'
import { sightingOf } from '../history/sighting.ts'

export interface ScreenAnswer {
  readonly result: ScreenResult
  readonly quota: QuotaState
}

export interface ScreenOptions {
  /** A staged payment: real engine and receipt, no charge. */
  readonly demo?: boolean
}

export async function screen(
  env: Env,
  request: ScreenRequest,
  caller: Caller,
  { demo = false }: ScreenOptions = {},
): Promise<Answer<ScreenAnswer>> {
  if (!caller.operator.planActive) throw checkoutNeeded(env)
  const { payment, wantsExtended, notes } = readPayment(request)
  const watchlist = env.watchlists.current()
  if (watchlist === undefined) throw new ServiceError('lists_unavailable')
  const credential = env.credentials.read(request.token, ['agent', 'delegate'], caller.now)
  const screenCase: ScreenCase = {
    now: caller.now,
    payment,
    credential,
    userCredential: env.credentials.read(request.userToken, ['user'], caller.now),
    identity: identityOf(env, request, caller),
    ...counterpartyScreenings(watchlist, payment),
    ...(wantsExtended ? await askProviders(env, payment) : NOT_ASKED),
    watchlist,
    erc8004: env.identityRegistry.statusOf(subjectOf(credential, parseAgentId)),
    chargeable: !demo,
  }
  let quota: QuotaState | undefined
  const sighting = demo ? undefined : sightingOf(env, screenCase)
  const outcomeOf = (ledger: Ledger): ScreenOutcome | OutcomeAfterHistory => {
    const decision = decide(screenCase, ledger, env.settings)
    quota = quotaState(env.settings, ledger, decision.charge, caller.now)
    const log = [...notes, ...notesOn(env, screenCase, wantsExtended)]
    const sealing = { request, caller, ledger, decision, screenCase, notes: log, demo, sighting }
    return sealWithHistory(env, sealing)
  }
  const answer = await answerOnce(
    env.vault,
    {
      scope: caller.operator.operatorId,
      key: caller.idempotencyKey,
      operation: 'screen',
      body: request,
      now: caller.now,
    },
    ({ audit }: ScreenOutcome) => screenAnswer(audit.record, credential, quota),
    (once) => env.store.commitScreen(ledgerKey(env, caller, screenCase), outcomeOf, once),
  )
  env.latencies.record(env.clock.monotonicMs() - caller.arrivedAt)
  return answer
}

function checkoutNeeded({ settings }: Env): ServiceError {
  return new ServiceError('payment_required', {
    extra: { checkoutUrl: `${settings.baseUrl}/v1/billing/checkout` },
  })
}

const ledgerKey = (env: Env, { operator, now }: Caller, screenCase: ScreenCase): LedgerKey => ({
  operatorId: operator.operatorId,
  agentId: subjectOf(screenCase.credential, parseAgentId),
  userId: subjectOf(screenCase.userCredential, parseUserId),
  date: utcDate(now),
  month: utcMonth(now),
  screensPerMinute: (policies) =>
    screensPerMinute(effectivePolicy(policies).maxScreensPerMinute, env.settings),
  newTxnId: () => env.ids.txn(),
})

/** Only a token that we signed may name anybody. */
const subjectOf = <Id>(
  credential: CredentialReading,
  parse: (text: unknown) => Id | undefined,
): Id | undefined => ('claims' in credential ? parse(credential.claims.sub) : undefined)

/** Without a token the specification wants an error that is a full UNKNOWN result as well. */
function screenAnswer(
  record: AuditRecord,
  credential: CredentialReading,
  quota: QuotaState | undefined,
): Answer<ScreenAnswer> {
  if (quota === undefined) throw new Error('a screen was committed without a ledger')
  const { operatorId: _operator, requestHash: _hash, _request, ...result } = record
  return { status: credential.status === 'MISSING' ? 400 : 200, body: { result, quota } }
}

interface Sealing {
  readonly request: ScreenRequest
  readonly caller: Caller
  readonly ledger: Ledger
  readonly decision: Decision
  readonly screenCase: ScreenCase
  readonly notes: readonly LogEntry[]
  readonly demo: boolean
  readonly sighting: Sighting | undefined
  readonly prior?: PriorScreenings | undefined
}

/** At REVIEW the history comes first (spec: priorScreenings); a staged payment has none. */
function sealWithHistory(env: Env, sealing: Sealing): ScreenOutcome | OutcomeAfterHistory {
  const { decision, ledger, sighting, caller, demo } = sealing
  if (decision.evaluation.verdict !== 'REVIEW' || demo) return seal(env, sealing)
  const finish = (history: CounterpartyHistory | undefined) =>
    seal(env, { ...sealing, prior: priorScreenings(history, ledger.history, caller.now) })
  return sighting === undefined ? finish(undefined) : { historyOf: sighting.keys, finish }
}

/** Signs the receipt and draws up everything that the screen changes. */
function seal(env: Env, sealing: Sealing): ScreenOutcome {
  const { caller, ledger, decision } = sealing
  const hash = requestHash(sealing.request)
  const record = auditRecord(env, sealing, hash)
  return {
    audit: {
      txnId: ledger.txnId,
      operatorId: caller.operator.operatorId,
      agentId: decision.agent?.agentId ?? null,
      verdict: record.verdict,
      screenedAt: caller.now,
      record,
      facts: factsText(decision.facts),
    },
    spend: decision.spend,
    charge: decision.charge,
    history: decision.history,
    effects: [],
    sighting: sealing.sighting,
  }
}

function auditRecord(env: Env, sealing: Sealing, hash: string): AuditRecord {
  const { caller, ledger, decision, notes, request } = sealing
  const { evaluation, facts, agent } = decision
  const lists = listVersions(sealing.screenCase.watchlist)
  const elapsed = env.clock.monotonicMs() - caller.arrivedAt
  return {
    verdict: evaluation.verdict,
    txnId: ledger.txnId,
    riskScore: evaluation.riskScore,
    reason: evaluation.reason,
    ruleTriggered: evaluation.ruleTriggered,
    signals: decision.signals,
    agentId: agent?.agentId ?? null,
    agentName: agent?.agentName ?? null,
    agentMode: agent?.agentType ?? null,
    credentialStatus: decision.credentialStatus,
    screenedAt: isoTime(caller.now),
    responseTimeMs: Math.round(elapsed * 1_000) / 1_000,
    receipt: env.keyring.sign(RECEIPT_TYP, receiptClaims(env, sealing, lists, hash)),
    log: [...notes, ...evaluation.log],
    matches: evidenceOf(facts),
    lists,
    authorizedBy: decision.authorizedBy,
    ...identityAssertions(sealing.screenCase),
    ...priorOf(sealing),
    operatorId: ledger.operator.operatorId,
    requestHash: hash,
    _request: {
      amount: request.amount === undefined ? null : usdNumber(facts.payment.amount),
      chain: facts.payment.chain ?? null,
      cpWallet: facts.payment.counterpartyWallet ?? null,
      cpName: facts.payment.counterpartyName ?? null,
      rail: facts.payment.rail ?? null,
      cpType: facts.payment.counterpartyType ?? null,
      protocol: facts.payment.protocol ?? null,
    },
  }
}

const priorOf = ({ prior }: Sealing) => (prior === undefined ? {} : { priorScreenings: prior })

function receiptClaims(
  { settings }: Env,
  sealing: Sealing,
  lists: ListVersion[],
  hash: string,
): ReceiptClaims {
  const { caller, ledger, decision, screenCase, demo } = sealing
  return {
    iss: settings.issuer,
    txnId: ledger.txnId,
    verdict: decision.evaluation.verdict,
    riskScore: decision.evaluation.riskScore,
    ruleTriggered: decision.evaluation.ruleTriggered,
    signals: decision.signals,
    authorizedBy: decision.authorizedBy,
    agentId: decision.agent?.agentId ?? null,
    screenedAt: isoTime(caller.now),
    validUntil: isoTime(caller.now + settings.receiptValidMs),
    requestHash: hash,
    lists,
    oldestList: lists.map(({ date }) => date).toSorted()[0] ?? null,
    ...identityClaims(screenCase),
    ...priorOf(sealing),
    ...(demo ? { demo: true } : {}),
  }
}

const listVersions = ({ lists }: Watchlist): ListVersion[] =>
  lists.map(({ id, contentHash, loadedAt }) => ({ list: id, contentHash, date: loadedAt }))
