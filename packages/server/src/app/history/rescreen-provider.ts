/** The first extended list provider, asked about everybody once a day when it is configured. */
import { FLAG_CATEGORIES, type MatchEvidence } from '@portcullis/protocol'
import type { Env } from '../env.ts'
import type { RescreenSubject } from './history-records.ts'
import { extendedMatches, MEDIA_LIST, PEP_LIST_PREFIX } from '../screening/listed-matches.ts'

const PROVIDER_AT_ONCE = 8

const PROVIDER_LISTS = ['EXTENDED:', PEP_LIST_PREFIX, `${MEDIA_LIST}:`]

export const isProviders = (id: string): boolean =>
  PROVIDER_LISTS.some((prefix) => id.startsWith(prefix))

/** A provider that does not answer takes nothing back: what it said before stands. */
export function unconfirmed(id: string): MatchEvidence {
  const cut = id.lastIndexOf(':')
  const [list, entryId] = [id.slice(0, cut), id.slice(cut + 1)]
  const primaryName = entryId
  return { field: 'cpName', list, entryId, primaryName, matched: '', score: 0, method: 'provider' }
}

export type Provided = readonly MatchEvidence[] | undefined

/** What the provider says of each; undefined for one of whom it could not be asked. */
export async function askProvider(
  env: Env,
  subjects: readonly RescreenSubject[],
): Promise<Provided[]> {
  const answers: Provided[] = subjects.map(() => [])
  if (env.rescreeningProvider === undefined) return answers
  let next = 0
  const worker = async () => {
    for (let at = next++; at < subjects.length; at = next++) {
      answers[at] = await providerMatches(env, subjects[at] as RescreenSubject)
    }
  }
  await Promise.all(Array.from({ length: PROVIDER_AT_ONCE }, worker))
  return answers
}

async function providerMatches(
  { rescreeningProvider: provider }: Env,
  { name, wallet }: RescreenSubject,
): Promise<Provided> {
  if (provider === undefined) return []
  const query = { name: name ?? undefined, wallet: wallet ?? undefined, type: undefined }
  const [sanctions, media] = await Promise.all([
    provider.sanctions(query),
    provider.adverseMedia(query),
  ])
  if (sanctions.status !== 'SCREENED' || media.status !== 'SCREENED') return undefined
  return [
    ...extendedMatches(sanctions),
    ...FLAG_CATEGORIES.filter((category) => (media.hits[category] ?? 0) > 0).map(mediaMatch),
  ]
}

/** Hit categories only: article content is never kept. */
const mediaMatch = (category: string): MatchEvidence => ({
  field: 'cpName',
  list: MEDIA_LIST,
  entryId: category,
  primaryName: category,
  matched: category,
  score: 1,
  method: 'provider',
})
