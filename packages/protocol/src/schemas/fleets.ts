/** Fleets: agents that share one daily limit (spec: Fleet). */
import { type Static, Type } from 'typebox'
import { AMOUNT_CEILING_USD } from '../money.ts'
import { FLEET_STATUSES, type FleetStatus } from '../vocabulary.ts'
import { isoTimestamp, nameText, requestBody } from './shared.ts'

const dailyLimit = Type.Number({
  minimum: 0,
  exclusiveMaximum: AMOUNT_CEILING_USD,
  description: 'USD for each UTC date, over all agents of the fleet together',
})

export const CreateFleetBody = requestBody({
  fleetName: nameText('Human-readable name'),
  operatorLegalName: nameText('Screened before the fleet is created'),
  dailyLimitUSDC: dailyLimit,
})
export interface CreateFleetRequest {
  readonly fleetName: string
  readonly operatorLegalName: string
  readonly dailyLimitUSDC: number
}

export const FleetPatch = Type.Object(
  {
    fleetName: Type.Optional(nameText('Human-readable name')),
    dailyLimitUSDC: Type.Optional(dailyLimit),
    status: Type.Optional(
      Type.Enum([...FLEET_STATUSES], { description: 'A suspended fleet suspends its agents' }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
)
export interface FleetChange {
  readonly fleetName?: string
  readonly dailyLimitUSDC?: number
  readonly status?: FleetStatus
}

export const FleetView = Type.Object({
  fleetId: Type.String(),
  fleetName: Type.String(),
  operatorLegalName: Type.String(),
  dailyLimitUSDC: Type.Number(),
  status: Type.Enum([...FLEET_STATUSES]),
  createdAt: isoTimestamp,
})
export type FleetView = Static<typeof FleetView>

export const FleetParams = Type.Object({ fleetId: Type.String({ minLength: 1, maxLength: 64 }) })
