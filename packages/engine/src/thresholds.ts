/** Every tunable number of the policy, named, with its unit and its reason. */
import { HOUR_MS } from '@portcullis/protocol'

/** A nightly list that missed a night and half a day is stale (decisions page, section 5). */
export const LIST_STALE_AFTER_MS = 36 * HOUR_MS

/** Matches kept as evidence for one name or wallet; exact ones are never cut. */
export const MAX_EVIDENCE = 10
