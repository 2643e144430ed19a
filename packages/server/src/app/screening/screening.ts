/** Looks names and wallets up on the lists, and turns matches into facts for the rules. */
import { MAX_EVIDENCE, type Screening } from '@portcullis/engine'
import type { MatchEvidence } from '@portcullis/protocol'
import { type ListId, NAME_BLOCK_SCORE, type Watchlist } from '@portcullis/watchlist'

/** Something to look up: the field it stands in, and its text. Empty texts are left out. */
export type Subject = readonly [field: string, text: string | null | undefined]

/** The layers of the specification, each with its own verdict (spec: Screening list layers). */
export const LAYERS = {
  ofac: ['OFAC_SDN', 'OFAC_CONS'],
  global: ['UN_SC', 'EU_FSF', 'UK_FCDO'],
  officials: ['US_LEGISLATORS'],
} as const satisfies Record<string, readonly ListId[]>

export type Layer = keyof typeof LAYERS

export function screenNames(
  watchlist: Watchlist,
  subjects: readonly Subject[],
  layer: Layer = 'ofac',
): Screening {
  return gather(watchlist, layer, subjects, (field, name) =>
    watchlist.screenName(name).map((match) => ({
      field,
      list: match.list,
      entryId: match.entryId,
      primaryName: match.primaryName,
      matched: match.matchedName,
      score: match.score,
      method: match.method,
    })),
  )
}

/** An address is listed or it is not; there is no near miss. */
export function screenWallets(
  watchlist: Watchlist,
  subjects: readonly Subject[],
  layer: Layer = 'ofac',
): Screening {
  return gather(watchlist, layer, subjects, (field, wallet) =>
    watchlist.screenWallet(wallet).map((match) => ({
      field,
      list: match.list,
      entryId: match.entryId,
      primaryName: match.primaryName,
      matched: match.matchedAddress,
      score: 1,
      method: 'address',
      tickers: [...match.tickers],
    })),
  )
}

/** One screening of two kinds of look-up; screened when either was. */
export const together = (...screenings: readonly Screening[]): Screening => ({
  screened: screenings.some(({ screened }) => screened),
  listed: screenings.flatMap(({ listed }) => listed),
  near: screenings.flatMap(({ near }) => near),
})

function gather(
  { lists }: Watchlist,
  layer: Layer,
  subjects: readonly Subject[],
  look: (field: string, text: string) => MatchEvidence[],
): Screening {
  const wanted: readonly string[] = LAYERS[layer]
  const loaded = lists.some(({ id }) => wanted.includes(id))
  const given = subjects.flatMap(([field, text]) => (isBlank(text) ? [] : [[field, text] as const]))
  const matches = given
    .flatMap(([field, text]) => look(field, text))
    .filter(({ list }) => wanted.includes(list))
  return {
    screened: loaded && given.length > 0,
    listed: enough(matches.filter(({ score }) => score >= NAME_BLOCK_SCORE)),
    near: enough(matches.filter(({ score }) => score < NAME_BLOCK_SCORE)),
  }
}

const isBlank = (text: string | null | undefined): text is null | undefined | '' =>
  text === null || text === undefined || text.trim() === ''

/** Exact evidence is kept whole; of the rest a reviewer needs the strongest. */
const enough = (matches: readonly MatchEvidence[]): MatchEvidence[] =>
  matches
    .toSorted((a, b) => b.score - a.score)
    .filter(({ score }, index) => score === 1 || index < MAX_EVIDENCE)
