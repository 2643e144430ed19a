/** Moments on the wall clocks of time zones, for operating hours. */
import { type EpochMs, type LocalTime, WEEKDAYS } from '@portcullis/protocol'

const formats = new Map<string, Intl.DateTimeFormat>()

/** Whether the runtime knows the IANA name. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** Weekday and minute of the day at `time` in the zone. Throws for a name that is no time zone. */
export function localTime(time: EpochMs, timeZone: string): LocalTime {
  const parts = formatOf(timeZone).formatToParts(time)
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((candidate) => candidate.type === type)?.value ?? ''
  const day = WEEKDAYS.find((name) => name === part('weekday').toLowerCase())
  if (day === undefined) throw new RangeError(`no weekday for ${timeZone}`)
  return { day, minute: Number(part('hour')) * 60 + Number(part('minute')) }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(timeZone, format)
  return format
}
