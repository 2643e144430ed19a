/**
 * How long look-ups take, on one core: the OFAC names and clean names, ten times as many names
 * made by recombination, and random Unicode. `--quick` takes every eighth name and a tenth of the
 * random text.
 *
 *     node bench/match.ts [--json] [--quick]
 */
import type { WatchlistEntry } from '../packages/watchlist/src/index.ts'
import {
  hasSharedData,
  ofacEntries,
  plainEntry,
  seeded,
  sharedRows,
  sharedText,
  watchlistOf,
} from '../tools/match-data.ts'

interface Timing {
  readonly what: string
  readonly lookups: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

/**
 * Times of looking up each text, the shortest of three, so that neighbours on the machine count
 * little. Answers from memory are avoided by spaces at the end.
 */
function timingOf(
  what: string,
  screenName: (name: string) => unknown,
  texts: readonly string[],
): Timing {
  for (const text of texts.slice(0, 3000)) screenName(`\t${text}`)
  const times = new Float64Array(texts.length).fill(Infinity)
  runs++
  for (const blank of [' ', '  ', '   '].map((one) => one + '\t'.repeat(runs))) {
    texts.forEach((text, at) => {
      const start = performance.now()
      screenName(text + blank)
      times[at] = Math.min(times[at]!, performance.now() - start)
    })
  }
  times.sort()
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!
  return { what, lookups: times.length, p50: at(0.5), p99: at(0.99), longest: at(1) }
}

/** Measurements so far: each writes its blanks otherwise, so that none is answered from memory. */
let runs = 0

/** New parties whose names are made of the first and last halves of listed ones. */
function recombined(entries: readonly WatchlistEntry[], times: number): WatchlistEntry[] {
  const next = seeded(10)
  const draw = () => entries[Math.floor(next() * entries.length)]!
  const cross = (a: string, b: string) => {
    const [left, right] = [a.split(/\s+/), b.split(/\s+/)]
    return [...left.slice(0, Math.ceil(left.length / 2)), ...right.slice(right.length >> 1)].join(
      ' ',
    )
  }
  return Array.from({ length: entries.length * times }, (_, at) => {
    const [one, other] = [draw(), draw()]
    const aliases = one.aliases.map((alias) => ({
      ...alias,
      name: cross(alias.name, draw().primaryName),
    }))
    return plainEntry(cross(one.primaryName, other.primaryName), {
      entryId: `new ${at}`,
      type: one.type,
      aliases,
    })
  })
}

/** Text of every kind of character, up to 5,000 UTF-16 units. */
function randomTexts(count: number): string[] {
  const next = seeded(5000)
  const blocks = [
    [0x20, 0x7e],
    [0xa0, 0x24f],
    [0x300, 0x36f],
    [0x370, 0x3ff],
    [0x400, 0x4ff],
    [0x590, 0x6ff],
    [0x900, 0x97f],
    [0x2000, 0x206f],
    [0x3040, 0x30ff],
    [0x4e00, 0x9fff],
    [0xac00, 0xd7a3],
    [0xfb50, 0xfdff],
    [0x1d400, 0x1d7ff],
    [0xd800, 0xdfff],
    [0x0, 0x10ffff],
  ] as const
  return Array.from({ length: count }, () => {
    const length = Math.floor(next() ** 2 * 5000)
    const block = blocks[Math.floor(next() * blocks.length)]!
    const spaces = next() * 0.3
    let text = ''
    while (text.length < length) {
      const [low, high] = next() < 0.8 ? block : blocks[Math.floor(next() * blocks.length)]!
      text +=
        next() < spaces ? ' ' : String.fromCodePoint(low + Math.floor(next() * (high - low + 1)))
    }
    return text.slice(0, length)
  })
}

/**
 * Each text once, in processor time of this thread, so that neighbours on the machine do not count:
 * no call may take more than 20 ms. One that does is repeated, which tells a pause of the garbage
 * collector or the compiler from work.
 */
function singleCallsOf(screenName: (name: string) => unknown, texts: readonly string[]): Singles {
  const times = texts.map((text) => processorTimeOf(() => screenName(text)))
  const over = texts.filter((_, at) => times[at]! > CALL_LIMIT_MS)
  const again = over.map((text) =>
    Math.min(...[1, 2, 3].map((run) => processorTimeOf(() => screenName(text + ' '.repeat(run))))),
  )
  const sorted = times.toSorted((a, b) => a - b)
  return {
    calls: texts.length,
    p99: sorted[Math.floor(sorted.length * 0.99)]!,
    longest: sorted.at(-1)!,
    over: over.length,
    longestAgain: Math.max(0, ...again),
  }
}

const CALL_LIMIT_MS = 20

interface Singles {
  readonly calls: number
  readonly p99: number
  readonly longest: number
  /** Calls above the limit, and the longest of them when repeated. */
  readonly over: number
  readonly longestAgain: number
}

function processorTimeOf(call: () => unknown): number {
  const before = process.threadCpuUsage()
  call()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

function main(): void {
  if (!hasSharedData())
    return void process.stderr.write('left out: ../shared/data is not beside this repository\n')
  const entries = ofacEntries()
  const started = performance.now()
  const ofac = watchlistOf(entries)
  const build = performance.now() - started
  const people = sharedRows<{ query: string }>('names/clean-people.jsonl').map(({ query }) => query)
  const companies = sharedText('names/clean-companies.txt').trim().split('\n')
  const listed = entries.flatMap(({ primaryName }, at) => (at % 4 === 0 ? [primaryName] : []))
  const every = process.argv.includes('--quick') ? 8 : 1
  const asked = [...people, ...companies, ...listed].filter((_, at) => at % every === 0)
  const timings = [
    timingOf('clean people and companies', ofac.screenName, [...people, ...companies]),
    timingOf('listed names', ofac.screenName, listed),
    timingOf('all of them', ofac.screenName, asked),
  ]
  const quick = process.argv.includes('--quick')
  // Before there are ten times the names: what they hold is not to be collected in these calls.
  const random = singleCallsOf(ofac.screenName, randomTexts(quick ? 2000 : 20_000))
  const tenfold = watchlistOf([...entries, ...recombined(entries, 9)])
  timings.push(timingOf('all of them, ten times the names', tenfold.screenName, asked))
  const growth = timings[3]!.p50 / timings[2]!.p50
  if (process.argv.includes('--json'))
    return void process.stdout.write(`${JSON.stringify({ build, growth, timings, random })}\n`)
  process.stdout.write(
    `build ${build.toFixed(0)} ms, growth of p50 at ten times the names ${growth.toFixed(2)}\n`,
  )
  for (const { what, lookups, p50, p99, longest } of timings)
    process.stdout.write(
      `${what.padEnd(40)} ${lookups} look-ups  p50 ${p50.toFixed(3)}  p99 ${p99.toFixed(3)}  longest ${longest.toFixed(1)} ms\n`,
    )
  const { calls, over, longestAgain } = random
  process.stdout.write(
    `random Unicode, up to 5,000 characters, each of ${calls} once, processor time: ` +
      `p99 ${random.p99.toFixed(1)}  longest ${random.longest.toFixed(1)} ms, ` +
      `${over} above ${CALL_LIMIT_MS} ms, those repeated ${longestAgain.toFixed(1)} ms\n`,
  )
}

main()
