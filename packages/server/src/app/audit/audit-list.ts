/** Own audit records by time, verdict and agent. */
import {
  type AuditFilters,
  type AuditParams,
  type AuditRecord,
  DAY_MS,
  type EpochMs,
  invalidField,
  isoTime,
  parseAgentId,
} from '@portcullis/protocol'
import type { AuditListing, ListedScreen, Place } from './audit-store.ts'
import type { Caller, Env } from '../env.ts'
import { readPage, toPage } from '../pages.ts'

type Filtered = Omit<AuditListing, 'order' | 'after' | 'limit'>

/** Newest first. Expired records are not shown, wherever the page stands. */
export async function listAudit(env: Env, params: AuditParams, caller: Caller) {
  const { legalHold } = params
  const held = legalHold === undefined ? undefined : legalHold === 'true'
  const listing = { ...filtersOf(env, params, caller), held }
  const { limit } = readPage({ ...(params.limit !== undefined && { limit: params.limit }) })
  const after = placeOf(params.cursor)
  const found = await env.store.listScreens({
    ...listing,
    order: 'newest',
    after,
    limit: limit + 1,
  })
  return toPage(found, limit, cursorOf, ({ record }: ListedScreen): AuditRecord => record)
}

/** Throws `invalid_request` for a time or an agent that cannot be. */
export function filtersOf(
  { settings }: Pick<Env, 'settings'>,
  { from, to, verdict, agentId }: AuditFilters,
  { operator, now }: Caller,
): Filtered {
  const agent = agentId === undefined ? undefined : parseAgentId(agentId)
  if (agentId !== undefined && agent === undefined) {
    throw invalidField('agentId', 'is not the id of an agent')
  }
  const times = rangeOf(from, to)
  return {
    operatorId: operator.operatorId,
    from: times.start ?? 0,
    to: times.end ?? now + DAY_MS,
    since: now - settings.retentionMs,
    verdict,
    agentId: agent,
    held: undefined,
  }
}

/** Instants; the end is exclusive. */
export interface TimeRange {
  readonly start: EpochMs | undefined
  readonly end: EpochMs | undefined
}

/** A bare date counts whole: `from` is its first instant in UTC, `to` the instant after it. */
export function rangeOf(from: string | undefined, to: string | undefined): TimeRange {
  const start = instantOf('from', from)
  const last = instantOf('to', to)
  const isDate = to?.length === DATE_LENGTH
  const end = last !== undefined && isDate ? last + DAY_MS : last
  if (start !== undefined && end !== undefined && (isDate ? start >= end : start > end)) {
    throw invalidField('from', 'is after `to`')
  }
  return { start, end }
}

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/
const DATE_LENGTH = 'YYYY-MM-DD'.length

function instantOf(field: string, text: string | undefined): EpochMs | undefined {
  if (text === undefined) return undefined
  const [, date] = INSTANT.exec(text) ?? []
  const time = date !== undefined && isDay(date) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw invalidField(field, 'must be an ISO 8601 date or instant with zone')
  return time
}

/** `Date.parse` reads the 30th of February as the 2nd of March. */
function isDay(date: string): boolean {
  const time = Date.parse(date)
  return !Number.isNaN(time) && isoTime(time).startsWith(date)
}

const cursorOf = ({ at, seq }: Place): string => `${at}-${seq}`

function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const [, at, seq] = /^(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? []
  if (at === undefined || seq === undefined) {
    throw invalidField('cursor', 'is not a cursor of this list')
  }
  return { at: Number(at), seq: Number(seq) }
}
