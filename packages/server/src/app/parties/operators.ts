/** Operator registration: screening, then two credentials (spec: POST /v1/operators/register). */
import {
  CREDENTIAL_LIFETIME_MS,
  type EpochMs,
  invalidField,
  isoTime,
  type OperatorChange,
  type OperatorView,
  type RegisterOperatorRequest,
  type RegisterOperatorResponse,
  ServiceError,
  utcDate,
} from '@portcullis/protocol'
import { freshAgent } from './agents.ts'
import { issueAgentCredential, issueOperatorCredential } from './credentials.ts'
import type { Answer, Caller, Env } from '../env.ts'
import { answerOnce } from '../idempotency.ts'
import type { OperatorRegistration } from '../ports.ts'
import type { Agent, Operator } from '../records.ts'
import {
  keptText,
  readOperatorWallet,
  readSpendPolicy,
  refuseListed,
  requiredText,
} from './registration.ts'
import { unknownFields } from '../unknown-fields.ts'

/** Registrations for each email and UTC date (spec: Limits). */
const REGISTRATIONS_PER_DAY = 3

/** One `@` with something before it and a domain behind; the rest is the mail system's business. */
const EMAIL = /^[^\s@]+@[^\s@]+$/

const FIELDS = ['legalName', 'email', 'wallet', 'description', 'plan', 'spendPolicy']

export interface RegistrationCaller {
  readonly requestId: string
  readonly address: string
  readonly now: EpochMs
  readonly idempotencyKey: string | undefined
}

export async function registerOperator(
  env: Env,
  request: RegisterOperatorRequest,
  caller: RegistrationCaller,
): Promise<Answer<RegisterOperatorResponse>> {
  const { operator, agent } = readRegistration(env, request, caller.now)
  refuseListed(env, caller.requestId, {
    names: [
      ['legalName', operator.legalName],
      ['email', nameInEmail(operator.email)],
    ],
    wallets: [['wallet', operator.wallet]],
  })
  const registration: OperatorRegistration = {
    operator,
    agent,
    emailDigest: env.vault.digest(operator.email.toLowerCase()),
    date: utcDate(caller.now),
    maxPerDay: REGISTRATIONS_PER_DAY,
  }
  return answerOnce(
    env.vault,
    {
      scope: `anyone at ${caller.address}`,
      key: caller.idempotencyKey,
      operation: 'registerOperator',
      body: request,
      now: caller.now,
    },
    (done: OperatorRegistration) => registered(env, done),
    (once) => env.store.registerOperator(registration, once),
  )
}

function readRegistration(env: Env, request: RegisterOperatorRequest, now: EpochMs) {
  unknownFields(request, FIELDS)
  const email = request.email.trim()
  if (!EMAIL.test(email)) throw invalidField('email', 'is not an email address')
  const plan = request.plan ?? 'free'
  const operator: Operator = {
    operatorId: env.ids.operator(),
    legalName: requiredText('legalName', request.legalName),
    email,
    wallet: readOperatorWallet('wallet', request.wallet),
    description: keptText(request.description),
    plan,
    planActive: plan === 'free',
    fourEyes: false,
    status: 'ACTIVE',
    credentialId: env.ids.credential(),
    issuedAt: now,
    expiresAt: now + CREDENTIAL_LIFETIME_MS.operator,
  }
  const spendPolicy = readSpendPolicy(request.spendPolicy, 'spendPolicy.')
  return { operator, agent: { ...defaultAgent(env, operator), spendPolicy } }
}

/** The agent that comes with registration, so that screening can start at once. */
export function defaultAgent(env: Env, operator: Operator): Agent {
  return {
    agentId: env.ids.agent(),
    operatorId: operator.operatorId,
    agentName: `${operator.legalName} default agent`,
    agentFramework: null,
    underlyingModel: null,
    agentType: 'autonomous',
    operatorWallet: null,
    operatorEIN: null,
    operatorLegalName: operator.legalName,
    purpose: operator.description ?? 'payments of the operator',
    spendPolicy: {},
    fleetId: null,
    modelAtIssuance: null,
    ...freshAgent(env),
    issuedAt: operator.issuedAt,
    expiresAt: operator.issuedAt + CREDENTIAL_LIFETIME_MS.defaultAgent,
  }
}

/** The words before the `@`: `usama.bin.ladin@example.com` is a name in other clothes. */
const nameInEmail = (email: string): string =>
  (email.split('@')[0] ?? '').replace(/[._+\-\d]+/g, ' ').trim()

function registered(
  { keyring, settings }: Env,
  { operator, agent }: OperatorRegistration,
): Answer<RegisterOperatorResponse> {
  const operatorToken = issueOperatorCredential(keyring, settings.issuer, operator).token
  const agentToken = issueAgentCredential(keyring, settings.issuer, agent).token
  return {
    status: 201,
    body: {
      operatorId: operator.operatorId,
      agentId: agent.agentId,
      status: operator.status,
      ofacAtIssuance: 'CLEAR',
      issuedAt: isoTime(operator.issuedAt),
      expiresAt: isoTime(operator.expiresAt),
      plan: operator.plan,
      operatorToken,
      agentToken: operator.planActive ? agentToken : null,
      token: operatorToken,
    },
  }
}

/** Changes the wallet, where a listed one is refused, and whether reviews need four eyes. */
export async function updateOperator(
  env: Env,
  { wallet: given, fourEyes }: OperatorChange,
  { operator, requestId, now }: Caller,
): Promise<OperatorView> {
  const { store } = env
  let changed: Operator | undefined = operator
  if (given !== undefined) {
    const wallet = readOperatorWallet('wallet', given)
    if (wallet === null) throw invalidField('wallet', 'must not be blank')
    refuseListed(env, requestId, { wallets: [['wallet', wallet]] })
    changed = await store.setOperatorWallet(operator.operatorId, wallet)
  }
  if (fourEyes !== undefined) changed = await store.setFourEyes(operator.operatorId, fourEyes, now)
  if (changed === undefined) throw new ServiceError('unauthorized')
  return viewOperator(changed)
}

export const viewOperator = (operator: Operator): OperatorView => ({
  operatorId: operator.operatorId,
  legalName: operator.legalName,
  email: operator.email,
  wallet: operator.wallet,
  description: operator.description,
  plan: operator.plan,
  fourEyes: operator.fourEyes,
  status: operator.status,
  ofacAtIssuance: 'CLEAR',
  issuedAt: isoTime(operator.issuedAt),
  expiresAt: isoTime(operator.expiresAt),
})
