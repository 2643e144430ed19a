/** Four staged payments through the real engine (spec: POST /v1/demo/screen). */
import {
  type AgentId,
  CREDENTIAL_LIFETIME_MS,
  type EpochMs,
  type OperatorId,
  type ScreenRequest,
} from '@portcullis/protocol'
import { FALLBACK_ENTRIES, type Watchlist } from '@portcullis/watchlist'
import { issueAgentCredential } from '../parties/credentials.ts'
import type { Env } from '../env.ts'
import { defaultAgent } from '../parties/operators.ts'
import type { Agent, Operator } from '../records.ts'
import { screen } from './screen.ts'

/** 1 CLEAR, 2 REVIEW (R10), 3 BLOCK (OFAC wallet), 4 BLOCK (R14, spend policy). */
export type DemoScenario = 1 | 2 | 3 | 4

const SINGLE_TX_LIMIT_USD = 1_000
const DEMO_OPERATOR_ID = 'op_demo' as OperatorId
const DEMO_AGENT_ID = 'agt_demo' as AgentId

/** An address that is on no list: a test vector of EIP-55. */
const UNLISTED_WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'

function demoOperator(now: EpochMs): Operator {
  return {
    operatorId: DEMO_OPERATOR_ID,
    legalName: 'Demonstration Operator',
    email: 'demo@invalid',
    wallet: null,
    description: null,
    plan: 'free',
    planActive: true,
    fourEyes: false,
    status: 'ACTIVE',
    credentialId: 'cred_demo',
    issuedAt: now,
    expiresAt: now + CREDENTIAL_LIFETIME_MS.operator,
  }
}

const demoAgent = (env: Env, operator: Operator): Agent => ({
  ...defaultAgent(env, operator),
  agentId: DEMO_AGENT_ID,
  agentName: 'Demonstration agent',
  credentialId: 'cred_demo',
  spendPolicy: { maxSingleTxUSDC: SINGLE_TX_LIMIT_USD },
})

export async function demoScreen(
  env: Env,
  scenario: DemoScenario,
  caller: { requestId: string; arrivedAt: number; now: EpochMs },
) {
  const operator = demoOperator(caller.now)
  const agent = demoAgent(env, operator)
  await env.store.ensureOperator(operator, agent)
  const { token } = issueAgentCredential(env.keyring, env.settings.issuer, agent)
  const request = { token, ...stagedPayment(scenario, env.watchlists.current()) }
  const { body } = await screen(
    env,
    request,
    { ...caller, operator, idempotencyKey: undefined },
    { demo: true },
  )
  return { demo: true as const, ...body.result }
}

function stagedPayment(scenario: DemoScenario, watchlist: Watchlist | undefined): ScreenRequest {
  const plain = {
    amount: 25,
    chain: 'BASE',
    cpName: 'Example Coffee Roasters',
    cpWallet: UNLISTED_WALLET,
  }
  switch (scenario) {
    case 1:
      return plain
    case 2:
      return { ...plain, amount: SINGLE_TX_LIMIT_USD * 5 }
    case 3:
      return { ...plain, chain: 'ETH', cpWallet: listedWallet(watchlist) }
    case 4:
      return { ...plain, protocol: 'Tornado Cash' }
  }
}

/** A well-known designated address that the loaded list still holds. */
function listedWallet(watchlist: Watchlist | undefined): string {
  const known = FALLBACK_ENTRIES.flatMap(({ addresses }) => addresses)
    .filter(({ ticker }) => ticker === 'ETH')
    .map(({ address }) => address)
  const listed = known.find((address) => (watchlist?.screenWallet(address).length ?? 0) > 0)
  return listed ?? known[0] ?? UNLISTED_WALLET
}
