/** SQL of the sealed audit log: entries in order, runs, tiles, checkpoints, holds and purges. */
import { type Kysely, type Selectable, sql } from 'kysely'
import { type EntryKind, EXPIRING_KINDS, OPERATOR_KINDS } from '@portcullis/protocol'
import { isReadable, standingHold } from './readable-records.ts'
import type { Schema } from '../schema.ts'
import { statement } from '../statement.ts'

export type EntryRow = Selectable<Schema['audit_entries']>
export type EventRow = Selectable<Schema['audit_events']>
export type RunRow = Selectable<Schema['audit_runs']>
export type TileRow = Selectable<Schema['audit_tiles']>
export type CheckpointRow = Selectable<Schema['audit_checkpoints']>
/** A disposition with the operator of its screen. */
export type DecidedRow = Selectable<Schema['dispositions']> & {
  readonly operator_id: string | null
}

/** A new event; its number is given by the store. */
export interface NewEvent extends Record<string, string | bigint | null> {
  readonly kind: string
  readonly txn_id: string | null
  readonly operator_id: string | null
  readonly at_ms: bigint
  readonly body: string
}

/** Rows of one source, after a number and up to another. */
export interface Span extends Record<string, bigint> {
  readonly after: bigint
  readonly through: bigint
  readonly limit: bigint
}

export interface Listing extends Record<string, string | bigint> {
  readonly operatorId: string
  readonly from: bigint
  readonly to: bigint
  /** Empty for any. */
  readonly verdict: string
  readonly agentId: string
  /** 1 for records alone that are under no legal hold. */
  readonly unheld: bigint
  /** The page goes on below (newest first) or above this place. */
  readonly at: bigint
  readonly seq: bigint
  readonly limit: bigint
}

interface OperatorEvents extends Record<string, string | bigint> {
  readonly operatorId: string
  readonly from: bigint
  readonly to: bigint
  readonly since: bigint
  readonly after: bigint
  readonly limit: bigint
}

export const auditLogStatements = (db: Kysely<Schema>) => ({
  ...entryStatements(db),
  ...listStatements(db),
  ...treeStatements(db),
  ...checkpointStatements(db),
  ...eventStatements(db),
  ...purgeStatements(db),
})

function entryStatements(db: Kysely<Schema>) {
  return {
    entriesBetween: statement<Span, EntryRow>(({ after, through, limit }) =>
      db
        .selectFrom('audit_entries')
        .selectAll()
        .where('seq', '>', after)
        .where('seq', '<=', through)
        .orderBy('seq')
        .limit(limit),
    ),
    leavesBetween: statement<Span, Pick<EntryRow, 'seq' | 'leaf'>>(({ after, through, limit }) =>
      db
        .selectFrom('audit_entries')
        .select(['seq', 'leaf'])
        .where('seq', '>', after)
        .where('seq', '<=', through)
        .orderBy('seq')
        .limit(limit),
    ),
    dispositionsBetween: statement<Span, DecidedRow>(({ after, through, limit }) =>
      db
        .selectFrom('dispositions')
        .leftJoin('audit_entries', 'audit_entries.txn_id', 'dispositions.txn_id')
        .selectAll('dispositions')
        .select('audit_entries.operator_id')
        .where('dispositions.seq', '>', after)
        .where('dispositions.seq', '<=', through)
        .orderBy('dispositions.seq')
        .limit(limit),
    ),
    eventsBetween: statement<Span, EventRow>(({ after, through, limit }) =>
      db
        .selectFrom('audit_events')
        .selectAll()
        .where('seq', '>', after)
        .where('seq', '<=', through)
        .orderBy('seq')
        .limit(limit),
    ),
    hasSharedText: statement<{ digest: string }, { digest: string }>(({ digest }) =>
      db.selectFrom('audit_texts').select('digest').where('digest', '=', digest),
    ),
    findSharedText: statement<{ digest: string }, { text: string }>(({ digest }) =>
      db.selectFrom('audit_texts').select('text').where('digest', '=', digest),
    ),
    insertSharedText: statement<{ digest: string; text: string }>(({ digest, text }) =>
      db.insertInto('audit_texts').values({ digest, text }),
    ),
    entryOf: statement<{ txnId: string }, EntryRow>(({ txnId }) =>
      db.selectFrom('audit_entries').selectAll().where('txn_id', '=', txnId),
    ),
  }
}

const NO = sql.lit<bigint>(0n)

/** No record is that young: only a hold makes one readable. */
const EVER = sql<bigint>`9223372036854775807`

