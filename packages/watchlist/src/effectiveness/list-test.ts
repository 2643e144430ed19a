/**
 * How well the loaded lists are screened: the test that supervisors ask for. Listed names as they
 * are published, the same names manipulated, wallets, and names of nobody; counted by what the
 * rules would make of each.
 */
import { type ListId, SANCTIONS_LISTS } from '../entry.ts'
import { scorePair, verdictOfScore } from '../names/score-pair.ts'
import { NAME_BLOCK_SCORE, NAME_REVIEW_SCORE } from '../thresholds.ts'
import type { ListSummary, Watchlist } from '../watchlist.ts'
import type { Floor } from './floors.ts'
import {
  type ListParties,
  type Question,
  type QuestionSet,
  questionsFor,
  type TestSize,
} from './questions.ts'

/** What is tested: a snapshot, and the parties of each of its lists. */
export interface ListTest extends TestSize {
  readonly watchlist: Pick<Watchlist, 'version' | 'lists' | 'screenName' | 'screenWallet'>
  readonly parties: readonly ListParties[]
}

/** How many questions came out how. `found`: the party itself was among the matches. */
export interface Counts {
  readonly asked: number
  readonly block: number
  readonly review: number
  readonly clear: number
  readonly found: number
}

/** A question that came out worse than its test wants. */
export interface Miss {
  readonly query: string
  readonly transform: string
  /** The listed party that was looked for, or the listed name that a name of nobody met. */
  readonly party: string
  readonly entryId: string | null
  /** The list that was to know, or that knew too much. */
  readonly list: ListId | null
  readonly outcome: Outcome
  /** The best that was reported; null where nothing was. */
  readonly bestScore: number | null
  /**
   * Where no match was reported: what the two names score with no other name on the list. Words
   * that many listed names share weigh less among them.
   */
  readonly pairScore: number | null
}

export interface TestResult extends Counts {
  /** Null: all lists together. */
  readonly list: ListId | null
  readonly test: string
  readonly floor: Floor
  /** Questions that came out as wanted, 0 to 1. */
  readonly share: number
  readonly met: boolean
  readonly transforms: Readonly<Record<string, Counts>>
  readonly misses: readonly Miss[]
}

/** One list as it was tested, and how names are compared with it. */
export interface TestedList extends ListSummary {
  readonly compared: 'similar' | 'exact'
}

/** The same for the same lists, seed and sample. */
export interface ListTestReport {
  readonly seed: number
  readonly sample: number | 'all'
  readonly watchlist: string
  readonly thresholds: { readonly block: number; readonly review: number }
  readonly lists: readonly TestedList[]
  readonly results: readonly TestResult[]
  /** True when every test reached its floor. */
  readonly met: boolean
}

type Outcome = 'BLOCK' | 'REVIEW' | 'CLEAR'

/** How far a test has come. */
export interface TestProgress {
  readonly what: string
  readonly done: number
  readonly of: number
}

interface Answer {
  readonly outcome: Outcome
  readonly bestScore: number
  readonly found: boolean
  /** The strongest match, of whatever party. */
  readonly first: { list: ListId; entryId: string; name: string } | undefined
}

/** Tests the lists step by step: whoever waits may be told, and may stop. */
export function* testLists(test: ListTest): Generator<TestProgress, ListTestReport> {
  const { watchlist, parties, seed, sample } = test
  const sets = questionsFor(parties, { seed, sample })
  const of = sets.reduce((sum, { questions }) => sum + questions.length, 0)
  const results: TestResult[] = []
  let done = 0
  for (const set of sets) {
    const what = `${set.list ?? 'all lists'}: ${set.test}`
    const answers: Answer[] = []
    for (const question of set.questions) {
      yield { what, done: done++, of }
      answers.push(ask(watchlist, set, question))
    }
    results.push(resultOf(set, answers))
  }
  return {
    seed,
    sample,
    watchlist: watchlist.version,
    thresholds: { block: NAME_BLOCK_SCORE, review: NAME_REVIEW_SCORE },
    lists: watchlist.lists.map((list) => ({ ...list, compared: SANCTIONS_LISTS[list.id].names })),
    results,
    met: results.every(({ met }) => met),
  }
}

function ask(
  { screenName, screenWallet }: ListTest['watchlist'],
  { list, field }: QuestionSet,
  { query, party }: Question,
): Answer {
  const all =
    field === 'name'
      ? screenName(query).map((one) => ({ ...one, name: one.matchedName }))
      : screenWallet(query).map((one) => ({ ...one, name: one.matchedAddress, score: 1 }))
  const matches = list === undefined ? all : all.filter((one) => one.list === list)
  const outcomes = matches.map((one) => outcomeOf(one.list, one.score))
  const bestScore = Math.max(0, ...matches.map(({ score }) => score))
  return {
    outcome: outcomes.includes('BLOCK')
      ? 'BLOCK'
      : outcomes.includes('REVIEW')
        ? 'REVIEW'
        : 'CLEAR',
    bestScore,
    found: matches.some(({ entryId }) => entryId === party?.entryId),
    first: matches[0],
  }
}

/** OFAC's lists decide by the score; a match on any other list is looked at by a person. */
function outcomeOf(list: ListId, score: number): Outcome {
  return SANCTIONS_LISTS[list].names === 'similar' ? verdictOfScore(score) : 'REVIEW'
}

function resultOf(set: QuestionSet, answers: readonly Answer[]): TestResult {
  const { list = null, test, floor, questions } = set
  const counts = countsOf(answers)
  const byTransform = Map.groupBy(answers, (_, at) => questions[at]?.transform ?? '')
  const good = answers.filter(({ outcome }) => isWanted(floor, outcome)).length
  const share = good / answers.length
  return {
    list,
    test,
    ...counts,
    floor,
    share: Math.round(share * 1e6) / 1e6,
    met: share >= floor.least,
    transforms: Object.fromEntries(
      [...byTransform].map(([transform, some]) => [transform, countsOf(some)]),
    ),
    misses: questions.flatMap((question, at) => missOf(set, question, answers[at])),
  }
}

function countsOf(answers: readonly Answer[]): Counts {
  const count = (wanted: Outcome) => answers.filter(({ outcome }) => outcome === wanted).length
  return {
    asked: answers.length,
    block: count('BLOCK'),
    review: count('REVIEW'),
    clear: count('CLEAR'),
    found: answers.filter(({ found }) => found).length,
  }
}

const isWanted = ({ wanted }: Floor, outcome: Outcome): boolean =>
  wanted === outcome || (wanted === 'BLOCK or REVIEW' && outcome !== 'CLEAR')

function missOf(
  { list, field, floor }: QuestionSet,
  { query, transform, party }: Question,
  answer: Answer | undefined,
): Miss[] {
  if (answer === undefined || isWanted(floor, answer.outcome)) return []
  const { outcome, bestScore, first } = answer
  const name = party?.primaryName ?? first?.name ?? ''
  const alone = outcome === 'CLEAR' && field === 'name'
  return [
    {
      query,
      transform,
      party: name,
      entryId: party?.entryId ?? first?.entryId ?? null,
      list: list ?? first?.list ?? null,
      outcome,
      bestScore: bestScore > 0 ? bestScore : null,
      pairScore: alone ? scorePair(query, name).score : null,
    },
  ]
}
