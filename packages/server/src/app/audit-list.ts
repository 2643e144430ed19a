/** Own audit records by time, verdict and agent. */
import {
  type AuditFilters,
  type AuditParams,
  type AuditRecord,
  DAY_MS,
  type EpochMs,
  invalidField,
  parseAgentId,
} from '@portcullis/protocol'
import type { AuditListing, ListedScreen, Place } from './audit-store.ts'
import type { Caller, Env } from './env.ts'
import { readPage, toPage } from './pages.ts'

type Filtered = Omit<AuditListing, 'order' | 'after' | 'limit'>

/** Newest first. Expired records are not shown, wherever the page stands. */
export async function listAudit(env: Env, params: AuditParams, caller: Caller) {
  const listing = filtersOf(env, params, caller)
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
  return {
    operatorId: operator.operatorId,
    from: Math.max(now - settings.retentionMs, startOf('from', from) ?? 0),
    to: endOf('to', to) ?? now + DAY_MS,
    verdict,
    agentId: agent,
  }
}

const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/
const DATE_LENGTH = 'YYYY-MM-DD'.length

/** A bare date is its first instant in UTC. */
export function startOf(field: string, text: string | undefined): EpochMs | undefined {
  if (text === undefined) return undefined
  const time = INSTANT.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw invalidField(field, 'must be an ISO 8601 date or instant with zone')
  return time
}

/** A bare date counts whole: the instant after it. */
export function endOf(field: string, text: string | undefined): EpochMs | undefined {
  const time = startOf(field, text)
  return time !== undefined && text?.length === DATE_LENGTH ? time + DAY_MS : time
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
