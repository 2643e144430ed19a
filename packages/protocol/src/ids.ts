/**
 * Identifiers on the wire. They are parsed here and generated only at the edge, so that a test can
 * count them and nothing pure depends on chance.
 */

type Branded<Name extends string> = string & { readonly __id: Name }

export type OperatorId = Branded<'operator'>
export type AgentId = Branded<'agent'>
export type TxnId = Branded<'txn'>
export type FleetId = Branded<'fleet'>
export type UserId = Branded<'user'>
export type AlertId = Branded<'alert'>

const SHAPES = {
  operator: /^op_[0-9a-z]{1,32}$/,
  agent: /^agt_[0-9a-z]{1,32}$/,
  txn: /^txn_[0-9A-Z]{8}$/,
  fleet: /^flt_[0-9a-z]{1,32}$/,
  user: /^usr_[0-9a-z]{1,32}$/,
  alert: /^alert_[0-9a-z]{1,32}$/,
} as const

/** `op_` and up to 32 characters of `0-9a-z`; undefined for anything else. */
export const parseOperatorId = (text: unknown): OperatorId | undefined =>
  matches(SHAPES.operator, text) ? (text as OperatorId) : undefined

/** `agt_` and up to 32 characters of `0-9a-z`; undefined for anything else. */
export const parseAgentId = (text: unknown): AgentId | undefined =>
  matches(SHAPES.agent, text) ? (text as AgentId) : undefined

/** `txn_` and 8 characters of `0-9A-Z`; undefined for anything else. */
export const parseTxnId = (text: unknown): TxnId | undefined =>
  matches(SHAPES.txn, text) ? (text as TxnId) : undefined

/** `flt_` and up to 32 characters of `0-9a-z`; undefined for anything else. */
export const parseFleetId = (text: unknown): FleetId | undefined =>
  matches(SHAPES.fleet, text) ? (text as FleetId) : undefined

/** `usr_` and up to 32 characters of `0-9a-z`; undefined for anything else. */
export const parseUserId = (text: unknown): UserId | undefined =>
  matches(SHAPES.user, text) ? (text as UserId) : undefined

/** `alert_` and up to 32 characters of `0-9a-z`; undefined for anything else. */
export const parseAlertId = (text: unknown): AlertId | undefined =>
  matches(SHAPES.alert, text) ? (text as AlertId) : undefined

function matches(shape: RegExp, text: unknown): boolean {
  return typeof text === 'string' && shape.test(text)
}
