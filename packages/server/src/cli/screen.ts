/** `portcullis screen`: a verdict with its evidence on the terminal, without a server. */
import { styleText } from 'node:util'
import { evaluate, type Facts, NO_HISTORY, NOT_SCREENED } from '@portcullis/engine'
import {
  effectivePolicy,
  type LogEntry,
  type MatchEvidence,
  ServiceError,
  type Verdict,
} from '@portcullis/protocol'
import type { Watchlist } from '@portcullis/watchlist'
import { Command } from 'commander'
import { systemClock } from '../adapters/system.ts'
import { staleLists } from '../app/screening/gather-facts.ts'
import { ageText } from '../app/health.ts'
import { readPayment } from '../app/screening/payment.ts'
import { counterpartyScreenings, evidenceOf, NOT_ASKED } from '../app/screening/counterparty.ts'
import { loadedLists } from './lists/loaded-lists.ts'
import { configOrExit } from './serve.ts'

interface Options {
  readonly name?: string
  readonly wallet?: string
  readonly amount: string
  readonly chain?: string
  readonly rail?: string
  readonly protocol?: string
  readonly json?: true
}

/** Exit codes, so that a script can act on the verdict. */
const EXIT_CODES: Readonly<Record<Verdict, number>> = { CLEAR: 0, REVIEW: 3, BLOCK: 4, UNKNOWN: 5 }
const EXIT_USAGE = 2
const EXIT_NO_LISTS = 6

export const screenCommand = (): Command =>
  new Command('screen')
    .description('screen one payment against the loaded lists, without a server or a credential')
    .option('--name <name>', 'counterparty legal name')
    .option('--wallet <address>', 'counterparty wallet')
    .option('--amount <usd>', 'amount in USD', '0')
    .option('--chain <chain>', 'ETH, BASE, SOL, ...')
    .option('--rail <rail>', 'USDC, ACH, WIRE, ...')
    .option('--protocol <name>', 'protocol or platform, for mixer detection')
    .option('--json', 'print the evaluation as JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 CLEAR, 3 REVIEW, 4 BLOCK, 2 bad usage, 6 no list loaded.\nLists: LISTS_DIR, else the last good ones in DATA_DIR, else the embedded fallback.',
    )
    .action(async (options: Options) => {
      process.exitCode = await run(options)
    })

async function run(options: Options): Promise<number> {
  const config = configOrExit()
  const watchlist = (await loadedLists(config, { writes: false })).current()
  if (watchlist === undefined) {
    process.stderr.write('No OFAC list is loaded; there is no verdict. Check LISTS_DIR.\n')
    return EXIT_NO_LISTS
  }
  try {
    const facts = factsOf(options, watchlist, config.production)
    const { findings: _findings, ...evaluation } = evaluate(facts)
    const matches = evidenceOf(facts)
    const print = options.json === true ? printJson : printText
    print({ ...evaluation, log: evaluation.log.filter(notAboutCredential), matches }, watchlist)
    return EXIT_CODES[evaluation.verdict]
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    process.stderr.write(`${error.message}\n`)
    return EXIT_USAGE
  }
}

/** There is no credential here, so nothing is said about one. */
const notAboutCredential = ({ code }: LogEntry): boolean => !CREDENTIAL_CHECKS.has(code)
const CREDENTIAL_CHECKS = new Set(['CREDENTIAL_PRESENT', 'CREDENTIAL_VALID', 'OWNERSHIP_TRANSFER'])

function factsOf(options: Options, watchlist: Watchlist, production: boolean): Facts {
  const { name, wallet, chain, rail, protocol } = options
  const amount = Number(options.amount)
  if (!Number.isFinite(amount) || amount < 0) {
    throw new ServiceError('invalid_request', { message: '--amount must be a number of USD' })
  }
  const { payment } = readPayment({
    amount,
    ...(name !== undefined && { cpName: name }),
    ...(wallet !== undefined && { cpWallet: wallet }),
    ...(chain !== undefined && { chain }),
    ...(rail !== undefined && { rail }),
    ...(protocol !== undefined && { protocol }),
  })
  const now = systemClock.now()
  return {
    now,
    payment,
    credential: { status: 'ACTIVE', issuedAt: now, expiresAt: now },
    agent: {
      type: undefined,
      hasOperatorEin: true,
      operatorWalletListedAtIssuance: undefined,
      ownershipTransferred: undefined,
      model: { atIssuance: null, now: null },
      attestedAt: undefined,
    },
    operatorWallet: NOT_SCREENED,
    operatorName: NOT_SCREENED,
    ...counterpartyScreenings(watchlist, payment),
    ...NOT_ASKED,
    spendPolicy: effectivePolicy([]),
    dailyLimits: [],
    fleetLimits: [],
    counterpartyWhitelisted: undefined,
    withinOperatingHours: undefined,
    history: NO_HISTORY,
    velocity: { perMinute: 1, markAt: undefined },
    identity: undefined,
    erc8004: 'PENDING',
    lists: { stale: staleLists(watchlist, now), reviewWhenStale: production },
  }
}

interface Printed {
  readonly verdict: Verdict
  readonly riskScore: number
  readonly ruleTriggered: string | null
  readonly reason: string
  readonly log: readonly LogEntry[]
  readonly matches: readonly MatchEvidence[]
}

function printJson(printed: Printed, watchlist: Watchlist): void {
  const lists = watchlist.lists.map(({ id, contentHash, loadedAt, source }) => ({
    list: id,
    contentHash,
    date: loadedAt,
    source,
  }))
  process.stdout.write(`${JSON.stringify({ ...printed, lists }, null, 2)}\n`)
}

const COLOURS = { CLEAR: 'green', REVIEW: 'yellow', BLOCK: 'red', UNKNOWN: 'magenta' } as const

function printText(
  { verdict, riskScore, ruleTriggered, reason, log, matches }: Printed,
  watchlist: Watchlist,
) {
  const head = styleText(['bold', COLOURS[verdict]], verdict)
  const lines = [
    `${head}  risk ${riskScore}/100  ${ruleTriggered ?? 'ALL_CLEAR'}`,
    reason,
    '',
    ...matches.flatMap(evidence),
    'Checks made:',
    ...log.map(({ ok, code, msg }) => `  ${ok ? 'ok ' : 'NO '} ${code.padEnd(20)} ${msg}`),
    '',
    ...watchlist.lists.map(
      ({ id, contentHash, loadedAt, source }) =>
        `${id} ${contentHash.slice(0, 12)}, ${ageText(systemClock.now() - Date.parse(loadedAt))} old (${source})`,
    ),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

const evidence = (match: MatchEvidence): string[] => [
  `  ${match.field} matches \`${match.matched}\` (${match.method}, score ${match.score.toFixed(2)})`,
  `    ${match.list} entry ${match.entryId}: ${match.primaryName}${match.tickers ? ` [${match.tickers.join(', ')}]` : ''}`,
  '',
]
