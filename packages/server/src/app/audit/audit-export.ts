/** The audit log as lines that anybody can check: JSONL with proofs, or CSV for a spreadsheet. */
import {
  addToRuns,
  type AuditRecord,
  base64Of,
  type Checkpoint,
  EXPORT_NAME,
  EXPORT_TYP,
  type ExportClaims,
  type ExportEnd,
  type ExportEntry,
  type ExportFormat,
  type ExportHeader,
  type ExportParams,
  type ExportScope,
  hexOf,
  inclusionRanges,
  isoTime,
  leafDataOf,
  purgedDigest,
} from '@portcullis/protocol'
import { csvHead, csvLine } from './audit-csv.ts'
import { filtersOf, rangeOf } from './audit-list.ts'
import type { AuditListing, LoggedLeaf } from './audit-store.ts'
import type { Caller, Env } from '../env.ts'
import { newestCheckpoint, sealAll, type SealEnv } from './sealer.ts'

/** Entries in one look at the store: a few milliseconds, so that screens go on meanwhile. */
const PAGE = 64

/** Everything that there is. */
export const WHOLE_LOG: ExportScope = {
  operatorId: null,
  from: null,
  to: null,
  verdict: null,
  agentId: null,
}

/** The calling operator's entries. Throws for filters that cannot be before anything is sent. */
export async function exportOwn(
  env: Env,
  params: ExportParams,
  caller: Caller,
): Promise<AsyncGenerator<string>> {
  const listing = filtersOf(env, params, caller)
  await sealAll(env)
  const checkpoint = await newestCheckpoint(env)
  const { from = null, to = null, verdict = null, agentId = null, format = 'jsonl' } = params
  const scope = { operatorId: caller.operator.operatorId, from, to, verdict, agentId }
  return linesOf(env, ownLeaves(env, listing, checkpoint.size), checkpoint, scope, format)
}

/** What an interrupted export had written. */
export interface ExportSoFar {
  readonly header: ExportHeader
  readonly leaves: [number, number][]
  readonly purged: [number, number][]
  readonly purgedDigest: string
  readonly entries: number
}

/** Every entry of the log between two times, leaf by leaf; for the operator of the service. */
export async function exportAll(
  env: SealEnv,
  { from, to }: Pick<ExportScope, 'from' | 'to'>,
  format: ExportFormat,
  soFar?: ExportSoFar,
): Promise<{ readonly size: number; readonly lines: AsyncGenerator<string> }> {
  const { start, end } = rangeOf(from ?? undefined, to ?? undefined)
  await sealAll(env)
  const checkpoint = soFar?.header.checkpoint ?? (await newestCheckpoint(env))
  const within = ({ entry }: LoggedLeaf): boolean => {
    if (entry === undefined) return start === undefined && end === undefined
    const at = Date.parse(entry.at)
    return at >= (start ?? at) && (end === undefined || at < end)
  }
  const last = soFar?.leaves.at(-1)
  const first = last === undefined ? 0 : last[0] + last[1]
  const leaves = allLeaves(env, first, checkpoint.size, within)
  const scope = { ...WHOLE_LOG, from, to }
  return { size: checkpoint.size, lines: linesOf(env, leaves, checkpoint, scope, format, soFar) }
}

type Wanted = Omit<AuditListing, 'order' | 'after' | 'limit'>

/** Screens with all about them, then what is the operator's own: alerts, and four eyes. */
async function* ownLeaves(
  env: Pick<Env, 'store'>,
  listing: Wanted,
  size: number,
): AsyncGenerator<readonly LoggedLeaf[]> {
  for await (const leaves of pagesOfOwn(env, listing)) {
    yield leaves.filter(({ leafIndex }) => leafIndex < size)
  }
}

