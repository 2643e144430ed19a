/**
 * What needs no server: reading and indexing the lists, looking names up, evaluating the rules.
 * Runs in a process of its own, so that it starts cold, and prints JSON.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { addScreen, evaluate, type Facts, NO_HISTORY } from '@portcullis/engine'
import { DAY_MS, effectivePolicy, microUsd, NO_MONEY, type SpendPolicy } from '@portcullis/protocol'
import { FALLBACK_ENTRIES, readOfacSdn, type Watchlist } from '@portcullis/watchlist'
import { loadedLists } from '../packages/server/src/cli/lists/loaded-lists.ts'
import {
  counterpartyScreenings,
  NOT_ASKED,
} from '../packages/server/src/app/screening/counterparty.ts'
import { readConfig } from '../packages/server/src/config.ts'
import { screenNames, screenWallets } from '../packages/server/src/app/screening/screening.ts'
import { cleanNames, listsFolder } from './inputs.ts'
import { payments } from './payments.ts'
import { type Random, seededRandom } from './random.ts'
import { type Latency, latencyOf } from './stats.ts'

export interface InProcess {
  readonly lists: { readonly source: string; readonly entries: number; readonly names: number }
  /** Reading, hashing, parsing and indexing, cold, in milliseconds. */
  readonly listsReadyMs: number
  /** What the watchlist keeps in memory, in bytes. */
  readonly listsBytes: number
  /** Microseconds. */
  readonly lookUps: Readonly<Record<'clean names' | 'listed, misspelt' | 'long texts', Latency>>
  /** Microseconds of `evaluate` on gathered facts: the mean, as it is too short for a clock. */
  readonly evaluateUs: number
}

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
const SAMPLES = values.short ? 500 : 2_000
const LONG_TEXT_CHARACTERS = 500
const LONG_SAMPLES_SHARE = 5
const EVALUATIONS = values.short ? 100_000 : 500_000

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

async function main(): Promise<InProcess> {
  const random = seededRandom(7)
  const { watchlist, listsReadyMs, listsBytes } = await loadLists()
  const [list] = watchlist.lists
  return {
    lists: { source: list?.source ?? '', entries: list?.entries ?? 0, names: list?.names ?? 0 },
    listsReadyMs,
    listsBytes,
    lookUps: {
      'clean names': lookUps(watchlist, SAMPLES, cleanTexts()),
      'listed, misspelt': lookUps(watchlist, SAMPLES, misspeltTexts(random)),
      'long texts': lookUps(watchlist, SAMPLES / LONG_SAMPLES_SHARE, longTexts(random)),
    },
    evaluateUs: timeEvaluate(watchlist),
  }
}

async function loadLists() {
  collect()
  const before = bytesInUse()
  const begun = performance.now()
  const folder = listsFolder()
  const config = readConfig({
    LISTS_SYNC: 'off',
    ...(folder !== undefined && { LISTS_DIR: folder }),
  })
  const watchlist = (await loadedLists(config, { writes: false })).current()
  const listsReadyMs = performance.now() - begun
  if (watchlist === undefined) throw new Error('the lists were refused')
  // What came over from the building process is let go of in a later turn.
  for (let turn = 0; turn < 3; turn++) {
    await new Promise(setImmediate)
    collect()
  }
  return { watchlist, listsReadyMs, listsBytes: bytesInUse() - before }
}

