/** Callers who connect together are served together. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, Server, type Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { arrivals } from '../src/http/arrivals.ts'

const CALLERS = 24

test('nobody is served while another who connected at the same time still waits', async () => {
  const server = createServer()
  const whenArrived = arrivals(server)
  let connected = 0
  const connectedWhenServed: number[] = []
  server.on('connection', () => connected++)
  server.on('request', (_request, response) => {
    whenArrived(() => {
      connectedWhenServed.push(connected)
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const callers = Array.from({ length: CALLERS }, () => call(port))
  await Promise.all(callers.map((socket) => once(socket, 'data')))
  assert.deepEqual(connectedWhenServed, new Array(CALLERS).fill(CALLERS))
  for (const socket of callers) socket.destroy()
  server.close()
})

function call(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  return socket
}

test('on a connection that stands, a request is served at once', async () => {
  const server = new Server()
  const whenArrived = arrivals(server)
  server.emit('connection')
  await turn()
  await turn()
  let served = false
  whenArrived(() => (served = true))
  assert.equal(served, true)
})

test('connections without end hold nobody up for ever', async () => {
  const server = new Server()
  const whenArrived = arrivals(server)
  let served = false
  for (let turns = 0; turns < 400 && !served; turns++) {
    server.emit('connection')
    if (turns === 1) whenArrived(() => (served = true))
    await turn()
  }
  assert.equal(served, true)
})
