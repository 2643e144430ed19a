import { readFileSync } from 'node:fs'
import type { MatchEvidence, MicroUsd } from '@portcullis/protocol'
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
  fires: { why: string; facts: Overlay; reason?: string }[]
  holds: { why: string; facts: Overlay; entry: 'passed' | 'warned' | 'absent' }[]
}

export const rulesFile = conformance<{
  base: Overlay
  matches: Record<string, MatchEvidence>
  rules: LineVectors[]
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

/** The facts that an overlay stands for: money becomes bigint, names of matches their evidence. */
export function factsFrom(overlay: Overlay): Facts {
  const facts = merged(rulesFile.base, overlay)
  const text = JSON.stringify(facts)
  return JSON.parse(text, (name, value: unknown) => {
    if (name === 'amount' || name === 'spentToday') return BigInt(value as string) as MicroUsd
    if (name === 'listed' || name === 'near') return (value as string[]).map(evidence)
    return value
  }) as Facts
}

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
