/**
 * Extended list providers that speak the match API of OpenSanctions and yente: sanctions and PEP
 * lists, and adverse media. A provider that fails, is slow or answers nonsense is UNAVAILABLE: a
 * look-up that failed is never read as "not listed".
 */
import {
  type AdverseMedia,
  type Extended,
  type ExtendedMatches,
  EXTENDED_REVIEW_FROM,
} from '@portcullis/engine'
import { isJsonObject, type MatchEvidence, parseForeignJson } from '@portcullis/protocol'
import type { ExtendedQuery, ExtendedScreening, Log, OutsideService } from '../app/ports.ts'

/** Spec: Limits, extended provider timeouts. */
const TIMEOUT_MS = 5_000
const MAX_ANSWER_BYTES = 4 * 1024 * 1024

export interface ExtendedServices {
  readonly providerTwo: OutsideService | undefined
  readonly adverseMedia: OutsideService | undefined
}

/** One candidate of an answer. */
interface Candidate {
  /** The field of the request that it was found by. */
  readonly field: string
  readonly id: string
  readonly caption: string
  readonly score: number
  readonly topics: readonly string[]
  readonly datasets: readonly string[]
}

export function extendedScreening(services: ExtendedServices, log: Log): ExtendedScreening {
  const { providerTwo, adverseMedia } = services
  return {
    configured: {
      sanctions: providerTwo !== undefined,
      adverseMedia: adverseMedia !== undefined,
    },
    sanctions: (query) => ask('screeningProviderTwo', providerTwo, query, log, matchesOf),
    adverseMedia: (query) => ask('adverseMedia', adverseMedia, query, log, mediaOf),
  }
}

async function ask<Answer>(
  name: string,
  service: OutsideService | undefined,
  query: ExtendedQuery,
  log: Log,
  read: (candidates: readonly Candidate[]) => Answer,
): Promise<Extended<Answer>> {
  if (service === undefined) return { status: 'NOT_SCREENED' }
  if (query.name === undefined && query.wallet === undefined) return { status: 'NOT_SCREENED' }
  try {
    return { status: 'SCREENED', ...read(await match(service, query)) }
  } catch (error) {
    log.warn({ provider: name, reason: (error as Error).message }, 'extended screening failed')
    return { status: 'UNAVAILABLE' }
  }
}

async function match({ url, key }: OutsideService, query: ExtendedQuery): Promise<Candidate[]> {
  const response = await fetch(`${url}/match/default`, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `ApiKey ${key}` }),
    },
    body: JSON.stringify({ queries: queriesOf(query) }),
  })
  if (!response.ok) throw new Error(`answered ${response.status}`)
  const text = await response.text()
  if (text.length > MAX_ANSWER_BYTES) throw new Error('the answer is too large')
  return readAnswer(parseForeignJson(text), Object.keys(queriesOf(query)))
}

/** The provider's schemas; without a type a party may be either. */
const SCHEMAS: Readonly<Record<string, string>> = {
  individual: 'Person',
  business: 'Organization',
  exchange: 'Organization',
}

function queriesOf({ name, wallet, type }: ExtendedQuery): Record<string, object> {
  const schema = SCHEMAS[type ?? ''] ?? 'LegalEntity'
  return {
    ...(name !== undefined && { name: { schema, properties: { name: [name] } } }),
    ...(wallet !== undefined && {
      wallet: { schema: 'CryptoWallet', properties: { publicKey: [wallet] } },
    }),
  }
}

/** Every query must have its answer, whole: half an answer is no answer. */
function readAnswer(answer: unknown, wanted: readonly string[]): Candidate[] {
  const responses = isJsonObject(answer) ? answer['responses'] : undefined
  if (!isJsonObject(responses)) throw new Error('the answer has no responses')
  return wanted.flatMap((query) => {
    const response = responses[query]
    const results = isJsonObject(response) ? response['results'] : undefined
    if (!Array.isArray(results)) throw new Error(`the answer has no results for ${query}`)
    return results.map((result) => readCandidate(FIELDS[query] ?? query, result))
  })
}

/** The field of the screen behind each query. */
const FIELDS: Readonly<Record<string, string>> = { name: 'cpName', wallet: 'cpWallet' }

function readCandidate(field: string, result: unknown): Candidate {
  if (!isJsonObject(result)) throw new Error('a result is no object')
  const { id, caption, score, properties, datasets } = result
  if (typeof id !== 'string' || typeof score !== 'number' || !(score >= 0 && score <= 1)) {
    throw new Error('a result has no id or no score from 0 to 1')
  }
  return {
    field,
    id,
    caption: typeof caption === 'string' ? caption : id,
    score,
    topics: texts(isJsonObject(properties) ? properties['topics'] : undefined),
    datasets: texts(datasets),
  }
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

/** A sanctioned party, and not merely somebody linked to one. */
const SANCTION_TOPICS = ['sanction', 'debarment']

function matchesOf(candidates: readonly Candidate[]): ExtendedMatches {
  const close = candidates
    .filter(({ score }) => score >= EXTENDED_REVIEW_FROM)
    .toSorted((a, b) => b.score - a.score)
  const having = (fits: (topic: string) => boolean) =>
    close.filter(({ topics }) => topics.some(fits)).map(evidence)
  return {
    sanctions: having((topic) => SANCTION_TOPICS.includes(topic)),
    peps: having((topic) => topic === 'role.pep'),
  }
}

const evidence = ({ field, id, caption, score, datasets }: Candidate): MatchEvidence => ({
  field,
  list: `EXTENDED:${datasets[0] ?? 'unknown'}`,
  entryId: id,
  primaryName: caption,
  matched: caption,
  score,
  method: 'provider',
})

/** The provider's risk topics, and the categories of the specification that they stand for. */
const CATEGORY_OF: readonly (readonly [prefix: string, category: string])[] = [
  ['crime.terror', 'terrorism'],
  ['crime.fin', 'financial_crime'],
  ['crime.fraud', 'financial_crime'],
  ['crime.cyber', 'financial_crime'],
  ['crime.boss', 'organized_crime'],
  ['crime.traffick', 'organized_crime'],
  ['crime.war', 'violent_crime'],
  ['crime.theft', 'violent_crime'],
  ['crime', 'organized_crime'],
  ['reg', 'regulatory'],
  ['role', 'political'],
  ['pol', 'political'],
]

/** Hit counts by category, nothing else: article content is never kept. */
function mediaOf(candidates: readonly Candidate[]): AdverseMedia {
  const hits: Record<string, number> = {}
  for (const { score, topics } of candidates) {
    if (score < EXTENDED_REVIEW_FROM) continue
    for (const category of new Set(topics.flatMap(categoryOf))) {
      hits[category] = (hits[category] ?? 0) + 1
    }
  }
  return { hits }
}

/** `crime.fin` and `crime.fin.x` have the prefix `crime.fin`; a category may name itself. */
function categoryOf(topic: string): string[] {
  const named = CATEGORY_OF.find(([, category]) => category === topic)?.[1]
  const known = CATEGORY_OF.find(([prefix]) => topic === prefix || topic.startsWith(`${prefix}.`))
  return named !== undefined ? [named] : known === undefined ? [] : [known[1]]
}
