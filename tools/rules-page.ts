/** docs/rules.md, from the rule table and the escalations. */
import { VERDICTS } from '@portcullis/protocol'
import { ESCALATIONS, RULES, type Rule } from '@portcullis/engine'
import { code, generatedFrom, page, table } from './markdown.ts'

const HEAD = ['Rule', 'Check code', 'Verdict', 'Weight', 'Fires when', 'Evaluated']

const row = ({ id, code: check, verdict, weight, trigger, predicate }: Rule): string[] => [
  code(id),
  code(check),
  verdict,
  String(weight),
  trigger,
  predicate === undefined ? 'not yet' : 'yes',
]

const evaluated = (rules: readonly Rule[]): string =>
  `${rules.filter(({ predicate }) => predicate !== undefined).length} of ${rules.length}`

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
a check that was not made. \`ALL_CLEAR\` closes the log of a screen in which no rule fired.

A rule that is evaluated "not yet" is named here so that its id and place are settled; in this
version it never fires and leaves no entry.`

const SCORE = `## Risk score

\`riskScore\` counts every rule that fired, not only the one that decides, as independent doubts:

\`\`\`text
riskScore = round(100 x (1 - (1 - w1/100) x (1 - w2/100) x ...))
\`\`\`

with the weights of the tables. No finding is 0; one finding is its own weight; each further one can
only raise the score, and only a weight of 100 reaches 100 by itself. The verdict does not depend on
the score.`

export const rulesPage = (): string =>
  page(
    '# Rules',
    generatedFrom('packages/engine/src/rules/'),
    PRECEDENCE,
    '## The rules',
    `In the order of the specification. This version evaluates ${evaluated(RULES)}.`,
    table(HEAD, RULES.map(row)),
    '## Escalations',
    `Effects outside the specification's table. They stand after all rules, in this order. This version evaluates ${evaluated(ESCALATIONS)}.`,
    table(HEAD, ESCALATIONS.map(row)),
    LOG,
    SCORE,
  )
