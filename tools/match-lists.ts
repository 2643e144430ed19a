import { scorePair } from '../packages/watchlist/src/index.ts'
import type { WatchlistEntry } from '../packages/watchlist/src/index.ts'
import { plainEntry, sharedRows, sharedText, watchlistOf } from './match-data.ts'
import type { Measure } from './match-measures.ts'

interface Legislator {
  readonly id: {
    readonly bioguide: string
    readonly wikipedia?: string
    readonly ballotpedia?: string
  }
  readonly name: Readonly<Record<string, string | undefined>>
  readonly bio: { readonly birthday?: string }
}

/** Current members of Congress against the legislators list, compared exactly. */
export function measureCongress(): Measure[] {
  const current = JSON.parse(sharedText('lists/current/legislators-current.json')) as Legislator[]
  const listed = watchlistOf(current.map(entryOf), 'US_LEGISLATORS')
  const asked = sharedRows<{ query: string; birth_year?: string }>('names/congress-queries.jsonl')
  const serving = asked.filter(({ query, birth_year }) =>
    current.some((one) => isMember(one, query, birth_year)),
  )
  const missed = serving.filter(({ query }) => listed.screenName(query).length === 0)
  const found = serving.length - missed.length
  return [
    {
      what: 'members of Congress, current: MATCH',
      value: `${((100 * found) / serving.length).toFixed(2)} % (${found} of ${serving.length} queries)`,
      goal: '100 %',
      met: missed.length === 0,
      misses: missed.map(({ query }) => query),
    },
  ]
}

function entryOf({ id, name }: Legislator): WatchlistEntry {
  const { first = '', middle = '', last = '', nickname = '', suffix = '' } = name
  const firsts = [
    first,
    nickname,
    `${first} ${middle}`,
    `${first} ${middle.slice(0, 1)}`,
    middle,
  ].filter((one) => one.trim() !== '')
  const names = new Set([
    name['official_full'] ?? `${first} ${last}`,
    ...firsts.flatMap((one) => [`${one} ${last}`, `${one} ${last} ${suffix}`]),
    ...[id.wikipedia, id.ballotpedia].flatMap((title) => title?.replace(/ \(.*/, '') ?? []),
  ])
  const [primaryName = '', ...others] = names
  const aliases = others.map((other) => ({ name: other, quality: 'strong', kind: 'aka' }) as const)
  return plainEntry(primaryName, { list: 'US_LEGISLATORS', entryId: id.bioguide, aliases })
}

/** A query is a current member's when family name and year of birth are the member's. */
function isMember({ name, bio }: Legislator, query: string, birthYear?: string): boolean {
  const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return (
    birthYear !== undefined &&
    bio.birthday?.startsWith(birthYear) === true &&
    plain(query).includes(plain(name['last'] ?? '?')) &&
    plain(query)
      .split(/[^a-z]+/)[0]!
      .slice(0, 2) === plain(name['nickname'] ?? name['first'] ?? '').slice(0, 2)
  )
}

interface RankingCase {
  readonly schema: string
  readonly better: Readonly<Record<string, string>>
  readonly worse: Readonly<Record<string, string>>
  readonly result: Readonly<Record<string, string>>
}

/** Which of two names must score higher; cases that differ in more than names are left out. */
export function measureRanking(): Measure[] {
  const cases = sharedRows<RankingCase>('names/ranking-cases.jsonl').filter(({ better, worse }) => {
    const named = [better, worse].every((one) => Object.keys(one).join() === 'name')
    return named && better['name'] !== worse['name']
  })
  const missed = cases.filter(({ schema, better, worse, result }) => {
    const score = (one: Readonly<Record<string, string>>) =>
      scorePair(one['name'] ?? '', result['name'] ?? '', schema).score
    return score(better) <= score(worse)
  })
  return [
    {
      what: 'ranking cases that names decide',
      value: `${cases.length - missed.length} of ${cases.length}`,
      goal: 'all',
      met: missed.length === 0,
      misses: missed.map(({ better, worse }) => `${better['name']} | ${worse['name']}`),
    },
  ]
}

/** Each strong alias asked against the list without it: is the party found all the same? */
export function measureAliasLeftOut(entries: readonly WatchlistEntry[]): Measure[] {
  let [asked, found] = [0, 0]
  const misses: string[] = []
  for (let part = 0; part < PARTS; part++) {
    const left: { entryId: string; name: string }[] = []
    const rest = entries.map((entry, at) => {
      if (at % PARTS !== part || entry.aliases.length === 0) return entry
      const out = entry.aliases.findIndex(({ quality }) => quality === 'strong')
      if (out < 0) return entry
      left.push({ entryId: entry.entryId, name: entry.aliases[out]!.name })
      return { ...entry, aliases: entry.aliases.toSpliced(out, 1) }
    })
    const watchlist = watchlistOf(rest)
    for (const { entryId, name } of left) {
      asked++
      if (watchlist.screenName(name).some((match) => match.entryId === entryId)) found++
      else misses.push(name)
    }
  }
  const value = `${((100 * found) / asked).toFixed(1)} % (${found} of ${asked})`
  return [{ what: 'first alias left out: party found', value, goal: 'report', met: null, misses }]
}

const PARTS = 4
