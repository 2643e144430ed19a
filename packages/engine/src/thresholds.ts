/** Every tunable number of the policy, named, with its unit and its reason. */
import { DAY_MS, HOUR_MS, type MicroUsd, MINUTE_MS } from '@portcullis/protocol'

/** A nightly list that missed a night and half a day is stale (decisions page, section 5). */
export const LIST_STALE_AFTER_MS = 36 * HOUR_MS

/** Matches kept as evidence for one name or wallet; exact ones are never cut. */
export const MAX_EVIDENCE = 10

/** R16 looks back this far for the per-minute count. */
export const VELOCITY_WINDOW_MS = MINUTE_MS

/** R16: a day above so many times the agent's daily average, once the average means something. */
export const VELOCITY_DAY_FACTOR = 5
export const VELOCITY_MIN_DAYS = 7
export const VELOCITY_MIN_SCREENS = 50

/** R17: an hour with under this share of the past screens is unusual, once there are enough. */
export const UNUSUAL_HOUR_SHARE = 0.005
export const UNUSUAL_HOUR_MIN_DAYS = 14
export const UNUSUAL_HOUR_MIN_SCREENS = 100

/** Autonomous agents need a human heartbeat within a day for amounts above this (spec: Limits). */
export const ATTESTATION_FRESH_MS = DAY_MS
export const ATTESTATION_AMOUNT = 10_000_000_000n as MicroUsd

/** The extended provider's scores (spec: Limits): above the one BLOCK, from the other on REVIEW. */
export const EXTENDED_BLOCK_ABOVE = 0.9
export const EXTENDED_REVIEW_FROM = 0.7

/** R19: what the rail networks carry in one payment. */
export const RAIL_CEILINGS: Readonly<Record<string, MicroUsd>> = {
  RTP: 10_000_000_000_000n as MicroUsd,
  FEDNOW: 100_000_000_000n as MicroUsd,
  SAME_DAY_ACH: 1_000_000_000_000n as MicroUsd,
}
