/** How sure a median is: a bootstrap interval, and what it says about a bound. */
import { type Random, seededRandom } from './random.ts'
import { percentile, roundsOf } from './stats.ts'

/** A median with the interval that holds it in 95 of 100 cases. */
export interface Interval {
  readonly median: number
  readonly lower: number
  readonly upper: number
}

const RESAMPLES = 4_000
const TAIL = 0.025

/** Percentile bootstrap of the median; the same for the same values. */
export function medianInterval(values: readonly number[]): Interval {
  const random = seededRandom(values.length)
  const medians = Array.from(
    { length: RESAMPLES },
    () => roundsOf(resampled(values, random)).median,
  )
  const sorted = Float64Array.from(medians).sort()
  return {
    median: roundsOf(values).median,
    lower: percentile(sorted, TAIL),
    upper: percentile(sorted, 1 - TAIL),
  }
}

const resampled = (values: readonly number[], random: Random): number[] =>
  values.map(() => random.pick(values))

export type Judgement = 'within' | 'more' | 'undecided'

/** Only an interval that lies on one side of the bound decides. */
export function judge({ lower, upper }: Interval, bound: number): Judgement {
  if (upper < bound) return 'within'
  return lower > bound ? 'more' : 'undecided'
}
