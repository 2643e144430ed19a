/** Operators, agents, delegates, fleets and users come into being. */
import { registerAgent } from '../../packages/server/src/app/parties/agents.ts'
import { createDelegate } from '../../packages/server/src/app/parties/delegates.ts'
import { createFleet, updateFleet } from '../../packages/server/src/app/parties/fleets.ts'
import {
  registerOperator,
  updateOperator,
} from '../../packages/server/src/app/parties/operators.ts'
import { registerUser } from '../../packages/server/src/app/parties/users.ts'
import {
  DOUBTFUL_NAMES,
  HONEST_NAMES,
  MALFORMED_OPERATOR_WALLETS,
  OPERATOR_NAMES,
  OPERATOR_WALLETS,
  type Text,
} from './catalogue.ts'
import { microOf, type ModelAgent, type ModelToken, type Policy, sameDay } from './model.ts'
import { mergePolicy, widens } from './oracle-policy.ts'
import { drawPolicy } from './payments.ts'
import { LIFETIME, type Simulation } from './simulation.ts'

const EMAILS = ['ops@harborview.example', 'OPS@harborview.example', 'pay@obrelka.example']

export async function addOperator(sim: Simulation): Promise<void> {
  const { random, model, world } = sim
  const name = random.pick(OPERATOR_NAMES)
  const wallet = random.chance(0.3) ? random.pick(OPERATOR_WALLETS) : null
  const email = random.pick(EMAILS)
  const change = drawPolicy(random, 0.15, false)
  sim.note = `addOperator ${name.text} ${email}`
  const earlier = model.registrations.filter(
    (one) => one.email === email.toLowerCase() && sameDay(one.at, model.now),
  )
  const expected =
    sim.refusal(name, wallet) ?? (earlier.length >= 3 ? 'rate_limit_exceeded' : undefined)
  const body = {
    legalName: name.text,
    email,
    ...(wallet !== null && { wallet: wallet.text }),
    spendPolicy: change,
  }
  const from = { requestId: 'simulated', address: '::1', now: model.now, idempotencyKey: undefined }
  const done = (await sim.attempt(expected, () => registerOperator(world.env, body, from)))?.body
  if (done === undefined) return
  model.registrations.push({ email: email.toLowerCase(), at: model.now })
  model.operators.set(done.operatorId, { id: done.operatorId, name, wallet })
  const agent = newAgent(sim, {
    id: done.agentId,
    operatorId: done.operatorId,
    type: 'autonomous',
    legalName: name,
    policy: mergePolicy({}, change),
    expiresAt: model.now + LIFETIME.defaultAgent,
  })
  handOut(sim, agent, done.agentToken!)
}

type Start = Pick<ModelAgent, 'id' | 'operatorId' | 'type' | 'legalName' | 'policy' | 'expiresAt'> &
  Partial<ModelAgent>

function newAgent(sim: Simulation, start: Start): ModelAgent {
  const agent: ModelAgent = {
    parentId: null,
    depth: 0,
    wallet: null,
    hasEin: false,
    model: null,
    modelAtIssuance: null,
    status: 'ACTIVE',
    transferred: false,
    fleetId: null,
    attestedAt: undefined,
    tokens: [],
    ...start,
  }
  sim.model.agents.set(agent.id, agent)
  return agent
}

/** The agent's newest credential; the ones before it stop working. */
export function handOut({ model }: Simulation, agent: ModelAgent, text: string): void {
  const { id: agentId, expiresAt } = agent
  agent.tokens.push({ text, agentId, issuedAt: model.now, expiresAt })
}

