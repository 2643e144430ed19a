/** A caller who closes its side once the request is sent: `nc`, `socket.end(request)`. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startTestService } from '../../../test/support/service.ts'

test('a caller who closes its side once the request is sent gets the answer', async () => {
  const api = await startTestService()
  const body = JSON.stringify({ legalName: 'Example Robotics', email: 'half-closed@example.com' })
  const head = [
    'POST /v1/operators/register HTTP/1.1',
    'host: localhost',
    'content-type: application/json',
    `content-length: ${body.length}`,
  ]
  const socket = connect({ port: Number(new URL(api.url).port), host: '127.0.0.1' })
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  let said = ''
  for await (const part of socket) said += String(part)
  assert.match(said, /^HTTP\/1\.1 201 /)
  await api.stop()
})
