/** Fleets: agents that share one daily limit. */
import type { FleetId, OperatorId } from '@portcullis/protocol'
import type { Idempotent, Once, PageRequest } from '../app/ports.ts'
import type { Fleet } from '../app/records.ts'
import { fleetOf, fleetRow } from './rows.ts'
import { all, first, type Script } from './script.ts'
import type { Statements } from './statements.ts'
import { takeOnce } from './take-once.ts'

export function fleetTransactions(sql: Statements) {
  return {
    *createFleet(fleet: Fleet, once?: Idempotent<Fleet>): Script<Once<Fleet>> {
      return yield* takeOnce(sql, once, function* () {
        yield* all(sql.insertFleet(fleetRow(fleet)))
        return fleet
      })
    },
    *findFleet(operatorId: OperatorId, fleetId: FleetId): Script<Fleet | undefined> {
      const row = yield* first(sql.findFleet({ fleetId }))
      return row?.operator_id === operatorId ? fleetOf(row) : undefined
    },
    *listFleets(operatorId: OperatorId, { after, limit }: PageRequest): Script<readonly Fleet[]> {
      const rows = yield* all(sql.listFleets({ operatorId, after, limit: BigInt(limit) }))
      return rows.map(fleetOf)
    },
    *changeFleet(
      operatorId: OperatorId,
      fleetId: FleetId,
      change: (fleet: Fleet) => Fleet,
    ): Script<Fleet | undefined> {
      const row = yield* first(sql.findFleet({ fleetId }))
      if (row?.operator_id !== operatorId) return undefined
      const changed = change(fleetOf(row))
      yield* all(sql.updateFleet(fleetRow(changed)))
      return changed
    },
  }
}
