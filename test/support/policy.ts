/** The calls of a test on what an operator can grant, narrow, suspend and prove of its agents. */
import assert from 'node:assert/strict'
import type {
  AgentView,
  Attestation,
  AuditRecord,
  CreateDelegateResponse,
  FleetView,
  OperatorView,
  RegisterAgentResponse,
  RegisterUserResponse,
  SpendPolicyChange,
} from '@portcullis/protocol'
import { assertError } from './errors.ts'
import type { ErrorAnswer, Reply } from './http.ts'
import { bearer, type Party, type TestService } from './service.ts'

export type Headers = Readonly<Record<string, string>>
type Body = object | string
/** Who calls: the operator of a party. */
export type Owner = Pick<Party, 'operatorToken'>

/** An error that names several fields, or brings the record that stands in the way. */
export interface PolicyError extends ErrorAnswer {
  readonly fields?: readonly string[]
  readonly record?: AuditRecord
}
export type PolicyReply<Answer> = Reply<Answer & PolicyError>

export interface Listing<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

export interface PolicyAnswer {
  readonly agentId: string
  readonly spendPolicy: SpendPolicyChange
  readonly updatedAt: string
}

type Api = Pick<TestService, 'call' | 'registerAgent'>

export function policyCalls(api: Api) {
  const send = <Answer>(
    { operatorToken }: Owner,
    method: string,
    path: string,
    body?: Body,
    headers: Headers = {},
  ): Promise<PolicyReply<Answer>> =>
    api.call(path, {
      method,
      headers: { ...bearer(operatorToken), ...headers },
      ...(body !== undefined && { body }),
    })
  const agents = agentCalls(send)
  return {
    send,
    ...agents,
    me: (owner: Owner) => send<OperatorView>(owner, 'GET', '/v1/operators/me'),
    patchMe: (owner: Owner, body: Body) =>
      send<OperatorView>(owner, 'PATCH', '/v1/operators/me', body),
    createFleet: (owner: Owner, body: Body = {}, headers: Headers = {}) =>
      send<FleetView>(owner, 'POST', '/v1/fleets/create', withDefaults(A_FLEET, body), headers),
    fleet: (owner: Owner, id: string) => send<FleetView>(owner, 'GET', `/v1/fleets/${id}`),
    fleets: (owner: Owner, query = '') =>
      send<Listing<FleetView>>(owner, 'GET', `/v1/fleets${query}`),
    patchFleet: (owner: Owner, id: string, body: Body) =>
      send<FleetView>(owner, 'PATCH', `/v1/fleets/${id}`, body),
    review: (owner: Owner, txnId: string, body: Body, headers: Headers = {}) =>
      send<AuditRecord>(owner, 'POST', `/v1/reviews/${txnId}`, body, headers),
    /** Another agent of the same operator, ready to screen. */
    async agentOf(party: Party, body: object = {}): Promise<Party> {
      const { status, body: agent, text } = await api.registerAgent(party, body)
      assert.equal(status, 201, text)
      return { ...party, agentId: agent.agentId, agentToken: agent.token }
    },
    /** A delegate of the party's agent, ready to screen. */
    async delegateOf(parent: Party, body: object = {}): Promise<Party> {
      const minted = await agents.delegate(parent, { parentAgentId: parent.agentId, ...body })
      assert.equal(minted.status, 201, minted.text)
      return { ...parent, agentId: minted.body.agentId, agentToken: minted.body.token }
    },
  }
}

type Send = <Answer>(
  owner: Owner,
  method: string,
  path: string,
  body?: Body,
  headers?: Headers,
) => Promise<PolicyReply<Answer>>

function agentCalls(send: Send) {
  return {
    agent: (owner: Owner, id: string) => send<AgentView>(owner, 'GET', `/v1/agents/${id}`),
    agents: (owner: Owner, query = '') =>
      send<Listing<AgentView>>(owner, 'GET', `/v1/agents${query}`),
    patchAgent: (party: Party, body: Body, id = party.agentId) =>
      send<AgentView>(party, 'PATCH', `/v1/agents/${id}`, body),
    patchPolicy: (party: Party, body: Body, id = party.agentId) =>
      send<PolicyAnswer>(party, 'PATCH', `/v1/agents/${id}/spend-policy`, body),
    reissue: (party: Party, headers: Headers = {}, id = party.agentId) =>
      send<RegisterAgentResponse>(party, 'POST', `/v1/agents/${id}/reissue`, undefined, headers),
    attest: (party: Party, body: Body = AN_ATTESTATION, id = party.agentId) =>
      send<Attestation & { agentId: string }>(party, 'POST', `/v1/agents/${id}/attest`, body),
    delegate: (owner: Owner, body: Body, headers: Headers = {}) =>
      send<CreateDelegateResponse>(
        owner,
        'POST',
        '/v1/delegates/create',
        withDefaults(A_DELEGATE, body),
        headers,
      ),
    registerUser: (party: Party, body: Body = {}, headers: Headers = {}) =>
      send<RegisterUserResponse>(
        party,
        'POST',
        '/v1/users/register',
        withDefaults({ ...A_USER, agentId: party.agentId }, body),
        headers,
      ),
  }
}

const withDefaults = (defaults: object, body: Body): Body =>
  typeof body === 'string' ? body : { ...defaults, ...body }

export const A_FLEET = {
  fleetName: 'Night shift',
  operatorLegalName: 'Example Robotics',
  dailyLimitUSDC: 100,
}
export const A_DELEGATE = { agentName: 'Errand agent', purpose: 'paying for one errand' }
export const A_USER = { userLegalName: 'Wilhelmina Oakenfold', userRole: 'treasurer' }
export const AN_ATTESTATION = { attestedBy: 'E-1041', note: 'looked at the day' }

/** Two answers that nobody can tell apart: what is another's looks like what does not exist. */
export function assertSameAnswer(one: Reply<unknown>, other: Reply<unknown>): void {
  const told = ({ status, headers, text }: Reply<unknown>) => {
    const { date: _date, 'x-request-id': id, ...rest } = headers
    return { status, rest, text: text.replace(String(id), 'req') }
  }
  assert.deepEqual(told(one), told(other))
}

interface Route {
  readonly method: string
  readonly path: string
  readonly token: string
}

/** What every route for operators answers to a body that is none, and to a stranger. */
export async function assertRefusesBadBodies(api: Api, route: Route): Promise<void> {
  const { method, path, token } = route
  const send = (body: string | Buffer, headers: Headers = {}) =>
    api.call(path, { method, body, headers: { ...bearer(token), ...headers } })
  assertError(await send('{'), 'invalid_json')
  assertError(await send('[]'), 'invalid_json')
  assertError(await send('{"a":1,"a":1}'), 'invalid_json')
  assertError(await send(Buffer.alloc(65_537, 32)), 'payload_too_large')
  assertError(await send('{}', { 'content-type': 'text/plain' }), 'unsupported_media_type')
  await assertRefusesStrangers(api, route, '{}')
}

/** Without a credential, and with one that is no operator's. */
export async function assertRefusesStrangers(
  api: Api,
  { method, path, token }: Route,
  body?: string,
): Promise<void> {
  const send = (headers: Headers) =>
    api.call(path, { method, headers, ...(body !== undefined && { body }) })
  assertError(await send({}), 'unauthorized')
  assertError(await send(bearer('x.y.z')), 'unauthorized')
  const end = token.endsWith('AA') ? 'BB' : 'AA'
  assertError(await send(bearer(token.slice(0, -2) + end)), 'unauthorized')
}
