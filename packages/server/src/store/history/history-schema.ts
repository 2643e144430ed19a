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
  /**
   * Whom each operator has screened, as one name and wallet: what the re-screening goes through,
   * and what the history of a counterparty is added up from. The texts go with the retention, the
   * counts stay.
   */
  counterparties: {
    seq: Generated<bigint>
    operator_id: string
    name_key: bigint | null
    wallet_key: bigint | null
    name: string | null
    wallet: string | null
    clears: bigint
    reviews: bigint
    blocks: bigint
    first_at_ms: bigint
    last_at_ms: bigint
    last_verdict: string
    /** The first to screen it; most have no other. */
    agent_id: string
    agents: bigint
  }
  /** The operator's other agents that screened a counterparty. */
  counterparty_visitors: { counterparty: bigint; agent_id: string }
  /** Sums of a name, a wallet or a pair of both, once it has many rows in `counterparties`. */
  counterparty_keys: {
    key: string
    clears: bigint
    reviews: bigint
    blocks: bigint
    first_at_ms: bigint
    last_at_ms: bigint
    agents: bigint
    operators: bigint
  }
  /** Everybody behind a key that is summed. */
  counterparty_agents: { key: string; agent_id: string }
  counterparty_operators: { key: string; operator_id: string }
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
