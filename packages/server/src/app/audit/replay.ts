/** Past screens evaluated again: on the same facts, or as another spend policy would have it. */
import { evaluate, type Evaluation, type Facts, type SpendLimit } from '@portcullis/engine'
import {
  addMoney,
  type AuditRecord,
  effectivePolicy,
  type LoggedEntry,
  type MicroUsd,
  NO_MONEY,
  type SpendPolicyChange,
  mergeSpendPolicy,
  spendLimit,
  utcDate,
} from '@portcullis/protocol'
import { readFacts } from '../screening/facts-reader.ts'
import { hoursKept } from '../screening/gather-facts.ts'
import { isWhitelisted } from '../screening/whitelist.ts'

/** One member that came out otherwise. */
export interface Difference {
  readonly member: string
  readonly recorded: unknown
  readonly now: unknown
}

/** What the present rule table makes of the recorded facts; empty when it is what was recorded. */
export function replay({
  record,
  facts = '',
}: Pick<LoggedEntry, 'record' | 'facts'>): Difference[] {
  const recorded = JSON.parse(record) as AuditRecord
  const evaluation = evaluate(readFacts(facts))
  const differences = (['verdict', 'riskScore', 'ruleTriggered', 'reason'] as const).flatMap(
    (member) =>
      recorded[member] === evaluation[member]
        ? []
        : [{ member, recorded: recorded[member], now: evaluation[member] }],
  )
  return [
    ...differences,
    ...agentScoreDifference(recorded, evaluation),
    ...logDifference(recorded, evaluation),
  ]
}

function agentScoreDifference(recorded: AuditRecord, { agentScore }: Evaluation): Difference[] {
  const { score, grade } = recorded.signals.agentScore
  if (score === agentScore.score && grade === agentScore.grade) return []
  return [{ member: 'agentScore', recorded: recorded.signals.agentScore, now: agentScore }]
}

/** The record's log may begin with notes of the service; the checks are its end. */
function logDifference({ log }: AuditRecord, evaluation: Evaluation): Difference[] {
  const checks = log.slice(Math.max(0, log.length - evaluation.log.length))
  if (JSON.stringify(checks) === JSON.stringify(evaluation.log)) return []
  const texts = (entries: AuditRecord['log']) => entries.map(({ code, msg }) => `${code}: ${msg}`)
  const [before, after] = [texts(checks), texts([...evaluation.log])]
  return [
    {
      member: 'log',
      recorded: before.filter((text) => !after.includes(text)),
      now: after.filter((text) => !before.includes(text)),
    },
  ]
}

export interface WouldBe {
  readonly recorded: string
  readonly now: string
  readonly ruleTriggered: string | null
  readonly reason: string
}

/**
 * Past screens, in their order, as if each agent's policy had been changed: omitted keeps what was
 * recorded, null clears. Spend of the day is carried along, since what would have been blocked or
 * reviewed would not have been spent; `spent` has it by agent and UTC date, so that a run can be
 * left and gone on with.
 */
export function policyDryRun(
  change: SpendPolicyChange,
  spent = new Map<string, MicroUsd>(),
): (entry: LoggedEntry) => WouldBe {
  return ({ record, facts: text = '', agentId, verdict }) => {
    const facts = readFacts(text)
    const key = `${agentId ?? ''} ${utcDate(facts.now)}`
    const own = facts.dailyLimits.find(({ holder }) => holder === agentId)
    const spentToday = spent.get(key) ?? own?.spentToday ?? NO_MONEY
    const evaluation = evaluate(changed(facts, change, agentId ?? '', spentToday))
    const adds = evaluation.verdict === 'CLEAR' ? facts.payment.amount : NO_MONEY
    spent.set(key, addMoney(spentToday, adds))
    const { ruleTriggered, reason } = evaluation
    return {
      recorded: verdict ?? (JSON.parse(record) as AuditRecord).verdict,
      now: evaluation.verdict,
      ruleTriggered,
      reason,
    }
  }
}

function changed(
  facts: Facts,
  change: SpendPolicyChange,
  agentId: string,
  spentToday: MicroUsd,
): Facts {
  const wanted = effectivePolicy([mergeSpendPolicy({}, change)])
  const given = (...names: (keyof SpendPolicyChange)[]) =>
    names.some((name) => change[name] !== undefined)
  const recorded = facts.spendPolicy
  const spendPolicy: Facts['spendPolicy'] = {
    maxSingleTx: (given('maxSingleTxUSDC') ? wanted : recorded).maxSingleTx,
    allowedChains: (given('allowedChains') ? wanted : recorded).allowedChains,
    allowedRails: (given('allowedRails', 'allowedPaymentRails') ? wanted : recorded).allowedRails,
    allowedCounterpartyTypes: (given('allowedCounterpartyTypes') ? wanted : recorded)
      .allowedCounterpartyTypes,
    allowedProtocols: (given('allowedProtocols') ? wanted : recorded).allowedProtocols,
    mixersAllowed: (given('noMixerProtocols') ? wanted : recorded).mixersAllowed,
    maxScreensPerMinute: (given('maxScreensPerMinute') ? wanted : recorded).maxScreensPerMinute,
    operatingHours: (given('operatingHours') ? wanted : recorded).operatingHours,
    whitelists: (given('counterpartyWhitelist') ? wanted : recorded).whitelists,
  }
  return {
    ...facts,
    spendPolicy,
    dailyLimits: given('dailyLimitUSDC')
      ? ownLimit(facts.dailyLimits, change.dailyLimitUSDC, agentId, spentToday)
      : facts.dailyLimits,
    counterpartyWhitelisted: isWhitelisted(spendPolicy.whitelists, facts.payment),
    withinOperatingHours: hoursKept(spendPolicy.operatingHours, facts.now),
    velocity: {
      ...facts.velocity,
      perMinute: spendPolicy.maxScreensPerMinute ?? facts.velocity.perMinute,
    },
  }
}

function ownLimit(
  limits: readonly SpendLimit[],
  usd: number | null | undefined,
  agentId: string,
  spentToday: MicroUsd,
): SpendLimit[] {
  const limit = spendLimit(usd ?? undefined)
  const others = limits.filter(({ holder }) => holder !== agentId)
  return limit === undefined ? others : [{ holder: agentId, limit, spentToday }, ...others]
}