function listStatements(db: Kysely<Schema>) {
  const listed = (order: 'asc' | 'desc') =>
    statement<Listing, EntryRow>((args) =>
      db
        .selectFrom('audit_entries')
        .selectAll()
        .where('operator_id', '=', args.operatorId)
        .where('screened_at_ms', '>=', args.from)
        .where('screened_at_ms', '<', args.to)
        .where((eb) => eb.or([eb(args.verdict, '=', ''), eb('verdict', '=', args.verdict)]))
        .where((eb) => eb.or([eb(args.agentId, '=', ''), eb('agent_id', '=', args.agentId)]))
        .where((eb) =>
          eb.or([
            eb('screened_at_ms', order === 'asc' ? '>' : '<', args.at),
            eb.and([
              eb('screened_at_ms', '=', args.at),
              eb('seq', order === 'asc' ? '>' : '<', args.seq),
            ]),
          ]),
        )
        .where('purged_at_ms', 'is', null)
        .where((eb) => eb.or([eb(args.unheld, '=', NO), eb.not(eb.exists(standingHold(eb)))]))
        .orderBy('screened_at_ms', order)
        .orderBy('seq', order)
        .limit(args.limit),
    )
  return {
    newestEntries: listed('desc'),
    oldestEntries: listed('asc'),
    everHeld: statement<{ operatorId: string }, { txn_id: string }>(({ operatorId }) =>
      db
        .selectFrom('audit_events')
        .select('txn_id')
        .distinct()
        .where('operator_id', '=', operatorId)
        .where('kind', '=', sql.lit('hold')),
    ),
    heldEntry: statement<{ operatorId: string; txnId: string; from: bigint; to: bigint }, EntryRow>(
      ({ operatorId, txnId, from, to }) =>
        db
          .selectFrom('audit_entries')
          .selectAll()
          .where('txn_id', '=', txnId)
          .where('operator_id', '=', operatorId)
          .where('screened_at_ms', '>=', from)
          .where('screened_at_ms', '<', to)
          .where((eb) => isReadable(eb, EVER)),
    ),
  }
}

function treeStatements(db: Kysely<Schema>) {
  return {
    /** The last run of a source: what is sealed of it. */
    lastRunOf: statement<{ source: string }, RunRow>(({ source }) =>
      db
        .selectFrom('audit_runs')
        .selectAll()
        .where('source', '=', source)
        .orderBy('first_seq', 'desc')
        .limit(1),
    ),
    /** The run that holds the row, if any does. */
    runHolding: statement<{ source: string; seq: bigint }, RunRow>(({ source, seq }) =>
      db
        .selectFrom('audit_runs')
        .selectAll()
        .where('source', '=', source)
        .where('first_seq', '<=', seq)
        .orderBy('first_seq', 'desc')
        .limit(1),
    ),
    /** Runs from the one that holds the leaf on. */
    runsFrom: statement<{ leaf: bigint; limit: bigint }, RunRow>(({ leaf, limit }) =>
      db
        .selectFrom('audit_runs')
        .selectAll()
        .where('first_leaf', '>=', (eb) =>
          eb
            .selectFrom('audit_runs')
            .select((of) => of.fn.coalesce(of.fn.max('first_leaf'), leaf).as('first'))
            .where('first_leaf', '<=', leaf),
        )
        .orderBy('first_leaf')
        .limit(limit),
    ),
    insertRun: statement<{ [Name in keyof RunRow]: RunRow[Name] }>((row) =>
      db.insertInto('audit_runs').values(pick(row, RUN_COLUMNS) as never),
    ),
    tile: statement<{ level: bigint; tile: bigint }, TileRow>(({ level, tile }) =>
      db.selectFrom('audit_tiles').selectAll().where('level', '=', level).where('tile', '=', tile),
    ),
    putTile: statement<{ [Name in keyof TileRow]: TileRow[Name] }>((row) =>
      db
        .insertInto('audit_tiles')
        .values(pick(row, ['level', 'tile', 'hashes']) as never)
        .onConflict((conflict) =>
          conflict
            .columns(['level', 'tile'])
            .doUpdateSet((excluded) => ({ hashes: excluded.ref('excluded.hashes') })),
        ),
    ),
  }
}

