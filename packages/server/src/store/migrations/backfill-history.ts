/** Counts the screens of before, so that the history of counterparties starts whole. */
import { createHash } from 'node:crypto'
import {
  type AgentId,
  type AuditRecord,
  type OperatorId,
  parseTxnId,
  type Verdict,
} from '@portcullis/protocol'
import { NAME_BLOCK_SCORE } from '@portcullis/watchlist'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { counterpartyKeys } from '../../app/history/counterparty-keys.ts'
import { matchIds } from '../../app/screening/listed-matches.ts'
import { wholeRecord } from '../audit/record-text.ts'
import type { Row, Script } from '../script.ts'
import { addSighting } from '../history/sightings.ts'
import { statements } from '../statements.ts'

const PAGE = 1_000
/** Staged payments are nobody's history. */
const DEMO_OPERATOR = 'op_demo'

interface PastScreen {
  readonly seq: number
  readonly operator_id: string
  readonly agent_id: string | null
  readonly verdict: string
  readonly screened_at_ms: number
  readonly record: string
}

export async function indexPastScreens(db: Kysely<unknown>): Promise<void> {
  const built = statements(db)
  for (let after = 0; ;) {
    const { rows } = await sql<PastScreen>`
      select seq, operator_id, agent_id, verdict, screened_at_ms, record from audit_entries
      where seq > ${after} and operator_id <> ${DEMO_OPERATOR} order by seq limit ${PAGE}`.execute(
      db,
    )
    for (const row of rows) await run(db, sightingScript(built, row))
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.seq
  }
}

function* sightingScript(built: ReturnType<typeof statements>, row: PastScreen): Script<void> {
  const record = JSON.parse(yield* wholeRecord(built, row.record)) as AuditRecord
  const { cpName: name, cpWallet: wallet } = record._request
  const keys = counterpartyKeys({ digest }, name, wallet)
  const txnId = parseTxnId(record.txnId)
  if (keys === undefined || txnId === undefined) return
  const listed = record.matches.filter(
    ({ field, score }) => ['cpName', 'cpWallet'].includes(field) && score >= NAME_BLOCK_SCORE,
  )
  const audit = {
    txnId,
    operatorId: row.operator_id as OperatorId,
    agentId: row.agent_id as AgentId | null,
    verdict: row.verdict as Verdict,
    screenedAt: row.screened_at_ms,
  }
  yield* addSighting(built, audit, { keys, name, wallet, matches: matchIds(listed) })
}

const digest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

/** Migrations read integers as numbers; scripts are given bigints on every engine. */
async function run(db: Kysely<unknown>, script: Script<void>): Promise<void> {
  let step = script.next()
  while (step.done !== true) {
    const { sql: text, parameters } = step.value
    const { rows } = await db.executeQuery(CompiledQuery.raw(text, [...parameters]))
    step = script.next((rows as Row[]).map(withBigInts))
  }
}

const withBigInts = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? BigInt(value) : value,
    ]),
  )
