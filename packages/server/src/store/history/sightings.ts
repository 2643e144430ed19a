/**
 * Counterparties as screens saw them: one row for each operator's counterparty, counted by every
 * screen in its own transaction (docs/decisions/0009).
 */
import type { OperatorId } from '@portcullis/protocol'
import type { Sighting } from '../../app/history/history-records.ts'
import type { AuditEntry } from '../../app/records.ts'
import { keyNumbers, type KeyNumbers } from './counterparty-numbers.ts'
import type { FoundRow } from './counterparty-statements.ts'
import type { KeyRow } from '../key-statements.ts'
import { all, first, type Script } from '../script.ts'
import type { Statements } from '../statements.ts'

type Screen = Pick<AuditEntry, 'operatorId' | 'agentId' | 'verdict' | 'screenedAt'>

/** Counts a screen for its counterparty. Without a known agent nobody vouches for what was sent. */
export function* addSighting(
  sql: Statements,
  screen: Screen,
  { keys, name, wallet, matches }: Sighting,
): Script<void> {
  const { agentId, operatorId, verdict } = screen
  if (agentId === null || verdict === 'UNKNOWN') return
  const numbers = keyNumbers(keys)
  const counts = countsOf(screen)
  const known = yield* findCounterparty(sql, operatorId, numbers)
  if (known === undefined) {
    const row = { operatorId, nameKey: numbers.name, walletKey: numbers.wallet, name, wallet }
    yield* all(sql.insertCounterparty({ ...row, ...counts, verdict, agentId }))
    if (matches.length > 0) yield* knowMatches(sql, operatorId, keys.subject, matches)
  } else {
    const { seq } = known
    const isNew = yield* addVisitor(sql, known, agentId)
    // One that became listed keeps the verdict from before, until an alert has said so.
    const kept = matches.length === 0 ? verdict : known.last_verdict
    const agents = isNew ? 1n : 0n
    yield* all(sql.countCounterparty({ seq, agents, ...counts, verdict: kept, name, wallet }))
  }
  const sums = yield* all(
    sql.findKeys({
      name: keys.name ?? '',
      wallet: keys.wallet ?? '',
      pair: keys.subject,
    }),
  )
  for (const row of sums) yield* addToSum(sql, row, agentId, operatorId, counts)
}

type Counts = ReturnType<typeof countsOf>

const countsOf = ({ verdict, screenedAt }: Screen) => ({
  clears: verdict === 'CLEAR' ? 1n : 0n,
  reviews: verdict === 'REVIEW' ? 1n : 0n,
  blocks: verdict === 'BLOCK' ? 1n : 0n,
  at: BigInt(screenedAt),
})

function* findCounterparty(
  sql: Statements,
  operatorId: OperatorId,
  { name, wallet }: KeyNumbers,
): Script<FoundRow | undefined> {
  const args = { operatorId, name: name ?? 0n, wallet: wallet ?? 0n }
  if (name === null) return yield* first(sql.findByWallet(args))
  return yield* first(wallet === null ? sql.findByName(args) : sql.findByBoth(args))
}

function* addVisitor(sql: Statements, { seq, agent_id }: FoundRow, agentId: string) {
  if (agent_id === agentId) return false
  return (yield* first(sql.addVisitor({ seq, agentId }))) !== undefined
}

function* addToSum(
  sql: Statements,
  { key }: KeyRow,
  agentId: string,
  operatorId: string,
  counts: Counts,
): Script<void> {
  const isNewAgent = (yield* first(sql.agentsOf.add({ key, member: agentId }))) !== undefined
  const isNewOperator =
    isNewAgent && (yield* first(sql.operatorsOf.add({ key, member: operatorId }))) !== undefined
  const agents = isNewAgent ? 1n : 0n
  const operators = isNewOperator ? 1n : 0n
  yield* all(sql.countKey({ key, ...counts, agents, operators }))
}

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
