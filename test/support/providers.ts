/** A provider of extended lists that speaks the match API of OpenSanctions and yente. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One candidate, in the few members that count. */
export interface Candidate {
  readonly id: string
  readonly caption?: unknown
  readonly score: unknown
  readonly datasets?: unknown
  readonly properties?: unknown
}

export interface ProviderRequest {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: { readonly queries: Readonly<Record<string, unknown>> }
}

type Queries = readonly string[]

/** How it answers; the names of the queries are given. */
export type Answering = (queries: Queries, response: ServerResponse) => void

export interface Provider {
  readonly url: string
  readonly requests: ProviderRequest[]
  /** Until the next {@link reset}. */
  answer(answering: Answering): void
  /** Knows nobody, and forgets what it was asked. */
  reset(): void
  stop(): Promise<void>
}

/** A candidate with these risk topics. */
export const candidate = (score: number, ...topics: string[]): Candidate => ({
  id: `NK-${topics.join('-')}-${score}`,
  caption: 'Brennholt Holdings',
  score,
  datasets: ['test_dataset'],
  properties: { topics, notes: ['the text of an article'] },
})

/** The whole answer: the same candidates for the first query, none for the others. */
export const naming =
  (...candidates: readonly unknown[]): Answering =>
  (queries, response) => {
    const responses = Object.fromEntries(
      queries.map((query, at) => [query, { status: 200, results: at === 0 ? candidates : [] }]),
    )
    json(response, 200, { responses })
  }

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Any bytes under any status. */
export const saying =
  (status: number, text: string, headers: Record<string, string> = {}): Answering =>
  (_queries, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  }

/** Breaks the connection without a word. */
export const hangingUp: Answering = (_queries, response) => {
  response.destroy()
}

/** Accepts the question and never answers it. */
export const silent: Answering = () => undefined

export async function startProvider(): Promise<Provider> {
  const requests: ProviderRequest[] = []
  let answering: Answering = naming()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ProviderRequest['body']
      const { method, url: path, headers } = request
      requests.push({ method, path, headers, body })
      answering(Object.keys(body.queries), response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer(next) {
      answering = next
    },
    reset() {
      answering = naming()
      requests.length = 0
    },
    stop() {
      server.closeAllConnections()
      return new Promise((resolve, reject) =>
        server.close((error) => (error === undefined ? resolve() : reject(error))),
      )
    },
  }
}
