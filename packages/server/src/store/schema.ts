/** The tables as Kysely sees them. Integers come back as bigint on every engine. */
import type { Generated } from 'kysely'
import type { HistorySchema } from './history/history-schema.ts'

export interface Schema extends HistorySchema {
  operators: {
    operator_id: string
    legal_name: string
    email: string
    wallet: string | null
    description: string | null
    plan: string
    plan_active: bigint
    four_eyes: bigint
    status: string
    credential_id: string
    issued_at_ms: bigint
    expires_at_ms: bigint
  }
  agents: {
    agent_id: string
    operator_id: string
    agent_name: string
    agent_framework: string | null
    underlying_model: string | null
    agent_type: string
    operator_wallet: string | null
    operator_ein: string | null
    operator_legal_name: string
    purpose: string
    spend_policy: string
    status: string
    status_reason: string | null
    ownership_transferred: bigint
    wallet_listed_at_issuance: bigint
    credential_id: string
    issued_at_ms: bigint
    expires_at_ms: bigint
    model_at_issuance: string | null
    fleet_id: string | null
    parent_agent_id: string | null
    depth: bigint
    attested_by: string | null
    attestation_note: string | null
    attested_at_ms: bigint | null
  }
  fleets: {
    fleet_id: string
    operator_id: string
    fleet_name: string
    operator_legal_name: string
    daily_limit_micro_usd: bigint
    status: string
    created_at_ms: bigint
  }
  users: {
    user_id: string
    operator_id: string
    agent_id: string
    legal_name: string
    role: string
    status: string
    credential_id: string
    issued_at_ms: bigint
    expires_at_ms: bigint
  }
  registrations: { email_digest: string; utc_date: string; count: bigint }
  agent_spend: { agent_id: string; utc_date: string; spent_micro_usd: bigint }
  fleet_spend: { fleet_id: string; utc_date: string; spent_micro_usd: bigint }
  agent_history: {
    agent_id: string
    screens: bigint
    reviews: bigint
    blocks: bigint
    first_at_ms: bigint
    day: string
    day_screens: bigint
    hours: string
  }
  operator_usage: { operator_id: string; utc_month: string; screens: bigint }
  audit_entries: {
    seq: Generated<bigint>
    txn_id: string
    operator_id: string
    agent_id: string | null
    verdict: string
    screened_at_ms: bigint
    spend_micro_usd: bigint
    charge: bigint
    agent_ordinal: bigint | null
    /** As `record-text.ts` keeps it. */
    record: string
    facts: string
    purged_at_ms: Generated<bigint | null>
    /** Version and hash of the row as an entry of the log, taken when it was written. */
    leaf: string | null
  }
  dispositions: {
    seq: Generated<bigint>
    txn_id: string
    disposition: string
    reviewed_by: string
    notes: string | null
    reviewed_at_ms: bigint
    utc_date: string
    spend_micro_usd: bigint
    purged_at_ms: Generated<bigint | null>
  }
  audit_events: {
    seq: Generated<bigint>
    kind: string
    txn_id: string | null
    operator_id: string | null
    at_ms: bigint
    body: string
    purged_at_ms: Generated<bigint | null>
  }
  /** What many records say alike: `record-text.ts`. */
  audit_texts: { digest: string; text: string }
  audit_runs: {
    first_leaf: bigint
    source: string
    first_seq: bigint
    entries: bigint
    hash_version: bigint
  }
  audit_tiles: { level: bigint; tile: bigint; hashes: string }
  audit_checkpoints: {
    utc_hour: bigint
    origin: string
    size: bigint
    root_hash: string
    signed_at: string
    signature: string
  }
  queued_effects: {
    seq: Generated<bigint>
    txn_id: string
    kind: string
    payload: string
    queued_at_ms: bigint
  }
  idempotency_keys: { id: string; request_digest: string; answer: string; expires_at_ms: bigint }
}