export async function addAgent(sim: Simulation): Promise<void> {
  const { random, model, world } = sim
  const operator = random.pick([...model.operators.values()])
  const legalName: Text = random.chance(0.8) ? operator.name : random.pick(OPERATOR_NAMES)
  const wallet = random.chance(0.4) ? random.pick(OPERATOR_WALLETS) : null
  const malformed = random.chance(0.04) ? random.pick(MALFORMED_OPERATOR_WALLETS) : undefined
  const type = random.chance(0.5) ? ('autonomous' as const) : ('supervised' as const)
  const hasEin = random.chance(0.6)
  const modelName = random.chance(0.5) ? 'model-1' : null
  const change = drawPolicy(random, 0.15, true)
  const fleetId = random.chance(0.4) ? fleetFor(sim, operator.id) : null
  sim.note = `addAgent ${operator.id} ${type}`
  const body = {
    agentName: 'payer',
    agentType: type,
    operatorLegalName: legalName.text,
    purpose: 'simulated payments',
    operatorEIN: hasEin ? '12-3456789' : ' ',
    underlyingModel: modelName,
    operatorWallet: malformed ?? wallet?.text ?? null,
    spendPolicy: change,
    fleetId,
  }
  const expected =
    malformed !== undefined
      ? 'invalid_request'
      : (sim.refusal(legalName, wallet) ?? foreignFleet(sim, operator.id, fleetId))
  const caller = await world.caller(operator.id)
  const done = (await sim.attempt(expected, () => registerAgent(world.env, body, caller)))?.body
  if (done === undefined) return
  const agent = newAgent(sim, {
    id: done.agentId,
    operatorId: operator.id,
    type,
    legalName,
    wallet,
    hasEin,
    model: modelName,
    modelAtIssuance: modelName,
    policy: mergePolicy({}, change),
    fleetId,
    expiresAt: model.now + LIFETIME.agent,
  })
  handOut(sim, agent, done.token)
}

/** Mostly one of the operator's own. */
export function fleetFor({ random, model }: Simulation, operatorId: string): string | null {
  const fleets = [...model.fleets.values()]
  const own = fleets.filter((fleet) => fleet.operatorId === operatorId)
  if (own.length > 0 && random.chance(0.9)) return random.pick(own).id
  if (fleets.length > 0 && random.chance(0.3)) return random.pick(fleets).id
  return random.chance(0.3) ? 'flt_nobody' : null
}

export const foreignFleet = ({ model }: Simulation, operatorId: string, fleetId: string | null) =>
  fleetId === null || model.fleets.get(fleetId)?.operatorId === operatorId
    ? undefined
    : 'invalid_request'

export async function addDelegate(sim: Simulation): Promise<void> {
  const { random, model, world } = sim
  const parent = sim.anyAgent()
  const operatorId = sim.operatorFor(parent)
  const chain = model.chainOf(parent.id)
  const latest = Math.min(...chain.map(({ expiresAt }) => expiresAt))
  const change = drawPolicy(random, 0.12, true)
  const policy = mergePolicy({}, change)
  const expiresAt = random.chance(0.2) ? latest + random.pick([-86_400_000, 0, 1]) : undefined
  const bearer = random.chance(0.3) ? random.pick(parent.tokens) : undefined
  sim.note = `addDelegate of ${parent.id} ${JSON.stringify(change)}`
  const body = {
    ...(bearer === undefined ? { parentAgentId: parent.id } : { parentToken: bearer.text }),
    agentName: 'delegate',
    purpose: 'simulated payments',
    spendPolicy: change,
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
  }
  const expected =
    (bearer !== undefined && !isCurrent(bearer, model.now) ? 'invalid_request' : undefined) ??
    (expiresAt !== undefined && expiresAt <= model.now ? 'invalid_request' : undefined) ??
    expectParent(parent, operatorId, bearer) ??
    expectMint(chain, model.now, expiresAt, policy)
  const caller = await world.caller(operatorId)
  const done = (await sim.attempt(expected, () => createDelegate(world.env, body, caller)))?.body
  if (done === undefined) return
  const delegate = newAgent(sim, {
    ...parent,
    id: done.agentId,
    parentId: parent.id,
    depth: parent.depth + 1,
    modelAtIssuance: parent.modelAtIssuance,
    policy,
    status: 'ACTIVE',
    transferred: false,
    attestedAt: undefined,
    expiresAt: expiresAt ?? latest,
    tokens: [],
  })
  handOut(sim, delegate, done.token)
}

const isCurrent = (token: ModelToken, now: number): boolean =>
  Math.floor(token.expiresAt / 1_000) > Math.floor(Math.max(now, token.issuedAt) / 1_000)

/** Another operator's is not there; but who holds its token knows that it is. */
function expectParent(parent: ModelAgent, operatorId: string, bearer: ModelToken | undefined) {
  if (parent.operatorId !== operatorId) return bearer === undefined ? 'not_found' : 'forbidden'
  return bearer === undefined || bearer === parent.tokens.at(-1) ? undefined : 'invalid_request'
}

