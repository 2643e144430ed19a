/** Looks names and wallets up on the lists, and turns matches into facts for the rules. */
import { MAX_EVIDENCE, type Screening } from '@portcullis/engine'
import type { MatchEvidence } from '@portcullis/protocol'
import { NAME_BLOCK_SCORE, type Watchlist } from '@portcullis/watchlist'

/** Something to look up: the field it stands in, and its text. Empty texts are left out. */
export type Subject = readonly [field: string, text: string | null | undefined]

export function screenNames(watchlist: Watchlist, subjects: readonly Subject[]): Screening {
  return gather(subjects, (field, name) =>
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
export function screenWallets(watchlist: Watchlist, subjects: readonly Subject[]): Screening {
  return gather(subjects, (field, wallet) =>
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

function gather(
  subjects: readonly Subject[],
  look: (field: string, text: string) => MatchEvidence[],
): Screening {
  const given = subjects.flatMap(([field, text]) => (isBlank(text) ? [] : [[field, text] as const]))
  const matches = given.flatMap(([field, text]) => look(field, text))
  return {
    screened: given.length > 0,
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
