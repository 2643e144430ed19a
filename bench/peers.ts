/**
 * The same pairs of names, judged by this matcher and by OpenSanctions' logic-v2, in one run:
 *
 *     python3 -m venv peers && peers/bin/pip install nomenklatura
 *     node bench/peers.ts --python peers/bin/python [--json]
 *
 * Each side decides at its own published threshold; name_bench also at the threshold that suits the
 * side best. Its pairs of different parties are the only ones that tell a wrong hit.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  disguisesOf,
  NAME_REVIEW_SCORE,
  scorePair,
  speakingOrder,
} from '../packages/watchlist/src/index.ts'
import {
  hasSharedData,
  ofacEntries,
  type Pair,
  seeded,
  sharedRows,
  watchlistOf,
} from '../tools/match-data.ts'

/** What logic-v2 calls a match. */
const LOGIC_V2_THRESHOLD = 0.7
const DRAWN_PARTIES = 200
const SEED = 77
const TIMED_NAMES = 2_000
const MICROSECONDS = 1_000

type Asked = Pick<Pair, 'query' | 'candidate' | 'schema'>

interface Scored {
  readonly score: number
  readonly us: number
}

interface Side {
  readonly name: string
  readonly threshold: number
  readonly scored: readonly Scored[]
}

interface Line {
  readonly what: string
  readonly pairs: number
  readonly logicV2: string
  readonly ours: string
}

const { values } = parseArgs({
  options: {
    python: { type: 'string', default: 'python3' },
    json: { type: 'boolean', default: false },
  },
})

function scoredByLogicV2(pairs: readonly Asked[]): Scored[] {
  const script = fileURLToPath(new URL('peers/logic_v2.py', import.meta.url))
  const input = pairs.map((pair) => JSON.stringify(pair)).join('\n')
  const { status, stdout, stderr, error } = spawnSync(values.python, [script], {
    input,
    encoding: 'utf8',
    maxBuffer: Infinity,
  })
  if (status !== 0) throw new Error(`${values.python} failed: ${error?.message ?? stderr}`)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Scored)
}

function scoredHere(pairs: readonly Asked[]): Scored[] {
  const compare = ({ query, candidate, schema }: Asked): Scored => {
    const begun = performance.now()
    const { score } = scorePair(query, candidate, schema)
    return { score, us: (performance.now() - begun) * MICROSECONDS }
  }
  pairs.slice(0, 500).forEach(compare)
  return pairs.map(compare)
}

/** Disguises of listed parties drawn by seed, each beside the name that it hides. */
function disguised(): (Asked & { level: number })[] {
  const entries = ofacEntries()
  const next = seeded(SEED)
  return Array.from({ length: DRAWN_PARTIES }, () => {
    const { primaryName, type } = entries[Math.floor(next() * entries.length)]!
    const name = speakingOrder(primaryName, type)
    const schema = type === 'individual' ? 'Person' : 'Company'
    return disguisesOf(name).map(({ level, input }) => ({
      level,
      query: input,
      candidate: name,
      schema,
    }))
  }).flat()
}

function f1(pairs: readonly Pair[], { scored }: Side, threshold: number): number {
  let [right, errors] = [0, 0]
  pairs.forEach(({ kind }, at) => {
    const hit = scored[at]!.score >= threshold
    if (hit && kind === 'positive') right++
    else if (hit !== (kind === 'positive')) errors++
  })
  return (2 * right) / (2 * right + errors)
}

function nameBench(pairs: readonly Pair[], sides: readonly Side[]): Line[] {
  const steps = Array.from({ length: 100 }, (_, at) => at / 100)
  const best = (side: Side) => Math.max(...steps.map((threshold) => f1(pairs, side, threshold)))
  const published = (side: Side) => f1(pairs, side, side.threshold)
  return [
    line('name_bench, F1 at the published threshold', pairs, sides, published, 3),
    line('name_bench, F1 at its best threshold', pairs, sides, best, 3),
  ]
}

function line(
  what: string,
  pairs: readonly unknown[],
  [logicV2, ours]: readonly Side[],
  value: (side: Side) => number,
  digits = 1,
): Line {
  const text = (side: Side | undefined) => (side ? value(side).toFixed(digits) : '')
  return { what, pairs: pairs.length, logicV2: text(logicV2), ours: text(ours) }
}

const percentFound = ({ scored, threshold }: Side): number =>
  (100 * scored.filter(({ score }) => score >= threshold).length) / scored.length

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN

/** Whole look-ups over the OFAC names, each of a name never asked before. */
function lookUpUs(): number {
  const { screenName } = watchlistOf(ofacEntries())
  const names = sharedRows<{ query: string }>('names/clean-people.jsonl').map(({ query }) => query)
  const times = names.slice(0, TIMED_NAMES).map((name) => {
    const begun = performance.now()
    screenName(name)
    return (performance.now() - begun) * MICROSECONDS
  })
  return median(times.slice(TIMED_NAMES / 2))
}

function judged(pairs: readonly Asked[]): Side[] {
  return [
    { name: 'logic-v2', threshold: LOGIC_V2_THRESHOLD, scored: scoredByLogicV2(pairs) },
    { name: 'ours', threshold: NAME_REVIEW_SCORE, scored: scoredHere(pairs) },
  ]
}

function results(): Line[] {
  const pairs = sharedRows<Pair>('names/pairs.jsonl')
  const bench = pairs.filter(({ source }) => source.includes('name_bench'))
  const official = pairs.filter(
    ({ source, schema }) => /^(?:EU_OJ|UN_SC)/.test(source) && schema === 'Person',
  )
  const script = (pattern: RegExp) => official.filter(({ query }) => pattern.test(query))
  const hidden = disguised()
  const benchSides = judged(bench)
  const found = (what: string, of: readonly Asked[]): Line =>
    line(what, of, judged(of), percentFound)
  const [theirs, ours] = benchSides.map(({ scored }) => median(scored.map(({ us }) => us)))
  return [
    ...nameBench(bench, benchSides),
    found('Cyrillic persons, found, %', script(/\p{Script=Cyrillic}/u)),
    found('Arabic persons, found, %', script(/\p{Script=Arabic}/u)),
    found('Hangul persons, found, %', script(/\p{Script=Hangul}/u)),
    ...[1, 2, 3].map((level) =>
      found(
        `disguised, level ${level}, found, %`,
        hidden.filter((one) => one.level === level),
      ),
    ),
    {
      what: 'one pair, median, us',
      pairs: bench.length,
      logicV2: theirs!.toFixed(0),
      ours: ours!.toFixed(0),
    },
    {
      what: 'one name among all of OFAC, median, us',
      pairs: TIMED_NAMES / 2,
      logicV2: '',
      ours: lookUpUs().toFixed(0),
    },
  ]
}

if (!hasSharedData()) throw new Error('the shared data is not beside this repository')
const lines = results()
if (values.json) console.log(JSON.stringify(lines, null, 2))
else {
  const row = (what: string, count: string, logicV2: string, ours: string) =>
    what.padEnd(44) + count.padStart(7) + logicV2.padStart(10) + ours.padStart(10)
  console.log(row('', 'pairs', 'logic-v2', 'ours'))
  for (const one of lines)
    console.log(row(one.what, String(one.pairs), one.logicV2 || '-', one.ours))
}