function bytesInUse(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/**
 * Half of the texts warm the code up. Each of the others is looked up in three rounds and counts
 * with the shortest, so that a neighbour on the machine who takes the processor away for some
 * milliseconds is not measured. No text comes twice: spaces at the end tell the rounds apart, so
 * that memory does not help, and the other texts in between leave the processor's caches cold.
 */
function lookUps(watchlist: Watchlist, samples: number, next: () => string): Latency {
  const asked = new Set<string>()
  while (asked.size < samples * 2) asked.add(next().trimEnd())
  const texts = [...asked]
  for (const text of texts.splice(0, samples)) watchlist.screenName(text)
  const times = texts.map(() => Infinity)
  for (const blank of ['', ' ', '  '])
    texts.forEach((text, at) => {
      const begun = process.hrtime.bigint()
      watchlist.screenName(text + blank)
      times[at] = Math.min(times[at]!, Number(process.hrtime.bigint() - begun) / 1_000)
    })
  return latencyOf(times)
}

function cleanTexts(): () => string {
  const next = payments(11)
  return () => next().cpName
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** A listed name with one letter changed. */
function misspeltTexts(random: Random): () => string {
  const names = listedNames()
  return () => {
    const name = random.pick(names)
    const at = random.below(name.length)
    return name.slice(0, at) + random.characters(LETTERS, 1) + name.slice(at + 1)
  }
}

function longTexts(random: Random): () => string {
  const { people, companies } = cleanNames()
  const names = [...people, ...companies, ...listedNames()]
  return () => {
    let text = ''
    while (text.length < LONG_TEXT_CHARACTERS) text += `${random.pick(names)} `
    return text.slice(0, LONG_TEXT_CHARACTERS)
  }
}

function listedNames(): readonly string[] {
  const folder = listsFolder()
  const text = (file: string) => readFileSync(join(folder ?? '', file), 'latin1')
  const entries =
    folder === undefined
      ? FALLBACK_ENTRIES
      : readOfacSdn({ sdn: text('sdn.csv'), alt: text('alt.csv') })
  return entries.map(({ primaryName }) => primaryName)
}

const POLICY: SpendPolicy = {
  maxSingleTxUSDC: 1_000,
  dailyLimitUSDC: 100_000,
  allowedChains: ['BASE', 'ETH', 'POLYGON', 'SOL', 'TRON'],
  allowedRails: ['USDC', 'ACH'],
  allowedProtocols: ['Uniswap v4', 'x402'],
  maxScreensPerMinute: 6_000,
  operatingHours: {
    timeZone: 'UTC',
    days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
    start: '00:00',
    end: '23:59',
  },
}

/**
 * The facts of an ordinary payment, gathered as the service gathers them: of an agent with
 * a history, and limits of its own, its parent's and its fleet's, so that every rule has its work.
 */
function ordinaryFacts(watchlist: Watchlist): Facts {
  const { amount, chain, rail, cpWallet, cpName } = payments(13)()
  const now = Date.now()
  const payment = {
    amount: microUsd(amount) ?? NO_MONEY,
    chain,
    rail,
    counterpartyWallet: cpWallet,
    counterpartyName: cpName,
    counterpartyType: undefined,
    protocol: 'Uniswap v4',
  }
  const limit = microUsd(100_000) ?? NO_MONEY
  return {
    now,
    payment,
    credential: { status: 'ACTIVE', issuedAt: now - 30 * DAY_MS, expiresAt: now + 30 * DAY_MS },
    agent: {
      type: 'autonomous',
      hasOperatorEin: true,
      operatorWalletListedAtIssuance: false,
      ownershipTransferred: undefined,
      model: { atIssuance: 'model', now: 'model' },
      attestedAt: now - DAY_MS / 2,
    },
    operatorWallet: screenWallets(watchlist, []),
    operatorName: screenNames(watchlist, [['legalName', 'Bench Instruments Ltd']]),
    ...counterpartyScreenings(watchlist, payment),
    ...NOT_ASKED,
    spendPolicy: effectivePolicy([POLICY, POLICY]),
    dailyLimits: ['agt_child', 'agt_root'].map((holder) => ({
      holder,
      limit,
      spentToday: NO_MONEY,
    })),
    fleetLimits: [{ holder: 'flt_bench', limit, spentToday: NO_MONEY }],
    counterpartyWhitelisted: undefined,
    withinOperatingHours: true,
    history: pastScreens(now),
    velocity: { perMinute: 60, markAt: now - DAY_MS },
    identity: undefined,
    erc8004: 'PENDING',
    lists: { stale: [], reviewWhenStale: false },
  }
}

/** Twenty days with a screen an hour: enough for every baseline to have an opinion. */
function pastScreens(now: number): Facts['history'] {
  let history = NO_HISTORY
  for (let hour = 20 * 24; hour > 0; hour--) {
    history = addScreen(history, now - hour * (DAY_MS / 24), 'CLEAR')
  }
  return history
}

function timeEvaluate(watchlist: Watchlist): number {
  const facts = ordinaryFacts(watchlist)
  const { ruleTriggered } = evaluate(facts)
  if (ruleTriggered !== null) throw new Error(`an ordinary payment fires ${ruleTriggered}`)
  for (let done = 0; done < EVALUATIONS / 10; done++) evaluate(facts)
  const begun = performance.now()
  for (let done = 0; done < EVALUATIONS; done++) evaluate(facts)
  return ((performance.now() - begun) * 1_000) / EVALUATIONS
}

process.stdout.write(JSON.stringify(await main()))
