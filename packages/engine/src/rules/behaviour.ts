/** R16, R17 and the attestation: does the agent behave as it used to, and does a human watch it? */
import { DAY_MS, isoTime, usdText, utcDate } from '@portcullis/protocol'
import type { Facts } from '../facts.ts'
import { type AgentHistory, screensOn, utcHour } from '../history.ts'
import { fires, notChecked, passes, type Predicate } from '../rule.ts'
import {
  ATTESTATION_AMOUNT,
  ATTESTATION_FRESH_MS,
  UNUSUAL_HOUR_MIN_DAYS,
  UNUSUAL_HOUR_MIN_SCREENS,
  UNUSUAL_HOUR_SHARE,
  VELOCITY_DAY_FACTOR,
  VELOCITY_MIN_DAYS,
  VELOCITY_MIN_SCREENS,
  VELOCITY_WINDOW_MS,
} from '../thresholds.ts'

export const unusualVelocity: Predicate = (facts) => {
  if (facts.credential.status !== 'ACTIVE') return notChecked
  const { perMinute } = facts.velocity
  if (isFastMinute(facts)) return fires(`more than ${perMinute} screens in 60 seconds`)
  const usual = dailyAverage(facts.history, facts.now)
  const today = screensOn(facts.history, utcDate(facts.now)) + 1
  if (usual !== undefined && today > usual * VELOCITY_DAY_FACTOR) {
    return fires(`${today} screens today, against ${usual.toFixed(1)} on an average day`)
  }
  return passes(`at most ${perMinute} screens in 60 seconds, ${today} today`)
}

/** The `perMinute`-th screen before this one is younger than a minute: so this is one too many. */
export const isFastMinute = ({ velocity: { markAt }, now }: Facts): boolean =>
  markAt !== undefined && now - markAt < VELOCITY_WINDOW_MS

/** Screens a day before today; undefined until there is enough to go by. */
function dailyAverage(history: AgentHistory, now: number): number | undefined {
  const days = daysOfHistory(history, now)
  const before = history.screens - screensOn(history, utcDate(now))
  return days >= VELOCITY_MIN_DAYS && before >= VELOCITY_MIN_SCREENS ? before / days : undefined
}

/** Whole UTC days from the first screen's to today's. */
const daysOfHistory = ({ firstAt }: AgentHistory, now: number): number =>
  firstAt === undefined ? 0 : Math.floor(now / DAY_MS) - Math.floor(firstAt / DAY_MS)

export const unusualHour: Predicate = ({ credential, history, now, withinOperatingHours }) => {
  if (credential.status !== 'ACTIVE') return notChecked
  if (withinOperatingHours !== undefined) {
    return withinOperatingHours
      ? passes('within the operating hours of the spend policy')
      : fires('outside the operating hours of the spend policy')
  }
  const enough =
    daysOfHistory(history, now) >= UNUSUAL_HOUR_MIN_DAYS &&
    history.screens >= UNUSUAL_HOUR_MIN_SCREENS
  if (!enough) return notChecked
  const hour = utcHour(now)
  const share = (history.hours[hour] ?? 0) / history.screens
  const text = `${(share * 100).toFixed(1)} % of ${history.screens} past screens`
  return share < UNUSUAL_HOUR_SHARE
    ? fires(`${hour}:00 UTC is an unusual hour for this agent: ${text}`)
    : passes(`${hour}:00 UTC is a usual hour for this agent: ${text}`)
}

export const attestationStale: Predicate = ({ agent, credential, payment, now }) => {
  if (agent.type !== 'autonomous' || credential.status !== 'ACTIVE') return notChecked
  if (payment.amount <= ATTESTATION_AMOUNT) return notChecked
  const above = `an autonomous agent pays more than ${usdText(ATTESTATION_AMOUNT)} USD`
  if (agent.attestedAt === undefined) return fires(`${above} and no human has attested it`)
  const since = isoTime(agent.attestedAt)
  return now - agent.attestedAt > ATTESTATION_FRESH_MS
    ? fires(`${above} and was last attested at ${since}, over 24 hours ago`)
    : passes(`a human attested the agent at ${since}`)
}
