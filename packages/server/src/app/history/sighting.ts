/** The counterparty of a screen, as its history keeps it. */
import { counterpartyKeys } from './counterparty-keys.ts'
import type { Env } from '../env.ts'
import type { Sighting } from './history-records.ts'
import { extendedMatches, listedMatches, matchIds } from '../screening/listed-matches.ts'
import type { ScreenCase } from '../screening/screen-case.ts'

/** Undefined when the payment names no counterparty. */
export function sightingOf({ vault }: Env, screenCase: ScreenCase): Sighting | undefined {
  const { payment, extended } = screenCase
  const name = payment.counterpartyName ?? null
  const wallet = payment.counterpartyWallet ?? null
  const keys = counterpartyKeys(vault, name, wallet)
  if (keys === undefined) return undefined
  const provided = extended.status === 'SCREENED' ? extendedMatches(extended) : []
  return { keys, name, wallet, matches: matchIds([...listedMatches(screenCase), ...provided]) }
}
