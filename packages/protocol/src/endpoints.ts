/**
 * The endpoint table: every route once, with who may call it, what it takes and what it answers.
 * Routing, 405 answers, validation, serialisation, OpenAPI and `docs/endpoints.md` come from here.
 */
import type { TSchema } from 'typebox'
import {
  AuditRecord,
  TxnParams,
  VerifyReceiptBody,
  VerifyReceiptResponse,
} from './schemas/audit.ts'
import {
  AgentParams,
  RegisterAgentBody,
  RegisterAgentResponse,
  SpendPolicyResponse,
} from './schemas/agents.ts'
import { HealthRecord, JwksDocument } from './schemas/health.ts'
import { RegisterOperatorBody, RegisterOperatorResponse } from './schemas/operators.ts'
import {
  DemoBody,
  DemoResult,
  MissingTokenBody,
  ScreenBody,
  ScreenResult,
} from './schemas/screen.ts'
import { SpendPolicyPatch } from './spend-policy.ts'
import type { ErrorCode } from './errors.ts'

export type Caller = 'anyone' | 'operator'

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly caller: Caller
  readonly summary: string
  readonly params?: TSchema
  readonly body?: TSchema
  /** Success and special answers by status; every error of {@link ErrorCode} has one shape. */
  readonly answers: Readonly<Record<number, TSchema>>
  readonly errors: readonly ErrorCode[]
  /** Honours `Idempotency-Key` (docs/endpoints.md). */
  readonly idempotent?: true
}

const BODY_ERRORS = [
  'invalid_json',
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
] as const

export const ENDPOINTS = {
  registerOperator: {
    method: 'POST',
    path: '/v1/operators/register',
    caller: 'anyone',
    summary: 'Register an operator; get its credential and that of a default agent',
    body: RegisterOperatorBody,
    answers: { 201: RegisterOperatorResponse },
    errors: [
      ...BODY_ERRORS,
      'sanctions_match',
      'rate_limit_exceeded',
      'idempotency_key_reused',
      'lists_unavailable',
      'store_unavailable',
    ],
    idempotent: true,
  },
  registerAgent: {
    method: 'POST',
    path: '/v1/agents/register',
    caller: 'operator',
    summary: 'Register an agent and issue its credential, valid 91 days',
    body: RegisterAgentBody,
    answers: { 201: RegisterAgentResponse },
    errors: [
      ...BODY_ERRORS,
      'unauthorized',
      'sanctions_match',
      'idempotency_key_reused',
      'lists_unavailable',
      'store_unavailable',
    ],
    idempotent: true,
  },
  updateSpendPolicy: {
    method: 'PATCH',
    path: '/v1/agents/:agentId/spend-policy',
    caller: 'operator',
    summary: 'Change the spend policy of an own agent: omitted keeps, null clears',
    params: AgentParams,
    body: SpendPolicyPatch,
    answers: { 200: SpendPolicyResponse },
    errors: [...BODY_ERRORS, 'unauthorized', 'forbidden', 'not_found', 'store_unavailable'],
  },
  screen: {
    method: 'POST',
    path: '/v1/screen',
    caller: 'operator',
    summary: 'Screen one payment: a verdict, its reasons, and a signed receipt',
    body: ScreenBody,
    answers: { 200: ScreenResult, 400: MissingTokenBody },
    errors: [
      'missing_token',
      ...BODY_ERRORS,
      'unauthorized',
      'payment_required',
      'forbidden',
      'rate_limit_exceeded',
      'idempotency_key_reused',
      'lists_unavailable',
      'store_unavailable',
    ],
    idempotent: true,
  },
  demoScreen: {
    method: 'POST',
    path: '/v1/demo/screen',
    caller: 'anyone',
    summary: 'Four staged payments through the real engine; 30 calls an hour',
    body: DemoBody,
    answers: { 200: DemoResult },
    errors: [...BODY_ERRORS, 'rate_limit_exceeded', 'lists_unavailable', 'store_unavailable'],
  },
  auditRecord: {
    method: 'GET',
    path: '/v1/audit/:txnId',
    caller: 'operator',
    summary: 'The audit record of one own screen',
    params: TxnParams,
    answers: { 200: AuditRecord },
    errors: ['unauthorized', 'not_found', 'store_unavailable'],
  },
  verifyReceipt: {
    method: 'POST',
    path: '/v1/receipts/verify',
    caller: 'anyone',
    summary: 'Whether a receipt is genuine and unaltered',
    body: VerifyReceiptBody,
    answers: { 200: VerifyReceiptResponse },
    errors: [...BODY_ERRORS],
  },
  health: {
    method: 'GET',
    path: '/v1/health',
    caller: 'anyone',
    summary: 'Lists with counts and age, keys, latency, subsystems',
    answers: { 200: HealthRecord },
    errors: [],
  },
  jwks: {
    method: 'GET',
    path: '/v1/.well-known/jwks.json',
    caller: 'anyone',
    summary: 'The public keys that sign credentials and receipts',
    answers: { 200: JwksDocument },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof ENDPOINTS