function checkpointStatements(db: Kysely<Schema>) {
  return {
    putCheckpoint: statement<{ [Name in keyof CheckpointRow]: CheckpointRow[Name] }>((row) =>
      db
        .insertInto('audit_checkpoints')
        .values(pick(row, CHECKPOINT_COLUMNS) as never)
        .onConflict((conflict) =>
          conflict.column('utc_hour').doUpdateSet((excluded) => ({
            size: excluded.ref('excluded.size'),
            root_hash: excluded.ref('excluded.root_hash'),
            signed_at: excluded.ref('excluded.signed_at'),
            signature: excluded.ref('excluded.signature'),
          })),
        ),
    ),
    newestCheckpoint: statement<Record<string, never>, CheckpointRow>(() =>
      db.selectFrom('audit_checkpoints').selectAll().orderBy('size', 'desc').limit(1),
    ),
    checkpoints: statement<Record<string, never>, CheckpointRow>(() =>
      db.selectFrom('audit_checkpoints').selectAll().orderBy('size').orderBy('utc_hour'),
    ),
  }
}

function eventStatements(db: Kysely<Schema>) {
  return {
    insertEvent: statement<NewEvent>((row) =>
      db
        .insertInto('audit_events')
        .values(pick(row, ['kind', 'txn_id', 'operator_id', 'at_ms', 'body']) as never),
    ),
    eventsOf: statement<{ txnId: string }, EventRow>(({ txnId }) =>
      db.selectFrom('audit_events').selectAll().where('txn_id', '=', txnId).orderBy('seq'),
    ),
    /** About the operator and no screen; what expires by its own time is shown until then. */
    operatorEvents: statement<OperatorEvents, EventRow>((args) =>
      db
        .selectFrom('audit_events')
        .selectAll()
        .where('operator_id', '=', args.operatorId)
        .where('kind', 'in', literals(OPERATOR_KINDS))
        .where('seq', '>', args.after)
        .where('at_ms', '>=', args.from)
        .where('at_ms', '<', args.to)
        .where('purged_at_ms', 'is', null)
        .where((eb) =>
          eb.or([eb('at_ms', '>=', args.since), eb('kind', 'not in', literals(EXPIRING_KINDS))]),
        )
        .orderBy('seq')
        .limit(args.limit),
    ),
    purges: statement<Record<string, never>, EventRow>(() =>
      db.selectFrom('audit_events').selectAll().where('kind', '=', 'purge').orderBy('seq'),
    ),
  }
}

function purgeStatements(db: Kysely<Schema>) {
  return {
    expiredEntries: statement<
      { after: bigint; through: bigint; before: bigint; limit: bigint },
      EntryRow
    >((args) =>
      db
        .selectFrom('audit_entries')
        .selectAll()
        .where('seq', '>', args.after)
        .where('seq', '<=', args.through)
        .where('screened_at_ms', '<', args.before)
        .where('purged_at_ms', 'is', null)
        .orderBy('seq')
        .limit(args.limit),
    ),
    expiredEvents: statement<{ after: bigint; before: bigint; limit: bigint }, EventRow>((args) =>
      db
        .selectFrom('audit_events')
        .selectAll()
        .where('seq', '>', args.after)
        .where('kind', 'in', literals(EXPIRING_KINDS))
        .where('at_ms', '<', args.before)
        .where('purged_at_ms', 'is', null)
        .orderBy('seq')
        .limit(args.limit),
    ),
    purgeEntry: statement<{ seq: bigint; now: bigint }>(({ seq, now }) =>
      db
        .updateTable('audit_entries')
        .set({ record: '', facts: '', purged_at_ms: now })
        .where('seq', '=', seq),
    ),
    purgeDisposition: statement<{ seq: bigint; now: bigint }>(({ seq, now }) =>
      db
        .updateTable('dispositions')
        .set({ reviewed_by: '', notes: null, purged_at_ms: now })
        .where('seq', '=', seq)
        .where('purged_at_ms', 'is', null),
    ),
    purgeEvent: statement<{ seq: bigint; now: bigint }>(({ seq, now }) =>
      db
        .updateTable('audit_events')
        .set({ body: '', purged_at_ms: now })
        .where('seq', '=', seq)
        .where('purged_at_ms', 'is', null),
    ),
  }
}

const RUN_COLUMNS = ['first_leaf', 'source', 'first_seq', 'entries', 'hash_version']
const CHECKPOINT_COLUMNS = ['utc_hour', 'origin', 'size', 'root_hash', 'signed_at', 'signature']

/** Words of the code, as an index on them wants them. */
const literals = (kinds: readonly EntryKind[]) => kinds.map((kind) => sql.lit<string>(kind))

/** The placeholders of some columns, by name. */
const pick = (row: object, names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, row[name as keyof typeof row]]))
