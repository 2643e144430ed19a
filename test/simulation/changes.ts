/** What happens to agents, to the lists and to the clock. */
import {
  attestAgent,
  reissueAgent,
  updateAgent,
} from '../../packages/server/src/app/parties/agent-lifecycle.ts'
import { updateSpendPolicy } from '../../packages/server/src/app/parties/agents.ts'
import { ENTRIES, type PartyId } from './catalogue.ts'
import { DAY, type ModelAgent, type PolicyChange } from './model.ts'
import { mergePolicy, widens } from './oracle-policy.ts'
import { addAgent, fleetFor, foreignFleet, handOut } from './parties.ts'
import { drawPolicy } from './payments.ts'
import { LIFETIME, type Simulation } from './simulation.ts'

const HOUR = 3_600_000

export async function changePolicy(sim: Simulation): Promise<void> {
  const { random, world } = sim
  const agent = sim.anyAgent()
  const operatorId = sim.operatorFor(agent)
  const change = drawPolicyChange(sim, agent)
  sim.note = `changePolicy ${agent.id} ${JSON.stringify(change)}`
  const policy = mergePolicy(agent.policy, change)
  const [, ...parents] = sim.policiesAbove(agent)
  const invalid = random.chance(0.03)
  const body = invalid ? { ...change, allowedChains: ['MARS'] } : change
  const own = agent.operatorId === operatorId
  const widened = !invalid && widens(parents, policy) ? 'policy_widening' : undefined
  const expected = !own ? 'not_found' : invalid ? 'invalid_request' : widened
  const caller = await world.caller(operatorId)
  await sim.attempt(expected, () => updateSpendPolicy(world.env, agent.id, body, caller))
  if (expected === undefined) agent.policy = policy
}

/** Clears everything, or a few fields anew: a policy that only narrows would end in silence. */
function drawPolicyChange({ random }: Simulation, agent: ModelAgent): PolicyChange {
  const set = Object.keys(agent.policy)
  if (set.length > 2 && random.chance(0.5)) {
    return Object.fromEntries(set.map((name) => [name, null]))
  }
  const change = drawPolicy(random, 0.25, true)
  return Object.keys(change).length > 0
    ? change
    : { dailyLimitUSDC: random.pick([300, 900, 4_000]) }
}

export async function changeStatus(sim: Simulation): Promise<void> {
  const { random } = sim
  const agent = sim.anyAgent()
  const status =
    agent.status === 'ACTIVE'
      ? random.weighted({ SUSPENDED: 9, REVOKED: 0.6, ACTIVE: 1 })
      : random.weighted({ ACTIVE: 8, SUSPENDED: 1, REVOKED: 0.2 })
  sim.note = `changeStatus ${agent.id} ${agent.status} to ${status}`
  const final = agent.status === 'REVOKED' && status !== 'REVOKED'
  const reason = status === 'ACTIVE' ? null : 'simulated'
  const done = await change(
    sim,
    agent,
    { status, reason },
    final ? 'invalid_transition' : undefined,
  )
  if (done) agent.status = status
}

/** A suspended agent; or, when there is nobody left who may pay, a new one. */
export async function reactivate(sim: Simulation): Promise<void> {
  const { agents } = sim.model
  if ([...agents.keys()].every((id) => !sim.model.mayPay(id))) return addAgent(sim)
  const suspended = [...agents.values()].filter(({ status }) => status === 'SUSPENDED')
  if (suspended.length === 0) return changeStatus(sim)
  const agent = sim.random.pick(suspended)
  sim.note = `reactivate ${agent.id}`
  if (await change(sim, agent, { status: 'ACTIVE' }, undefined)) agent.status = 'ACTIVE'
}

export async function changeModel(sim: Simulation): Promise<void> {
  const agent = sim.anyAgent()
  const model = sim.random.pick(['model-1', 'model-2', null, agent.modelAtIssuance])
  sim.note = `changeModel ${agent.id} ${model}`
  if (await change(sim, agent, { underlyingModel: model }, undefined)) agent.model = model
}

export async function changeAgentsFleet(sim: Simulation): Promise<void> {
  const agent = sim.anyAgent()
  const fleetId = sim.random.chance(0.4) ? null : fleetFor(sim, agent.operatorId)
  sim.note = `changeAgentsFleet ${agent.id} ${fleetId}`
  const expected = foreignFleet(sim, agent.operatorId, fleetId)
  if (await change(sim, agent, { fleetId }, expected)) agent.fleetId = fleetId
}

export async function transfer(sim: Simulation): Promise<void> {
  const agent = sim.random.pick([...sim.model.agents.values()])
  sim.note = `transfer ${agent.id}`
  if (await change(sim, agent, { ownershipTransferred: true }, undefined)) agent.transferred = true
}

async function change(
  sim: Simulation,
  agent: ModelAgent,
  body: Parameters<typeof updateAgent>[2],
  expected: string | undefined,
): Promise<boolean> {
  const operatorId = sim.operatorFor(agent)
  const code = agent.operatorId === operatorId ? expected : 'not_found'
  const caller = await sim.world.caller(operatorId)
  await sim.attempt(code, () => updateAgent(sim.world.env, agent.id, body, caller))
  return code === undefined
}

