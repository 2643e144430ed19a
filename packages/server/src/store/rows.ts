/** Rows to records and back; the one place that knows both. */
import {
  type AgentId,
  type AgentType,
  type CredentialStatus,
  microUsd,
  type OperatorId,
  type Plan,
  type SpendPolicy,
} from '@portcullis/protocol'
import type { Agent, Operator } from '../app/records.ts'
import type { AgentRow, OperatorRow } from './statements.ts'

const flag = (value: boolean): bigint => (value ? 1n : 0n)

export const operatorRow = (operator: Operator): OperatorRow => ({
  operator_id: operator.operatorId,
  legal_name: operator.legalName,
  email: operator.email,
  wallet: operator.wallet,
  description: operator.description,
  plan: operator.plan,
  plan_active: flag(operator.planActive),
  status: operator.status,
  credential_id: operator.credentialId,
  issued_at_ms: BigInt(operator.issuedAt),
  expires_at_ms: BigInt(operator.expiresAt),
})

export const operatorOf = (row: OperatorRow): Operator => ({
  operatorId: row.operator_id as OperatorId,
  legalName: row.legal_name,
  email: row.email,
  wallet: row.wallet,
  description: row.description,
  plan: row.plan as Plan,
  planActive: row.plan_active === 1n,
  status: row.status as CredentialStatus,
  credentialId: row.credential_id,
  issuedAt: Number(row.issued_at_ms),
  expiresAt: Number(row.expires_at_ms),
})

export const agentRow = (agent: Agent): AgentRow => ({
  agent_id: agent.agentId,
  operator_id: agent.operatorId,
  agent_name: agent.agentName,
  agent_framework: agent.agentFramework,
  underlying_model: agent.underlyingModel,
  agent_type: agent.agentType,
  operator_wallet: agent.operatorWallet,
  operator_ein: agent.operatorEIN,
  operator_legal_name: agent.operatorLegalName,
  purpose: agent.purpose,
  spend_policy: JSON.stringify(agent.spendPolicy),
  status: agent.status,
  status_reason: agent.statusReason,
  ownership_transferred: flag(agent.ownershipTransferred),
  wallet_listed_at_issuance: flag(agent.operatorWalletListedAtIssuance),
  credential_id: agent.credentialId,
  issued_at_ms: BigInt(agent.issuedAt),
  expires_at_ms: BigInt(agent.expiresAt),
})

export const agentOf = (row: AgentRow): Agent => ({
  agentId: row.agent_id as AgentId,
  operatorId: row.operator_id as OperatorId,
  agentName: row.agent_name,
  agentFramework: row.agent_framework,
  underlyingModel: row.underlying_model,
  agentType: row.agent_type as AgentType,
  operatorWallet: row.operator_wallet,
  operatorEIN: row.operator_ein,
  operatorLegalName: row.operator_legal_name,
  purpose: row.purpose,
  spendPolicy: spendPolicyOf(row.spend_policy),
  status: row.status as CredentialStatus,
  statusReason: row.status_reason,
  ownershipTransferred: row.ownership_transferred === 1n,
  operatorWalletListedAtIssuance: row.wallet_listed_at_issuance === 1n,
  credentialId: row.credential_id,
  issuedAt: Number(row.issued_at_ms),
  expiresAt: Number(row.expires_at_ms),
})

/** A policy that cannot be read must fail the screen, not read as "no limits". */
function spendPolicyOf(text: string): SpendPolicy {
  const policy = JSON.parse(text) as SpendPolicy
  for (const limit of [policy.maxSingleTxUSDC, policy.dailyLimitUSDC]) {
    if (limit !== undefined && microUsd(limit) === undefined) {
      throw new RangeError('a stored spend policy holds a limit that is no amount of money')
    }
  }
  return policy
}
