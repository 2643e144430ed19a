/** Long work is left with Ctrl-C at any moment and gone on with: nothing twice, nothing lost. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { evaluate } from '@portcullis/engine'
import { factsText } from '../../packages/server/src/app/screening/facts-text.ts'
import { testLog, type WrittenScreen } from '../support/evidence.ts'
import { random } from '../support/load.ts'
import { randomFacts } from '../support/random-facts.ts'

const CLI = fileURLToPath(new URL('../../packages/server/src/cli/main.ts', import.meta.url))
const SCREENS = 12_000
const next = random(24)

/** A screen as it would have been recorded: it replays to itself. */
function realScreen(index: number): WrittenScreen {
  const facts = randomFacts(next)
  const { verdict, riskScore, ruleTriggered, reason, log: checks, agentScore } = evaluate(facts)
  const receipt = `receipt of ${index}`
  const record = { verdict, riskScore, ruleTriggered, reason, receipt, signals: { agentScore } }
  return { record: { ...record, log: checks }, facts: factsText(facts) }
}

const log = await testLog()
after(() => log.close())
for (let filled = 0; filled < SCREENS; filled += 2_000) await log.fill(2_000, realScreen)
const at = (name: string): string => join(log.dataDir, name)
writeFileSync(at('jwks.json'), JSON.stringify(log.env.keyring.jwks()))
writeFileSync(at('policy.json'), JSON.stringify({ maxSingleTxUSDC: 100, dailyLimitUSDC: 5_000 }))

interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs a command; `interruptAfterMs` sends it one SIGINT. */
async function audit(args: readonly string[], interruptAfterMs?: number): Promise<Ran> {
  const env = { PATH: process.env['PATH'], ...log.variables }
  const child = spawn(process.execPath, [CLI, 'audit', ...args], { env })
  const text = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text.out += part))
  child.stderr.setEncoding('utf8').on('data', (part: string) => (text.err += part))
  const closed = once(child, 'close') as Promise<[number | null]>
  if (interruptAfterMs !== undefined) {
    await Promise.race([pause(interruptAfterMs), closed])
    child.kill('SIGINT')
  }
  const [code] = await closed
  return { code, ...text }
}

const INTERRUPTED = 130

/** Where the middle is on an idle machine. */
const WINDOW_MS: readonly [number, number] = [300, 2_000]

/**
 * Interrupts the command in the middle of its work, whatever this machine is busy with: too early
 * (nobody listens to the signal yet) and too late (it is done) are tried again.
 */
async function interrupted(args: readonly string[], isInTheMiddle: () => boolean): Promise<Ran> {
  let [early, late] = WINDOW_MS
  for (let tries = 0; tries < 14; tries++) {
    const moment = (early + late) / 2
    const ran = await audit(args, moment)
    if (ran.code === INTERRUPTED && isInTheMiddle()) return ran
    if (ran.code === 0) late = moment
    else early = moment
    if (late - early < 20) [early, late] = [0, 4 * late]
  }
  throw new Error(`${args.join(' ')} was never interrupted in the middle`)
}

const FACTS_OF_FIRST = 'select facts from audit_entries where seq = 1'

const saved = <T>(name: string): T => JSON.parse(readFileSync(at(name), 'utf8')) as T
const isSaved = (name: string, isMiddle: (state: never) => boolean): boolean =>
  existsSync(at(name)) && isMiddle(saved(name))

test('verify of the store', async () => {
  const file = 'audit-verify.state.json'
  const middle = () => isSaved(file, (state: { at: { size: number } }) => state.at.size > 0)
  const first = await interrupted(['verify'], middle)
  assert.match(first.err, /interrupted after \d+ entries; go on with --resume/)
  // The part that was checked is not checked again: damage there is found by a whole check alone.
  const spoil = (text: string) => {
    log.tamper((db) => db.prepare('update audit_entries set facts = ? where seq = 1').run(text))
  }
  const facts: string[] = []
  log.tamper((db) => facts.push(String(db.prepare(FACTS_OF_FIRST).get()?.['facts'])))
  spoil('{}')
  const second = await audit(['verify', '--resume'])
  assert.deepEqual([second.code, second.out.startsWith(`good: ${SCREENS} entries,`)], [0, true])
  assert.equal(existsSync(at(file)), false)
  assert.equal((await audit(['verify'])).code, 4)
  spoil(facts[0]!)
  assert.equal((await audit(['verify', '--resume'])).code, 0)
})

