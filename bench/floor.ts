/**
 * The floor: what no service of this kind can leave out. Plain node:http that parses the JSON,
 * verifies the ES256 signature of the token (every time, nothing remembered), signs once, and
 * inserts one row durably. No routing, no validation, no lists, no rules.
 *
 * `--commit each` makes one commit for each request; `--commit group` shares one among those that
 * arrive together, as the service does.
 */
import { generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { commit: { type: 'string', default: 'each' } } })
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const dsaEncoding = 'ieee-p1363'

const db = new DatabaseSync(join(process.env['DATA_DIR'] ?? '.', 'floor.sqlite'))
db.exec(`
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table screens (seq integer primary key, id text not null, body text not null, receipt text not null);
`)
const insert = db.prepare('insert into screens (id, body, receipt) values (?, ?, ?)')

type Row = readonly [id: string, body: string, receipt: string]
type Commit = (row: Row, committed: () => void) => void

const commitEach: Commit = (row, committed) => {
  insert.run(...row)
  committed()
}

const queue: { readonly row: Row; readonly committed: () => void }[] = []

const commitTogether: Commit = (row, committed) => {
  if (queue.push({ row, committed }) === 1) setImmediate(flush)
}

function flush(): void {
  const batch = queue.splice(0)
  db.exec('begin immediate')
  for (const { row } of batch) insert.run(...row)
  db.exec('commit')
  for (const { committed } of batch) committed()
}

const commit = values.commit === 'group' ? commitTogether : commitEach

function screen(text: string, response: ServerResponse): void {
  const { token, amount } = JSON.parse(text) as { token: string; amount: number }
  if (!genuine(token)) return answer(response, 401, { error: 'unauthorized' })
  const id = randomUUID()
  const receipt = signed({ iss: 'floor', id, verdict: 'CLEAR', amount, at: Date.now() })
  commit([id, text, receipt], () => answer(response, 200, { verdict: 'CLEAR', id, receipt }))
}

function genuine(token: string): boolean {
  const end = token.lastIndexOf('.')
  const signature = Buffer.from(token.slice(end + 1), 'base64url')
  const input = Buffer.from(token.slice(0, end), 'ascii')
  return verify('sha256', input, { key: publicKey, dsaEncoding }, signature)
}

function signed(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const input = `${part({ alg: 'ES256', typ: 'JWT' })}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(input, 'ascii'), { key: privateKey, dsaEncoding })
  return `${input}.${signature.toString('base64url')}`
}

function answer(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

/** A token as long as an agent credential, so that both servers check and hash as much. */
const tokenForEverybody = () => signed({ sub: 'agt_floor', vc: 'x'.repeat(620) })

function serve(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/v1/health') return answer(response, 200, {})
  if (request.url === '/token') return answer(response, 200, { token: tokenForEverybody() })
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => screen(Buffer.concat(parts).toString('utf8'), response))
}

const server = createServer(serve).listen(Number(process.env['PORT']), '127.0.0.1')
process.on('SIGTERM', () => {
  server.close(() => process.exit(0))
  server.closeAllConnections()
})
