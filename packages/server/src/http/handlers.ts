/** One short function for each line of the endpoint table; the compiler misses none. */
import type {
  AgentChange,
  AlertChange,
  AlertsRequest,
  AttestRequest,
  CreateDelegateRequest,
  CreateFleetRequest,
  EndpointName,
  FleetChange,
  OperatorChange,
  Page,
  RegisterAgentRequest,
  RegisterOperatorRequest,
  RegisterUserRequest,
  ReviewRequest,
  ReviewsRequest,
  ScreenRequest,
  SpendPolicyChange,
} from '@portcullis/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { attestAgent, reissueAgent, updateAgent } from '../app/parties/agent-lifecycle.ts'
import {
  listAgents,
  readOwnAgent,
  registerAgent,
  updateSpendPolicy,
} from '../app/parties/agents.ts'
import { decideAlert, listAlerts } from '../app/history/alerts.ts'
import { readAuditRecord } from '../app/audit/audit.ts'
import { createDelegate } from '../app/parties/delegates.ts'
import { demoScreen, type DemoScenario } from '../app/screening/demo.ts'
import type { Answer, Caller, Env } from '../app/env.ts'
import { createFleet, listFleets, readOwnFleet, updateFleet } from '../app/parties/fleets.ts'
import { health } from '../app/health.ts'
import { registerOperator, updateOperator, viewOperator } from '../app/parties/operators.ts'
import { verifyReceipt } from '../app/screening/receipts.ts'
import { caseFile, listReviews } from '../app/reviews/review-queue.ts'
import { review } from '../app/reviews/reviews.ts'
import { quotaHeaders } from '../app/screening/quota.ts'
import { screen } from '../app/screening/screen.ts'
import { registerUser } from '../app/parties/users.ts'
import { ERRORS } from '@portcullis/protocol'
import { auditLogHandlers } from './audit-handlers.ts'
import { idempotencyKey } from './gate.ts'

/** Keys and health may be kept for a moment; nothing else may be kept at all. */
const JWKS_CACHE = 'public, max-age=300'

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown

type Handlers<Name extends EndpointName> = Pick<Record<EndpointName, Handler>, Name>

export const handlers = (env: Env): Record<EndpointName, Handler> => ({
  ...operatorHandlers(env),
  ...agentHandlers(env),
  ...fleetHandlers(env),
  ...screenHandlers(env),
  ...auditLogHandlers(env, callerOf),
  ...reviewHandlers(env),
  ...publicHandlers(env),
})

type OperatorNames = 'registerOperator' | 'readOperator' | 'updateOperator'

function operatorHandlers(env: Env): Handlers<OperatorNames> {
  return {
    async registerOperator(request, reply) {
      const caller = {
        requestId: request.id,
        address: request.ip,
        now: env.clock.now(),
        idempotencyKey: idempotencyKey(request),
      }
      return send(
        reply,
        await registerOperator(env, request.body as RegisterOperatorRequest, caller),
      )
    },
    readOperator: (request) => viewOperator(callerOf(env, request).operator),
    updateOperator: (request) =>
      updateOperator(env, request.body as OperatorChange, callerOf(env, request)),
  }
}

type AgentNames =
  | 'registerAgent'
  | 'listAgents'
  | 'readAgent'
  | 'updateAgent'
  | 'updateSpendPolicy'
  | 'reissueAgent'
  | 'attestAgent'
  | 'createDelegate'
  | 'registerUser'

function agentHandlers(env: Env): Handlers<AgentNames> {
  const agentId = (request: FastifyRequest) => (request.params as { agentId: string }).agentId
  return {
    async registerAgent(request, reply) {
      const body = request.body as RegisterAgentRequest
      return send(reply, await registerAgent(env, body, callerOf(env, request)))
    },
    listAgents: (request) => listAgents(env, request.query as Page, callerOf(env, request)),
    readAgent: (request) => readOwnAgent(env, agentId(request), callerOf(env, request)),
    updateAgent(request) {
      return updateAgent(env, agentId(request), request.body as AgentChange, callerOf(env, request))
    },
    updateSpendPolicy(request) {
      const change = request.body as SpendPolicyChange
      return updateSpendPolicy(env, agentId(request), change, callerOf(env, request))
    },
    async reissueAgent(request, reply) {
      return send(reply, await reissueAgent(env, agentId(request), callerOf(env, request)))
    },
    attestAgent(request) {
      const body = request.body as AttestRequest
      return attestAgent(env, agentId(request), body, callerOf(env, request))
    },
    async createDelegate(request, reply) {
      const body = request.body as CreateDelegateRequest
      return send(reply, await createDelegate(env, body, callerOf(env, request)))
    },
    async registerUser(request, reply) {
      const body = request.body as RegisterUserRequest
      return send(reply, await registerUser(env, body, callerOf(env, request)))
    },
  }
}

