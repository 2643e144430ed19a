/** `portcullis audit replay`: the recorded facts again, or under another spend policy. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type LoggedEntry,
  type MicroUsd,
  parseTxnId,
  spendPolicyProblem,
  type SpendPolicyChange,
  SpendPolicyPatch,
} from '@portcullis/protocol'
import { yieldToOthers } from '../../adapters/system.ts'
import { rangeOf } from '../../app/audit/audit-list.ts'
import { isTimeZone } from '../../app/local-time.ts'
import { type Difference, policyDryRun, replay, type WouldBe } from '../../app/audit/replay.ts'
import type { OpenLog } from '../../main.ts'
import { newestCheckpoint, sealAll } from '../../app/audit/sealer.ts'
import { EXIT_INTERRUPTED, interruption, progressBar, savedState } from '../progress.ts'

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

/** How far an interrupted run had come. */
interface Interrupted {
  /** What was asked for: another question begins anew. */
  readonly asked: string
  /** The leaf to go on with. */
  readonly next: number
  readonly screens: number
}
interface InterruptedReplay extends Interrupted {
  readonly differing: number
}
interface InterruptedDryRun extends Interrupted {
  readonly transitions: readonly (readonly [string, number])[]
  /** Micro-USD as text, by agent and date. */
  readonly spent: readonly (readonly [string, string])[]
}

function interruptedRun<T extends Interrupted>(file: string, flags: Flags, policy?: object) {
  const saved = savedState<T>(file)
  const asked = JSON.stringify([flags.from, flags.to, flags.agent, policy])
  const before = flags.resume === true ? saved.read() : undefined
  return { saved, asked, state: before?.asked === asked ? before : undefined }
}

function sayInterrupted(screens: number): void {
  process.stderr.write(`interrupted after ${screens} screens; go on with --resume\n`)
  process.exitCode = EXIT_INTERRUPTED
}

export async function replayRange(log: OpenLog, dataDir: string, flags: Flags): Promise<void> {
  if (flags.policy !== undefined) return dryRun(log, dataDir, readPolicy(flags.policy), flags)
  const file = join(dataDir, 'audit-replay.state.json')
  const { saved, asked, state } = interruptedRun<InterruptedReplay>(file, flags)
  const count = { screens: state?.screens ?? 0, differing: state?.differing ?? 0 }
  const stoppedAt = await eachScreen(log, flags, state?.next ?? 0, (entry) => {
    count.screens++
    const differences = replay(entry)
    if (differences.length === 0 || count.differing++ >= NAMED) return undefined
    return `${entry.txnId}\n${differences.map(lineOf).join('\n')}`
  })
  if (stoppedAt !== undefined) {
    saved.save({ asked, next: stoppedAt, ...count })
    sayInterrupted(count.screens)
    return
  }
  saved.clear()
  print(`${count.screens} screens replayed, ${count.differing} differ`)
  if (count.differing > 0) process.exitCode = EXIT_DIFFERS
}

async function dryRun(
  log: OpenLog,
  dataDir: string,
  policy: SpendPolicyChange,
  flags: Flags,
): Promise<void> {
  const file = join(dataDir, 'audit-dry-run.state.json')
  const { saved, asked, state } = interruptedRun<InterruptedDryRun>(file, flags, policy)
  const spent = new Map(state?.spent.map(([key, text]) => [key, BigInt(text) as MicroUsd]))
  const run = policyDryRun(policy, spent)
  const transitions = new Map(state?.transitions)
  let screens = state?.screens ?? 0
  const stoppedAt = await eachScreen(log, flags, state?.next ?? 0, (entry) => {
    screens++
    const would = run(entry)
    if (would.recorded === would.now) return undefined
    const kind = `${would.recorded} -> ${would.now}`
    const seen = transitions.get(kind) ?? 0
    transitions.set(kind, seen + 1)
    return seen < NAMED ? example(entry, would) : undefined
  })
  if (stoppedAt !== undefined) {
    const texts = [...spent].map(([key, value]) => [key, String(value)] as const)
    saved.save({ asked, next: stoppedAt, screens, transitions: [...transitions], spent: texts })
    sayInterrupted(screens)
    return
  }
  saved.clear()
  const changed = [...transitions.values()].reduce((sum, count) => sum + count, 0)
  const counts = [...transitions].map(([kind, count]) => `  ${kind}: ${count}`)
  print([`${screens} screens, ${changed} would change`, ...counts].join('\n'))
}

const example = ({ txnId }: LoggedEntry, { recorded, now, ruleTriggered, reason }: WouldBe) =>
  `${txnId} ${recorded} -> ${now} (${ruleTriggered ?? 'ALL_CLEAR'}): ${reason}`

/**
 * Screens of the range in the order of the log; what `work` says of one is printed. Answers where
 * it was interrupted.
 */
async function eachScreen(
  { env }: OpenLog,
  { from, to, agent }: Flags,
  first: number,
  work: (entry: LoggedEntry) => string | undefined,
): Promise<number | undefined> {
  const stopped = interruption()
  const { start, end } = rangeOf(from, to)
  await sealAll(env)
  const { size } = await newestCheckpoint(env)
  const progress = progressBar('replaying')
  let at = first
  for (; at < size && !stopped(); at += PAGE) {
    for (const { entry } of (await env.store.leaves(at, Math.min(PAGE, size - at))).leaves) {
      if (entry?.kind !== 'screen') continue
      const time = Date.parse(entry.at)
      const wanted = time >= (start ?? time) && (end === undefined || time < end)
      if (!wanted || (agent !== undefined && entry.agentId !== agent)) continue
      const said = work(entry)
      if (said === undefined) continue
      progress.end()
      print(said)
    }
    progress.show(Math.min(at + PAGE, size), size)
    // A store in this process answers at once: without a turn no signal would be heard.
    await yieldToOthers()
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
