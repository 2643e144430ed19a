/** One screen, start to finish. */
import {
  type AgentId,
  type AuditRecord,
  isoTime,
  type ListVersion,
  type LogEntry,
  nextUtcMonth,
  parseAgentId,
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
import type { CredentialReading } from './credentials.ts'
import { decide, type Decision, type ScreenCase } from './decide.ts'
import type { Answer, Caller, Env } from './env.ts'
import { factsText } from './facts-text.ts'
import { answerOnce } from './idempotency.ts'
import type { Ledger } from './ports.ts'
import { readPayment } from './payment.ts'
import type { ScreenOutcome } from './records.ts'
import { screenNames, screenWallets } from './screening.ts'

/** How much of the month is used, for the `X-RateLimit-*` headers. */
export interface QuotaState {
  /** Null when unlimited. */
  readonly limit: number | null
  readonly remaining: number | null
  readonly resetsAt: number
}

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
  const { payment, notes } = readPayment(request)
  const watchlist = env.watchlists.current()
  if (watchlist === undefined) throw new ServiceError('lists_unavailable')
  const credential = env.credentials.read(request.token, 'agent', caller.now)
  const screenCase: ScreenCase = {
    now: caller.now,
    payment,
    credential,
    counterpartyWallet: screenWallets(watchlist, [['cpWallet', payment.counterpartyWallet]]),
    counterpartyName: screenNames(watchlist, [['cpName', payment.counterpartyName]]),
    watchlist,
    chargeable: !demo,
  }
  let quota: QuotaState | undefined
  const outcomeOf = (ledger: Ledger): ScreenOutcome => {
    const decision = decide(screenCase, ledger, env.settings)
    quota = quotaState(env, ledger, decision.charge, caller.now)
    return seal(env, { request, caller, ledger, decision, watchlist, notes, demo })
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
    (once) => env.store.commitScreen(ledgerKey(env, caller, credential), outcomeOf, once),
  )
  env.latencies.record(env.clock.monotonicMs() - caller.arrivedAt)
  return answer
}

function checkoutNeeded({ settings }: Env): ServiceError {
  return new ServiceError('payment_required', {
    extra: { checkoutUrl: `${settings.baseUrl}/v1/billing/checkout` },
  })
}

const ledgerKey = (env: Env, { operator, now }: Caller, credential: CredentialReading) => ({
  operatorId: operator.operatorId,
  agentId: agentIdOf(credential),
  date: utcDate(now),
  month: utcMonth(now),
  newTxnId: () => env.ids.txn(),
})

/** Only a token that we signed may name an agent. */
const agentIdOf = (credential: CredentialReading): AgentId | undefined =>
  'claims' in credential ? parseAgentId(credential.claims.sub) : undefined

function quotaState(env: Env, ledger: Ledger, charge: number, now: number): QuotaState {
  const limit = env.settings.quotas[ledger.operator.plan]
  const resetsAt = nextUtcMonth(now)
  if (!Number.isFinite(limit)) return { limit: null, remaining: null, resetsAt }
  const used = ledger.screensThisMonth + charge
  return { limit, remaining: Math.max(0, limit - used), resetsAt }
}

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
  readonly watchlist: Watchlist
  readonly notes: readonly LogEntry[]
  readonly demo: boolean
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
    effects: [],
  }
}

function auditRecord(env: Env, sealing: Sealing, hash: string): AuditRecord {
  const { caller, ledger, decision, notes, request } = sealing
  const { evaluation, facts, agent } = decision
  const lists = listVersions(sealing.watchlist)
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
    matches: [
      facts.counterpartyWallet,
      facts.counterpartyName,
      facts.operatorWallet,
      facts.operatorName,
    ].flatMap(({ listed, near }) => [...listed, ...near]),
    lists,
    authorizedBy: null,
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

function receiptClaims(
  { settings }: Env,
  { caller, ledger, decision, demo }: Sealing,
  lists: ListVersion[],
  hash: string,
): ReceiptClaims {
  return {
    iss: settings.issuer,
    txnId: ledger.txnId,
    verdict: decision.evaluation.verdict,
    riskScore: decision.evaluation.riskScore,
    ruleTriggered: decision.evaluation.ruleTriggered,
    signals: decision.signals,
    authorizedBy: null,
    agentId: decision.agent?.agentId ?? null,
    screenedAt: isoTime(caller.now),
    validUntil: isoTime(caller.now + settings.receiptValidMs),
    requestHash: hash,
    lists,
    oldestList: lists.map(({ date }) => date).toSorted()[0] ?? null,
    ...(demo ? { demo: true } : {}),
  }
}

const listVersions = ({ lists }: Watchlist): ListVersion[] =>
  lists.map(({ id, contentHash, loadedAt }) => ({ list: id, contentHash, date: loadedAt }))
