/** What every error answer has, whatever went wrong. */
import assert from 'node:assert/strict'
import { ERRORS, type ErrorCode } from '@portcullis/protocol'
import type { ErrorAnswer, Reply } from './http.ts'

/** Asserts status, code, a sentence, and the request id of the header in the body. */
export function assertError(
  reply: Reply<Partial<ErrorAnswer>>,
  code: ErrorCode,
  { field, message }: { field?: string; message?: RegExp } = {},
): void {
  const { status, headers, body, text } = reply
  assert.equal(status, ERRORS[code].status, text)
  assert.equal(body.error, code, text)
  assert.match(body.message ?? '', message ?? /\S/)
  assert.match(body.requestId ?? '', /^req_[0-9a-f-]{36}$/)
  assert.equal(headers['x-request-id'], body.requestId)
  assert.match(headers['content-type'] ?? '', /^application\/json/)
  assert.equal(body.field, field, text)
}
