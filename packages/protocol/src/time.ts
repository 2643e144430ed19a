/** Milliseconds since 1970-01-01T00:00:00Z. Time is always an argument: no clock is read here. */
export type EpochMs = number

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** ISO 8601 in UTC with milliseconds, as every timestamp on the wire. */
export const isoTime = (time: EpochMs): string => new Date(time).toISOString()

/** `YYYY-MM-DD`, the key of a day's spend. */
export const utcDate = (time: EpochMs): string => isoTime(time).slice(0, 10)

/** `YYYY-MM`, the key of a month's usage. */
export const utcMonth = (time: EpochMs): string => isoTime(time).slice(0, 7)

/** The first instant of the following UTC month: when a plan's screens are counted anew. */
export function nextUtcMonth(time: EpochMs): EpochMs {
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

/** Seconds since the epoch, rounded down: the NumericDate of RFC 7519 section 2. */
export const numericDate = (time: EpochMs): number => Math.floor(time / SECOND_MS)
