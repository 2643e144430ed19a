/** 100,000 generated screens, recorded and replayed: every verdict, score and reason the same. */
import { evaluate } from '@portcullis/engine'
import { factsText } from '../packages/server/src/app/screening/facts-text.ts'
import { replay } from '../packages/server/src/app/audit/replay.ts'
import { randomFacts } from '../test/support/random-facts.ts'
import { random } from '../test/support/load.ts'

const SCREENS = 100_000
const next = random(100_000)
const verdicts: Record<string, number> = {}
let differing = 0
let replayMs = 0
for (let screen = 0; screen < SCREENS; screen++) {
  const facts = randomFacts(next)
  const { verdict, riskScore, ruleTriggered, reason, log, agentScore } = evaluate(facts)
  const record = { verdict, riskScore, ruleTriggered, reason, log, signals: { agentScore } }
  const stored = { record: JSON.stringify(record), facts: factsText(facts) }
  verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
  const begun = performance.now()
  if (replay(stored).length > 0) differing++
  replayMs += performance.now() - begun
}
process.stdout.write(
  `${JSON.stringify({ screens: SCREENS, differing, verdicts, usEach: Math.round((replayMs * 1_000) / SCREENS) })}\n`,
)
if (differing > 0) process.exitCode = 1
