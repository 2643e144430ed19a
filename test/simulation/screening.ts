/** Screens, one or several at once; retries of a request; and what an officer makes of a REVIEW. */
import assert from 'node:assert/strict'
import { review } from '../../packages/server/src/app/reviews/reviews.ts'
import { screen, type ScreenAnswer } from '../../packages/server/src/app/screening/screen.ts'
import type { Answer } from '../../packages/server/src/app/env.ts'
import { dateOf, DAY, type ScreenCase, type ScreenEvent } from './model.ts'
import { type Expected, expectScreen } from './oracle-screen.ts'
import { drawScreen, wireOf } from './payments.ts'
import { type Outcome, settle, type Simulation } from './simulation.ts'
import { RETENTION_MS } from './world.ts'

type Screened = Outcome<Answer<ScreenAnswer>>

/** Up to eight screens that arrive together; what counts is the order of the audit log. */
export async function screenTogether(sim: Simulation): Promise<void> {
  const { random } = sim
  const width = random.chance(0.72) ? 1 : random.int(2, 8)
  const cases = Array.from({ length: width }, () => drawScreen(sim))
  // Several at once are mostly of one agent and about one amount: that is where they collide.
  const first = cases[0]!
  for (let at = 1; at < width; at++) {
    if (!random.chance(0.6)) continue
    cases[at] = { ...first, payment: random.chance(0.5) ? first.payment : cases[at]!.payment }
  }
  sim.note = `screen ${JSON.stringify(cases.map(describe))}`
  const outcomes = await Promise.all(
    cases.map((screenCase) => settle(() => send(sim, screenCase, undefined))),
  )
  agree(sim, cases, outcomes)
}

const describe = ({ operatorId, bearer, payment }: ScreenCase) => ({
  operatorId,
  bearer: bearer.kind === 'agent' ? bearer.token.agentId : bearer.kind,
  ...payment,
})

async function send(sim: Simulation, screenCase: ScreenCase, key: string | undefined) {
  const caller = await sim.world.caller(screenCase.operatorId, key)
  return screen(sim.world.env, wireOf(screenCase), caller)
}

/** In the order of the log; refusals last, for they changed nothing that they could have seen. */
function agree(sim: Simulation, cases: readonly ScreenCase[], outcomes: readonly Screened[]): void {
  const logged = sim.world
    .rows('select txn_id from audit_entries where seq > ? order by seq', sim.logged)
    .map((row) => String(row['txn_id']))
  sim.logged += logged.length
  const txnOf = (outcome: Screened) => outcome.value?.body.result.txnId
  const order = outcomes
    .map((outcome, at) => ({
      outcome,
      screenCase: cases[at]!,
      place: place(logged, txnOf(outcome)),
    }))
    .toSorted((a, b) => a.place - b.place)
  assert.equal(
    order.filter(({ place }) => place < Infinity).length,
    logged.length,
    'every entry of the log is the answer to one screen',
  )
  for (const { outcome, screenCase } of order) agreeOn(sim, screenCase, outcome)
}

const place = (logged: readonly string[], txnId: string | undefined): number => {
  const at = txnId === undefined ? -1 : logged.indexOf(txnId)
  return at < 0 ? Infinity : at
}

function agreeOn(sim: Simulation, screenCase: ScreenCase, { code, value }: Screened): void {
  const expected = expectScreen(sim.model, screenCase)
  if (typeof expected === 'string' || value === undefined) {
    assert.equal(code ?? value?.body.result.verdict, expected, 'refusal of a screen')
    sim.count(`screen ${code}`)
    return
  }
  const { reason, ...is } = expected
  const { result, quota } = value.body
  assert.deepEqual(
    {
      verdict: result.verdict,
      rule: result.ruleTriggered,
      agentId: result.agentId,
      credentialStatus: result.credentialStatus,
    },
    is,
    `screen of ${JSON.stringify(describe(screenCase))}`,
  )
  sim.count(reason)
  book(sim, screenCase, expected, result.txnId)
  const limit = sim.model.settings.screensPerMonth
  const used = sim.model.usedInMonth(screenCase.operatorId, sim.model.now)
  assert.equal(quota.remaining, Number.isFinite(limit) ? limit - used : null, 'quota')
}

/** Remembers what was answered. */
function book(sim: Simulation, { operatorId, payment }: ScreenCase, is: Expected, txnId: string) {
  const { model } = sim
  const { amount } = payment
  const { agentId, verdict } = is
  const at = model.now
  model.screens.push({ txnId, operatorId, agentId, at, verdict, amount, disposition: undefined })
  if (verdict === 'CLEAR' && agentId !== null) {
    model.spends.push({ at, amount, holders: model.holdersOf(agentId) })
  }
}

