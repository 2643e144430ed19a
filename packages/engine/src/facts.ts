/**
 * Everything a rule may look at, already fetched. Facts are total: an unreadable credential is a
 * credential with status MALFORMED and an empty policy, so that no rule has to ask "is it there?".
 */
import type {
  AgentType,
  CredentialStatus,
  EpochMs,
  MatchEvidence,
  MicroUsd,
  SpendPolicy,
} from '@portcullis/protocol'

/** What reading the token gave; the live status of the agent counts above the token's claims. */
export type CredentialFact =
  | { readonly status: 'ACTIVE' }
  | { readonly status: 'MISSING' }
  | { readonly status: 'MALFORMED' | 'INVALID'; readonly reason: string }
  | { readonly status: Exclude<CredentialStatus, 'ACTIVE'>; readonly reason: string }

export interface PaymentFact {
  readonly amount: MicroUsd
  readonly chain: string | undefined
  readonly rail: string | undefined
  readonly counterpartyWallet: string | undefined
  readonly counterpartyName: string | undefined
  readonly counterpartyType: string | undefined
  readonly protocol: string | undefined
}

/** Matches on OFAC lists. `listed` is enough to BLOCK; `near` is for a person to look at. */
export interface Screening {
  /** False when there was nothing to look up. */
  readonly screened: boolean
  readonly listed: readonly MatchEvidence[]
  readonly near: readonly MatchEvidence[]
}

export const NOT_SCREENED: Screening = { screened: false, listed: [], near: [] }

/** How fresh the lists are that this screen rests on. */
export interface ListsFact {
  /** Ids of lists older than the staleness limit, in list order. */
  readonly stale: readonly string[]
  /** In production a stale list turns a would-be CLEAR into REVIEW. */
  readonly reviewWhenStale: boolean
}

export interface Facts {
  readonly now: EpochMs
  readonly payment: PaymentFact
  readonly credential: CredentialFact
  readonly agent: {
    readonly type: AgentType | undefined
    /** Undefined when no wallet was given, so that none was looked up. */
    readonly operatorWalletListedAtIssuance: boolean | undefined
    readonly ownershipTransferred: boolean
  }
  /** Wallets and names of the operator, from its own registration and from the agent's. */
  readonly operatorWallet: Screening
  readonly operatorName: Screening
  readonly counterpartyWallet: Screening
  readonly counterpartyName: Screening
  readonly spendPolicy: SpendPolicy
  readonly spentToday: MicroUsd
  readonly lists: ListsFact
}
