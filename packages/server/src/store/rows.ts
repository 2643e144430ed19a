/** Rows to records and back; the one place that knows both. */
import { type AgentHistory, NO_HISTORY } from '@portcullis/engine'
import {
  type AgentId,
  type AgentType,
  type CredentialStatus,
  type FleetId,
  type FleetStatus,
  type MicroUsd,
  microUsd,
  type OperatorId,
  type Plan,
  type SpendPolicy,
  type UserId,
} from '@portcullis/protocol'
import type { Agent, Fleet, Operator, User } from '../app/records.ts'
import type { Nullable } from './ledger-statements.ts'
import type { AgentRow, FleetRow, HistoryRow, OperatorRow, UserRow } from './statements.ts'

const flag = (value: boolean): bigint => (value ? 1n : 0n)

export const operatorRow = (operator: Operator): OperatorRow => ({
  operator_id: operator.operatorId,
  legal_name: operator.legalName,
  email: operator.email,
  wallet: operator.wallet,
  description: operator.description,
  plan: operator.plan,
  plan_active: flag(operator.planActive),
  four_eyes: flag(operator.fourEyes),
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
  fourEyes: row.four_eyes === 1n,
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
  model_at_issuance: agent.modelAtIssuance,
  fleet_id: agent.fleetId,
  parent_agent_id: agent.parentAgentId,
  depth: BigInt(agent.depth),
  attested_by: agent.attestation?.attestedBy ?? null,
  attestation_note: agent.attestation?.note ?? null,
  attested_at_ms: agent.attestation === null ? null : BigInt(agent.attestation.attestedAt),
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
  modelAtIssuance: row.model_at_issuance,
  fleetId: row.fleet_id as FleetId | null,
  parentAgentId: row.parent_agent_id as AgentId | null,
  depth: Number(row.depth),
  attestation:
    row.attested_at_ms === null
      ? null
      : {
          attestedBy: row.attested_by ?? '',
          note: row.attestation_note,
          attestedAt: Number(row.attested_at_ms),
        },
})

export const fleetRow = (fleet: Fleet): FleetRow => ({
  fleet_id: fleet.fleetId,
  operator_id: fleet.operatorId,
  fleet_name: fleet.fleetName,
  operator_legal_name: fleet.operatorLegalName,
  daily_limit_micro_usd: fleet.dailyLimit,
  status: fleet.status,
  created_at_ms: BigInt(fleet.createdAt),
})

export const fleetOf = (row: FleetRow): Fleet => ({
  fleetId: row.fleet_id as FleetId,
  operatorId: row.operator_id as OperatorId,
  fleetName: row.fleet_name,
  operatorLegalName: row.operator_legal_name,
  dailyLimit: row.daily_limit_micro_usd as MicroUsd,
  status: row.status as FleetStatus,
  createdAt: Number(row.created_at_ms),
})

export const userRow = (user: User): UserRow => ({
  user_id: user.userId,
  operator_id: user.operatorId,
  agent_id: user.agentId,
  legal_name: user.legalName,
  role: user.role,
  status: user.status,
  credential_id: user.credentialId,
  issued_at_ms: BigInt(user.issuedAt),
  expires_at_ms: BigInt(user.expiresAt),
})

export const userOf = (row: UserRow): User => ({
  userId: row.user_id as UserId,
  operatorId: row.operator_id as OperatorId,
  agentId: row.agent_id as AgentId,
  legalName: row.legal_name,
  role: row.role,
  status: row.status as CredentialStatus,
  credentialId: row.credential_id,
  issuedAt: Number(row.issued_at_ms),
  expiresAt: Number(row.expires_at_ms),
})

export const historyRow = (agentId: AgentId, history: AgentHistory): HistoryRow => ({
  agent_id: agentId,
  screens: BigInt(history.screens),
  reviews: BigInt(history.reviews),
  blocks: BigInt(history.blocks),
  first_at_ms: BigInt(history.firstAt ?? 0),
  day: history.day,
  day_screens: BigInt(history.dayScreens),
  hours: history.hours.join(),
})

/** Of an agent that has one; null columns are none. */
export const historyOf = (row: Omit<Nullable<HistoryRow>, 'agent_id'>): AgentHistory =>
  row.hours === null
    ? NO_HISTORY
    : {
        screens: Number(row.screens),
        reviews: Number(row.reviews),
        blocks: Number(row.blocks),
        firstAt: Number(row.first_at_ms),
        day: row.day ?? '',
        dayScreens: Number(row.day_screens),
        hours: row.hours.split(',').map(Number),
      }

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
