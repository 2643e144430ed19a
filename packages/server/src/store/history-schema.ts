/** The tables of reviews, of counterparties and their history, of alerts and of scheduled work. */
import type { Generated } from 'kysely'

export interface HistorySchema {
  /** Every REVIEW: `pending` since its screen, or `decided` since its disposition. */
  reviews: { txn_id: string; operator_id: string; status: string; at_ms: bigint }
  /** What reviewers proposed while a second one had to confirm; the last one counts. */
  review_proposals: {
    seq: Generated<bigint>
    txn_id: string
    disposition: string
    reviewed_by: string
    notes: string | null
    proposed_at_ms: bigint
  }
  /** One row for each name, each wallet and each pair of both, whoever screened them. */
  counterparty_keys: {
    key_hash: string
    clears: bigint
    reviews: bigint
    blocks: bigint
    first_at_ms: bigint
    last_at_ms: bigint
    agents: bigint
    operators: bigint
  }
  counterparty_agents: { key_hash: string; agent_id: string }
  counterparty_operators: { key_hash: string; operator_id: string }
  /** Whom each operator has screened: what the re-screening goes through. */
  counterparties: {
    seq: Generated<bigint>
    operator_id: string
    subject: string
    name: string | null
    wallet: string | null
    last_verdict: string
    last_at_ms: bigint
  }
  /** List entries that a subject is known to match; no row when it matches none. */
  listed_subjects: { operator_id: string; subject: string; matches: string; revision: bigint }
  alerts: {
    seq: Generated<bigint>
    alert_id: string
    operator_id: string
    subject: string
    revision: bigint
    subject_type: string
    subject_id: string | null
    name: string | null
    wallet: string | null
    previous_result: string
    evidence: string
    detected_at_ms: bigint
    status: string
    reviewed_by: string | null
    notes: string | null
    reviewed_at_ms: bigint | null
  }
  job_runs: {
    job: string
    slot: string
    holder: string
    lease_until_ms: bigint
    place: string
    subjects: bigint
    alerts: bigint
    unavailable: bigint
    announced_at_ms: bigint
    finished_at_ms: bigint | null
  }
}
