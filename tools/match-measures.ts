import {
  disguisesOf,
  scorePair,
  speakingOrder,
  verdictOfScore,
} from '../packages/watchlist/src/index.ts'
import type { Watchlist, WatchlistEntry } from '../packages/watchlist/src/index.ts'
import { halfOf, plainEntry, seeded, sharedRows, sharedText, watchlistOf } from './match-data.ts'
import type { Pair } from './match-data.ts'

/**
 * One line of the report. `goal` is the aim; `met` is null where there is none.
 */
export interface Measure {
  readonly what: string
  readonly value: string
  readonly goal: string
  readonly met: boolean | null
  /** The first names that went wrong. */
  readonly misses: readonly string[]
}

type Verdict = 'BLOCK' | 'REVIEW' | 'CLEAR'

/** What an OFAC rule makes of a name. */
export function verdictOf({ screenName }: Watchlist, name: string): Verdict {
  return verdictOfScore(Math.max(0, ...screenName(name).map(({ score }) => score)))
}

const percent = (part: number, whole: number, digits = 2): string =>
  `${((100 * part) / Math.max(1, whole)).toFixed(digits)} %`

/** name_bench: precision, recall and F1 at the review threshold, whole and by half. */
export function measureNameBench(): Measure[] {
  const pairs = sharedRows<Pair>('names/pairs.jsonl').filter(({ source }) =>
    source.includes('name_bench'),
  )
  const firm = pairs.filter(({ quality, conflict }) => quality !== 'WEAK' && conflict !== true)
  const halves = (['tuned', 'held out'] as const).map((half) => ({
    name: `${half} half`,
    rows: pairs.filter(({ candidate }) => halfOf(candidate) === half),
  }))
  const groups = [
    { name: 'all', rows: pairs },
    ...halves,
    { name: 'without WEAK and conflict', rows: firm },
  ]
  return groups.map(({ name, rows }) => {
    const misses: string[] = []
    let [found, wrong, missed] = [0, 0, 0]
    for (const { kind, query, candidate, schema } of rows) {
      const { score, verdict } = scorePair(query, candidate, schema)
      if (verdict !== 'CLEAR' && kind === 'positive') found++
      else if (verdict !== 'CLEAR') wrong++
      else if (kind === 'positive') missed++
      if ((verdict !== 'CLEAR') !== (kind === 'positive') && name === 'tuned half')
        misses.push(`${kind} ${score} ${query} | ${candidate}`)
    }
    const f1 = (2 * found) / (2 * found + wrong + missed)
    const precision = (found / (found + wrong)).toFixed(3)
    const recall = (found / (found + missed)).toFixed(3)
    const value = `F1 ${f1.toFixed(3)} (P ${precision} R ${recall}, ${rows.length} pairs)`
    return { what: `name_bench, ${name}`, value, goal: 'F1 >= .87', met: f1 >= 0.87, misses }
  })
}

const SCRIPTS = [
  ['Cyrillic', /\p{Script=Cyrillic}/u, 92],
  ['Arabic', /\p{Script=Arabic}/u, 85],
  ['Hangul', /\p{Script=Hangul}/u, 92],
] as const

/** Official pairs of a person's name in two scripts, from the EU and UN lists. */
export function measureScripts(): Measure[] {
  const pairs = sharedRows<Pair>('names/pairs.jsonl').filter(
    ({ source, schema }) => /^(?:EU_OJ|UN_SC)/.test(source) && schema === 'Person',
  )
  return SCRIPTS.flatMap(([script, pattern, goal]) => {
    const rows = pairs.filter(({ query }) => pattern.test(query))
    return (['all', 'tuned', 'held out'] as const).map((half): Measure => {
      const of = rows.filter(({ candidate }) => half === 'all' || halfOf(candidate) === half)
      const missed = of.filter(
        (one) => scorePair(one.query, one.candidate, 'Person').verdict === 'CLEAR',
      )
      const found = of.length - missed.length
      return {
        what: `persons across scripts, ${script}, ${half}`,
        value: `${percent(found, of.length, 1)} (${found} of ${of.length})`,
        goal: `>= ${goal} %`,
        met: (100 * found) / of.length >= goal,
        misses:
          half === 'tuned' ? missed.map(({ query, candidate }) => `${query} | ${candidate}`) : [],
      }
    })
  })
}

/** UN names treated by yente find their entry among all of them. */
export function measureTreatedNames(): Measure[] {
  const pairs = sharedRows<Pair>('names/pairs.jsonl').filter(({ source }) =>
    source.startsWith('yente/'),
  )
  const listed = watchlistOf(
    [...new Set(pairs.map(({ candidate }) => candidate))].map((name) => plainEntry(name)),
  )
  const missed = pairs.filter(
    ({ query, candidate }) =>
      !listed.screenName(query).some(({ entryId }) => entryId === candidate),
  )
  const found = pairs.length - missed.length
  return [
    {
      what: 'UN treated names find their entry',
      value: `${percent(found, pairs.length)} (${found} of ${pairs.length})`,
      goal: '>= 99.5 %',
      met: found / pairs.length >= 0.995,
      misses: missed.map(({ query, candidate }) => `${query} | ${candidate}`),
    },
  ]
}

