/**
 * Retention: after its time a record's texts go; its leaf hash, and so every proof, stays. Alerts
 * and counterparties of which nothing was heard since are forgotten.
 */
import { DAY_MS, HOUR_MS, isoTime, type TxnId } from '@portcullis/protocol'
import { linesOf, WHOLE_LOG } from './audit-export.ts'
import type { Env } from '../env.ts'
import type { Archive } from '../ports.ts'
import { newestCheckpoint, sealAll, type SealEnv } from './sealer.ts'

export const PURGE_EVERY_MS = HOUR_MS

/** Screens in one archive segment. */
const SEGMENT = 2_000
/** Screens purged in one commit: short, so that no screen waits for long. */
const BATCH = 50
/** Counterparties that one commit looks at. */
const COUNTERPARTIES = 2_000

export type RetentionEnv = SealEnv & {
  readonly settings: Pick<Env['settings'], 'issuer' | 'retentionMs'>
  /** Undefined when nothing is archived. */
  readonly archive: Archive | undefined
}

/** Archives and purges whatever has expired; answers how many screens. */
export async function purgeExpired(env: RetentionEnv): Promise<number> {
  await sealAll(env)
  const now = env.clock.now()
  const before = now - env.settings.retentionMs
  let purged = 0
  let after: number | undefined = 0
  while (after !== undefined) {
    const page = await env.store.expiredScreens({ before, after, limit: SEGMENT })
    if (page.txnIds.length > 0) {
      await writeSegment(env, page.txnIds)
      purged += await purgeAll(env, page.txnIds, before, now)
    }
    after = page.next
  }
  await purgeEvents(env, before, now)
  await forgetHistory(env, before)
  await env.store.dropTraces()
  if (purged > 0) {
    await sealAll(env)
    env.log.info({ purged, before: isoTime(before) }, 'expired audit records purged')
  }
  return purged
}

/** Alerts and what was decided of them, by their own time. */
async function purgeEvents({ store }: RetentionEnv, before: number, now: number): Promise<void> {
  let after: number | undefined = 0
  while (after !== undefined) {
    after = (await store.purgeEvents({ before, after, limit: BATCH }, now)).next
  }
}

/** History without a name is kept: it says who was seen how often, to whoever knows the name. */
async function forgetHistory({ store }: RetentionEnv, before: number): Promise<void> {
  const last = await store.countSubjects()
  for (let from = 0; from === 0 || from < last; from += COUNTERPARTIES) {
    await store.purgeHistory(before, from, from + COUNTERPARTIES)
  }
}

/** A segment is durable before anything of it is purged. */
async function writeSegment(env: RetentionEnv, txnIds: readonly TxnId[]): Promise<void> {
  if (env.archive === undefined) return
  const leaves = await env.store.leavesOf(txnIds)
  const checkpoint = await newestCheckpoint(env)
  const [first, last] = [leaves[0]?.leafIndex ?? 0, leaves.at(-1)?.leafIndex ?? 0]
  const name = `audit-${first}-${last}-of-${checkpoint.size}.jsonl`
  await env.archive.write(name, linesOf(env, pagesOf(leaves), checkpoint, WHOLE_LOG, 'jsonl'))
}

// eslint-disable-next-line @typescript-eslint/require-await -- these pages are here
async function* pagesOf<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < items.length; at += BATCH) yield items.slice(at, at + BATCH)
}

async function purgeAll(
  { store }: RetentionEnv,
  txnIds: readonly TxnId[],
  before: number,
  now: number,
): Promise<number> {
  let purged = 0
  for (let at = 0; at < txnIds.length; at += BATCH) {
    purged += await store.purgeScreens(txnIds.slice(at, at + BATCH), before, now)
  }
  return purged
}

/** The background job: a failure is logged, and the next run goes on where it failed. */
export async function retentionJob(env: RetentionEnv): Promise<void> {
  try {
    await purgeExpired(env)
  } catch (error) {
    env.log.error({ err: error, days: env.settings.retentionMs / DAY_MS }, 'the purge failed')
  }
}
