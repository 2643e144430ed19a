/** What lists are asked in a test: names and wallets of their parties, plain and in disguise. */
import { readWallet } from '@portcullis/protocol'
import { type ListId, SANCTIONS_LISTS, speakingOrder, type WatchlistEntry } from '../entry.ts'
import { cleanNames } from './clean-names.ts'
import { disguisesOf } from './disguises.ts'
import { CLEAN_FLOOR, EXACT_FLOORS, type Floor, SIMILAR_FLOORS, WALLET_FLOORS } from './floors.ts'
import { draw, seededFor } from './seeded.ts'
import { nearMisses, walletDisguises } from './wallet-disguises.ts'

/** One text to look up. */
export interface Question {
  readonly query: string
  /** How the query was made; `as published` when it was not changed. */
  readonly transform: string
  /** The listed party; undefined for a name of nobody. */
  readonly party: WatchlistEntry | undefined
}

/** Questions of one kind to one list. */
export interface QuestionSet {
  /** Undefined: all lists together. */
  readonly list: ListId | undefined
  readonly test: string
  readonly field: 'name' | 'wallet'
  readonly floor: Floor
  readonly questions: readonly Question[]
}

/** One loaded list with its parties. */
export interface ListParties {
  readonly id: ListId
  readonly entries: readonly WatchlistEntry[]
}

/** How much is asked. */
export interface TestSize {
  /** Whole number; the same seed draws the same. */
  readonly seed: number
  /** Parties drawn from each list; `all` takes every party for the exact names and wallets. */
  readonly sample: number | 'all'
}

/** Parties disguised when every party is asked for as published; there are fifty disguises. */
export const DEFAULT_SAMPLE = 500
/** Names of nobody. */
const CLEAN_NAMES = 2_000
const PUBLISHED = 'as published'

/** Every set of questions for these lists. */
export function questionsFor(lists: readonly ListParties[], size: TestSize): QuestionSet[] {
  const listed = new Set(
    lists.flatMap(({ entries }) =>
      entries.flatMap(({ addresses }) => addresses.map(({ address }) => canonical(address))),
    ),
  )
  return [
    ...lists.flatMap((list) => nameQuestions(list, size)),
    ...lists.flatMap((list) => walletQuestions(list, size, listed)),
    cleanQuestions(size),
  ].filter(({ questions }) => questions.length > 0)
}

/** OFAC's lists block; names of no other list are compared by similarity. */
const decides = (id: ListId): boolean => SANCTIONS_LISTS[id].names === 'similar'

const canonical = (address: string): string => readWallet(address).canonical

function nameQuestions({ id, entries }: ListParties, { seed, sample }: TestSize): QuestionSet[] {
  const chance = seededFor(seed, `names of ${id}`)
  const drawn = draw(entries, sample === 'all' ? DEFAULT_SAMPLE : sample, chance)
  const asked = sample === 'all' ? entries : drawn
  const disguised = drawn.flatMap((party) =>
    disguisesOf(speakingOrder(party.primaryName, party.type)).map((one) => ({ ...one, party })),
  )
  const similar = decides(id)
  const byTest = {
    exact: asked.flatMap((party) => publishedNames(party)),
    'weak alias': asked.flatMap((party) => weakNames(party)),
    ...Object.fromEntries(
      [1, 2, 3].map((level) => [
        `level ${level}`,
        disguised
          .filter((one) => one.level === level && (similar || one.keeps === 'words'))
          .map(({ input, transform, party }) => ({ query: input, transform, party })),
      ]),
    ),
  }
  const floors: Readonly<Record<string, Floor>> = similar ? SIMILAR_FLOORS : EXACT_FLOORS
  return Object.entries(byTest).flatMap(([test, questions]) => {
    const floor = floors[test]
    return floor === undefined ? [] : [{ list: id, test, field: 'name' as const, floor, questions }]
  })
}

/** The primary name and every strong alias; a person's primary name also as it is spoken. */
function publishedNames(party: WatchlistEntry): Question[] {
  const { primaryName, type, aliases } = party
  const spoken = speakingOrder(primaryName, type)
  const strong = aliases.filter(({ quality }) => quality === 'strong').map(({ name }) => name)
  return [
    ...[primaryName, ...strong].map((query) => ({ query, transform: PUBLISHED, party })),
    ...(spoken === primaryName ? [] : [{ query: spoken, transform: 'speaking order', party }]),
  ]
}

const weakNames = (party: WatchlistEntry): Question[] =>
  party.aliases
    .filter(({ quality }) => quality === 'weak')
    .map(({ name }) => ({ query: name, transform: PUBLISHED, party }))

function walletQuestions(
  { id, entries }: ListParties,
  { seed, sample }: TestSize,
  listed: ReadonlySet<string>,
): QuestionSet[] {
  const chance = seededFor(seed, `wallets of ${id}`)
  const all = entries.flatMap((party) => party.addresses.map(({ address }) => ({ address, party })))
  const drawn = draw(all, sample === 'all' ? all.length : sample, chance)
  const askWith = (texts: (address: string) => { transform: string; input: string }[]) =>
    drawn.flatMap(({ address, party }) =>
      texts(address).map(({ transform, input }) => ({ query: input, transform, party })),
    )
  const byTest = {
    'wallet, exact': askWith((input) => [{ transform: PUBLISHED, input }]),
    'wallet, disguised': askWith(walletDisguises),
    'wallet, near miss': askWith((address) =>
      nearMisses(address, chance).filter(({ input }) => !listed.has(canonical(input))),
    ),
  }
  return Object.entries(WALLET_FLOORS).map(([test, { wanted, least }]) => ({
    list: id,
    test,
    field: 'wallet',
    floor: { wanted: wanted === 'BLOCK' && !decides(id) ? 'BLOCK or REVIEW' : wanted, least },
    questions: byTest[test as keyof typeof byTest],
  }))
}

function cleanQuestions({ seed }: TestSize): QuestionSet {
  const names = cleanNames(CLEAN_NAMES, seededFor(seed, 'names of nobody'))
  const questions = names.map((query) => ({ query, transform: 'recombined', party: undefined }))
  return { list: undefined, test: 'clean names', field: 'name', floor: CLEAN_FLOOR, questions }
}
