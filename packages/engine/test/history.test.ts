/** Baselines against an oracle that keeps every screen of the agent in a list. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, type EpochMs, HOUR_MS, VERDICTS, type Verdict } from '@portcullis/protocol'
import fc from 'fast-check'
import { addScreen, type AgentHistory, type Facts, NO_HISTORY, RULES } from '../src/index.ts'
import { factsFrom } from './facts-vectors.ts'

const CASES = { numRuns: 10_000 }

interface Screen {
  readonly at: EpochMs
  readonly verdict: Verdict
}

/** A run of screens: how many days and hours after the one before, how many, and how close. */
const burst = fc.record({
  days: fc.oneof(fc.constant(0), fc.constant(1), fc.nat(9)),
  hours: fc.constantFrom(0, 0, 1, 5, 23),
  screens: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constantFrom(10, 50, 60)),
  gap: fc.constantFrom(0, 1, 1_000, 60_000, 59_999, 600_000),
})
const START = Date.UTC(2026, 9, 1)
const start = fc.constantFrom(0, 1, 12 * HOUR_MS, DAY_MS - 1).map((off) => START + off)

/** Screens in the order of time. */
const screens: fc.Arbitrary<Screen[]> = fc
  .tuple(start, fc.array(burst, { minLength: 1, maxLength: 9 }), fc.array(fc.nat(3)))
  .map(([from, bursts, picks]) => {
    let at = from
    return bursts
      .flatMap(({ days, hours, screens: count, gap }) => {
        at += days * DAY_MS + hours * HOUR_MS
        return Array.from({ length: count }, (_, n) => (n === 0 ? at : (at += gap)))
      })
      .map((time, n) => ({ at: time, verdict: VERDICTS[picks[n] ?? 3] ?? 'CLEAR' }))
  })

/** The screen that is judged: now, a boundary later, or some time later. */
const later = fc.oneof(
  fc.constantFrom(0, 1, 1_000, 59_999, 60_000, HOUR_MS, DAY_MS, 3 * DAY_MS),
  fc.nat(DAY_MS),
)

const dateOf = (at: EpochMs): string => new Date(at).toISOString().slice(0, 10)
const hourOf = (at: EpochMs): number => new Date(at).getUTCHours()
const count = (past: readonly Screen[], fits: (screen: Screen) => boolean): number =>
  past.filter(fits).length

const daysSinceFirst = ([first]: readonly Screen[], now: EpochMs): number =>
  first === undefined ? 0 : (Date.parse(dateOf(now)) - Date.parse(dateOf(first.at))) / DAY_MS

const oracle = {
  history: (past: readonly Screen[]): AgentHistory => {
    const last = past.at(-1)
    const day = last === undefined ? '' : dateOf(last.at)
    return {
      screens: past.length,
      reviews: count(past, ({ verdict }) => verdict === 'REVIEW'),
      blocks: count(past, ({ verdict }) => verdict === 'BLOCK'),
      firstAt: past[0]?.at,
      day,
      dayScreens: count(past, ({ at }) => dateOf(at) === day),
      hours: Array.from({ length: 24 }, (_, hour) => count(past, ({ at }) => hourOf(at) === hour)),
    }
  },
  /** More than `perMinute` in the 60 seconds that end now, this one among them. */
  fastMinute: (past: readonly Screen[], now: EpochMs, perMinute: number): boolean =>
    count(past, ({ at }) => now - at < 60_000) + 1 > perMinute,
  fastDay: (past: readonly Screen[], now: EpochMs): boolean => {
    const today = count(past, ({ at }) => dateOf(at) === dateOf(now)) + 1
    const before = past.length - today + 1
    const days = daysSinceFirst(past, now)
    return days >= 7 && before >= 50 && today * days > 5 * before
  },
  unusualHour: (past: readonly Screen[], now: EpochMs): boolean =>
    daysSinceFirst(past, now) >= 14 &&
    past.length >= 100 &&
    count(past, ({ at }) => hourOf(at) === hourOf(now)) * 200 < past.length,
}

const recorded = (past: readonly Screen[]): AgentHistory =>
  past.reduce((history, { at, verdict }) => addScreen(history, at, verdict), NO_HISTORY)

