/** The service against a simple oracle: the first half of the seeds, or one seed again. */
import { test } from 'node:test'
import { runSeed } from './simulation/run.ts'
import { ONLY, simulateHalf } from './simulation/seeds.ts'

test('one seed, again', { skip: ONLY === undefined }, async (t) => {
  const seen = await runSeed(Number(ONLY))
  t.diagnostic(JSON.stringify(Object.fromEntries(seen)))
})

simulateHalf(0)
