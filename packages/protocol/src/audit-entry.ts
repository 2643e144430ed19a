/**
 * One entry of the audit log as it is hashed: the RFC 8785 form of a small object that carries the
 * stored texts as they are. So one byte of a record cannot change unseen, and sealing an entry
 * costs no parsing of it.
 */
import { base64, hex, utf8 } from '@scure/base'
import canonicalize from 'canonicalize'
import type { EntryKind } from './audit-kinds.ts'
import { portableSha256, type Sha256 } from './merkle.ts'

/** 1: SHA-256 over RFC 8785 JSON, in an RFC 6962 tree. */
export const HASH_VERSION = 1

export interface LoggedEntry {
  readonly hashVersion: typeof HASH_VERSION
  readonly kind: EntryKind
  /** Null for an entry that is not about one screen. */
  readonly txnId: string | null
  /** Null for an entry of the service itself. */
  readonly operatorId: string | null
  /** ISO 8601, UTC. */
  readonly at: string
  /** JSON text, byte for byte as it is stored; of a screen, its audit record. */
  readonly record: string
  /** Of a screen: the facts it was decided on, as JSON text. */
  readonly facts?: string
  readonly agentId?: string | null
  readonly verdict?: string
  /** What the screen added to the day's spend; decimal text. */
  readonly spendMicroUsd?: string
  readonly charge?: number
}

/** RFC 8785 (JSON Canonicalization Scheme). Throws for what JSON cannot hold. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('the value has no JSON form')
  return text
}

/**
 * The entry as RFC 8785 writes it: members in the order of their UTF-16 code units. An entry is
 * flat and holds texts and whole numbers alone, for which `JSON.stringify` of members in order is
 * that form, at half the cost; a test compares both.
 */
const entryText = (entry: LoggedEntry): string =>
  JSON.stringify({
    agentId: entry.agentId,
    at: entry.at,
    charge: entry.charge,
    facts: entry.facts,
    hashVersion: entry.hashVersion,
    kind: entry.kind,
    operatorId: entry.operatorId,
    record: entry.record,
    spendMicroUsd: entry.spendMicroUsd,
    txnId: entry.txnId,
    verdict: entry.verdict,
  })

/** The bytes that the leaf commits to. */
export const leafDataOf = (entry: LoggedEntry): Uint8Array => utf8.decode(entryText(entry))

/** SHA-256(0x00 || data), as one text: U+0000 is the byte 0x00. */
export const entryHash = (entry: LoggedEntry, hash: Sha256 = portableSha256): Uint8Array =>
  hash(`\0${entryText(entry)}`)

/** Lower-case hex, as hashes stand on the wire. */
export const hexOf = (bytes: Uint8Array): string => hex.encode(bytes)
/** Undefined for what is not a lower-case hex SHA-256. */
export const hashOf = (text: unknown): Uint8Array | undefined =>
  typeof text === 'string' && HASH.test(text) ? hex.decode(text) : undefined
const HASH = /^[0-9a-f]{64}$/

/** Standard base64, padded. */
export const base64Of = (bytes: Uint8Array): string => base64.encode(bytes)
