/** Agents as their operator sees them. */
import {
  type AgentView,
  type Attestation,
  type CredentialStatus,
  DAY_MS,
  type EpochMs,
  HOUR_MS,
  isoTime,
  viewSpendPolicy,
} from '@portcullis/protocol'
import type { Agent, HumanAttestation } from '../records.ts'

/** An attestation is fresh for 24 hours and kept for 25 (spec: Human attestation record). */
const ATTESTATION_VALID_MS = DAY_MS
const ATTESTATION_KEPT_MS = DAY_MS + HOUR_MS

export const viewAttestation = ({
  attestedBy,
  note,
  attestedAt,
}: HumanAttestation): Attestation => ({
  attestedBy,
  note,
  attestedAt: isoTime(attestedAt),
  validUntil: isoTime(attestedAt + ATTESTATION_VALID_MS),
  expiresAt: isoTime(attestedAt + ATTESTATION_KEPT_MS),
})

/** EXPIRED comes with time and is not stored. */
const statusAt = ({ status, expiresAt }: Agent, now: EpochMs): CredentialStatus =>
  status === 'ACTIVE' && expiresAt <= now ? 'EXPIRED' : status

export function viewAgent(agent: Agent, now: EpochMs): AgentView {
  const { operatorId: _operator, credentialId: _credential, ...shown } = agent
  const { operatorWalletListedAtIssuance: _listed, attestation, ...fields } = shown
  const kept = attestation !== null && now < attestation.attestedAt + ATTESTATION_KEPT_MS
  return {
    ...fields,
    spendPolicy: viewSpendPolicy(agent.spendPolicy),
    status: statusAt(agent, now),
    issuedAt: isoTime(agent.issuedAt),
    expiresAt: isoTime(agent.expiresAt),
    attestation: kept ? viewAttestation(attestation) : null,
  }
}
