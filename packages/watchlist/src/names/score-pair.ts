import type { EntryType, WatchlistEntry } from '../entry.ts'
import { isOrganisationForm } from '../words/filler-words.ts'
import { buildNameIndex } from './name-index.ts'
import type { NameIndex } from './name-index.ts'
import { findNames } from './name-match.ts'
import type { NameMethod } from './name-method.ts'
import { normalise, wordsOf } from '../text/normalize.ts'
import { NAME_BLOCK_SCORE, NAME_REVIEW_SCORE } from '../thresholds.ts'

/** How well a name matches one listed name. */
export interface PairScore {
  /** 0 to 1, three decimals. */
  readonly score: number
  /** How it matched, or null when nothing did. */
  readonly method: NameMethod | null
  /** What an OFAC rule makes of it: `NAME_BLOCK_SCORE` and `NAME_REVIEW_SCORE` decide. */
  readonly verdict: 'BLOCK' | 'REVIEW' | 'CLEAR'
}

/** What public name sets call the kinds of parties; anything else is read from the name. */
const TYPE_OF_SCHEMA: Readonly<Record<string, EntryType>> = {
  person: 'individual',
  individual: 'individual',
  company: 'entity',
  organization: 'entity',
  organisation: 'entity',
  legalentity: 'entity',
  entity: 'entity',
  vessel: 'vessel',
  airplane: 'aircraft',
  aircraft: 'aircraft',
}

/**
 * The score of a query against one name, as a watchlist with that name alone on its OFAC list gives
 * it, and below the review threshold too. On a longer list words weigh what that list makes of
 * them, so that a score there differs a little. Never throws.
 */
export function scorePair(query: string, candidate: string, schema = ''): PairScore {
  const type = TYPE_OF_SCHEMA[schema.toLowerCase()] ?? typeOfName(candidate)
  const index = indexOfOne(candidate, type)
  const every = Array.from(index.nameText, (_, name) => name)
  const found = findNames(index, query, () => every, 0).get(0)
  if (index.nameText.length === 0 || found === undefined || found.score <= 0)
    return { score: 0, method: null, verdict: 'CLEAR' }
  const { score, method } = found
  return { score, method, verdict: verdictOfScore(score) }
}

/** An index that holds one name of one party. */
export function indexOfOne(name: string, type: EntryType): NameIndex {
  return buildNameIndex([entryOf(name, type)])
}

/** What an OFAC rule makes of the score of a name match. */
export function verdictOfScore(score: number): PairScore['verdict'] {
  return score >= NAME_BLOCK_SCORE ? 'BLOCK' : score >= NAME_REVIEW_SCORE ? 'REVIEW' : 'CLEAR'
}

function typeOfName(name: string): EntryType {
  return wordsOf(normalise(name)).some(isOrganisationForm) ? 'entity' : 'individual'
}

function entryOf(primaryName: string, type: EntryType): WatchlistEntry {
  return {
    list: 'OFAC_SDN',
    entryId: 'candidate',
    type,
    primaryName,
    aliases: [],
    addresses: [],
    programs: [],
  }
}
