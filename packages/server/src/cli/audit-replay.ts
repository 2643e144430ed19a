/** `portcullis audit replay`: the recorded facts again, or under another spend policy. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type LoggedEntry,
  parseTxnId,
  spendPolicyProblem,
  type SpendPolicyChange,
  SpendPolicyPatch,
} from '@portcullis/protocol'
import { rangeOf } from '../app/audit-list.ts'
import { isTimeZone } from '../app/local-time.ts'
import { type Difference, policyDryRun, replay, type WouldBe } from '../app/replay.ts'
import type { OpenLog } from '../main.ts'
import { newestCheckpoint, sealAll } from '../app/sealer.ts'
import { EXIT_INTERRUPTED, interruption, progressBar, savedState } from './progress.ts'

const EXIT_DIFFERS = 4
const PAGE = 256
/** Screens that are named; the rest are counted. */
const NAMED = 20

interface Flags {
  readonly from?: string
  readonly to?: string
  readonly policy?: string
  readonly agent?: string
  readonly resume?: true
}

export async function replayOne({ env }: OpenLog, txnId: string): Promise<void> {
  await sealAll(env)
  const known = parseTxnId(txnId)
  const leaves = known === undefined ? [] : await env.store.leavesOf([known])
  const entry = leaves.find(({ source }) => source === 'screen')?.entry
  if (entry === undefined) throw new Error(`there is no record of ${txnId}, or it was purged`)
  const differences = replay(entry)
  if (differences.length === 0) {
    const { verdict, riskScore, reason } = JSON.parse(entry.record) as Record<string, unknown>
    print(`the same: ${String(verdict)}, risk ${String(riskScore)}, ${String(reason)}`)
    return
  }
  print(`${txnId} differs:\n${differences.map(lineOf).join('\n')}`)
  process.exitCode = EXIT_DIFFERS
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)

const lineOf = ({ member, recorded, now }: Difference): string =>
  `  ${member}: recorded ${JSON.stringify(recorded)}, now ${JSON.stringify(now)}`

interface State {
  readonly flags: string
  readonly next: number
  readonly screens: number
  readonly differing: number
}

export async function replayRange(log: OpenLog, dataDir: string, flags: Flags): Promise<void> {
  if (flags.policy !== undefined) return dryRun(log, readPolicy(flags.policy), flags)
  const saved = savedState<State>(join(dataDir, 'audit-replay.state.json'))
  const key = JSON.stringify([flags.from, flags.to, flags.agent])
  const before = flags.resume === true ? saved.read() : undefined
  const state = before?.flags === key ? before : undefined
  const count = { screens: state?.screens ?? 0, differing: state?.differing ?? 0 }
  const stoppedAt = await eachScreen(log, flags, state?.next ?? 0, (entry) => {
    count.screens++
    const differences = replay(entry)
    if (differences.length === 0) return
    if (count.differing++ < NAMED) print(`${entry.txnId}\n${differences.map(lineOf).join('\n')}`)
  })
  if (stoppedAt !== undefined) {
    saved.save({ flags: key, next: stoppedAt, ...count })
    process.stderr.write(`interrupted after ${count.screens} screens; go on with --resume\n`)
    process.exitCode = EXIT_INTERRUPTED
    return
  }
  saved.clear()
  print(`${count.screens} screens replayed, ${count.differing} differ`)
  if (count.differing > 0) process.exitCode = EXIT_DIFFERS
}

async function dryRun(log: OpenLog, policy: SpendPolicyChange, flags: Flags): Promise<void> {
  const run = policyDryRun(policy)
  const transitions = new Map<string, number>()
  let screens = 0
  const stoppedAt = await eachScreen(log, flags, 0, (entry) => {
    screens++
    const would = run(entry)
    if (would.recorded === would.now) return
    const kind = `${would.recorded} -> ${would.now}`
    const seen = transitions.get(kind) ?? 0
    transitions.set(kind, seen + 1)
    if (seen < NAMED) print(example(entry, would))
  })
  const changed = [...transitions.values()].reduce((sum, count) => sum + count, 0)
  const counts = [...transitions].map(([kind, count]) => `  ${kind}: ${count}`)
  print([`${screens} screens, ${changed} would change`, ...counts].join('\n'))
  if (stoppedAt === undefined) return
  process.stderr.write('interrupted: the counts are of the screens so far\n')
  process.exitCode = EXIT_INTERRUPTED
}

const example = ({ txnId }: LoggedEntry, { recorded, now, ruleTriggered, reason }: WouldBe) =>
  `${txnId} ${recorded} -> ${now} (${ruleTriggered ?? 'ALL_CLEAR'}): ${reason}`

/** Screens of the range in the order of the log; answers where it was interrupted. */
async function eachScreen(
  { env }: OpenLog,
  { from, to, agent }: Flags,
  first: number,
  work: (entry: LoggedEntry) => void,
): Promise<number | undefined> {
  const { start, end } = rangeOf(from, to)
  await sealAll(env)
  const { size } = await newestCheckpoint(env)
  const stopped = interruption()
  const progress = progressBar('replaying')
  let at = first
  for (; at < size && !stopped(); at += PAGE) {
    for (const { entry } of (await env.store.leaves(at, Math.min(PAGE, size - at))).leaves) {
      if (entry?.kind !== 'screen') continue
      const time = Date.parse(entry.at)
      const wanted = time >= (start ?? time) && (end === undefined || time < end)
      if (wanted && (agent === undefined || entry.agentId === agent)) work(entry)
    }
    progress.show(Math.min(at + PAGE, size), size)
  }
  progress.end()
  return stopped() && at < size ? at : undefined
}

function readPolicy(file: string): SpendPolicyChange {
  const policy = JSON.parse(readFileSync(file, 'utf8')) as SpendPolicyChange
  const known = Object.keys(SpendPolicyPatch.properties)
  const stranger = Object.keys(policy).find((name) => !known.includes(name))
  if (stranger !== undefined) throw new Error(`\`${stranger}\` is no field of a spend policy`)
  const problem = spendPolicyProblem(policy, isTimeZone)
  if (problem !== undefined) throw new Error(`\`${problem.field}\` ${problem.message}`)
  return policy
}
