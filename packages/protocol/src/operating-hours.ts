/** The hours in which an agent may pay: days and a span of the clock in one time zone. */
import { type Static, Type } from 'typebox'
import { type Weekday, WEEKDAYS } from './vocabulary.ts'

const clockTime = (description: string) =>
  Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description })

/** `end` is exclusive and may lie before `start`: then the span passes midnight. */
export const OperatingHours = Type.Object(
  {
    timeZone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA name' }),
    days: Type.Array(Type.Enum([...WEEKDAYS]), { minItems: 1, maxItems: 7, uniqueItems: true }),
    start: clockTime('HH:MM'),
    end: clockTime('HH:MM, exclusive; before `start` it passes midnight'),
  },
  { additionalProperties: false },
)
export type OperatingHours = Static<typeof OperatingHours>

const MINUTES_PER_DAY = 24 * 60
const MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY

/** A moment on the wall clock of a time zone: the weekday, and minutes since its midnight. */
export interface LocalTime {
  readonly day: Weekday
  readonly minute: number
}

/** Whether the moment, given in the hours' own time zone, is inside them. */
export function isWithinHours(hours: OperatingHours, { day, minute }: LocalTime): boolean {
  const now = WEEKDAYS.indexOf(day) * MINUTES_PER_DAY + minute
  return spans(hours).some(([start, length]) => {
    const since = (now - start + MINUTES_PER_WEEK) % MINUTES_PER_WEEK
    return since < length
  })
}

/** Whether every minute of `inner` is one of `outer`. False when that depends on two time zones. */
export function hoursWithin(inner: OperatingHours, outer: OperatingHours): boolean {
  if (inner.timeZone !== outer.timeZone) return false
  const allowed = minutesOf(outer)
  for (const minute of minutesOf(inner)) if (!allowed.has(minute)) return false
  return true
}

function minutesOf(hours: OperatingHours): Set<number> {
  const minutes = new Set<number>()
  for (const [start, length] of spans(hours)) {
    for (let i = 0; i < length; i++) minutes.add((start + i) % MINUTES_PER_WEEK)
  }
  return minutes
}

/** Start in minutes of the week and length in minutes; equal start and end are a whole day. */
function spans({ days, start, end }: OperatingHours): [start: number, length: number][] {
  const from = minuteOf(start)
  const length = (minuteOf(end) - from + MINUTES_PER_DAY) % MINUTES_PER_DAY || MINUTES_PER_DAY
  return days.map((day) => [WEEKDAYS.indexOf(day) * MINUTES_PER_DAY + from, length])
}

function minuteOf(clock: string): number {
  const [hours = '0', minutes = '0'] = clock.split(':')
  return Number(hours) * 60 + Number(minutes)
}
