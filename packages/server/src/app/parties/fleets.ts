/** Fleets: agents that share one daily limit (spec: Fleet; rule R12). */
import {
  type CreateFleetRequest,
  type FleetChange,
  type FleetId,
  type FleetView,
  invalidField,
  isoTime,
  type MicroUsd,
  microUsd,
  type Page,
  parseFleetId,
  ServiceError,
  usdNumber,
} from '@portcullis/protocol'
import type { Answer, Caller, Env } from '../env.ts'
import { answerOnce } from '../idempotency.ts'
import { readPage, toPage } from '../pages.ts'
import type { Fleet } from '../records.ts'
import { refuseListed, requiredText } from './registration.ts'
import { unknownFields } from '../unknown-fields.ts'

const FIELDS = ['fleetName', 'operatorLegalName', 'dailyLimitUSDC']

export async function createFleet(
  env: Env,
  request: CreateFleetRequest,
  caller: Caller,
): Promise<Answer<FleetView>> {
  unknownFields(request, FIELDS)
  const fleet: Fleet = {
    fleetId: env.ids.fleet(),
    operatorId: caller.operator.operatorId,
    fleetName: requiredText('fleetName', request.fleetName),
    operatorLegalName: requiredText('operatorLegalName', request.operatorLegalName),
    dailyLimit: readLimit(request.dailyLimitUSDC),
    status: 'ACTIVE',
    createdAt: caller.now,
  }
  refuseListed(env, caller.requestId, { names: [['operatorLegalName', fleet.operatorLegalName]] })
  return answerOnce(
    env.vault,
    {
      scope: caller.operator.operatorId,
      key: caller.idempotencyKey,
      operation: 'createFleet',
      body: request,
      now: caller.now,
    },
    (created: Fleet) => ({ status: 201, body: viewFleet(created) }),
    (once) => env.store.createFleet(fleet, once),
  )
}

function readLimit(usd: number): MicroUsd {
  const limit = microUsd(usd)
  if (limit === undefined) throw invalidField('dailyLimitUSDC', 'has more than 6 decimals')
  return limit
}

const noSuchFleet = (): ServiceError =>
  new ServiceError('not_found', { message: 'this operator has no such fleet' })

function knownFleetId(text: string): FleetId {
  const fleetId = parseFleetId(text)
  if (fleetId === undefined) throw noSuchFleet()
  return fleetId
}

export async function readOwnFleet(
  env: Env,
  fleetId: string,
  { operator }: Caller,
): Promise<FleetView> {
  const fleet = await env.store.findFleet(operator.operatorId, knownFleetId(fleetId))
  if (fleet === undefined) throw noSuchFleet()
  return viewFleet(fleet)
}

export async function listFleets(env: Env, page: Page, { operator }: Caller) {
  const { after, limit } = readPage(page)
  const fleets = await env.store.listFleets(operator.operatorId, { after, limit: limit + 1 })
  return toPage(fleets, limit, ({ fleetId }) => fleetId, viewFleet)
}

export async function updateFleet(
  env: Env,
  fleetId: string,
  request: FleetChange,
  { operator }: Caller,
): Promise<FleetView> {
  const known = knownFleetId(fleetId)
  const changed = await env.store.changeFleet(operator.operatorId, known, (fleet) => ({
    ...fleet,
    ...(request.fleetName !== undefined && {
      fleetName: requiredText('fleetName', request.fleetName),
    }),
    ...(request.dailyLimitUSDC !== undefined && { dailyLimit: readLimit(request.dailyLimitUSDC) }),
    ...(request.status !== undefined && { status: request.status }),
  }))
  if (changed === undefined) throw noSuchFleet()
  return viewFleet(changed)
}

const viewFleet = (fleet: Fleet): FleetView => ({
  fleetId: fleet.fleetId,
  fleetName: fleet.fleetName,
  operatorLegalName: fleet.operatorLegalName,
  dailyLimitUSDC: usdNumber(fleet.dailyLimit),
  status: fleet.status,
  createdAt: isoTime(fleet.createdAt),
})
