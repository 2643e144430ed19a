/** What was known of counterparty and agent before a REVIEW (spec: priorScreenings). */
import { type AgentHistory, screensOn } from '@portcullis/engine'
import { DAY_MS, type EpochMs, isoTime, type PriorScreenings, utcDate } from '@portcullis/protocol'
import type { CounterpartyHistory } from './history-records.ts'

const RATE_DIGITS = 4
const AVERAGE_DIGITS = 2

/** Undefined when there is no history at all: then the field is left out. */
export function priorScreenings(
  counterparty: CounterpartyHistory | undefined,
  agent: AgentHistory,
  now: EpochMs,
): PriorScreenings | undefined {
  const seen = counterparty === undefined ? null : counterpartyPart(counterparty)
  const known = agentPart(agent, now)
  return seen === null && known === null ? undefined : { counterparty: seen, agent: known }
}

function counterpartyPart(history: CounterpartyHistory): PriorScreenings['counterparty'] {
  const { CLEAR, REVIEW, BLOCK } = history.verdicts
  return {
    totalScreenings: CLEAR + REVIEW + BLOCK,
    firstSeen: isoTime(history.firstAt),
    lastSeen: isoTime(history.lastAt),
    verdictHistory: { CLEAR, REVIEW, BLOCK },
    distinctAgents: history.distinctAgents,
    distinctOperators: history.distinctOperators,
  }
}

function agentPart(history: AgentHistory, now: EpochMs): PriorScreenings['agent'] {
  const { screens, reviews, blocks, firstAt } = history
  if (firstAt === undefined || screens === 0) return null
  const today = screensOn(history, utcDate(now))
  return {
    totalScreenings: screens,
    firstSeen: isoTime(firstAt),
    reviewRate: rounded(reviews / screens, RATE_DIGITS),
    blockRate: rounded(blocks / screens, RATE_DIGITS),
    avgDailyScreenings: rounded(dailyAverage(screens - today, firstAt, now), AVERAGE_DIGITS),
    todayScreenings: today,
  }
}

/** Today is left out, so that it can be compared; without a day before it there is no average. */
function dailyAverage(before: number, firstAt: EpochMs, now: EpochMs): number {
  const days = Math.floor(now / DAY_MS) - Math.floor(firstAt / DAY_MS)
  return days > 0 ? before / days : 0
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))
