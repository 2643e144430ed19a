/** Which matches make a subject listed, whenever it is looked at: at its screen or later. */
import type { ExtendedMatches, Screening } from '@portcullis/engine'
import type { MatchEvidence } from '@portcullis/protocol'

/** What a screen finds out about the counterparty on the loaded lists. */
export interface CounterpartyScreenings {
  readonly counterpartyWallet: Screening
  readonly counterpartyName: Screening
  readonly globalSanctions: Screening
  readonly publicOfficial: Screening
}

/**
 * Matches that decide a verdict by themselves. A near match is no listing: it is a question for the
 * next payment. What hid in `protocol` is not the counterparty's.
 */
export function listedMatches(screenings: CounterpartyScreenings): MatchEvidence[] {
  const { counterpartyWallet, counterpartyName, globalSanctions, publicOfficial } = screenings
  return [
    ...counterpartyWallet.listed,
    ...counterpartyName.listed,
    ...globalSanctions.listed,
    ...publicOfficial.listed,
  ].filter(({ field }) => field !== 'protocol')
}

/** What a provider says stands under lists of its own. */
export const PEP_LIST_PREFIX = 'PEP:'
export const MEDIA_LIST = 'ADVERSE_MEDIA'

/** An extended provider's matches, as an alert names them. */
export const extendedMatches = ({ sanctions, peps }: ExtendedMatches): MatchEvidence[] => [
  ...sanctions,
  ...peps.map((match) => ({ ...match, list: `${PEP_LIST_PREFIX}${match.list}` })),
]

/** One list entry, whatever name or wallet of it matched. */
export const matchId = ({ list, entryId }: Pick<MatchEvidence, 'list' | 'entryId'>): string =>
  `${list}:${entryId}`

export const matchIds = (matches: readonly MatchEvidence[]): string[] =>
  [...new Set(matches.map(matchId))].toSorted()