function expectMint(
  chain: readonly ModelAgent[],
  now: number,
  expiresAt: number | undefined,
  policy: Policy,
) {
  const fallen = chain.some((link) => link.status !== 'ACTIVE' || link.expiresAt <= now)
  if (fallen) return 'invalid_transition'
  if (chain[0]!.depth >= 3) return 'delegation_depth_exceeded'
  if (chain.some((link) => expiresAt !== undefined && expiresAt > link.expiresAt)) {
    return 'invalid_request'
  }
  const parents = chain.map((link) => link.policy)
  return widens(parents, policy) ? 'policy_widening' : undefined
}

export async function addFleet(sim: Simulation): Promise<void> {
  const { random, model, world } = sim
  const operator = random.pick([...model.operators.values()])
  const limit = random.pick([500, 1_000.01, 3_000, 50_000])
  sim.note = `addFleet ${operator.id} ${limit}`
  const body = { fleetName: 'fleet', operatorLegalName: operator.name.text, dailyLimitUSDC: limit }
  const caller = await world.caller(operator.id)
  const expected = sim.refusal(operator.name)
  const done = (await sim.attempt(expected, () => createFleet(world.env, body, caller)))?.body
  if (done === undefined) return
  const { fleetId: id } = done
  model.fleets.set(id, { id, operatorId: operator.id, limit: microOf(limit), suspended: false })
}

export async function changeFleet(sim: Simulation): Promise<void> {
  const { random, model, world } = sim
  if (model.fleets.size === 0) return addFleet(sim)
  const fleet = random.pick([...model.fleets.values()])
  const operatorId = random.chance(0.95)
    ? fleet.operatorId
    : random.pick([...model.operators.keys()])
  const limit = random.chance(0.6) ? random.pick([0, 400, 1_000, 2_500.5, 50_000]) : undefined
  const suspend = random.chance(0.5) ? !fleet.suspended && random.chance(0.25) : undefined
  sim.note = `changeFleet ${fleet.id} ${limit} ${suspend}`
  const body = {
    ...(limit !== undefined && { dailyLimitUSDC: limit }),
    ...(suspend !== undefined && {
      status: suspend ? ('SUSPENDED' as const) : ('ACTIVE' as const),
    }),
  }
  const expected = fleet.operatorId === operatorId ? undefined : 'not_found'
  const caller = await world.caller(operatorId)
  await sim.attempt(expected, () => updateFleet(world.env, fleet.id, body, caller))
  if (expected !== undefined) return
  if (limit !== undefined) fleet.limit = microOf(limit)
  if (suspend !== undefined) fleet.suspended = suspend
}

export async function addUser(sim: Simulation): Promise<void> {
  const { random, model, world } = sim
  const agent = sim.anyAgent()
  const operatorId = sim.operatorFor(agent)
  const name = random.chance(0.7) ? random.pick(HONEST_NAMES) : random.pick(DOUBTFUL_NAMES)
  sim.note = `addUser ${agent.id} ${name.text}`
  const expected =
    agent.operatorId !== operatorId
      ? 'not_found'
      : agent.type === 'autonomous'
        ? 'autonomous_agent'
        : sim.refusal(name)
  const body = { userLegalName: name.text, userRole: 'buyer', agentId: agent.id }
  const caller = await world.caller(operatorId)
  const done = (await sim.attempt(expected, () => registerUser(world.env, body, caller)))?.body
  if (done === undefined) return
  const expiresAt = model.now + LIFETIME.user
  model.users.push({ token: done.token, agentId: agent.id, name, expiresAt })
}

export async function changeOperatorWallet(sim: Simulation): Promise<void> {
  const { random, model, world } = sim
  const operator = random.pick([...model.operators.values()])
  const wallet = random.pick(OPERATOR_WALLETS)
  const malformed = random.chance(0.1) ? random.pick(MALFORMED_OPERATOR_WALLETS) : undefined
  sim.note = `changeOperatorWallet ${operator.id} ${malformed ?? wallet.text}`
  const expected = malformed === undefined ? sim.refusal(wallet) : 'invalid_request'
  const body = { wallet: malformed ?? wallet.text }
  const caller = await world.caller(operator.id)
  await sim.attempt(expected, () => updateOperator(world.env, body, caller))
  if (expected === undefined) operator.wallet = wallet
}
