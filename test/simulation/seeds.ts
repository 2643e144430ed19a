/** Many seeds in a row; they are split over test files, which run side by side. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSeed } from './run.ts'

/** `SIMULATION_SEED=n` runs that one seed and nothing else. */
export const ONLY = process.env['SIMULATION_SEED']
/** `SIMULATION_SEEDS` says how many there are altogether. */
const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? 1_000)
/** Enough seeds that every rule has decided at least once. */
const SEEDS_FOR_ALL_RULES = 300

/** What must have happened at least once: a simulation that avoids a rule says nothing about it. */
const REACHED = [
  // R3 stands for a wallet that was listed at issuance: nothing is issued to one.
  ...Array.from({ length: 25 }, (_, at) => `R${at + 1}_`).filter((rule) => rule !== 'R3_'),
  'R16_VELOCITY_FLAG minute',
  'R16_VELOCITY_FLAG day',
  'R17_UNUSUAL_HOUR policy',
  'R17_UNUSUAL_HOUR history',
  'ATTESTATION_STALE',
  'GLOBAL_SANCTIONS_MATCH',
  'PUBLIC_OFFICIAL_MATCH',
  'OFAC_NEAR_MATCH',
  'EXTENDED_SANCTIONS_MATCH',
  'PEP_MATCH',
  'ADVERSE_MEDIA_FLAG',
  'EXTENDED_SCREENING_UNAVAILABLE',
  'LISTS_STALE',
  'ALL_CLEAR',
  'screen rate_limit_exceeded',
  'screen forbidden',
  'dispose already_dispositioned',
  'changePolicy policy_widening',
  'addDelegate policy_widening',
]

/** A test for every so many seeds, so that none is long on a busy machine. */
const SEEDS_PER_TEST = 50

/** One half of the seeds. */
export function simulateHalf(half: 0 | 1): void {
  const middle = Math.ceil(SEEDS / 2)
  const [first, last] = half === 0 ? [1, middle] : [middle + 1, SEEDS]
  const skip = ONLY !== undefined
  const seen = new Map<string, number>()
  for (let from = first; from <= last; from += SEEDS_PER_TEST) {
    const to = Math.min(last, from + SEEDS_PER_TEST - 1)
    test(`seeds ${from} to ${to} agree with the oracle at every step`, { skip }, () =>
      simulate(from, to, seen),
    )
  }
  const enough = last - first >= SEEDS_FOR_ALL_RULES
  test('the simulation reaches every rule', { skip: skip || !enough }, (t) => {
    t.diagnostic(JSON.stringify(Object.fromEntries([...seen].toSorted((a, b) => b[1] - a[1]))))
    const missing = REACHED.filter((what) => ![...seen.keys()].some((key) => key.startsWith(what)))
    assert.deepEqual(missing, [], 'what no seed reached')
  })
}

async function simulate(from: number, to: number, seen: Map<string, number>): Promise<void> {
  for (let seed = from; seed <= to; seed++) {
    for (const [what, count] of await runSeed(seed)) seen.set(what, (seen.get(what) ?? 0) + count)
  }
}
