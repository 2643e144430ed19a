/** A small HTTP client for tests: sends exactly what it is told, and reads what comes. */
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'

/** What an error answer may carry; every member is read by some test. */
export interface ErrorAnswer {
  readonly error: string
  readonly message: string
  readonly requestId: string
  readonly field?: string
  readonly checkoutUrl?: string
  readonly upgradeUrl?: string
}

export interface Reply<Body> {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Body
}

export interface Call {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as it is; an object is sent as JSON. */
  readonly body?: string | Buffer | object
  readonly agent?: Agent
}

const keepAlive = new Agent({ keepAlive: true, maxSockets: 64 })

/** Closes idle connections, so that a test process can end. */
export const closeConnections = (): void => keepAlive.destroy()

export async function call<Body = ErrorAnswer>(
  url: string,
  options: Call = {},
): Promise<Reply<Body>> {
  const { body, agent = keepAlive } = options
  const bytes = bytesOf(body)
  const method = options.method ?? (bytes === undefined ? 'GET' : 'POST')
  const headers: Record<string, string> = {
    ...(bytes !== undefined && {
      'content-type': 'application/json',
      'content-length': String(bytes.length),
    }),
    ...options.headers,
  }
  for (const [name, value] of Object.entries(headers)) if (value === '') delete headers[name]
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const { statusCode: status = 0, headers: received } = response
        resolve({ status, headers: received, text, body: parsed(text) as Body })
      })
    })
    request.on('error', reject)
    request.end(bytes)
  })
}

function bytesOf(body: Call['body']): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
