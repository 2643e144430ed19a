/**
 * The history of counterparties. Each screen is counted under its name, under its wallet and under
 * the pair of both; what matches by name or by wallet is then name + wallet - pair, without a scan
 * (docs/decisions/0009).
 */
import type { Verdict } from '@portcullis/protocol'
import type { CounterpartyHistory, CounterpartyKeys, Sighting } from '../app/history-records.ts'
import type { AuditEntry } from '../app/records.ts'
import type { KeyRow } from './history-statements.ts'
import { all, first, type Script } from './script.ts'
import type { Statements } from './statements.ts'

/** A day that has passed is worth a write; a moment is not. */
const DAY_MS = 86_400_000n

/** Counts a screen for its counterparty. Without a known agent nobody vouches for what was sent. */
export function* addSighting(
  sql: Statements,
  screen: Pick<AuditEntry, 'operatorId' | 'agentId' | 'verdict' | 'screenedAt'>,
  { keys, name, wallet, matches }: Sighting,
): Script<void> {
  const { operatorId, agentId, verdict, screenedAt } = screen
  if (agentId === null || verdict === 'UNKNOWN') return
  const at = BigInt(screenedAt)
  for (const key of hashesOf(keys)) {
    const agents = (yield* first(sql.agentsOf.add({ key, member: agentId }))) ? 1n : 0n
    const isNewOperator =
      agents > 0n && (yield* first(sql.operatorsOf.add({ key, member: operatorId })))
    yield* all(
      sql.countKey({
        key,
        at,
        agents,
        operators: isNewOperator ? 1n : 0n,
        clears: verdict === 'CLEAR' ? 1n : 0n,
        reviews: verdict === 'REVIEW' ? 1n : 0n,
        blocks: verdict === 'BLOCK' ? 1n : 0n,
      }),
    )
  }
  const { subject } = keys
  const known = yield* first(sql.findCounterparty({ operatorId, subject }))
  if (known === undefined) {
    yield* all(sql.insertCounterparty({ operatorId, subject, name, wallet, verdict, at }))
    if (matches.length > 0) yield* knowMatches(sql, operatorId, subject, matches)
  } else if (matches.length === 0 && isNews(known, verdict, at)) {
    // One that became listed keeps the verdict from before, until an alert has said so.
    yield* all(sql.touchCounterparty({ seq: known.seq, verdict, at }))
  }
}

const isNews = (
  known: { last_verdict: string; last_at_ms: bigint },
  verdict: Verdict,
  at: bigint,
): boolean => known.last_verdict !== verdict || known.last_at_ms / DAY_MS !== at / DAY_MS

function* knowMatches(
  sql: Statements,
  operatorId: string,
  subject: string,
  matches: readonly string[],
): Script<void> {
  const listed = yield* first(sql.findListed({ operatorId, subject }))
  const revision = (listed?.revision ?? 0n) + 1n
  yield* all(sql.putListed({ operatorId, subject, matches: JSON.stringify(matches), revision }))
}

/** Each key once, and always in the same order, so that two screens never wait for each other. */
function hashesOf({ name, wallet, subject }: CounterpartyKeys): string[] {
  return [...new Set([name, wallet, subject].filter((key) => key !== null))].toSorted()
}

export function* readCounterpartyHistory(
  sql: Statements,
  { name, wallet, subject }: CounterpartyKeys,
): Script<CounterpartyHistory | undefined> {
  const isPair = name !== null && wallet !== null
  const rows = yield* all(
    sql.findKeys({ name: name ?? '', wallet: wallet ?? '', pair: isPair ? subject : '' }),
  )
  const named = rows.find(({ key_hash }) => key_hash === name)
  const paid = rows.find(({ key_hash }) => key_hash === wallet)
  if (named === undefined || paid === undefined) {
    const only = named ?? paid
    return only && historyFrom(only, Number(only.agents), Number(only.operators))
  }
  const pair = rows.find(({ key_hash }) => isPair && key_hash === subject)
  const agents = yield* distinct(sql.agentsOf.inBoth, 'agents', named, paid, pair)
  const operators = yield* distinct(sql.operatorsOf.inBoth, 'operators', named, paid, pair)
  return historyFrom(unionOf(named, paid, pair), agents, operators)
}

/**
 * How many different ones stand behind two keys. When everybody behind one of them is behind the
 * pair as well, it is the count of the other; only else are the smaller one's members looked up.
 */
function* distinct(
  inBoth: Statements['agentsOf']['inBoth'],
  what: 'agents' | 'operators',
  named: KeyRow,
  paid: KeyRow,
  pair: KeyRow | undefined,
): Script<number> {
  if (pair?.[what] === named[what]) return Number(paid[what])
  if (pair?.[what] === paid[what]) return Number(named[what])
  const [smaller, larger] = named[what] < paid[what] ? [named, paid] : [paid, named]
  const shared = yield* first(inBoth({ smaller: smaller.key_hash, larger: larger.key_hash }))
  return Number(named[what] + paid[what] - (shared?.count ?? 0n))
}

type Counts = Pick<KeyRow, 'clears' | 'reviews' | 'blocks' | 'first_at_ms' | 'last_at_ms'>

function unionOf(named: KeyRow, paid: KeyRow, pair: KeyRow | undefined): Counts {
  const sum = (what: 'clears' | 'reviews' | 'blocks') =>
    named[what] + paid[what] - (pair?.[what] ?? 0n)
  const { first_at_ms: from, last_at_ms: to } = named
  return {
    clears: sum('clears'),
    reviews: sum('reviews'),
    blocks: sum('blocks'),
    first_at_ms: from < paid.first_at_ms ? from : paid.first_at_ms,
    last_at_ms: to > paid.last_at_ms ? to : paid.last_at_ms,
  }
}

const historyFrom = (
  row: Counts,
  distinctAgents: number,
  distinctOperators: number,
): CounterpartyHistory => ({
  verdicts: {
    CLEAR: Number(row.clears),
    REVIEW: Number(row.reviews),
    BLOCK: Number(row.blocks),
  },
  firstAt: Number(row.first_at_ms),
  lastAt: Number(row.last_at_ms),
  distinctAgents,
  distinctOperators,
})