function fleetHandlers(
  env: Env,
): Handlers<'createFleet' | 'listFleets' | 'readFleet' | 'updateFleet'> {
  const fleetId = (request: FastifyRequest) => (request.params as { fleetId: string }).fleetId
  return {
    async createFleet(request, reply) {
      const body = request.body as CreateFleetRequest
      return send(reply, await createFleet(env, body, callerOf(env, request)))
    },
    listFleets: (request) => listFleets(env, request.query as Page, callerOf(env, request)),
    readFleet: (request) => readOwnFleet(env, fleetId(request), callerOf(env, request)),
    updateFleet: (request) =>
      updateFleet(env, fleetId(request), request.body as FleetChange, callerOf(env, request)),
  }
}

function screenHandlers(env: Env): Handlers<'screen' | 'demoScreen' | 'auditRecord'> {
  return {
    async screen(request, reply) {
      const { status, body } = await screen(
        env,
        request.body as ScreenRequest,
        callerOf(env, request),
      )
      reply.headers(quotaHeaders(body.quota))
      const { verdict, txnId, ruleTriggered } = body.result
      request.outcome = { verdict, txnId, rule: ruleTriggered }
      if (status === 200) return body.result
      const { message } = ERRORS.missing_token
      reply.code(status)
      return { error: 'missing_token', message, requestId: request.id, ...body.result }
    },
    demoScreen(request) {
      const { scenario } = request.body as { scenario: DemoScenario }
      const { arrivedAt, id: requestId } = request
      return demoScreen(env, scenario, { requestId, arrivedAt, now: env.clock.now() })
    },
    auditRecord(request) {
      const { txnId } = request.params as { txnId: string }
      return readAuditRecord(env, txnId, callerOf(env, request))
    },
  }
}

type ReviewNames = 'listReviews' | 'caseFile' | 'review' | 'listAlerts' | 'decideAlert'

/** The compliance officer's side. */
function reviewHandlers(env: Env): Handlers<ReviewNames> {
  return {
    listReviews: (request) =>
      listReviews(env, request.query as ReviewsRequest, callerOf(env, request)),
    async caseFile(request, reply) {
      const { txnId } = request.params as { txnId: string }
      const file = await caseFile(env, txnId, callerOf(env, request))
      reply.header('content-disposition', `attachment; filename="case-${file.txnId}.json"`)
      return file
    },
    listAlerts: (request) =>
      listAlerts(env, request.query as AlertsRequest, callerOf(env, request)),
    decideAlert(request) {
      const { alertId } = request.params as { alertId: string }
      return decideAlert(env, alertId, request.body as AlertChange, callerOf(env, request))
    },
    review(request) {
      const { txnId } = request.params as { txnId: string }
      return review(env, txnId, request.body as ReviewRequest, callerOf(env, request))
    },
  }
}

function publicHandlers(env: Env): Handlers<'verifyReceipt' | 'health' | 'jwks'> {
  return {
    verifyReceipt: (request) => verifyReceipt(env, (request.body as { receipt: string }).receipt),
    health: () => health(env),
    jwks(_request, reply) {
      reply.header('cache-control', JWKS_CACHE)
      return env.keyring.jwks()
    },
  }
}

function callerOf(env: Env, request: FastifyRequest): Caller {
  const { operator, arrivedAt, id: requestId } = request
  if (operator === undefined) throw new Error('a route for operators was reached without one')
  const now = env.clock.now()
  return { operator, requestId, arrivedAt, now, idempotencyKey: idempotencyKey(request) }
}

const send = (reply: FastifyReply, { status, body }: Answer<unknown>) =>
  reply.code(status).send(body)
