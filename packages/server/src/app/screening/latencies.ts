/** The last 1,000 screens, from arrival to durable record, for the percentiles in health. */
const SAMPLE_SIZE = 1_000

export interface Latencies {
  record(ms: number): void
  /** Milliseconds; null before the first screen. */
  percentiles(): { p50Ms: number | null; p99Ms: number | null; sampleSize: number }
}

export function lastScreens(): Latencies {
  const ring = new Float64Array(SAMPLE_SIZE)
  let count = 0
  return {
    record(ms) {
      ring[count++ % SAMPLE_SIZE] = ms
    },
    percentiles() {
      const sample = ring.slice(0, Math.min(count, SAMPLE_SIZE)).sort()
      return {
        p50Ms: percentile(sample, 0.5),
        p99Ms: percentile(sample, 0.99),
        sampleSize: sample.length,
      }
    },
  }
}

/** Nearest rank. */
function percentile(sorted: Float64Array, share: number): number | null {
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
  return value === undefined ? null : Math.round(value * 1_000) / 1_000
}
