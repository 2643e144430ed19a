/**
 * Every closed set of the interface, once. Wire values stand as the specification has them;
 * what it leaves open is settled in docs/decisions.
 */

/** Results of one screen, strongest first: the order in which findings outrank each other. */
export const VERDICTS = ['UNKNOWN', 'BLOCK', 'REVIEW', 'CLEAR'] as const
export type Verdict = (typeof VERDICTS)[number]

/** `SUSPENDED` may become `ACTIVE` again; `REVOKED` is final; `EXPIRED` comes with time. */
export const CREDENTIAL_STATUSES = ['ACTIVE', 'REVOKED', 'EXPIRED', 'SUSPENDED'] as const
export type CredentialStatus = (typeof CREDENTIAL_STATUSES)[number]

/** Values of `signals.credential`: what the screen found when it read the agent credential. */
export const CREDENTIAL_SIGNALS = [
  'CLEAR',
  'REVOKED',
  'EXPIRED',
  'SUSPENDED',
  'INVALID',
  'MISSING',
  'TRANSFERRED',
] as const
export type CredentialSignal = (typeof CREDENTIAL_SIGNALS)[number]

export const AGENT_TYPES = ['autonomous', 'supervised'] as const
export type AgentType = (typeof AGENT_TYPES)[number]

/** Chains and, as the specification counts them here, the bank networks. */
export const CHAINS = [
  'ETH',
  'BASE',
  'SOL',
  'POLYGON',
  'BSC',
  'TRON',
  'SEI',
  'BTC',
  'ARC',
  'RIALO',
  'ACH',
  'WIRE',
  'SWIFT',
] as const
export type Chain = (typeof CHAINS)[number]

/** The specification's five rails and the three that have a network ceiling. */
export const RAILS = [
  'USDC',
  'ACH',
  'WIRE',
  'SWIFT',
  'IBAN',
  'RTP',
  'FEDNOW',
  'SAME_DAY_ACH',
] as const
export type Rail = (typeof RAILS)[number]

export const COUNTERPARTY_TYPES = ['individual', 'business', 'exchange'] as const
export type CounterpartyType = (typeof COUNTERPARTY_TYPES)[number]

export const COUNTERPARTY_SCREENINGS = ['OFAC', 'OFAC+CONS'] as const
export type CounterpartyScreening = (typeof COUNTERPARTY_SCREENINGS)[number]

/** Which lists a screen asks for; `all` adds the extended provider. */
export const LIST_SCOPES = ['ofac', 'all'] as const
export type ListScope = (typeof LIST_SCOPES)[number]

/** Three-letter English weekdays, as `operatingHours.days` names them. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** A suspended fleet suspends the agents in it. */
export const FLEET_STATUSES = ['ACTIVE', 'SUSPENDED'] as const
export type FleetStatus = (typeof FLEET_STATUSES)[number]

/** Values of `signals.identity`: what reading an identity token gave. */
export const IDENTITY_SIGNALS = ['VERIFIED', 'UNRECOGNIZED_ISSUER', 'EXPIRED', 'INVALID'] as const
export type IdentitySignal = (typeof IDENTITY_SIGNALS)[number]

/** Agents have depth 0; their delegates 1 to 3. */
export const MAX_DELEGATION_DEPTH = 3

/** Categories of adverse media, and those that move a verdict to REVIEW. */
export const ADVERSE_MEDIA_CATEGORIES = [
  'political',
  'regulatory',
  'terrorism',
  'financial_crime',
  'organized_crime',
  'violent_crime',
] as const
export const FLAG_CATEGORIES = [
  'financial_crime',
  'terrorism',
  'organized_crime',
  'violent_crime',
] as const

/** What a compliance officer records on a REVIEW. Only APPROVED counts as spend. */
export const DISPOSITIONS = ['APPROVED', 'REJECTED', 'ESCALATE_SAR'] as const
export type Disposition = (typeof DISPOSITIONS)[number]

/** A re-screening alert waits until somebody has looked. */
export const ALERT_STATUSES = ['PENDING_REVIEW', 'CONFIRMED', 'DISMISSED'] as const
export type AlertStatus = (typeof ALERT_STATUSES)[number]

export const PLANS = ['free', 'starter', 'pro'] as const
export type Plan = (typeof PLANS)[number]

export const DEFAULT_ISSUER_DID = 'did:kya:service-alpha'
