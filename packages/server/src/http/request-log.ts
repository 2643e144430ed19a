/** The one log line of a request; names, wallets, tokens and emails never reach it. */
import {
  ENDPOINTS,
  type ErrorCode,
  isJsonObject,
  requestHash,
  SCREEN_FIELD_NAMES,
  type ServiceError,
} from '@portcullis/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Why a request failed. */
export interface Failure {
  readonly error: ErrorCode
  readonly field?: string
}

/** Code and field, never the sentence nor a field that is not ours: either may quote the body. */
export function failureOf({ code, field }: ServiceError): Failure {
  const ours = field !== undefined && SCREEN_FIELD_NAMES.includes(field)
  return { error: code, ...(ours && { field }) }
}

export const requestLine = (request: FastifyRequest, reply: FastifyReply, ms: number) => ({
  requestId: request.id,
  route: request.routeOptions.url,
  method: request.method,
  status: reply.statusCode,
  ms,
  operatorId: request.operator?.operatorId,
  ...request.outcome,
  ...request.failure,
  ...hashOfFailedScreen(request),
})

/** A screen without a verdict has no record: its log line binds it to what was asked. */
function hashOfFailedScreen({ routeOptions, operator, outcome, body }: FastifyRequest) {
  const failed = routeOptions.url === ENDPOINTS.screen.path && operator && outcome === undefined
  if (!failed || !isJsonObject(body)) return undefined
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  return {
    requestHash: requestHash({
      cpName: text(body['cpName']),
      cpWallet: text(body['cpWallet']),
      amount: body['amount'],
      chain: text(body['chain']),
    }),
  }
}
