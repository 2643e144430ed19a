/**
 * The endpoint table: every route once, with who may call it, what it takes and what it answers.
 * Routing, 405 answers, validation, serialisation, OpenAPI and `docs/endpoints.md` come from here.
 */
import type { TSchema } from 'typebox'
import { AUDIT_LOG_ENDPOINTS } from './endpoints-audit-log.ts'
import {
  AuditRecord,
  TxnParams,
  VerifyReceiptBody,
  VerifyReceiptResponse,
} from './schemas/audit.ts'
import {
  AgentParams,
  AgentPatch,
  AgentView,
  AttestBody,
  AttestResponse,
  PageQuery,
  pageOf,
  RegisterAgentBody,
  RegisterAgentResponse,
  SpendPolicyResponse,
} from './schemas/agents.ts'
import {
  CreateDelegateBody,
  CreateDelegateResponse,
  RegisterUserBody,
  RegisterUserResponse,
} from './schemas/delegates.ts'
import { CreateFleetBody, FleetParams, FleetPatch, FleetView } from './schemas/fleets.ts'
import { HealthRecord, JwksDocument } from './schemas/health.ts'
import {
  OperatorPatch,
  OperatorView,
  RegisterOperatorBody,
  RegisterOperatorResponse,
} from './schemas/operators.ts'
import {
  DemoBody,
  DemoResult,
  MissingTokenBody,
  ScreenBody,
  ScreenResult,
} from './schemas/screen.ts'
import { SpendPolicyPatch } from './spend-policy.ts'
import { BODY_ERRORS, type ErrorCode } from './errors.ts'
import { REVIEW_ENDPOINTS } from './review-endpoints.ts'

export type Caller = 'anyone' | 'operator'

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly caller: Caller
  readonly summary: string
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** Success and special answers by status; every error of {@link ErrorCode} has one shape. */
  readonly answers: Readonly<Record<number, TSchema>>
  readonly errors: readonly ErrorCode[]
  /** Honours `Idempotency-Key` (docs/endpoints.md). */
  readonly idempotent?: true
}

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
    errors: [...BODY_ERRORS, 'unauthorized', 'not_found', 'policy_widening', 'store_unavailable'],
  },
  readOperator: {
    method: 'GET',
    path: '/v1/operators/me',
    caller: 'operator',
    summary: 'The calling operator',
    answers: { 200: OperatorView },
    errors: ['unauthorized', 'store_unavailable'],
  },
  updateOperator: {
    method: 'PATCH',
    path: '/v1/operators/me',
    caller: 'operator',
    summary: 'Change the wallet, which is screened first, or ask for four eyes on reviews',
    body: OperatorPatch,
    answers: { 200: OperatorView },
    errors: [
      ...BODY_ERRORS,
      'unauthorized',
      'sanctions_match',
      'lists_unavailable',
      'store_unavailable',
    ],
  },
  listAgents: {
    method: 'GET',
    path: '/v1/agents',
    caller: 'operator',
    summary: 'Own agents and delegates, a page at a time',
    query: PageQuery,
    answers: { 200: pageOf(AgentView) },
    errors: ['invalid_request', 'unauthorized', 'store_unavailable'],
  },
  readAgent: {
    method: 'GET',
    path: '/v1/agents/:agentId',
    caller: 'operator',
    summary: 'One own agent or delegate',
    params: AgentParams,
    answers: { 200: AgentView },
    errors: ['unauthorized', 'not_found', 'store_unavailable'],
  },
  updateAgent: {
    method: 'PATCH',
    path: '/v1/agents/:agentId',
    caller: 'operator',
    summary: 'Suspend, revoke, move to a fleet, name another model, flag a transfer of ownership',
    params: AgentParams,
    body: AgentPatch,
    answers: { 200: AgentView },
    errors: [
      ...BODY_ERRORS,
      'unauthorized',
      'not_found',
      'invalid_transition',
      'store_unavailable',
    ],
  },
  reissueAgent: {
    method: 'POST',
    path: '/v1/agents/:agentId/reissue',
    caller: 'operator',
    summary: 'A new credential for an own agent; the old one stops working',
    params: AgentParams,
    answers: { 200: RegisterAgentResponse },
    errors: [
      'invalid_request',
      'unauthorized',
      'sanctions_match',
      'not_found',
      'invalid_transition',
      'idempotency_key_reused',
      'lists_unavailable',
      'store_unavailable',
    ],
    idempotent: true,
  },
  attestAgent: {
    method: 'POST',
    path: '/v1/agents/:agentId/attest',
    caller: 'operator',
    summary: 'Record a human heartbeat for an autonomous agent; fresh for 24 hours',
    params: AgentParams,
    body: AttestBody,
    answers: { 200: AttestResponse },
    errors: [...BODY_ERRORS, 'unauthorized', 'not_found', 'supervised_agent', 'store_unavailable'],
  },
  createFleet: {
    method: 'POST',
    path: '/v1/fleets/create',
    caller: 'operator',
    summary: 'Create a fleet: agents that share one daily limit',
    body: CreateFleetBody,
    answers: { 201: FleetView },
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
  listFleets: {
    method: 'GET',
    path: '/v1/fleets',
    caller: 'operator',
    summary: 'Own fleets, a page at a time',
    query: PageQuery,
    answers: { 200: pageOf(FleetView) },
    errors: ['invalid_request', 'unauthorized', 'store_unavailable'],
  },
  readFleet: {
    method: 'GET',
    path: '/v1/fleets/:fleetId',
    caller: 'operator',
    summary: 'One own fleet',
    params: FleetParams,
    answers: { 200: FleetView },
    errors: ['unauthorized', 'not_found', 'store_unavailable'],
  },
  updateFleet: {
    method: 'PATCH',
    path: '/v1/fleets/:fleetId',
    caller: 'operator',
    summary: 'Rename a fleet, change its limit, suspend it',
    params: FleetParams,
    body: FleetPatch,
    answers: { 200: FleetView },
    errors: [...BODY_ERRORS, 'unauthorized', 'not_found', 'store_unavailable'],
  },
  createDelegate: {
    method: 'POST',
    path: '/v1/delegates/create',
    caller: 'operator',
    summary: 'Mint a child credential that can only narrow its parent',
    body: CreateDelegateBody,
    answers: { 201: CreateDelegateResponse },
    errors: [
      ...BODY_ERRORS,
      'unauthorized',
      'forbidden',
      'not_found',
      'invalid_transition',
      'policy_widening',
      'delegation_depth_exceeded',
      'idempotency_key_reused',
      'store_unavailable',
    ],
    idempotent: true,
  },
  registerUser: {
    method: 'POST',
    path: '/v1/users/register',
    caller: 'operator',
    summary: 'Issue a user credential, valid 30 days, for a supervised agent',
    body: RegisterUserBody,
    answers: { 201: RegisterUserResponse },
    errors: [
      ...BODY_ERRORS,
      'unauthorized',
      'sanctions_match',
      'not_found',
      'autonomous_agent',
      'idempotency_key_reused',
      'lists_unavailable',
      'store_unavailable',
    ],
    idempotent: true,
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
  ...AUDIT_LOG_ENDPOINTS,
  ...REVIEW_ENDPOINTS,
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
