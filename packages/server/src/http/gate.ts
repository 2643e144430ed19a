/** Who is calling: the operator behind the Bearer credential; and the headers that matter. */
import { parseOperatorId, ServiceError, invalidField } from '@portcullis/protocol'
import type { FastifyRequest } from 'fastify'
import type { Env } from '../app/env.ts'
import type { Operator } from '../app/records.ts'

const BEARER = /^Bearer ([^\s]+)$/i

/** Throws `unauthorized` unless the header carries a current credential of an operator we know. */
export async function authenticate(env: Env, { headers }: FastifyRequest): Promise<Operator> {
  const token = BEARER.exec(headers.authorization ?? '')?.[1]
  if (token === undefined) throw new ServiceError('unauthorized')
  const reading = env.credentials.read(token, ['operator'], env.clock.now())
  if (reading.status !== 'VALID') throw new ServiceError('unauthorized')
  const operatorId = parseOperatorId(reading.claims.sub)
  const operator = operatorId && (await env.store.findOperator(operatorId))
  const current = operator?.status === 'ACTIVE' && operator.credentialId === reading.claims.jti
  if (operator === undefined || !current) throw new ServiceError('unauthorized')
  return operator
}

/** 1 to 255 printable ASCII characters; undefined when not given. */
export function idempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw invalidField('Idempotency-Key', 'must be 1 to 255 printable ASCII characters')
}