/** Every strong OFAC name as published. */
export function measureListed(entries: readonly WatchlistEntry[], watchlist: Watchlist): Measure[] {
  let [asked, blocked] = [0, 0]
  const misses: string[] = []
  for (const { primaryName, aliases } of entries) {
    for (const name of [
      primaryName,
      ...aliases.filter(({ quality }) => quality === 'strong').map((one) => one.name),
    ]) {
      asked++
      if (verdictOf(watchlist, name) === 'BLOCK') blocked++
      else misses.push(name)
    }
  }
  const value = `${percent(blocked, asked)} (${blocked} of ${asked})`
  return [
    {
      what: 'OFAC names and aliases as published: BLOCK',
      value,
      goal: '100 %',
      met: blocked === asked,
      misses,
    },
  ]
}

/** The evasion vectors, and the same disguises of 500 listed parties drawn by seed. */
export function measureEvasion(
  entries: readonly WatchlistEntry[],
  watchlist: Watchlist,
  seed = 4,
): Measure[] {
  const { cases, falsePositiveProbes } = JSON.parse(
    sharedText('vectors/own/name-evasion.json'),
  ) as {
    cases: { level: number; transform: string; input: string }[]
    falsePositiveProbes: string[]
  }
  const drawn = drawParties(entries, 500, seed).filter(
    (name) => verdictOf(watchlist, name) === 'BLOCK',
  )
  const several = drawn.filter((name) => name.split(' ').length > 1)
  const blocked = falsePositiveProbes.filter((name) => verdictOf(watchlist, name) === 'BLOCK')
  return [
    ...levels('vectors', cases, watchlist),
    ...levels(`${drawn.length} drawn parties`, drawn.flatMap(disguisesOf), watchlist),
    ...levels(
      `${several.length} of them of two words or more`,
      several.flatMap(disguisesOf),
      watchlist,
    ),
    {
      what: 'false-positive probes: BLOCK',
      value: `${blocked.length} of ${falsePositiveProbes.length}`,
      goal: '0',
      met: blocked.length === 0,
      misses: blocked,
    },
  ]
}

function levels(
  of: string,
  cases: readonly { level: number; transform: string; input: string }[],
  watchlist: Watchlist,
): Measure[] {
  return [1, 2, 3].map((level) => {
    const asked = cases.filter((one) => one.level === level)
    const verdicts = asked.map(({ input }) => verdictOf(watchlist, input))
    const count = (verdict: Verdict) => verdicts.filter((one) => one === verdict).length
    const [block, review, clear] = [count('BLOCK'), count('REVIEW'), count('CLEAR')]
    const met =
      level === 1
        ? block === asked.length
        : level === 2
          ? block / asked.length >= 0.97 && clear === 0
          : (block + review) / asked.length >= 0.9
    const shares = [block, review, clear].map((one) => percent(one, asked.length, 1)).join(' / ')
    return {
      what: `evasion level ${level}, ${of}`,
      value: `BLOCK / REVIEW / CLEAR ${shares} of ${asked.length}`,
      goal: ['100 % BLOCK', '97 % BLOCK, 0 CLEAR', '90 % BLOCK or REVIEW'][level - 1]!,
      met,
      misses: asked
        .map(({ transform, input }, at) => ({ text: `${verdicts[at]} ${transform}: ${input}`, at }))
        .filter(({ at }) => (level === 3 ? verdicts[at] === 'CLEAR' : verdicts[at] !== 'BLOCK'))
        .map(({ text }) => text),
    }
  })
}

/** Primary names of parties drawn by seed, in speaking order. */
function drawParties(entries: readonly WatchlistEntry[], count: number, seed: number): string[] {
  const next = seeded(seed)
  const drawn = new Set<WatchlistEntry>()
  while (drawn.size < Math.min(count, entries.length))
    drawn.add(entries[Math.floor(next() * entries.length)]!)
  return [...drawn].map(({ primaryName, type }) => speakingOrder(primaryName, type))
}

/** People and companies that nobody lists. */
export function measureClean(watchlist: Watchlist): Measure[] {
  const people = sharedRows<{ query: string }>('names/clean-people.jsonl').map(({ query }) => query)
  const companies = sharedText('names/clean-companies.txt').trim().split('\n')
  const groups = {
    'clean people': people,
    'clean companies': companies,
    'clean people and companies': [...people, ...companies],
  }
  return Object.entries(groups).map(([what, names]) => {
    const verdicts = names.map((name) => verdictOf(watchlist, name))
    const block = verdicts.filter((one) => one === 'BLOCK').length
    const held = verdicts.filter((one) => one !== 'CLEAR').length
    return {
      what: `${what}: BLOCK / anything but CLEAR`,
      value: `${percent(block, names.length)} / ${percent(held, names.length)} (${block} and ${held} of ${names.length})`,
      goal: '<= 0.1 % / <= 1.0 %',
      met: block / names.length <= 0.001 && held / names.length <= 0.01,
      misses: names
        .filter((_, at) => verdicts[at] !== 'CLEAR' && what !== 'clean people and companies')
        .map(
          (name) =>
            `${verdictOf(watchlist, name)} ${name} | ${watchlist.screenName(name)[0]!.matchedName}`,
        ),
    }
  })
}
