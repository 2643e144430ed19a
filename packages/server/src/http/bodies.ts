/** Request bodies as bytes to values: UTF-8, strict JSON, or a clear 4xx that names the field. */
import { TextDecoder } from 'node:util'
import { invalidField, JsonRefused, parseStrictJson, ServiceError } from '@portcullis/protocol'
import type { FastifyRequest } from 'fastify'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Throws `unsupported_media_type` for an encoding or charset that would hide the text from us. */
export function refuseForeignEncoding({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1]
  const plain = encoding === undefined || encoding.toLowerCase() === 'identity'
  if (plain && (charset === undefined || /^utf-?8$/i.test(charset))) return
  throw new ServiceError('unsupported_media_type')
}

/** Throws `invalid_json`, or `invalid_request` when one field is to blame. */
export function parseBody(bytes: Buffer): unknown {
  try {
    return parseStrictJson(utf8.decode(bytes))
  } catch (error) {
    if (error instanceof JsonRefused) throw explain(error)
    if (error instanceof TypeError) {
      throw new ServiceError('invalid_json', { message: 'the body is not UTF-8' })
    }
    throw error
  }
}

function explain({ member, message }: JsonRefused): ServiceError {
  if (member !== undefined && member !== '') return invalidField(member, message)
  return new ServiceError('invalid_json', { message: `the body was refused: ${message}` })
}
