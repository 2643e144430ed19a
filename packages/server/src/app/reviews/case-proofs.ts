/** Proofs of everything that the log holds about one screen, all to the same checkpoint. */
import { type AuditProof, inclusionRanges, type TxnId } from '@portcullis/protocol'
import { proofOf } from '../audit/audit-proofs.ts'
import { noSuchRecord } from '../audit/audit.ts'
import type { Env } from '../env.ts'
import { newestCheckpoint, sealAll } from '../audit/sealer.ts'

export interface CaseProofs {
  readonly screen: AuditProof
  /** Of proposals, the disposition, holds and releases, in the order of the log. */
  readonly others: readonly AuditProof[]
}

/** Entries of this very moment are sealed first, so that none is missing. */
export async function proveCase(env: Env, txnId: TxnId): Promise<CaseProofs> {
  await sealAll(env)
  const checkpoint = await newestCheckpoint(env)
  const { size } = checkpoint
  const leaves = (await env.store.leavesOf([txnId])).filter(({ leafIndex }) => leafIndex < size)
  const ranges = leaves.map(({ leafIndex }) => inclusionRanges(leafIndex, size))
  const hashes = await env.store.rangeHashes(ranges.flat(), env.sha256)
  let used = 0
  const proofs = leaves.map((leaf, index) => {
    const count = ranges[index]?.length ?? 0
    return {
      isScreen: leaf.source === 'screen',
      leafIndex: leaf.leafIndex,
      proof: proofOf({ leaf, checkpoint, hashes: hashes.slice(used, (used += count)) }),
    }
  })
  const screen = proofs.find(({ isScreen }) => isScreen)?.proof
  if (screen === undefined) throw noSuchRecord()
  const others = proofs.filter(({ isScreen }) => !isScreen)
  others.sort((one, other) => one.leafIndex - other.leafIndex)
  return { screen, others: others.map(({ proof }) => proof) }
}
