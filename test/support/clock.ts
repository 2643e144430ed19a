/** A clock that a test moves by hand. Durations still pass by themselves. */
import type { Clock } from '../../packages/server/src/app/ports.ts'

export interface MovedClock extends Clock {
  moveTo(iso: string): void
  advance(ms: number): void
}

export function movedClock(iso: string): MovedClock {
  let now = Date.parse(iso)
  return {
    now: () => now,
    monotonicMs: () => performance.now(),
    moveTo(time) {
      now = Date.parse(time)
    },
    advance(ms) {
      now += ms
    },
  }
}
