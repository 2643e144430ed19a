/** The transactions of the store, each a script that every engine can run. */
import { auditLogTransactions } from './audit/audit-log-transactions.ts'
import { alertTransactions } from './history/alert-transactions.ts'
import { auditTransactions } from './audit/audit-transactions.ts'
import { derivedTransactions } from './audit/derived-state.ts'
import { rescreenTransactions } from './history/rescreen-transactions.ts'
import { reviewTransactions } from './review-transactions.ts'
import { screenTransactions } from './screen-transactions.ts'
import { all, type Script } from './script.ts'
import type { Statements } from './statements.ts'
import { fleetTransactions } from './fleet-transactions.ts'
import { partyTransactions } from './party-transactions.ts'
import { retentionTransactions } from './audit/retention-transactions.ts'

export function transactions(sql: Statements) {
  return {
    ...partyTransactions(sql),
    ...fleetTransactions(sql),
    ...screenTransactions(sql),
    ...auditTransactions(sql),
    ...auditLogTransactions(sql),
    ...retentionTransactions(sql),
    ...derivedTransactions(sql),
    ...reviewTransactions(sql),
    ...rescreenTransactions(sql),
    ...alertTransactions(sql),
    *ping(): Script<boolean> {
      yield* all(sql.findOperator({ operatorId: 'op_0' }))
      return true
    },
  }
}
