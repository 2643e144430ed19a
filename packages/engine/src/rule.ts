/** What a rule is: a line of policy with a predicate that answers for itself. */
import type { Verdict } from '@portcullis/protocol'
import type { Facts } from './facts.ts'

/**
 * What a predicate answers: it fired, with the reason; it passed, with what it saw (`ok: false` for
 * something a reader of the log should know although it decides nothing); or, when the facts gave
 * it nothing to check, nothing. So the log never claims a check that was not made
 * (docs/decisions/0002).
 */
export type Check =
  | { readonly fired: true; readonly message: string }
  | { readonly fired: false; readonly ok: boolean; readonly message: string }
  | undefined

export type Predicate = (facts: Facts) => Check

export const fires = (message: string): Check => ({ fired: true, message })
export const passes = (message: string): Check => ({ fired: false, ok: true, message })
export const warns = (message: string): Check => ({ fired: false, ok: false, message })
export const notChecked: Check = undefined

/** A line of the table. */
export interface Rule {
  readonly id: string
  /** Code of its log entry. */
  readonly code: string
  readonly verdict: Exclude<Verdict, 'CLEAR'>
  /** Share of certainty that it adds to the risk score, 0 to 100. */
  readonly weight: number
  /** When it fires, in one sentence. */
  readonly trigger: string
  readonly predicate: Predicate
}

/** A rule that fired, with its reason. */
export interface Finding {
  readonly rule: Rule
  readonly reason: string
}
