/** Proofs that the audit log is what it says: of one entry, and of one size to a later one. */
import {
  base64Of,
  consistencyRanges,
  hexOf,
  invalidField,
  type LeafRange,
  leafDataOf,
  parseTxnId,
  ServiceError,
} from '@portcullis/protocol'
import type {
  AuditProof,
  Checkpoint,
  ConsistencyAnswer,
  ConsistencyParams,
  ProofParams,
} from '@portcullis/protocol'
import { noSuchRecord } from './audit.ts'
import type { InclusionFound } from './audit-store.ts'
import type { Caller, Env } from '../env.ts'
import { newestCheckpoint, sealAll } from './sealer.ts'

/**
 * Throws `not_found` for an id that is unknown or another operator's. A screen of this very second
 * is sealed first. `leafData` is null once the record was purged; the proof holds all the same.
 */
export async function proveEntry(
  env: Env,
  txnId: string,
  { entry = 'screen' }: ProofParams,
  { operator }: Caller,
): Promise<AuditProof> {
  const known = parseTxnId(txnId)
  if (known === undefined || !(await env.store.hasScreen(operator.operatorId, known))) {
    throw noSuchRecord()
  }
  const prove = () => env.store.proveEntry(operator.operatorId, known, entry, env.sha256)
  const found = (await prove()) ?? ((await sealAll(env)) > 0 ? await prove() : undefined)
  if (found === undefined) {
    throw new ServiceError('not_found', { message: `the record has no ${entry} to prove` })
  }
  return proofOf(found)
}

export function proofOf({ leaf, checkpoint, hashes }: InclusionFound): AuditProof {
  return {
    txnId: leaf.txnId ?? '',
    leafIndex: leaf.leafIndex,
    treeSize: checkpoint.size,
    leafHash: hexOf(leaf.leafHash),
    leafData: leaf.entry === undefined ? null : base64Of(leafDataOf(leaf.entry)),
    hashes: hashes.map(hexOf),
    checkpoint,
  }
}

export const readCheckpoint = (env: Env): Promise<Checkpoint> => newestCheckpoint(env)

/** `to` is the newest size when left out. Throws `invalid_request` for sizes that never were. */
export async function proveConsistency(
  env: Env,
  { from, to }: ConsistencyParams,
): Promise<ConsistencyAnswer> {
  const checkpoint = await newestCheckpoint(env)
  const [first, last] = [Number(from), to === undefined ? checkpoint.size : Number(to)]
  if (last > checkpoint.size) throw invalidField('to', `is beyond the ${checkpoint.size} leaves`)
  if (first > last) throw invalidField('from', 'is larger than `to`')
  // Everything continues the empty log: there is nothing to prove.
  const ranges: LeafRange[] = first === 0 ? [] : consistencyRanges(first, last)
  const sizes = [first, last].map((end) => ({ start: 0, end }))
  const [fromRoot, toRoot, ...hashes] = (
    await env.store.rangeHashes([...sizes, ...ranges], env.sha256)
  ).map(hexOf)
  if (fromRoot === undefined || toRoot === undefined) throw new RangeError('a root is missing')
  return { from: first, to: last, fromRoot, toRoot, hashes, checkpoint }
}
