/** Percentiles of one sample, and the median and quartiles of several rounds. */

export interface Latency {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** Nearest rank; `share` from 0 to 1. */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export function latencyOf(values: readonly number[]): Latency {
  const sorted = Float64Array.from(values).sort()
  return {
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    p99: percentile(sorted, 0.99),
    max: percentile(sorted, 1),
  }
}

/** What several rounds gave: noise is told, not hidden. */
export interface Rounds {
  readonly median: number
  readonly lowerQuartile: number
  readonly upperQuartile: number
}

export function roundsOf(values: readonly number[]): Rounds {
  const sorted = Float64Array.from(values).sort()
  const middle = (sorted.length - 1) / 2
  const low = sorted[Math.floor(middle)] ?? Number.NaN
  const high = sorted[Math.ceil(middle)] ?? Number.NaN
  return {
    median: (low + high) / 2,
    lowerQuartile: percentile(sorted, 0.25),
    upperQuartile: percentile(sorted, 0.75),
  }
}
