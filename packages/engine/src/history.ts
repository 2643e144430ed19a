/** What an agent's past screens come to: enough for its baselines and score, in one small value. */
import { type EpochMs, utcDate, type Verdict } from '@portcullis/protocol'

const HOURS_PER_DAY = 24
const HOUR_MS = 3_600_000

export interface AgentHistory {
  readonly screens: number
  readonly reviews: number
  readonly blocks: number
  /** Undefined before the first screen. */
  readonly firstAt: EpochMs | undefined
  /** UTC date of the latest screen, and how many there were on it. */
  readonly day: string
  readonly dayScreens: number
  /** Screens by UTC hour, 24 counts. */
  readonly hours: readonly number[]
}

export const NO_HISTORY: AgentHistory = {
  screens: 0,
  reviews: 0,
  blocks: 0,
  firstAt: undefined,
  day: '',
  dayScreens: 0,
  hours: new Array<number>(HOURS_PER_DAY).fill(0),
}

/** The history with one more screen. */
export function addScreen(history: AgentHistory, now: EpochMs, verdict: Verdict): AgentHistory {
  const today = utcDate(now)
  const hour = utcHour(now)
  return {
    screens: history.screens + 1,
    reviews: history.reviews + (verdict === 'REVIEW' ? 1 : 0),
    blocks: history.blocks + (verdict === 'BLOCK' ? 1 : 0),
    firstAt: history.firstAt ?? now,
    day: today,
    dayScreens: screensOn(history, today) + 1,
    hours: history.hours.map((count, index) => (index === hour ? count + 1 : count)),
  }
}

export const screensOn = (history: AgentHistory, date: string): number =>
  history.day === date ? history.dayScreens : 0

export const utcHour = (time: EpochMs): number => Math.floor(time / HOUR_MS) % HOURS_PER_DAY
