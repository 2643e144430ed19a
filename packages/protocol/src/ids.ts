/**
 * Identifiers on the wire. They are parsed here and generated only at the edge, so that a test can
 * count them and nothing pure depends on chance.
 */

type Branded<Name extends string> = string & { readonly __id: Name }

export type OperatorId = Branded<'operator'>
export type AgentId = Branded<'agent'>
export type TxnId = Branded<'txn'>

const SHAPES = {
  operator: /^op_[0-9a-z]{1,32}$/,
  agent: /^agt_[0-9a-z]{1,32}$/,
  txn: /^txn_[0-9A-Z]{8}$/,
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

function matches(shape: RegExp, text: unknown): boolean {
  return typeof text === 'string' && shape.test(text)
}
