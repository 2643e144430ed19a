/** The effectiveness report for people: what was tested, how it came out, what was missed. */
import type { ListTestReport, TestResult } from '@portcullis/watchlist'

/** The report with what says who made it and when: all that differs between two runs is `at`. */
export interface DatedReport extends ListTestReport {
  readonly product: string
  /** Of the product. */
  readonly version: string
  /** ISO 8601. */
  readonly at: string
}

/** Misses in the table; all of them are in the JSON. */
const SHOWN = 20
const COLUMNS = [
  ['list', 15],
  ['test', 18],
  ['asked', -7],
  ['BLOCK', -8],
  ['REVIEW', -8],
  ['CLEAR', -8],
  ['party found', -12],
  ['wanted', -0],
] as const

export function reportTable(report: DatedReport): string {
  const { results } = report
  const lines = [
    ...head(report),
    '',
    row(COLUMNS.map(([title]) => title)),
    ...results.map((result) => row(cells(result))),
    '',
    report.met ? 'Every test reached its floor.' : belowText(results),
    ...missLines(results),
  ]
  return `${lines.join('\n')}\n`
}

const HOW = {
  similar: 'exact, similar and disguised names; BLOCK or REVIEW by score',
  exact: 'exact names in normal form, in any order of words; a match is REVIEW',
} as const

function head({ version, at, seed, sample, thresholds, lists }: DatedReport): string[] {
  return [
    `Portcullis ${version}, test of the sanctions lists, ${at}`,
    `seed ${seed}, sample ${sample}; names: BLOCK from ${thresholds.block}, REVIEW from ${thresholds.review}`,
    '',
    ...lists.flatMap(({ id, contentHash, entries, names, addresses, compared, ...list }) => [
      `${id}: ${entries} entries, ${names} names, ${addresses} wallets`,
      `  ${contentHash}`,
      `  published ${list.publishedAt ?? 'not said'}, as of ${list.loadedAt} (${list.source})`,
      `  compared: ${HOW[compared]}`,
    ]),
  ]
}

function cells({ list, test, asked, block, review, clear, found, floor, met }: TestResult) {
  const share = (count: number) => `${((100 * count) / asked).toFixed(2)} %`
  const least = `${floor.wanted} >= ${(100 * floor.least).toFixed(0)} %`
  return [
    list ?? 'all lists',
    test,
    `${asked}`,
    share(block),
    share(review),
    share(clear),
    floor.wanted === 'CLEAR' ? '' : share(found),
    ` ${least}${met ? '' : '  BELOW'}`,
  ]
}

const row = (texts: readonly string[]): string =>
  COLUMNS.map(([, width], at) => {
    const text = texts[at] ?? ''
    return width > 0 ? text.padEnd(width) : text.padStart(-width)
  })
    .join(' ')
    .trimEnd()

function belowText(results: readonly TestResult[]): string {
  const below = results.filter(({ met }) => !met)
  const texts = below.map(
    ({ list, test, share }) => `${list ?? 'all lists'} ${test} (${(100 * share).toFixed(2)} %)`,
  )
  return `Below the floor: ${texts.join(', ')}.`
}

/** A query in disguise must not disguise the report: what cannot be seen is spelt out. */
const visible = (query: string): string =>
  JSON.stringify(query).replace(
    /(?! )[\p{C}\p{Z}\p{M}\u3164\u2800]/gu,
    (one) => `\\u{${one.codePointAt(0)?.toString(16) ?? ''}}`,
  )

/** The worst tests first: a floor that is not reached is what somebody must look at. */
function missLines(results: readonly TestResult[]): string[] {
  const all = results
    .toSorted((a, b) => Number(a.met) - Number(b.met))
    .flatMap(({ test, misses }) => misses.map((miss) => ({ test, ...miss })))
  if (all.length === 0) return ['No misses.']
  const shown = all
    .slice(0, SHOWN)
    .map(
      ({ test, transform, query, party, list, outcome, bestScore }) =>
        `  ${outcome.padEnd(6)} ${bestScore?.toFixed(3) ?? '    -'}  ${test}, ${transform}: ${visible(query)} for ${party} (${list ?? 'no list'})`,
    )
  const rest = all.length > SHOWN ? [`  and ${all.length - SHOWN} more (--json)`] : []
  return ['Misses:', ...shown, ...rest]
}
