/** Errors to responses, in this one place. */
import { ERRORS, type ErrorCode, ServiceError } from '@portcullis/protocol'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { failureOf } from './request-log.ts'

/** What the framework raises by itself, in our words. */
const FRAMEWORK_ERRORS: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_REOPENED_CLOSE_SERVER: 'shutting_down',
}

/** The body of every error: code, sentence, request id, field to blame, and what the spec adds. */
export function errorBody(error: ServiceError, requestId: string) {
  const { code, message, field, extra } = error
  return { error: code, message, requestId, ...(field === undefined ? {} : { field }), ...extra }
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const expected = asServiceError(error as FastifyError)
  if (expected.status >= 500) {
    // The reason stays inside; the caller gets the request id to ask with.
    request.log.error(
      { requestId: request.id, err: error, cause: causeOf(error) },
      'request failed',
    )
  }
  if (expected.code === 'unauthorized') reply.header('www-authenticate', 'Bearer')
  request.failure = failureOf(expected)
  reply.headers(expected.headers).code(expected.status).send(errorBody(expected, request.id))
}

const causeOf = (error: unknown): string | undefined =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined

function asServiceError(error: FastifyError): ServiceError {
  if (error instanceof ServiceError) return error
  if (error.validation !== undefined) return validationError(error)
  const code = FRAMEWORK_ERRORS[error.code]
  if (code !== undefined) return new ServiceError(code)
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new ServiceError('invalid_request', { message: error.message })
  }
  return new ServiceError('internal_error', { message: ERRORS.internal_error.message })
}

/** The first thing that a schema did not like, as the name of a field and a sentence. */
function validationError({ validation = [] }: FastifyError): ServiceError {
  const [problem] = validation
  const path = (problem?.instancePath ?? '').slice(1).replaceAll('/', '.')
  const params = problem?.params ?? {}
  const member = params['missingProperty'] ?? params['additionalProperty']
  const field = [path, member].filter((part) => part !== undefined && part !== '').join('.')
  if (field === '') {
    const message =
      problem?.keyword === 'minProperties' ? 'the body names no field to change' : undefined
    if (message !== undefined) return new ServiceError('invalid_request', { message })
    return new ServiceError('invalid_json', { message: 'the body must be a JSON object' })
  }
  return new ServiceError('invalid_request', {
    field,
    message: `\`${field}\` ${sentence(problem?.keyword, params, problem?.message ?? 'is not valid')}`,
  })
}

function sentence(
  keyword: string | undefined,
  params: Record<string, unknown>,
  fallback: string,
): string {
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return 'is not a known field'
    case 'type':
      return `must be ${[params['type']].flat().join(' or ')}`
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).map(String).join(', ')}`
    default:
      return fallback
  }
}