test('a check that was interrupted is not gone on with for another question', async () => {
  const file = 'audit-verify.state.json'
  const middle = () => isSaved(file, (state: { at: { size: number } }) => state.at.size > 0)
  await interrupted(['verify'], middle)
  // Receipts of the first part were not looked at: these are none, and the first is named.
  const { code, out } = await audit(['verify', '--receipts', '--resume'])
  assert.equal(code, 4)
  assert.match(out, /^INSERTED: txn_00000000 \(leaf 0/)
})

test('export, then verify of the file', async () => {
  const whole = ['export', '--out', at('whole.jsonl')]
  assert.equal((await audit(whole)).code, 0)
  const out = at('parts.jsonl')
  const begun = () => readFileSync(`${out}.part`, 'utf8').split('\n').length > 2
  const first = await interrupted(
    ['export', '--out', out],
    () => existsSync(`${out}.part`) && begun(),
  )
  assert.match(first.err, /go on with --resume/)
  assert.equal(existsSync(out), false)
  const part = readFileSync(`${out}.part`, 'utf8')
  const other = await audit(['export', '--out', out, '--resume', '--from', '2026-01-01'])
  assert.deepEqual([other.code, /another --from/.test(other.err)], [2, true])
  assert.equal((await audit(['export', '--out', out, '--resume'])).code, 0)
  assert.equal(existsSync(`${out}.part`), false)
  const lines = readFileSync(out, 'utf8').split('\n')
  assert.ok(readFileSync(out, 'utf8').startsWith(part))
  const expected = readFileSync(at('whole.jsonl'), 'utf8').split('\n')
  // All entries, each once, in the same order; header and end have a time and a signature.
  assert.deepEqual(lines.slice(1, -2), expected.slice(1, -2))

  const verify = ['verify', out, '--jwks', at('jwks.json'), '--issuer', 'did:test']
  const state = 'parts.jsonl.verify-state'
  const middle = () => isSaved(state, (one: { bytes: number }) => one.bytes > 100_000)
  assert.match((await interrupted(verify, middle)).err, /go on with --resume/)
  const { code, out: said } = await audit([...verify, '--resume'])
  assert.deepEqual([code, said.startsWith(`good: ${SCREENS} entries,`)], [0, true])
  assert.equal(existsSync(at(state)), false)
})

test('a file that changed since is checked from its start', async () => {
  const out = at('whole.jsonl')
  const verify = ['verify', out, '--jwks', at('jwks.json'), '--issuer', 'did:test']
  const state = 'whole.jsonl.verify-state'
  await interrupted(verify, () => isSaved(state, (one: { bytes: number }) => one.bytes > 100_000))
  const lines = readFileSync(out, 'utf8').split('\n')
  writeFileSync(out, lines.toSpliced(3, 1).join('\n'))
  assert.match((await audit([...verify, '--resume'])).out, /^MISSING: line 4/)
  rmSync(out)
})

for (const [what, flags, file, counted] of [
  ['replay', [], 'audit-replay.state.json', /^12000 screens replayed, 0 differ$/m],
  [
    'a dry run',
    ['--policy', at('policy.json')],
    'audit-dry-run.state.json',
    /^12000 screens, \d+ would change$/m,
  ],
] as const) {
  test(what, async () => {
    const uninterrupted = (await audit(['replay', ...flags])).out
    assert.match(uninterrupted, counted)
    const middle = () => isSaved(file, (state: { screens: number }) => state.screens > 0)
    const first = await interrupted(['replay', ...flags], middle)
    assert.match(first.err, /interrupted after \d+ screens; go on with --resume/)
    const second = await audit(['replay', ...flags, '--resume'])
    const ending = (out: string) => out.slice(out.search(/^12000 screens/m))
    assert.equal(ending(second.out), ending(uninterrupted))
    assert.equal(existsSync(at(file)), false)
  })
}
