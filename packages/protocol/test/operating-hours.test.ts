/** Operating hours against the week read minute by minute. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  hoursWithin,
  isWithinHours,
  type LocalTime,
  type OperatingHours,
} from '../src/operating-hours.ts'
import { type Weekday, WEEKDAYS } from '../src/vocabulary.ts'
import { hoursIn } from './arbitrary-policy.ts'

const CASES = { numRuns: 10_000 }
const UTC = fc.constant('UTC')

const hours = (days: Weekday[], start: string, end: string, timeZone = 'UTC') =>
  ({ timeZone, days, start, end }) satisfies OperatingHours

const minuteOf = (clock: string): number =>
  Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

const at = (day: Weekday, clock: string): LocalTime => ({ day, minute: minuteOf(clock) })

const before = (day: Weekday): Weekday => WEEKDAYS.at(WEEKDAYS.indexOf(day) - 1) ?? day

/** Open from the start of a named day, and over midnight into the day after it. */
function isOpen({ days, start, end }: OperatingHours, { day, minute }: LocalTime): boolean {
  const [from, to] = [minuteOf(start), minuteOf(end)]
  if (from < to) return days.includes(day) && minute >= from && minute < to
  return (days.includes(day) && minute >= from) || (days.includes(before(day)) && minute < to)
}

const WEEK: LocalTime[] = WEEKDAYS.flatMap((day) =>
  Array.from({ length: 1_440 }, (_, minute) => ({ day, minute })),
)

test('`start` is inside, `end` is not', () => {
  const office = hours(['mon', 'tue'], '09:00', '17:00')
  const expected: [Weekday, string, boolean][] = [
    ['mon', '08:59', false],
    ['mon', '09:00', true],
    ['mon', '16:59', true],
    ['mon', '17:00', false],
    ['tue', '09:00', true],
    ['wed', '09:00', false],
    ['sun', '12:00', false],
  ]
  for (const [day, clock, open] of expected) {
    assert.equal(isWithinHours(office, at(day, clock)), open, `${day} ${clock}`)
  }
})

test('a span that passes midnight belongs to the day on which it starts', () => {
  const night = hours(['fri'], '22:00', '06:00')
  const expected: [Weekday, string, boolean][] = [
    ['fri', '05:59', false],
    ['fri', '21:59', false],
    ['fri', '22:00', true],
    ['fri', '23:59', true],
    ['sat', '00:00', true],
    ['sat', '05:59', true],
    ['sat', '06:00', false],
    ['sat', '22:00', false],
  ]
  for (const [day, clock, open] of expected) {
    assert.equal(isWithinHours(night, at(day, clock)), open, `${day} ${clock}`)
  }
})

test('the night from Sunday wraps around the week into Monday', () => {
  const night = hours(['sun'], '23:00', '01:00')
  assert.equal(isWithinHours(night, at('sun', '23:00')), true)
  assert.equal(isWithinHours(night, at('mon', '00:59')), true)
  assert.equal(isWithinHours(night, at('mon', '01:00')), false)
  assert.equal(isWithinHours(night, at('sun', '00:30')), false)
})

test('an end at midnight is the end of the day, and equal ends are a whole day', () => {
  const evening = hours(['wed'], '18:00', '00:00')
  assert.equal(isWithinHours(evening, at('wed', '23:59')), true)
  assert.equal(isWithinHours(evening, at('thu', '00:00')), false)
  const whole = hours(['wed'], '09:00', '09:00')
  assert.equal(isWithinHours(whole, at('wed', '08:59')), false)
  assert.equal(isWithinHours(whole, at('wed', '09:00')), true)
  assert.equal(isWithinHours(whole, at('thu', '08:59')), true)
  assert.equal(isWithinHours(whole, at('thu', '09:00')), false)
  const always = hours([...WEEKDAYS], '00:00', '00:00')
  assert.ok(WEEK.every((moment) => isWithinHours(always, moment)))
})

test('a moment is within the hours exactly when the week says so', () => {
  fc.assert(
    fc.property(hoursIn(UTC), fc.constantFrom(...WEEK), fc.nat(5), (span, moment, near) => {
      const edges = [span.start, span.end].flatMap((clock) =>
        [-1, 0, 1].map((off) => (minuteOf(clock) + off + 1_440) % 1_440),
      )
      const minute = edges[near] ?? moment.minute
      for (const time of [moment, { day: moment.day, minute }]) {
        assert.equal(isWithinHours(span, time), isOpen(span, time))
      }
    }),
    CASES,
  )
})

test('hours are within others exactly when no minute of the week is open in them alone', () => {
  const seen = { within: 0, beyond: 0 }
  const pairs = fc
    .tuple(hoursIn(UTC), hoursIn(UTC), fc.boolean())
    // Often a part of the other, so that both answers occur.
    .map(([outer, inner, part]) => [part ? { ...outer, days: inner.days } : inner, outer] as const)
  fc.assert(
    fc.property(pairs, ([inner, outer]) => {
      const within = WEEK.every((moment) => !isOpen(inner, moment) || isOpen(outer, moment))
      seen[within ? 'within' : 'beyond']++
      assert.equal(hoursWithin(inner, outer), within)
    }),
    CASES,
  )
  assert.ok(seen.within > 500 && seen.beyond > 500, JSON.stringify(seen))
})

test('two touching spans hold what one of them cannot', () => {
  const outer = hours(['mon', 'tue'], '12:00', '12:00')
  assert.equal(hoursWithin(hours(['mon'], '18:00', '18:00'), outer), true)
  assert.equal(hoursWithin(hours(['tue'], '18:00', '18:00'), outer), false)
  const week = hours([...WEEKDAYS], '03:00', '03:00')
  assert.equal(hoursWithin(hours(['sun'], '23:00', '22:00'), week), true)
})

test('hours of another time zone are never within: daylight saving would decide', () => {
  const one = hours(['mon'], '10:00', '11:00', 'Europe/Berlin')
  assert.equal(hoursWithin(one, hours([...WEEKDAYS], '00:00', '00:00', 'UTC')), false)
  assert.equal(hoursWithin(one, { ...one }), true)
})
