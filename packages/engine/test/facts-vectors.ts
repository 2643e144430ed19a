import { readFileSync } from 'node:fs'
import type { MatchEvidence, MicroUsd, Verdict } from '@portcullis/protocol'
import type { Facts } from '../src/index.ts'

type Json = null | boolean | number | string | readonly Json[] | Overlay
/** A JSON merge patch over the base facts. */
export interface Overlay {
  readonly [name: string]: Json
}

/** A vector file of this repository. */
export const conformance = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../../../conformance/${name}`, import.meta.url), 'utf8')) as T

export interface LineVectors {
  rule: string
  /** Given where two lines have one id. */
  verdict?: Verdict
  fires: { why: string; facts: Overlay; reason?: string }[]
  holds: { why: string; facts: Overlay; entry: 'passed' | 'warned' | 'absent' }[]
}

export const rulesFile = conformance<{
  base: Overlay
  matches: Record<string, MatchEvidence>
  rules: LineVectors[]
  chainsOfRail: Record<string, string[]>
  chainsOfWallets: { family: string; wallets: string[]; chains: string[] }[]
  mixers: { known: [string, string][]; unknown: string[] }
}>('rules.json')

/** RFC 7396: null removes, an object is merged, anything else replaces. */
function merged(target: Json | undefined, patch: Json): Json {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target)
  const result: Record<string, Json> = isObject ? { ...(target as Overlay) } : {}
  for (const [name, value] of Object.entries(patch as Overlay)) {
    if (value === null) delete result[name]
    else result[name] = merged(result[name], value)
  }
  return result
}

const MONEY = ['amount', 'spentToday', 'limit', 'maxSingleTx']
const TIMES = ['now', 'issuedAt', 'expiresAt', 'attestedAt', 'firstAt', 'markAt']
const MATCHES = ['listed', 'near', 'sanctions', 'peps']
const ISO = /^\d{4}-\d{2}-\d{2}T/

/** The facts that an overlay stands for: the spellings of the vectors become values. */
export function factsFrom(overlay: Overlay): Facts {
  const text = JSON.stringify(merged(rulesFile.base, overlay))
  return JSON.parse(text, (name, value: unknown) => {
    if (MONEY.includes(name)) return BigInt(value as string) as MicroUsd
    if (MATCHES.includes(name)) return (value as string[]).map(evidence)
    if (name === 'hours') return hoursFrom(value as Record<string, number>)
    if (TIMES.includes(name) && typeof value === 'string' && ISO.test(value)) {
      return Date.parse(value)
    }
    return value
  }) as Facts
}

/** 24 counts from those that are not 0. */
const hoursFrom = (counts: Record<string, number>): number[] =>
  Array.from({ length: 24 }, (_, hour) => counts[hour] ?? 0)

export function evidence(name: string): MatchEvidence {
  const match = rulesFile.matches[name]
  if (match === undefined) throw new Error(`the vectors have no match \`${name}\``)
  return match
}

/** Fails any test whose code changes the facts that it was given. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen)
  return Object.freeze(value)
}

/** As text, to compare byte for byte. */
export const bytesOf = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'bigint' ? `${part} micro-USD` : part,
  )
