/** `portcullis lists search`: what the loaded lists hold for a name or a wallet. */
import {
  explainMatch,
  type Explanation,
  type NameMatch,
  type WalletMatch,
  type Watchlist,
} from '@portcullis/watchlist'
import { Command } from 'commander'
import { loadedLists } from './loaded-lists.ts'
import { configOrExit } from '../serve.ts'

const EXIT_NO_LISTS = 6

/** What a search answers, as `--json` prints it. */
interface Found {
  readonly query: string
  readonly names: readonly (NameMatch & { readonly alignment: Explanation })[]
  readonly wallets: readonly WalletMatch[]
  readonly lists: string
}

export const searchCommand = (): Command =>
  new Command('search')
    .description('what the loaded lists hold for a name or a wallet')
    .argument('<name-or-wallet>')
    .option('--json', 'print JSON')
    .action(async (query: string, { json }: { json?: true }) => {
      const lists = await loadedLists(configOrExit(), { writes: false })
      const watchlist = lists.current()
      await lists.stop()
      if (watchlist === undefined) {
        process.stderr.write('No OFAC list is loaded. Check LISTS_DIR.\n')
        process.exitCode = EXIT_NO_LISTS
        return
      }
      const found = search(watchlist, query)
      process.stdout.write(json === true ? `${JSON.stringify(found, null, 2)}\n` : text(found))
    })

function search(watchlist: Watchlist, query: string): Found {
  return {
    query,
    names: watchlist
      .screenName(query)
      .map((match) => ({ ...match, alignment: explainMatch(query, match) })),
    wallets: watchlist.screenWallet(query),
    lists: watchlist.version,
  }
}

function text({ query, names, wallets, lists }: Found): string {
  const lines = [...wallets.flatMap(walletLines), ...names.flatMap(nameLines)]
  if (lines.length === 0) lines.push(`Nothing is listed like \`${query}\`.`)
  return `${[...lines, `Looked up in ${lists.replaceAll('+', ', ')}`].join('\n')}\n`
}

const walletLines = ({ list, entryId, primaryName, matchedAddress, tickers }: WalletMatch) => [
  `${list} entry ${entryId}: ${primaryName}`,
  `  wallet ${matchedAddress} [${tickers.join(', ')}]`,
]

/** The matched name stands under the entry; the alignment with the query goes below it. */
const nameLines = ({ list, entryId, primaryName, alignment, ...match }: Found['names'][number]) => [
  `${list} entry ${entryId}: ${primaryName}`,
  `  ${match.score.toFixed(3)} ${match.method}: ${match.matchedName} (${match.quality}, ${match.entryType})`,
  ...alignmentLines(alignment),
]

/** One line for each listed word: what stands for it, how, and how well. */
function alignmentLines({ parts, queryOnly, listedOnly }: Explanation): string[] {
  const width = Math.max(0, ...parts.map((part) => part.query.length))
  return [
    ...parts.map(
      ({ query, listed, evidence, score }) =>
        `    ${query.padEnd(width)} = ${listed}  (${evidence}, ${score.toFixed(2)})`,
    ),
    ...(queryOnly.length > 0 ? [`    only asked: ${queryOnly.join(' ')}`] : []),
    ...(listedOnly.length > 0 ? [`    only listed: ${listedOnly.join(' ')}`] : []),
  ]
}
