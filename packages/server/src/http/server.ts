/** The only file that knows the web framework: routes from the endpoint table, bodies, 404, 405. */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import rateLimit from '@fastify/rate-limit'
import swagger from '@fastify/swagger'
import {
  type Endpoint,
  ENDPOINTS,
  type EndpointName,
  ErrorBody,
  HOUR_MS,
  ServiceError,
} from '@portcullis/protocol'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type RouteOptions,
} from 'fastify'
import type { Env } from '../app/env.ts'
import type { Operator } from '../app/records.ts'
import { arrivals } from './arrivals.ts'
import { parseBody, refuseForeignEncoding } from './bodies.ts'
import { cutOff } from './cut-off.ts'
import { errorBody, sendError } from './errors.ts'
import { authenticate } from './gate.ts'
import { handlers } from './handlers.ts'
import { type Failure, requestLine } from './request-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Reading of the monotonic clock at arrival, milliseconds. */
    arrivedAt: number
    /** Set on routes for operators, before the body is read. */
    operator: Operator | undefined
    /** What a screen came to, for the request's log line. */
    outcome: { verdict: string; txnId: string; rule: string | null } | undefined
    /** Why the request failed, likewise. */
    failure: Failure | undefined
  }
}

const BODY_LIMIT_BYTES = 65_536
/** Node's own limit answers a bare 431 (decisions page, section 11). */
const HEADER_LIMIT_BYTES = 65_536
const REQUEST_TIMEOUT_MS = 30_000
/** Well within the time that a process is given to stop. */
const CLOSING_MS = 15_000
const DEMO_CALLS_PER_HOUR = 30
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

export interface ServerOptions {
  readonly logger: FastifyBaseLogger
  readonly trustedProxies: readonly string[]
  /** How long a request under way may take while the server closes. */
  readonly closingMs?: number
}

export async function buildServer(env: Env, options: ServerOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => `req_${randomUUID()}`,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    http: { maxHeaderSize: HEADER_LIMIT_BYTES },
    // Requests on open connections are finished, not turned away, while the service stops.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    ajv: {
      // A wrong type is an error and never a guess; unknown fields are the use case's business.
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allowUnionTypes: true,
      },
    },
    clientErrorHandler: answerBrokenHttp,
    frameworkErrors: (error, request, reply) => {
      // A URL that cannot be read reaches no hook, so its answer is labelled here.
      reply.header('x-request-id', request.id).header('cache-control', 'no-store')
      sendError(error, request, reply)
    },
  })
  app.decorateRequest('arrivedAt', 0)
  app.decorateRequest('operator', undefined)
  app.decorateRequest('outcome', undefined)
  app.decorateRequest('failure', undefined)
  readJsonBodies(app)
  answerStrangers(app)
  observe(app, env)
  app.addHook('preClose', (done) => {
    cutOff(app.server, options.closingMs ?? CLOSING_MS)
    done()
  })
  await app.register(swagger, { openapi: openApi(env) })
  await app.register(rateLimit, { global: false })
  app.after(() => {
    addRoutes(app, env)
  })
  await app.ready()
  return app
}

