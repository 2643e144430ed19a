/**
 * One run of the re-screening: everybody who was screened once, or whom a change of the lists may
 * concern, against the lists of now. It goes through the subjects a page at a time; what a page
 * found is kept with the place to go on from, in one transaction. So a run that is killed goes on
 * where it was, and nothing is told twice.
 */
import type { MatchEvidence } from '@portcullis/protocol'
import type { Watchlist } from '@portcullis/watchlist'
import { counterpartyScreenings } from '../screening/counterparty.ts'
import { counterpartyKeys } from './counterparty-keys.ts'
import type { Env } from '../env.ts'
import {
  type JobLease,
  type JobProgress,
  type JobRun,
  type RescreenFinding,
  type RescreenSubject,
  SUBJECT_TYPES,
  type SubjectType,
} from './history-records.ts'
import { listedMatches, matchIds } from '../screening/listed-matches.ts'
import { askProvider, isProviders, type Provided, unconfirmed } from './rescreen-provider.ts'
import { type Scope, scopeOf } from './rescreen-scope.ts'

export const RESCREEN_JOB = 'rescreen'

/** Longer than any page takes, the slowest provider included. */
const LEASE_MS = 30_000
/** Bounds how long a screen that arrives has to wait. */
const SLICE_MS = 1
const PAGE_SUBJECTS = 250
/** With a provider, a page is what it answers well within the lease. */
const PROVIDER_PAGE_SUBJECTS = 16

export interface RescreenOptions {
  /** Who works on it; one name for each process. */
  readonly holder: string
  /** Asked between pages; true leaves the rest of the run to the next one who takes it. */
  readonly stopping?: () => boolean
  readonly onProgress?: (progress: JobProgress) => void
}

export type RescreenEnd = 'finished' | 'interrupted' | 'taken'

/** Works on the run until it is finished; `taken` when somebody else does. */
export async function rescreen(
  env: Env,
  run: JobRun,
  options: RescreenOptions,
): Promise<RescreenEnd> {
  const lease = (): JobLease => ({
    ...run,
    holder: options.holder,
    leaseUntil: env.clock.now() + LEASE_MS,
  })
  const claimed = await env.store.claimRun(lease(), env.clock.now())
  if (claimed === undefined) return 'taken'
  const known = await knownMatches(env)
  let progress = claimed
  let scope: Scope | undefined
  while (options.stopping?.() !== true) {
    const watchlist = env.watchlists.current()
    if (watchlist === undefined) break
    if (scope?.version !== watchlist.version) scope = await scopeOf(env, run.slot, watchlist)
    if (scope === undefined) {
      await env.store.releaseRun(lease())
      return 'taken'
    }
    const page = await readPage(env, scope, progress.place)
    const found = await screenPage(env, { watchlist, scope, known }, page)
    const next = afterPage(progress, page, found.unavailable)
    const finishedAt = isLastPage(page) ? env.clock.now() : null
    const alerts = await env.store.saveRescreened(lease(), next, found.findings, finishedAt)
    if (alerts === undefined) return 'taken'
    progress = { ...next, alerts: progress.alerts + alerts }
    options.onProgress?.(progress)
    if (finishedAt !== null) return 'finished'
  }
  await env.store.releaseRun(lease())
  return 'interrupted'
}

interface SubjectPage {
  /** Nobody is left of this type after it. */
  readonly isShort: boolean
  readonly type: SubjectType
  readonly after: string
  readonly subjects: readonly RescreenSubject[]
}

/** A place is a type of subject and the last of them that was done. */
async function readPage(env: Env, scope: Scope, place: string): Promise<SubjectPage> {
  const [named = '', after = ''] = place.split(' ')
  const type = SUBJECT_TYPES.find((known) => known === named) ?? SUBJECT_TYPES[0]
  const size = isProviderAsked(env, scope) ? PROVIDER_PAGE_SUBJECTS : PAGE_SUBJECTS
  const subjects = await env.store.rescreenSubjects(type, after, size)
  return { type, after, subjects, isShort: subjects.length < size }
}

/** What changes on our lists changes nothing of what a provider says. */
const isProviderAsked = ({ rescreeningProvider }: Env, { everybody }: Scope): boolean =>
  rescreeningProvider !== undefined && everybody

const isLastPage = ({ isShort, type }: SubjectPage): boolean =>
  isShort && type === SUBJECT_TYPES.at(-1)

/** Counterparties that arrive while their last page is read are the next run's. */
function afterPage(progress: JobProgress, page: SubjectPage, unavailable: number): JobProgress {
  const following = SUBJECT_TYPES[SUBJECT_TYPES.indexOf(page.type) + 1]
  const here = `${page.type} ${page.subjects.at(-1)?.place ?? page.after}`
  return {
    ...progress,
    subjects: progress.subjects + page.subjects.length,
    unavailable: progress.unavailable + unavailable,
    place: page.isShort && following !== undefined ? `${following} ` : here,
  }
}

type Known = ReadonlyMap<string, readonly string[]>

const knownKey = (operatorId: string, subject: string): string => `${operatorId} ${subject}`

async function knownMatches({ store }: Env): Promise<Known> {
  const listed = await store.listedSubjects()
  return new Map(
    listed.map(({ operatorId, subject, matches }) => [knownKey(operatorId, subject), matches]),
  )
}

interface PageFindings {
  readonly findings: readonly RescreenFinding[]
  readonly unavailable: number
}

interface Against {
  readonly watchlist: Watchlist
  readonly scope: Scope
  readonly known: Known
}

async function screenPage(
  env: Env,
  { watchlist, scope, known }: Against,
  { subjects }: SubjectPage,
): Promise<PageFindings> {
  const provided: Provided[] = scope.everybody ? await askProvider(env, subjects) : []
  const findings: RescreenFinding[] = []
  let sliceBegan = env.clock.monotonicMs()
  for (const [index, of] of subjects.entries()) {
    if (env.clock.monotonicMs() - sliceBegan > SLICE_MS) {
      await env.yieldToOthers()
      sliceBegan = env.clock.monotonicMs()
    }
    const subject = subjectKey(env, of)
    const asked = provided[index]
    const before = known.get(knownKey(of.operatorId, subject)) ?? []
    if (!scope.concerns(of, before)) continue
    const evidence = [
      ...matchesOf(watchlist, of),
      ...(asked ?? before.filter(isProviders).map(unconfirmed)),
    ]
    if (matchIds(evidence).join() === before.join()) continue
    const detectedAt = env.clock.now()
    findings.push({ alertId: env.ids.alert(), subject, of, evidence, detectedAt })
  }
  return { findings, unavailable: provided.filter((answer) => answer === undefined).length }
}

/** The same owner behind an operator and ten agents is one subject, and raises one alert. */
function subjectKey({ vault }: Env, of: RescreenSubject): string {
  if (of.counterpartySubject !== undefined) return of.counterpartySubject
  const keys = counterpartyKeys(vault, of.name, of.wallet)
  const kind = of.type === 'user' ? `user ${of.id}` : 'owner'
  return `${kind} ${keys?.subject ?? of.id}`
}

const matchesOf = (watchlist: Watchlist, { name, wallet }: RescreenSubject): MatchEvidence[] =>
  listedMatches(
    counterpartyScreenings(watchlist, {
      counterpartyName: name ?? undefined,
      counterpartyWallet: wallet ?? undefined,
      protocol: undefined,
    }),
  )
