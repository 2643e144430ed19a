/**
 * Every level 2 and 3 disguise of every listed party, once, and what that comes to for draws of 500
 * by each seed. Takes some minutes.
 *
 *     node tools/match-seeds.ts [--from 1] [--to 230]
 */
import { parseArgs } from 'node:util'
import { disguisesOf, speakingOrder } from '../packages/watchlist/src/index.ts'
import { hasSharedData, ofacEntries, seeded, watchlistOf } from './match-data.ts'
import { verdictOf } from './match-measures.ts'

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    to: { type: 'string', default: '230' },
  },
})
if (!hasSharedData()) {
  process.stderr.write('left out: ../shared/data is not beside this repository\n')
  process.exit(0)
}

/** Disguises of one party, or of some: how many, blocked, and clear, at levels 2 and 3. */
type Counts = Record<2 | 3, { asked: number; blocked: number; clear: number }>

const none = (): Counts => ({
  2: { asked: 0, blocked: 0, clear: 0 },
  3: { asked: 0, blocked: 0, clear: 0 },
})
const entries = ofacEntries()
const ofac = watchlistOf(entries)
const counts = entries.map(({ primaryName, type }) => countsOf(speakingOrder(primaryName, type)))

function countsOf(name: string): Counts {
  const sums = none()
  if (verdictOf(ofac, name) !== 'BLOCK') return sums
  for (const { level, input } of disguisesOf(name)) {
    if (level === 1) continue
    const verdict = verdictOf(ofac, input)
    sums[level].asked++
    if (verdict === 'BLOCK') sums[level].blocked++
    if (verdict === 'CLEAR') sums[level].clear++
  }
  return sums
}

function sumOf(parties: Iterable<number>): Counts {
  const sums = none()
  for (const at of parties)
    for (const level of [2, 3] as const) {
      sums[level].asked += counts[at]![level].asked
      sums[level].blocked += counts[at]![level].blocked
      sums[level].clear += counts[at]![level].clear
    }
  return sums
}

function drawOf(seed: number): Set<number> {
  const next = seeded(seed)
  const drawn = new Set<number>()
  while (drawn.size < 500) drawn.add(Math.floor(next() * entries.length))
  return drawn
}

const all = sumOf(counts.keys())
process.stdout.write(`every party: ${JSON.stringify(all)}\n`)
const draws = Array.from({ length: Number(values.to) - Number(values.from) + 1 }, (_, at) =>
  sumOf(drawOf(Number(values.from) + at)),
)
const leastBlocked = Math.min(...draws.map((one) => one[2].blocked / one[2].asked))
const leastFound = Math.min(...draws.map((one) => 1 - one[3].clear / one[3].asked))
const anyClear = draws.filter((one) => one[2].clear > 0).length
process.stdout.write(
  `level 2: at least ${(100 * leastBlocked).toFixed(2)} % BLOCK, CLEAR in ${anyClear} draws\n` +
    `level 3: at least ${(100 * leastFound).toFixed(2)} % BLOCK or REVIEW\n`,
)
