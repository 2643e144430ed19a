/** A short function for each line of the endpoint table; the compiler sees that none is missing. */
import {
  type EndpointName,
  ERRORS,
  numericDate,
  type RegisterAgentRequest,
  type RegisterOperatorRequest,
  type ScreenRequest,
  type SpendPolicyChange,
} from '@portcullis/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { registerAgent, updateSpendPolicy } from '../app/agents.ts'
import { readAuditRecord } from '../app/audit.ts'
import { demoScreen, type DemoScenario } from '../app/demo.ts'
import type { Answer, Caller, Env } from '../app/env.ts'
import { health } from '../app/health.ts'
import { registerOperator } from '../app/operators.ts'
import { verifyReceipt } from '../app/receipts.ts'
import { type QuotaState, screen } from '../app/screen.ts'
import { idempotencyKey } from './gate.ts'

/** Keys and health may be kept for a moment; nothing else may be kept at all. */
const JWKS_CACHE = 'public, max-age=300'

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown

export function handlers(env: Env): Record<EndpointName, Handler> {
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
    async registerAgent(request, reply) {
      const body = request.body as RegisterAgentRequest
      return send(reply, await registerAgent(env, body, callerOf(env, request)))
    },
    updateSpendPolicy(request) {
      const { agentId } = request.params as { agentId: string }
      const change = request.body as SpendPolicyChange
      return updateSpendPolicy(env, agentId, change, callerOf(env, request))
    },
    async screen(request, reply) {
      const { status, body } = await screen(
        env,
        request.body as ScreenRequest,
        callerOf(env, request),
      )
      quotaHeaders(reply, body.quota)
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

/** `Reset` is in seconds since the epoch; an unlimited plan says so in words. */
function quotaHeaders(reply: FastifyReply, { limit, remaining, resetsAt }: QuotaState): void {
  reply.header('x-ratelimit-limit', limit ?? 'unlimited')
  reply.header('x-ratelimit-remaining', remaining ?? 'unlimited')
  reply.header('x-ratelimit-reset', numericDate(resetsAt))
}