/** Those that need it first: expired, transferred, or of another model. */
export async function reissue(sim: Simulation): Promise<void> {
  const { random, model, world } = sim
  const needy = [...model.agents.values()].filter(
    (agent) =>
      agent.status === 'ACTIVE' &&
      (agent.transferred ||
        agent.expiresAt <= model.now + 5 * DAY ||
        agent.model !== agent.modelAtIssuance),
  )
  const agent = needy.length > 0 && random.chance(0.8) ? random.pick(needy) : sim.anyAgent()
  const operatorId = sim.operatorFor(agent)
  sim.note = `reissue ${agent.id}`
  const [, ...parents] = model.chainOf(agent.id)
  const fallen =
    agent.status !== 'ACTIVE' ||
    parents.some((parent) => parent.status !== 'ACTIVE' || parent.expiresAt <= model.now)
  const expected =
    (agent.operatorId === operatorId ? undefined : 'not_found') ??
    sim.refusal(agent.legalName, agent.wallet) ??
    (fallen ? 'invalid_transition' : undefined)
  const caller = await world.caller(operatorId)
  const done = (await sim.attempt(expected, () => reissueAgent(world.env, agent.id, caller)))?.body
  if (done === undefined) return
  const latest = parents.map(({ expiresAt }) => expiresAt)
  agent.expiresAt = Math.min(model.now + LIFETIME.agent, ...latest)
  agent.transferred = false
  agent.modelAtIssuance = agent.model
  handOut(sim, agent, done.token)
}

export async function attest(sim: Simulation): Promise<void> {
  const { model, world } = sim
  const agent = sim.anyAgent()
  const operatorId = sim.operatorFor(agent)
  sim.note = `attest ${agent.id}`
  const own = agent.operatorId === operatorId ? undefined : 'not_found'
  const expected = own ?? (agent.type === 'autonomous' ? undefined : 'supervised_agent')
  const caller = await world.caller(operatorId)
  const body = { attestedBy: 'officer 7' }
  await sim.attempt(expected, () => attestAgent(world.env, agent.id, body, caller))
  if (expected === undefined) agent.attestedAt = model.now
}

/** One party comes or goes; the operators' own do not stay long. Or no list at all, for a while. */
export function swapLists(sim: Simulation): Promise<void> {
  const { random, model } = sim
  const listed = model.listed ?? new Set<PartyId>()
  const own = (['obrelka', 'talvenor'] as const).find((party) => listed.has(party))
  const party = own ?? random.pick(Object.keys(ENTRIES) as PartyId[])
  const next = new Set(listed)
  if (!next.delete(party)) next.add(party)
  const unloaded = model.listed !== undefined && random.chance(0.03)
  model.listed = unloaded ? undefined : next
  model.listsLoadedAt = model.now
  sim.note = `swapLists ${unloaded ? 'none' : [...next].join()}`
  sim.world.publish(model.listed, model.now)
  return Promise.resolve()
}

export function refreshLists(sim: Simulation): Promise<void> {
  const { model } = sim
  if (model.listed === undefined) return swapLists(sim)
  model.listsLoadedAt = model.now
  sim.note = 'refreshLists'
  sim.world.publish(model.listed, model.now)
  return Promise.resolve()
}

export function changeMood(sim: Simulation): Promise<void> {
  const mood = sim.random.pick(['clear', 'block', 'review', 'pep', 'media', 'down'] as const)
  sim.note = `changeMood ${mood}`
  sim.model.mood = mood
  sim.world.mood = mood
  return Promise.resolve()
}

export async function restart(sim: Simulation): Promise<void> {
  sim.note = 'restart'
  await sim.world.restart()
}

/** Forward always: often to a moment where something is about to change. */
export function passTime(sim: Simulation): Promise<void> {
  const { random, temper, model } = sim
  const { now } = model
  sim.watched = undefined
  const kind = random.weighted(
    temper.clock === 'minutes'
      ? { moment: 8, minutes: 3, minute: 4, midnight: 2, month: 1, days: 1, edge: 2 }
      : { moment: 2, minutes: 1, minute: 2, midnight: 2, month: 1, days: 9, edge: 1 },
  )
  const beside = random.pick([-1, 0, 1, 1_000])
  const to: Record<typeof kind, () => number> = {
    moment: () => now + random.int(1, 30_000),
    minutes: () => now + random.int(1, 150) * 60_000,
    minute: () => (model.screens.at(-random.int(1, 5))?.at ?? now) + 60_000 + beside,
    midnight: () => (Math.floor(now / DAY) + 1) * DAY + beside,
    month: () => startOfNextMonth(now) + beside,
    days: () => daysLater(sim, random.int(1, random.chance(0.1) ? 40 : 3)),
    edge: () => (edges(sim).find((edge) => edge > now) ?? now) + beside,
  }
  sim.advance(to[kind]() - now)
  sim.note = `passTime ${kind} to ${new Date(model.now).toISOString()}`
  return Promise.resolve()
}

/** In the hour in which this world's days begin. */
const daysLater = ({ model, temper, random }: Simulation, days: number): number =>
  (Math.floor(model.now / DAY) + days) * DAY + temper.usualHour * HOUR + random.int(0, 3_000_000)

const startOfNextMonth = (now: number): number => {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

/** Moments at which a fact changes by itself. */
function edges(sim: Simulation): number[] {
  const { model } = sim
  const attended = [...model.agents.values()].filter(
    ({ attestedAt }) => attestedAt !== undefined && attestedAt + DAY > model.now,
  )
  const agent = attended.length > 0 ? sim.random.pick(attended) : sim.anyAgent()
  sim.watched = agent
  const attested = agent.attestedAt === undefined ? [] : [agent.attestedAt + DAY]
  const stale = model.listsLoadedAt + 1.5 * DAY
  const expiry = sim.random.chance(0.3) ? [agent.expiresAt] : []
  return [...attested, stale, ...expiry]
}
