/**
 * What is known of a counterparty: all rows that match by name or by wallet, each once. Few are
 * added up as they are; of many the sums are kept from then on, and what matches by name or by
 * wallet is name + wallet - pair, without a walk over all (docs/decisions/0009).
 */
import type { CounterpartyHistory, CounterpartyKeys } from '../../app/history/history-records.ts'
import { keyNumbers, type KeyNumbers } from './counterparty-numbers.ts'
import type { CountedRow } from './counterparty-statements.ts'
import type { KeyRow } from '../key-statements.ts'
import { all, first, type Script } from '../script.ts'
import type { Statements } from '../statements.ts'

/** Rows, or agents behind them, that are added up in less than a millisecond. */
const FEW = 100

/** Needs a transaction that may write: sums that are wanted are kept. */
export function* readCounterpartyHistory(
  sql: Statements,
  keys: CounterpartyKeys,
): Script<CounterpartyHistory | undefined> {
  const numbers = keyNumbers(keys)
  const wanted = { name: keys.name ?? '', wallet: keys.wallet ?? '', pair: keys.subject }
  let sums = yield* all(sql.findKeys(wanted))
  if (sums.length === 0) {
    const rows = yield* fewRows(sql, numbers)
    if (rows !== undefined) return yield* addedUp(sql, rows)
  }
  if (yield* keepSums(sql, keys, numbers, sums)) sums = yield* all(sql.findKeys(wanted))
  return yield* historyOfSums(sql, keys, sums)
}

/** All rows of both keys; undefined when they are more than a few. */
function* fewRows(
  sql: Statements,
  { name, wallet }: KeyNumbers,
): Script<readonly CountedRow[] | undefined> {
  const limit = BigInt(FEW + 1)
  const named = name === null ? [] : yield* all(sql.countedByName({ key: name, limit }))
  const paid = wallet === null ? [] : yield* all(sql.countedByWallet({ key: wallet, limit }))
  if (named.length > FEW || paid.length > FEW) return undefined
  const rows = [...new Map([...named, ...paid].map((row) => [row.seq, row])).values()]
  const agents = rows.reduce((sum, row) => sum + row.agents, 0n)
  return agents > FEW ? undefined : rows
}

function* addedUp(
  sql: Statements,
  rows: readonly CountedRow[],
): Script<CounterpartyHistory | undefined> {
  if (rows.length === 0) return undefined
  const agents = new Set(rows.map(({ agent_id }) => agent_id))
  for (const { seq } of rows.filter((row) => row.agents > 1n)) {
    for (const visitor of yield* all(sql.visitorsOf({ seq }))) agents.add(visitor.agent_id)
  }
  const operators = new Set(rows.map(({ operator_id }) => operator_id))
  const sum = (of: 'clears' | 'reviews' | 'blocks') =>
    rows.reduce((total, row) => total + row[of], 0n)
  const counts = {
    clears: sum('clears'),
    reviews: sum('reviews'),
    blocks: sum('blocks'),
    first_at_ms: least(rows.map((row) => row.first_at_ms)),
    last_at_ms: -least(rows.map((row) => -row.last_at_ms)),
  }
  return historyFrom(counts, agents.size, operators.size)
}

const least = (times: readonly bigint[]): bigint => times.reduce((a, b) => (a < b ? a : b))

/**
 * Keeps the sums that are missing; every screen adds to them from now on. Of what was never seen
 * none is kept, and the next look-up tries again.
 */
function* keepSums(
  sql: Statements,
  keys: CounterpartyKeys,
  numbers: KeyNumbers,
  kept: readonly KeyRow[],
): Script<boolean> {
  const isPair = keys.name !== null && keys.wallet !== null
  const sums = [
    { key: keys.name, of: sql.sumName },
    { key: keys.wallet, of: sql.sumWallet },
    { key: isPair ? keys.subject : null, of: sql.sumPair },
  ]
  let isNew = false
  for (const { key, of } of sums) {
    if (key === null || kept.some((row) => row.key === key)) continue
    const args = { key, name: numbers.name ?? 0n, wallet: numbers.wallet ?? 0n }
    for (const part of [of.agents, of.operators, of.counts]) yield* all(part(args))
    isNew = true
  }
  return isNew
}

function* historyOfSums(
  sql: Statements,
  keys: CounterpartyKeys,
  sums: readonly KeyRow[],
): Script<CounterpartyHistory | undefined> {
  const sumOf = (wanted: string | null) => sums.find((row) => row.key === wanted)
  const [named, paid, pair] = [sumOf(keys.name), sumOf(keys.wallet), sumOf(keys.subject)]
  if (named === undefined || paid === undefined) {
    const only = named ?? paid
    return only && historyFrom(only, Number(only.agents), Number(only.operators))
  }
  const agents = yield* distinct(sql.agentsOf.inBoth, 'agents', named, paid, pair)
  const operators = yield* distinct(sql.operatorsOf.inBoth, 'operators', named, paid, pair)
  return historyFrom(unionOf(named, paid, pair), agents, operators)
}

/**
 * How many different ones stand behind two keys. When everybody behind one of them is behind the
 * pair as well, it is the count of the other; only else is looked up whom they share.
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
  const shared = yield* first(inBoth({ one: named.key, other: paid.key }))
  return Number(named[what] + paid[what] - (shared?.count ?? 0n))
}

type Counts = Pick<KeyRow, 'clears' | 'reviews' | 'blocks' | 'first_at_ms' | 'last_at_ms'>

function unionOf(named: KeyRow, paid: KeyRow, pair: KeyRow | undefined): Counts {
  const sum = (what: 'clears' | 'reviews' | 'blocks') =>
    named[what] + paid[what] - (pair?.[what] ?? 0n)
  return {
    clears: sum('clears'),
    reviews: sum('reviews'),
    blocks: sum('blocks'),
    first_at_ms: least([named.first_at_ms, paid.first_at_ms]),
    last_at_ms: -least([-named.last_at_ms, -paid.last_at_ms]),
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
