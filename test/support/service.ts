/** A real service for a test: its own folder, a free port, the embedded fallback list. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type {
  AuditRecord,
  HealthRecord,
  JwksDocument,
  RegisterAgentResponse,
  RegisterOperatorResponse,
  ScreenResult,
  SpendPolicyChange,
  VerifyReceiptResponse,
} from '@portcullis/protocol'
import { readConfig } from '../../packages/server/src/config.ts'
import { type Replacements, type Service, startService } from '../../packages/server/src/main.ts'
import { type Call, call, closeConnections, type ErrorAnswer, type Reply } from './http.ts'

export type Variables = Readonly<Record<string, string>>

/** An agent that may screen: both tokens, and where they came from. */
export interface Party {
  readonly operatorId: string
  readonly agentId: string
  readonly operatorToken: string
  readonly agentToken: string
}

export interface TestService {
  readonly url: string
  readonly dataDir: string
  readonly service: Service
  /** Any request. */
  call<Body = ErrorAnswer>(path: string, options?: Call): Promise<Reply<Body>>
  register(body?: object): Promise<Reply<RegisterOperatorResponse & ErrorAnswer>>
  /** A registered operator with the given policy. */
  party(spendPolicy?: SpendPolicyChange, body?: object): Promise<Party>
  /** Screens {@link A_PAYMENT} with these changes. */
  screen(party: Party, payment?: object, headers?: Record<string, string>): Promise<ScreenReply>
  registerAgent(
    party: Party,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Reply<RegisterAgentResponse & ErrorAnswer>>
  audit(party: Party, txnId: string): Promise<Reply<AuditRecord & ErrorAnswer>>
  verify(receipt: unknown): Promise<Reply<VerifyReceiptResponse & ErrorAnswer>>
  health(): Promise<HealthRecord>
  jwks(): Promise<JwksDocument>
  stop(): Promise<void>
}

export type ScreenReply = Reply<ScreenResult & ErrorAnswer>

/** Services of this test process; a test that fails half way must not keep the process alive. */
const running = new Set<() => Promise<void>>()
after(async () => {
  for (const stop of running) await stop()
})

let registrations = 0

/** Registration takes three a day for one email; every party of a test has its own. */
export const freshEmail = (): string => `party-${process.pid}-${++registrations}@example.com`

export const bearer = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
})

export const tempDir = (): string => mkdtempSync(join(tmpdir(), 'portcullis-test-'))

export async function startTestService(
  variables: Variables = {},
  replaced: Replacements = {},
): Promise<TestService> {
  const dataDir = variables['DATA_DIR'] ?? tempDir()
  const ours = variables['DATA_DIR'] === undefined
  const config = readConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    // No test asks the publishers; those of the synchronisation bring their own.
    LISTS_SYNC: 'off',
    PLAN_FREE_SCREENS: 'unlimited',
    DATA_DIR: dataDir,
    ...variables,
  })
  const service = await startService(config, replaced)
  const stop = async () => {
    if (!running.delete(stop)) return
    closeConnections()
    await service.stop()
    if (ours) rmSync(dataDir, { recursive: true, force: true })
  }
  running.add(stop)
  return { ...clientOf(service.address), dataDir, service, stop }
}

/** The calls of a test against any running service. */
export function clientOf(url: string): Omit<TestService, 'dataDir' | 'service' | 'stop'> {
  const at = <Body = ErrorAnswer>(path: string, options?: Call) =>
    call<Body>(`${url}${path}`, options)
  const register = (body: object = {}) =>
    at<RegisterOperatorResponse & ErrorAnswer>('/v1/operators/register', {
      body: { legalName: 'Example Robotics', email: freshEmail(), ...body },
    })
  return {
    url,
    call: at,
    register,
    async party(spendPolicy, body = {}) {
      const reply = await register({ ...(spendPolicy && { spendPolicy }), ...body })
      if (reply.status !== 201)
        throw new Error(`registration answered ${reply.status}: ${reply.text}`)
      const { operatorId, agentId, operatorToken, agentToken } = reply.body
      return { operatorId, agentId, operatorToken, agentToken: agentToken ?? '' }
    },
    screen: (party, payment = {}, headers = {}) =>
      at('/v1/screen', {
        headers: { ...bearer(party.operatorToken), ...headers },
        body: { token: party.agentToken, ...A_PAYMENT, ...payment },
      }),
    registerAgent: (party, body = {}, headers = {}) =>
      at('/v1/agents/register', {
        headers: { ...bearer(party.operatorToken), ...headers },
        body: { ...AN_AGENT, ...body },
      }),
    audit: (party, txnId) => at(`/v1/audit/${txnId}`, { headers: bearer(party.operatorToken) }),
    verify: (receipt) => at('/v1/receipts/verify', { body: { receipt } }),
    health: async () => (await at<HealthRecord>('/v1/health')).body,
    jwks: async () => (await at<JwksDocument>('/v1/.well-known/jwks.json')).body,
  }
}

export const AN_AGENT = {
  agentName: 'Payables agent',
  agentType: 'supervised',
  operatorLegalName: 'Example Robotics',
  purpose: 'paying suppliers',
}

/** A party on the embedded fallback and on the real list; an EVM wallet of it; one on no list. */
export const LISTED = {
  name: 'LAZARUS GROUP',
  wallet: '0x098B716B8Aaf21512996dC57EB0615e2383E2f96',
} as const
export const UNLISTED_WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'

/** Complete: a payment without wallet or name is REVIEW (R23). */
export const A_PAYMENT = {
  amount: 10,
  cpName: 'Example Coffee Roasters',
  cpWallet: UNLISTED_WALLET,
} as const

/** For tests whose point is volume: the velocity rule (R16) allows any rate. */
export const ANY_RATE: Variables = { VELOCITY_PER_MINUTE: '1000000' }
