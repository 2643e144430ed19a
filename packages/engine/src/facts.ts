/**
 * Everything a rule may look at, already fetched. Facts are total: an unreadable credential is a
 * credential with status MALFORMED and an empty policy, so that no rule has to ask "is it there?".
 */
import type {
  AgentType,
  CredentialStatus,
  EffectivePolicy,
  EpochMs,
  IdentitySignal,
  MatchEvidence,
  MicroUsd,
} from '@portcullis/protocol'
import type { AgentHistory } from './history.ts'

/** What reading the token gave; the live status of the agent counts above the token's claims. */
export type CredentialFact =
  | { readonly status: 'ACTIVE'; readonly issuedAt: EpochMs; readonly expiresAt: EpochMs }
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

export interface AgentFact {
  readonly type: AgentType | undefined
  readonly hasOperatorEin: boolean
  /** Undefined when no wallet was given, so that none was looked up. */
  readonly operatorWalletListedAtIssuance: boolean | undefined
  /** Id of the agent in the delegation chain whose ownership was transferred. */
  readonly ownershipTransferred: string | undefined
  /** Free text naming the model, at issuance and now; null when never named. */
  readonly model: { readonly atIssuance: string | null; readonly now: string | null }
  /** Undefined when no human ever attested. */
  readonly attestedAt: EpochMs | undefined
}

/** Matches on lists. `listed` is enough to act on; `near` is for a person to look at. */
export interface Screening {
  /** False when there was nothing to look up, or no list to look it up on. */
  readonly screened: boolean
  readonly listed: readonly MatchEvidence[]
  readonly near: readonly MatchEvidence[]
}

export const NOT_SCREENED: Screening = { screened: false, listed: [], near: [] }

/** An answer of an extended provider, which may not have been asked or may have failed. */
export type Extended<Answer> =
  | { readonly status: 'NOT_SCREENED' }
  | { readonly status: 'UNAVAILABLE' }
  | ({ readonly status: 'SCREENED' } & Answer)

export interface ExtendedMatches {
  /** Scored 0 to 1; only those at or above the review threshold. */
  readonly sanctions: readonly MatchEvidence[]
  readonly peps: readonly MatchEvidence[]
}

export interface AdverseMedia {
  /** Number of hits for each category; article content is never kept. */
  readonly hits: Readonly<Record<string, number>>
}

/** One limit on a day's spend: the agent's own, an ancestor's, or a fleet's. */
export interface SpendLimit {
  /** Id of the agent or fleet that has the limit. */
  readonly holder: string
  readonly limit: MicroUsd
  readonly spentToday: MicroUsd
}

/** How fresh the lists are that this screen rests on. */
export interface ListsFact {
  /** Ids of lists older than the staleness limit, in list order. */
  readonly stale: readonly string[]
  /** In production a stale list turns a would-be CLEAR into REVIEW. */
  readonly reviewWhenStale: boolean
}

export interface VelocityFact {
  /** Screens in 60 seconds that are still usual. */
  readonly perMinute: number
  /** When the agent's `perMinute`-th screen before this one was made; undefined with fewer. */
  readonly markAt: EpochMs | undefined
}

export interface Facts {
  readonly now: EpochMs
  readonly payment: PaymentFact
  readonly credential: CredentialFact
  readonly agent: AgentFact
  /** OFAC lists: the operator as it and the agent's registration name it, and the user. */
  readonly operatorWallet: Screening
  readonly operatorName: Screening
  readonly counterpartyWallet: Screening
  readonly counterpartyName: Screening
  /** UN, EU and UK lists. */
  readonly globalSanctions: Screening
  readonly publicOfficial: Screening
  readonly extended: Extended<ExtendedMatches>
  readonly adverseMedia: Extended<AdverseMedia>
  readonly spendPolicy: EffectivePolicy
  readonly dailyLimits: readonly SpendLimit[]
  readonly fleetLimits: readonly SpendLimit[]
  /** Undefined without a whitelist. */
  readonly counterpartyWhitelisted: boolean | undefined
  /** Undefined without operating hours. */
  readonly withinOperatingHours: boolean | undefined
  /** The agent's screens before this one. */
  readonly history: AgentHistory
  readonly velocity: VelocityFact
  /** Undefined without an identity token. */
  readonly identity: IdentitySignal | undefined
  /** On-chain identity anchoring; no rule reads it. */
  readonly erc8004: 'PENDING'
  readonly lists: ListsFact
}