async function* pagesOfOwn(
  { store }: Pick<Env, 'store'>,
  listing: Wanted,
): AsyncGenerator<readonly LoggedLeaf[]> {
  for (let after: AuditListing['after']; ;) {
    const screens = await store.listScreens({ ...listing, order: 'oldest', after, limit: PAGE })
    if (screens.length === 0) break
    after = screens.at(-1)
    yield await store.leavesOf(screens.map(({ txnId }) => txnId))
  }
  // They have neither a verdict nor an agent.
  if (listing.verdict !== undefined || listing.agentId !== undefined) return
  for (let after = 0; ;) {
    const page = await store.operatorLeaves(listing, after, PAGE)
    if (page.length === 0) return
    after = page.at(-1)?.seq ?? after
    yield page
  }
}

async function* allLeaves(
  { store }: Pick<Env, 'store'>,
  first: number,
  size: number,
  within: (leaf: LoggedLeaf) => boolean,
): AsyncGenerator<readonly LoggedLeaf[]> {
  for (let from = first; from < size; from += PAGE) {
    const { leaves } = await store.leaves(from, Math.min(PAGE, size - from))
    yield leaves.filter(within)
  }
}

/** Header, entries, and the signed end; each line with its line feed. */
export async function* linesOf(
  env: SealEnv,
  pages: AsyncIterable<readonly LoggedLeaf[]>,
  checkpoint: Checkpoint,
  scope: ExportScope,
  format: ExportFormat,
  soFar?: ExportSoFar,
): AsyncGenerator<string> {
  if (format === 'csv') {
    yield csvHead()
    for await (const leaves of pages) yield leaves.map(csvLine).join('')
    return
  }
  const header = soFar?.header ?? headerOf(env, checkpoint, scope)
  if (soFar === undefined) yield line(header)
  const runs = { leaves: soFar?.leaves ?? [], purged: soFar?.purged ?? [] }
  let { entries, purgedDigest: digest } = soFar ?? { entries: 0, purgedDigest: '' }
  for await (const leaves of pages) {
    const shown = await entriesOf(env, leaves, checkpoint.size)
    for (const entry of shown) {
      addToRuns(runs.leaves, entry.leafIndex)
      entries++
      if (entry.leafData !== null) continue
      addToRuns(runs.purged, entry.leafIndex)
      digest = purgedDigest(digest, entry, env.sha256)
    }
    yield shown.map(line).join('')
  }
  const { origin, size, rootHash } = checkpoint
  const claims: ExportClaims = {
    origin,
    size,
    rootHash,
    operatorId: header.operatorId,
    exportedAt: header.exportedAt,
    from: header.from,
    to: header.to,
    verdict: header.verdict,
    agentId: header.agentId,
    entries,
    ...runs,
    purgedDigest: digest,
  }
  const end: ExportEnd = { type: 'end', entries, manifest: env.keyring.sign(EXPORT_TYP, claims) }
  yield line(end)
}

const line = (value: object): string => `${JSON.stringify(value)}\n`

const headerOf = (
  { clock, keyring }: SealEnv,
  checkpoint: Checkpoint,
  scope: ExportScope,
): ExportHeader => ({
  type: 'header',
  format: EXPORT_NAME,
  version: 1,
  exportedAt: isoTime(clock.now()),
  ...scope,
  checkpoint,
  jwks: keyring.jwks(),
})

/** Entries with their proofs; the nodes of all of them are read together. */
async function entriesOf(
  { store, sha256 }: SealEnv,
  leaves: readonly LoggedLeaf[],
  size: number,
): Promise<ExportEntry[]> {
  const ranges = leaves.map(({ leafIndex }) => inclusionRanges(leafIndex, size))
  const hashes = (await store.rangeHashes(ranges.flat(), sha256)).map(hexOf)
  let used = 0
  return leaves.map((leaf, index) => {
    const count = ranges[index]?.length ?? 0
    const { entry } = leaf
    return {
      type: 'entry',
      leafIndex: leaf.leafIndex,
      txnId: leaf.txnId,
      kind: entry?.kind ?? leaf.source,
      leafHash: hexOf(leaf.leafHash),
      leafData: entry === undefined ? null : base64Of(leafDataOf(entry)),
      hashes: hashes.slice(used, (used += count)),
      receipt: entry?.kind === 'screen' ? (JSON.parse(entry.record) as AuditRecord).receipt : null,
    }
  })
}
