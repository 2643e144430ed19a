/** Who is listed: lists in, matches out. Pure. */
export { editDistance } from './words/edit-distance.ts'
export { disguisesOf } from './effectiveness/disguises.ts'
export type { Disguised } from './effectiveness/disguises.ts'
export type { Floor } from './effectiveness/floors.ts'
export { testLists } from './effectiveness/list-test.ts'
export type {
  ListTest,
  ListTestReport,
  TestProgress,
  TestResult,
} from './effectiveness/list-test.ts'
export { DEFAULT_SAMPLE } from './effectiveness/questions.ts'
export type { ListParties } from './effectiveness/questions.ts'
export { seeded } from './effectiveness/seeded.ts'
export { explainMatch } from './names/explain.ts'
export type { Explainable, ExplainedPart, Explanation } from './names/explain.ts'
export { FALLBACK_ENTRIES } from './fallback.ts'
export { LIST_IDS, SANCTIONS_LISTS, speakingOrder } from './entry.ts'
export type {
  Alias,
  EntryType,
  ListedAddress,
  ListId,
  NameQuality,
  WatchlistEntry,
} from './entry.ts'
export { ListRefused } from './lists/list-refused.ts'
export { diffLists } from './lists/list-diff.ts'
export type { ChangedEntry, ListDiff } from './lists/list-diff.ts'
export { listFile } from './lists/list-files.ts'
export type { ListFile, ListFiles } from './lists/list-files.ts'
export { countList, EXPECTED, implausible, SHRINK_LIMIT, shrunk } from './lists/list-gates.ts'
export type { ListCounts } from './lists/list-gates.ts'
export { addressesByTicker, REPORTED_TICKERS } from './lists/ofac-addresses.ts'
export { readOfacSdn } from './lists/ofac-sdn.ts'
export type { OfacFiles } from './lists/ofac-sdn.ts'
export { PUBLISHED_LISTS } from './lists/published-lists.ts'
export type { Encoding, PublishedFile, PublishedList } from './lists/published-lists.ts'
export { NAME_METHODS } from './names/name-method.ts'
export type { NameMatch } from './names/name-match.ts'
export type { NameMethod } from './names/name-method.ts'
export type { EntryRef, Sieve } from './names/name-sieve.ts'
export { NAME_TEXT_LIMIT, normalise } from './text/normalize.ts'
export { scorePair, verdictOfScore } from './names/score-pair.ts'
export type { PairScore } from './names/score-pair.ts'
export { NAME_BLOCK_SCORE, NAME_REVIEW_SCORE } from './thresholds.ts'
export { buildWatchlist, confirmWatchlist, openWatchlist, prepareWatchlist } from './watchlist.ts'
export type {
  ListSummary,
  LoadedList,
  PreparedWatchlist,
  WalletMatch,
  Watchlist,
} from './watchlist.ts'
export { EVIDENCE_KINDS } from './words/word-evidence.ts'
export type { EvidenceKind } from './words/word-evidence.ts'
