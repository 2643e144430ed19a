/** Counters that limits and baselines rest on, added up again from the log. */
import { HOUR_MS, isoTime } from '@portcullis/protocol'
import type { StateDifference } from '../../app/audit/audit-store.ts'
import { historyOf } from '../rows.ts'
import type { CountedRow, OrdinalsRow } from './derived-statements.ts'
import { all, first, type Script } from '../script.ts'
import type { Statements } from '../statements.ts'

type Sums = Map<string, bigint>

/** Rows that one look counts. */
const PAGE = 20_000n
const HOURS_PER_DAY = 24

const add = (sums: Sums, key: string, value: bigint): void => {
  if (value !== 0n) sums.set(key, (sums.get(key) ?? 0n) + value)
}

const dateOf = (hour: bigint): string =>
  isoTime(Number(hour) * HOUR_MS).slice(0, 'YYYY-MM-DD'.length)
const monthOf = (hour: bigint): string => dateOf(hour).slice(0, 'YYYY-MM'.length)

function* eachCount(sql: Statements, take: (row: CountedRow) => void): Script<void> {
  const last = (yield* first(sql.lastEntry({})))?.seq ?? 0n
  for (let after = 0n; after < last; after += PAGE) {
    const rows = yield* all(sql.countedScreens({ after, through: after + PAGE }))
    rows.forEach(take)
  }
}

/** A payment counts for the day of its agent and of every agent above it. */
export function* spendDifference(sql: Statements): Script<StateDifference | undefined> {
  const parents = new Map(
    (yield* all(sql.parents({}))).map((row) => [row.agent_id, row.parent_agent_id]),
  )
  const due: Sums = new Map()
  const count = (agentId: string | null, date: string, spent: bigint): void => {
    const seen = new Set<string>()
    // A ring of parents is damage, and must not keep this going for ever.
    for (let at = agentId ?? undefined; at !== undefined && !seen.has(at); at = parents.get(at)) {
      seen.add(at)
      add(due, `${at} on ${date}`, spent)
    }
  }
  yield* eachCount(sql, ({ agent_id, hour, spent }) => count(agent_id, dateOf(hour), spent))
  for (const { agent_id, utc_date, spent } of yield* all(sql.approvedSpend({}))) {
    count(agent_id, utc_date, spent)
  }
  const kept: Sums = new Map()
  for (const { agent_id, utc_date, spent_micro_usd } of yield* all(sql.allSpend({}))) {
    add(kept, `${agent_id} on ${utc_date}`, spent_micro_usd)
  }
  return unlike(kept, due, 'micro-USD spent by')
}

export function* usageDifference(sql: Statements): Script<StateDifference | undefined> {
  const due: Sums = new Map()
  yield* eachCount(sql, ({ operator_id, hour, charged }) =>
    add(due, `${operator_id} in ${monthOf(hour)}`, charged),
  )
  const kept: Sums = new Map()
  for (const { operator_id, utc_month, screens } of yield* all(sql.allUsage({}))) {
    add(kept, `${operator_id} in ${utc_month}`, screens)
  }
  return unlike(kept, due, 'screens charged to')
}

function unlike(kept: Sums, due: Sums, what: string): StateDifference | undefined {
  for (const key of new Set([...kept.keys(), ...due.keys()])) {
    const [is, should] = [kept.get(key) ?? 0n, due.get(key) ?? 0n]
    if (is === should) continue
    return { txnId: null, message: `${what} ${key}: ${is} are counted, the log has ${should}` }
  }
  return undefined
}

interface Counted {
  screens: bigint
  reviews: bigint
  blocks: bigint
  readonly hours: number[]
}

/** The past of each agent that velocity and unusual hours are judged by. */
export function* baselineDifference(sql: Statements): Script<StateDifference | undefined> {
  const counted = new Map<string, Counted>()
  yield* eachCount(sql, (row) => {
    if (row.agent_id !== null) countAgent(counted, row.agent_id, row)
  })
  const numbered = new Set<string>()
  for (const row of yield* all(sql.ordinals({}))) {
    numbered.add(row.agent_id)
    const wrong = yield* wrongBaseline(sql, row, counted.get(row.agent_id))
    if (wrong === undefined) continue
    return { txnId: null, message: `the past of agent ${row.agent_id}: ${wrong}` }
  }
  const strange = (yield* all(sql.allHistory({}))).find((row) => !numbered.has(row.agent_id))
  if (strange === undefined) return undefined
  return {
    txnId: null,
    message: `the past of agent ${strange.agent_id}: the log has no screen of it`,
  }
}

function countAgent(counted: Map<string, Counted>, agentId: string, row: CountedRow): void {
  const agent = counted.get(agentId) ?? newCount()
  counted.set(agentId, agent)
  agent.screens += row.screens
  agent.reviews += row.reviews
  agent.blocks += row.blocks
  const hour = Number(row.hour) % HOURS_PER_DAY
  agent.hours[hour] = (agent.hours[hour] ?? 0) + Number(row.screens)
}

const newCount = (): Counted => ({
  screens: 0n,
  reviews: 0n,
  blocks: 0n,
  hours: new Array<number>(HOURS_PER_DAY).fill(0),
})

function* wrongBaseline(
  sql: Statements,
  { agent_id: agentId, ordinals, first: one, last, misplaced }: OrdinalsRow,
  due: Counted | undefined,
): Script<string | undefined> {
  if (one !== 1n || last !== ordinals || misplaced > 0n)
    return 'its screens are not numbered in order'
  const row = yield* first(sql.historyOf({ agentId }))
  if (row === undefined) return 'it is gone'
  const { screens, reviews, blocks, firstAt, day, dayScreens, hours } = historyOf(row)
  if (BigInt(screens) !== ordinals) return `${screens} screens are counted, the log has ${ordinals}`
  // Screens from before they were numbered are in no count.
  if (due?.screens === ordinals) {
    if (BigInt(reviews) !== due.reviews) return `${reviews} REVIEWs, the log has ${due.reviews}`
    if (BigInt(blocks) !== due.blocks) return `${blocks} BLOCKs, the log has ${due.blocks}`
    if (hours.join() !== due.hours.join()) return 'its hours are not those of the log'
  }
  const timeOf = function* (ordinal: number): Script<number | undefined> {
    const found = yield* first(sql.screenedAt({ agentId, ordinal: BigInt(ordinal) }))
    return found && Number(found.screened_at_ms)
  }
  if ((yield* timeOf(1)) !== firstAt) return 'its first screen is not that of the log'
  const dayOf = (time: number | undefined) => time && isoTime(time).slice(0, day.length)
  const [before, from, to] = [screens - dayScreens, screens - dayScreens + 1, screens]
  const isDay = dayOf(yield* timeOf(from)) === day && dayOf(yield* timeOf(to)) === day
  if (!isDay || dayOf(yield* timeOf(before)) === day) return 'its latest day is not that of the log'
  return undefined
}
