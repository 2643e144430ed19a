/** The audit log's part of the store port, over any engine that can run the scripts. */
import type { AuditStore } from '../../app/audit/audit-store.ts'
import type { Script, ScriptRunner } from '../script.ts'
import type { transactions } from '../transactions.ts'

export function auditStoreOver(
  runner: ScriptRunner,
  tx: ReturnType<typeof transactions>,
): AuditStore {
  const write = <T>(script: () => Script<T>): Promise<T> => runner.write(script)
  const read = <T>(script: () => Script<T>): Promise<T> => runner.read(script)
  return {
    sealBatch: (sealing) => write(() => tx.sealBatch(sealing)),
    hasUnsealed: () => read(() => tx.hasUnsealed()),
    newestCheckpoint: () => read(() => tx.newestCheckpoint()),
    checkpoints: () => read(() => tx.checkpoints()),
    proveEntry: (operatorId, txnId, kind, hash) =>
      read(() => tx.proveEntry(operatorId, txnId, kind, hash)),
    hasScreen: (operatorId, txnId) => read(() => tx.hasScreen(operatorId, txnId)),
    rangeHashes: (ranges, hash) => read(() => tx.rangeHashes(ranges, hash)),
    leaves: (first, limit) => read(() => tx.leaves(first, limit)),
    leavesOf: (txnIds) => read(() => tx.leavesOf(txnIds)),
    operatorLeaves: (wanted, after, limit) => read(() => tx.operatorLeaves(wanted, after, limit)),
    listScreens: (listing) => read(() => tx.listScreens(listing)),
    addAuditEvent: (event) => write(() => tx.addAuditEvent(event)),
    holdOf: (txnId) => read(() => tx.holdOf(txnId)),
    purgedLeaves: () => read(() => tx.purgedLeaves()),
    expiredScreens: (query) => read(() => tx.expiredScreens(query)),
    purgeScreens: (txnIds, before, now) => write(() => tx.purgeScreens(txnIds, before, now)),
    purgeEvents: (query, now) => write(() => tx.purgeEvents(query, now)),
    stateDifference: (what) => read(() => tx.stateDifference(what)),
    dropTraces: () => runner.dropTraces(),
  }
}