/** One request sent twice under one key: screened once, or refused when it is another request. */
export async function screenWithKey(sim: Simulation): Promise<void> {
  const { random } = sim
  const kept = sim.keys.length > 0 && random.chance(0.6) ? random.pick(sim.keys) : undefined
  if (kept === undefined) {
    const screenCase = drawScreen(sim)
    const key = random.text('0123456789abcdef', 12)
    sim.note = `screenWithKey ${key} ${JSON.stringify(describe(screenCase))}`
    const outcome = await settle(() => send(sim, screenCase, key))
    agree(sim, [screenCase], [outcome])
    const body = JSON.stringify(outcome.value?.body)
    if (outcome.value !== undefined) sim.keys.push({ key, screenCase, at: sim.model.now, body })
    return
  }
  const other = random.chance(0.2)
  const screenCase = other ? altered(kept.screenCase) : kept.screenCase
  sim.note = `retry ${kept.key}${other ? ' altered' : ''}`
  const outcome = await settle(() => send(sim, screenCase, kept.key))
  if (sim.model.listed === undefined) {
    assert.equal(outcome.code, 'lists_unavailable')
  } else if (sim.model.now - kept.at < DAY) {
    assert.equal(outcome.code, other ? 'idempotency_key_reused' : undefined, 'retry')
    if (!other) assert.equal(JSON.stringify(outcome.value?.body), kept.body, 'the same answer')
    sim.count(other ? 'retry idempotency_key_reused' : 'retry')
  } else {
    sim.keys.splice(sim.keys.indexOf(kept), 1)
    agree(sim, [screenCase], [outcome])
  }
}

const altered = (screenCase: ScreenCase): ScreenCase => ({
  ...screenCase,
  payment: { ...screenCase.payment, amount: screenCase.payment.amount + 10_000 },
})

/** Requests that are refused before anything is looked up. */
export async function badScreen(sim: Simulation): Promise<void> {
  const wire = wireOf(drawScreen(sim))
  const { operatorId } = drawScreen(sim)
  const broken = sim.random.pick([
    { ...wire, chain: 'MARS' },
    { ...wire, amount: 0.1234567 },
    { ...wire, cpWalet: '0x0' },
    { ...wire, cpWallet: 'a|b' },
    { ...wire, rail: 'PIGEON' },
  ])
  sim.note = 'badScreen'
  const caller = await sim.world.caller(operatorId)
  await sim.attempt('invalid_request', () => screen(sim.world.env, broken, caller))
}

/** Any screen may be chosen, whatever its verdict, age, operator and earlier disposition. */
export async function dispose(sim: Simulation): Promise<void> {
  const { random, model } = sim
  const open = model.screens.filter(
    ({ verdict, disposition }) => verdict === 'REVIEW' && disposition === undefined,
  )
  const chosen = pickScreen(sim, open)
  if (chosen === undefined) return
  const disposition = random.weighted({ APPROVED: 6, REJECTED: 2, ESCALATE_SAR: 1, MAYBE: 0.3 })
  const reviewedBy = random.chance(0.97) ? 'officer 7' : ' '
  const other = random.pick([...model.operators.keys()])
  const operatorId = random.chance(0.95) ? chosen.operatorId : other
  const txnId = random.chance(0.98) ? chosen.txnId : 'txn_00000000'
  sim.note = `dispose ${txnId} ${disposition} of ${dateOf(chosen.at)}`
  const expected =
    disposition === 'MAYBE'
      ? 'invalid_disposition'
      : reviewedBy === ' '
        ? 'missing_reviewer'
        : expectReview(sim, { ...chosen, txnId }, operatorId)
  const caller = await sim.world.caller(operatorId)
  const request = { disposition, reviewedBy, notes: null }
  await sim.attempt(expected, () => review(sim.world.env, txnId, request, caller))
  if (expected !== undefined) return
  chosen.disposition = disposition
  sim.count(`dispose ${disposition}`)
  if (disposition !== 'APPROVED' || chosen.agentId === null) return
  const holders = model.holdersOf(chosen.agentId)
  model.spends.push({ at: model.now, amount: chosen.amount, holders })
}

function pickScreen({ random, model }: Simulation, open: readonly ScreenEvent[]) {
  if (open.length > 0 && random.chance(0.8)) return random.pick(open)
  return model.screens.length === 0 ? undefined : random.pick(model.screens)
}

function expectReview({ model }: Simulation, screened: ScreenEvent, operatorId: string) {
  const known = model.screens.some(({ txnId }) => txnId === screened.txnId)
  const kept = model.now - screened.at <= RETENTION_MS
  if (!known || !kept || screened.operatorId !== operatorId) return 'not_found'
  if (screened.verdict !== 'REVIEW') return 'invalid_request'
  return screened.disposition === undefined ? undefined : 'already_dispositioned'
}