function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      refuseForeignEncoding(request)
      done(null, bytes.length === 0 ? undefined : parseBody(bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

function answerStrangers(app: FastifyInstance): void {
  app.setErrorHandler(sendError)
  app.setNotFoundHandler((request, reply) => {
    sendError(new ServiceError('not_found', { message: 'there is no such route' }), request, reply)
  })
}

function observe(app: FastifyInstance, env: Env): void {
  answerHalfClosed(app.server)
  const whenArrived = arrivals(app.server)
  app.addHook('onRequest', (request, reply, done) => {
    request.arrivedAt = env.clock.monotonicMs()
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
    whenArrived(done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round((env.clock.monotonicMs() - request.arrivedAt) * 1_000) / 1_000
    request.log.info(requestLine(request, reply, ms), 'request')
    done()
  })
}

/**
 * A caller may close its side once the request is sent (RFC 9112 section 9.6): the verdict is on
 * record by then, and is still answered. Node drops it unless this is set; its types do not say so.
 */
function answerHalfClosed(server: FastifyInstance['server'] & { httpAllowHalfOpen?: boolean }) {
  server.httpAllowHalfOpen = true
}

function addRoutes(app: FastifyInstance, env: Env): void {
  const table = Object.entries(ENDPOINTS) as [EndpointName, Endpoint][]
  const handle = handlers(env)
  for (const [name, endpoint] of table) app.route(routeOf(app, env, name, endpoint, handle[name]))
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
  refuseOtherMethods(app, table)
}

function routeOf(
  app: FastifyInstance,
  env: Env,
  name: EndpointName,
  endpoint: Endpoint,
  handler: ReturnType<typeof handlers>[EndpointName],
): RouteOptions {
  const { method, path, params, query, body, answers, summary, caller } = endpoint
  const forOperators = caller === 'operator'
  return {
    method,
    url: path,
    schema: {
      summary,
      operationId: name,
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(forOperators && { security: [{ operator: [] }] }),
      response: { ...answers, '4xx': ErrorBody, '5xx': ErrorBody },
    },
    onRequest: [
      ...(forOperators
        ? [
            async (request: Parameters<typeof authenticate>[1]) => {
              request.operator = await authenticate(env, request)
            },
          ]
        : []),
      ...(name === 'demoScreen' ? [demoLimit(app)] : []),
    ],
    handler,
  }
}

/** 30 calls for each address and hour (spec: Limits). */
const demoLimit = (app: FastifyInstance) =>
  app.rateLimit({
    max: DEMO_CALLS_PER_HOUR,
    timeWindow: HOUR_MS,
    errorResponseBuilder: (_request, { max }) =>
      new ServiceError('rate_limit_exceeded', {
        message: `the demo takes ${max} calls an hour; register for more`,
      }),
  })

/** 405 with `Allow`, before any body is read. */
function refuseOtherMethods(app: FastifyInstance, table: [EndpointName, Endpoint][]): void {
  const paths = new Map<string, string[]>([['/openapi.json', ['GET', 'HEAD']]])
  for (const [, { path, method }] of table) {
    const allowed = paths.get(path) ?? []
    paths.set(path, [...allowed, method, ...(method === 'GET' ? ['HEAD'] : [])])
  }
  for (const [url, allowed] of paths) {
    app.route({
      method: METHODS.filter((method) => !allowed.includes(method)),
      url,
      schema: { hide: true },
      onRequest: (_request, reply, done) => {
        reply.header('allow', allowed.join(', '))
        done(new ServiceError('method_not_allowed'))
      },
      handler: () => undefined,
    })
  }
}

/** Bytes that are not HTTP, or headers past the limit: an answer in our shape, then goodbye. */
function answerBrokenHttp(
  this: FastifyInstance,
  error: NodeJS.ErrnoException,
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
  const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'
  const message = tooLarge ? 'the headers are larger than 64 KiB' : 'the request is not HTTP/1.1'
  const refusal = new ServiceError('invalid_request', { message })
  const requestId = `req_${randomUUID()}`
  const body = JSON.stringify(errorBody(refusal, requestId))
  const head = `Content-Type: application/json\r\nX-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}`
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\nConnection: close\r\n\r\n${body}`)
}

const openApi = ({ settings }: Env) => ({
  openapi: '3.1.0',
  info: {
    title: 'Portcullis',
    description: 'Pre-settlement compliance screening between an AI agent and a payment rail.',
    version: settings.version,
  },
  servers: [{ url: settings.baseUrl }],
  components: {
    securitySchemes: {
      operator: { type: 'http' as const, scheme: 'bearer', bearerFormat: 'KYAOperatorCredential' },
    },
  },
})
