/** `stop` comes to its end whatever was under way: nobody who embeds the service waits for ever. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import pino from 'pino'
import { startTestService, tempDir } from '../../../test/support/service.ts'

const MAIN = new URL('../src/main.ts', import.meta.url).href
const CONFIG = new URL('../src/config.ts', import.meta.url).href

/** A process of its own: one that waits for a timer that does not keep it alive just ends. */
const EMBEDDED = `
  import { readConfig } from '${CONFIG}'
  import { startService } from '${MAIN}'
  const service = await startService(readConfig(process.env))
  await service.stop()
  process.stdout.write('stopped')
`

for (const sync of ['on', 'off']) {
  test(`a service stops by itself, synchronisation ${sync}`, async () => {
    const dataDir = tempDir()
    const child = spawn(process.execPath, ['--input-type=module', '--eval', EMBEDDED], {
      env: {
        DATA_DIR: dataDir,
        PORT: '0',
        LOG_LEVEL: 'silent',
        LISTS_SYNC: sync,
        // Nobody listens there.
        LISTS_BASE_URL: 'http://127.0.0.1:9',
      },
    })
    let said = ''
    child.stdout.on('data', (part: Buffer) => (said += part.toString()))
    const [code] = (await once(child, 'close')) as [number | null]
    rmSync(dataDir, { recursive: true, force: true })
    assert.deepEqual({ code, said }, { code: 0, said: 'stopped' })
  })
}

test('a re-screening that is about to begin does not run into the closed store', async () => {
  const lines: string[] = []
  const stream = new Writable({
    write(line: Buffer, _encoding, done) {
      lines.push(line.toString())
      done()
    },
  })
  const api = await startTestService({}, { logger: pino({ level: 'error' }, stream) })
  const ticked = api.service.rescreening.tick()
  await api.stop()
  await ticked
  assert.deepEqual(lines, [])
})

const BEGUN = [
  'GET /v1/hea',
  'POST /v1/receipts/verify HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
]

/** Asks for health, so that the service has read what came after it too. */
async function sendAfterHealth(url: string, text: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
  socket.on('error', () => undefined)
  socket.write(`GET /v1/health HTTP/1.1\r\nhost: x\r\n\r\n${text}`)
  await once(socket, 'data')
  return socket
}

test('callers who never end what they began do not keep the service from stopping', async () => {
  const api = await startTestService({}, { closingMs: 200 })
  const sockets = await Promise.all(BEGUN.map((text) => sendAfterHealth(api.url, text)))
  await api.stop()
  for (const socket of sockets) socket.destroy()
})