const lineOf = (number: string) =>
  RULES.find(({ id }) => id.startsWith(`${number}_`)) ?? assert.fail(number)

const fires = (number: string, facts: Facts): boolean =>
  lineOf(number).predicate(facts)?.fired === true

const factsAt = (past: readonly Screen[], now: EpochMs, perMinute: number): Facts => ({
  ...factsFrom({}),
  now,
  history: recorded(past),
  velocity: { perMinute, markAt: past[past.length - perMinute]?.at },
})

test('the history kept screen by screen is that of the whole list', () => {
  fc.assert(
    fc.property(screens, (past) => {
      assert.deepStrictEqual(recorded(past), oracle.history(past))
    }),
    CASES,
  )
})

test('adding a screen leaves the history before it as it was', () => {
  const before = Object.freeze({ ...NO_HISTORY, hours: Object.freeze([...NO_HISTORY.hours]) })
  assert.equal(addScreen(before, START, 'BLOCK').screens, 1)
  assert.equal(before.screens, 0)
  assert.deepEqual(NO_HISTORY.hours, Array.from({ length: 24 }).fill(0))
})

test('R16 fires exactly when a minute or a day of the list is too full', () => {
  const seen = { minute: 0, day: 0, neither: 0 }
  fc.assert(
    fc.property(screens, later, fc.constantFrom(1, 5, 60), (past, after, perMinute) => {
      const now = (past.at(-1)?.at ?? START) + after
      const minute = oracle.fastMinute(past, now, perMinute)
      const day = oracle.fastDay(past, now)
      seen[minute ? 'minute' : day ? 'day' : 'neither']++
      assert.equal(fires('R16', factsAt(past, now, perMinute)), minute || day)
    }),
    CASES,
  )
  for (const [what, times] of Object.entries(seen)) assert.ok(times > 100, what)
})

test('R17 fires exactly when the hour holds under 0.5 % of a list that is long enough', () => {
  const seen = { unusual: 0, usual: 0 }
  fc.assert(
    fc.property(screens, later, (past, after) => {
      const now = (past.at(-1)?.at ?? START) + after
      const unusual = oracle.unusualHour(past, now)
      seen[unusual ? 'unusual' : 'usual']++
      assert.equal(fires('R17', factsAt(past, now, 60)), unusual)
    }),
    CASES,
  )
  for (const [what, times] of Object.entries(seen)) assert.ok(times > 100, what)
})

test('exactly five times the average, as a fraction, does not fire, and one more does', () => {
  fc.assert(
    fc.property(fc.integer({ min: 7, max: 400 }), fc.integer({ min: 1, max: 2_000 }), (days, k) => {
      // 5 * before / days is the whole number `today`, though before / days need not be.
      const before = days * k
      const averages = before % 5 === 0 ? [before, before / 5] : [before]
      for (const past of averages.filter((screens) => screens >= 50)) {
        const today = (5 * past) / days
        if (!Number.isInteger(today)) continue
        const now = START + days * DAY_MS
        const history = (others: number): AgentHistory => ({
          ...NO_HISTORY,
          screens: past + others,
          firstAt: START,
          day: dateOf(now),
          dayScreens: others,
        })
        const facts = { ...factsFrom({}), now }
        assert.equal(fires('R16', { ...facts, history: history(today - 1) }), false)
        assert.equal(fires('R16', { ...facts, history: history(today) }), true)
      }
    }),
    CASES,
  )
})

test('the 60th screen in a minute is usual and the 61st is not, however they lie in it', () => {
  const times = fc
    .array(fc.nat(59_999), { minLength: 60, maxLength: 60 })
    .map((offs) => offs.sort((a, b) => a - b))
  fc.assert(
    fc.property(times, (offs) => {
      const past = offs.map((off) => ({ at: START + off, verdict: 'CLEAR' as const }))
      const now = START + 59_999
      assert.equal(fires('R16', factsAt(past, now, 60)), true)
      assert.equal(fires('R16', factsAt(past.slice(1), now, 60)), false)
    }),
    { numRuns: 1_000 },
  )
})
