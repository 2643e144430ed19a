/** The transactions of the store, each a script that every engine can run. */
import type { AuditRecord, EpochMs, OperatorId, TxnId } from '@portcullis/protocol'
import { screenTransactions } from './screen-transactions.ts'
import { all, first, type Script } from './script.ts'
import type { Statements } from './statements.ts'
import { fleetTransactions } from './fleet-transactions.ts'
import { partyTransactions } from './party-transactions.ts'

export function transactions(sql: Statements) {
  return {
    ...partyTransactions(sql),
    ...fleetTransactions(sql),
    ...screenTransactions(sql),
    *findAuditRecord(
      operatorId: OperatorId,
      txnId: TxnId,
      since: EpochMs,
    ): Script<AuditRecord | undefined> {
      const row = yield* first(sql.findAuditRecord({ operatorId, txnId, since: BigInt(since) }))
      return row === undefined ? undefined : (JSON.parse(row.record) as AuditRecord)
    },
    *ping(): Script<boolean> {
      yield* all(sql.findOperator({ operatorId: 'op_0' }))
      return true
    },
  }
}
