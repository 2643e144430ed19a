import { readWallet } from '@portcullis/protocol'
import type { ListId, WatchlistEntry } from '../entry.ts'

/** How much a list holds; what the gates compare. */
export interface ListCounts {
  readonly entries: number
  /** Listed persons, as far as the publisher says who is one. */
  readonly persons: number
  /** Main names and aliases, weak ones included. */
  readonly names: number
  /** Different wallet addresses. */
  readonly addresses: number
}

/** Counts of one list. */
export function countList(entries: readonly WatchlistEntry[]): ListCounts {
  const addresses = new Set<string>()
  let names = 0
  let persons = 0
  for (const entry of entries) {
    names += 1 + entry.aliases.length
    if (entry.type === 'individual') persons++
    for (const { address } of entry.addresses) addresses.add(readWallet(address).canonical)
  }
  return { entries: entries.length, persons, names, addresses: addresses.size }
}

/** A list that has become smaller by more than this part of itself is not believed. */
export const SHRINK_LIMIT = 0.05

/** Why the list is not believed: it is much smaller than the last good one. */
export function shrunk(counts: ListCounts, lastGood: ListCounts): string | undefined {
  for (const what of ['entries', 'names', 'addresses'] as const) {
    const [now, before] = [counts[what], lastGood[what]]
    if (before - now > before * SHRINK_LIMIT) {
      const part = ((before - now) / before) * 100
      return `has ${now} ${what} instead of ${before}: ${part.toFixed(1)} % fewer`
    }
  }
  return undefined
}

type Range = readonly [least: number, most: number]

interface Expected {
  /** How many the whole list plausibly holds. */
  readonly counts: Partial<Readonly<Record<keyof ListCounts, Range>>>
  /** Parties that will stand on the list as long as anybody does. */
  readonly canaries: readonly string[]
}

/**
 * What a downloaded list must look like. The ranges are wide: they catch a file that is another
 * one, not a busy week. A party that is taken off a list for good is accepted once by hand, and
 * then leaves this table.
 */
export const EXPECTED: Readonly<Record<ListId, Expected>> = {
  OFAC_SDN: {
    counts: { entries: [12_000, 40_000], persons: [6_245, 14_690], addresses: [570, 2_500] },
    canaries: ['HIZBALLAH', 'HAMAS', 'LAZARUS GROUP', 'PUTIN, Vladimir Vladimirovich'],
  },
  OFAC_CONS: {
    counts: { entries: [220, 1_500] },
    canaries: ['PUBLIC JOINT STOCK COMPANY GAZPROM', 'LUKOIL OAO'],
  },
  UN_SC: {
    counts: { entries: [700, 2_500], persons: [580, 1_370] },
    canaries: ['AL-QAIDA', 'AIMAN MUHAMMED RABI AL-ZAWAHIRI'],
  },
  EU_FSF: {
    counts: { entries: [3_400, 12_000], persons: [3_400, 8_000] },
    canaries: ['Al-Qaida', 'Vladimir Vladimirovich PUTIN'],
  },
  UK_FCDO: {
    counts: { entries: [1_500, 12_000], persons: [3_060, 7_200] },
    canaries: ['AL-QAIDA'],
  },
  US_LEGISLATORS: { counts: { entries: [430, 560] }, canaries: [] },
}

/**
 * Why a download is not believed: a count beyond its range, or a canary that is gone. Persons are
 * judged only where the file says of anybody that it is one.
 */
export function implausible(
  list: ListId,
  entries: readonly WatchlistEntry[],
  counts: ListCounts,
): string | undefined {
  const expected = EXPECTED[list]
  for (const [what, [least, most]] of Object.entries(expected.counts) as [
    keyof ListCounts,
    Range,
  ][]) {
    const count = counts[what]
    if (what === 'persons' && count === 0) continue
    if (count < least || count > most)
      return `has ${count} ${what}, which is not between ${least} and ${most}`
  }
  const names = new Set<string>()
  for (const { primaryName, aliases } of entries) {
    names.add(folded(primaryName))
    for (const { name } of aliases) names.add(folded(name))
  }
  const lost = expected.canaries.find((canary) => !names.has(folded(canary)))
  return lost === undefined ? undefined : `has lost \`${lost}\`, which stood on every list so far`
}

/** Publishers change case, commas and the order of names; a canary lives on. */
function folded(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .toSorted()
    .join(' ')
    .trim()
}
