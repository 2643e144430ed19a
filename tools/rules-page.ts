/** docs/rules.md, from the rule table and the escalations. */
import { VERDICTS } from '@portcullis/protocol'
import {
  AGENT_SCORE_PARTS,
  BEHAVIOUR_WEIGHT,
  ESCALATIONS,
  RULES,
  type Rule,
} from '@portcullis/engine'
import { code, generatedFrom, page, table } from './markdown.ts'

const HEAD = ['Rule', 'Check code', 'Verdict', 'Weight', 'Fires when']

const row = ({ id, code: check, verdict, weight, trigger }: Rule): string[] => [
  code(id),
  code(check),
  verdict,
  String(weight),
  trigger,
]

const PRECEDENCE = `## Which rule decides

Every rule is put to the facts of every screen; none is skipped because another has fired.

1. The strongest verdict decides, in this order: ${VERDICTS.map((verdict) => `**${verdict}**`).join(', ')}.
2. Among the rules of that verdict, the one that stands first below decides: its id is
   \`ruleTriggered\` and its finding is the \`reason\`.
3. When no rule fires the verdict is **CLEAR** and \`ruleTriggered\` is null.

So a payment through a mixer on a forbidden chain is BLOCK, although the chain rule stands before the
mixer rule. A rule that fails to answer fails the request: there is no verdict then, and never a
CLEAR by accident.`

const LOG = `## What the log says

\`log\` has one entry for each check that was made, in the order of the tables, under the check code:
\`ok: true\` when it passed, \`ok: false\` when its rule fired or the reader should know what it saw. A
check with nothing to look at (no wallet given, no limit set) leaves no entry, so the log never claims
a check that was not made. \`ALL_CLEAR\` closes the log of a screen in which no rule fired.`

const PARTS = table(
  ['Part', 'Points it can cost'],
  Object.entries(AGENT_SCORE_PARTS).map(([part, points]) => [code(part), String(points)]),
)

const SCORE = `## Scores

\`signals.agentScore\` is 100 less what the agent's behaviour costs (docs/decisions/0006):

${PARTS}

\`riskScore\` counts every rule that fired, not only the one that decides, and the behaviour, as
independent doubts:

\`\`\`text
riskScore = round(100 x (1 - (1 - b/100) x (1 - w1/100) x (1 - w2/100) x ...))
b = ${BEHAVIOUR_WEIGHT} x (100 - agentScore) / 100
\`\`\`

with the weights of the tables. A finding can only raise the score, and only a weight of 100 reaches
100 by itself. The verdict does not depend on the score.`

export const rulesPage = (): string =>
  page(
    '# Rules',
    generatedFrom('packages/engine/src/rules/'),
    PRECEDENCE,
    '## The rules',
    'In the order of the specification.',
    table(HEAD, RULES.map(row)),
    '## Escalations',
    "Effects outside the specification's table. They stand after all rules, in this order.",
    table(HEAD, ESCALATIONS.map(row)),
    LOG,
    SCORE,
  )
