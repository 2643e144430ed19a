/** priorScreenings of every REVIEW of any history equals what a list of the screens would say. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { DAY_MS, HOUR_MS, type PriorScreenings, type ScreenResult } from '@portcullis/protocol'
import { movedClock } from '../support/clock.ts'
import { type Party, startTestService } from '../support/service.ts'

const clock = movedClock('2026-11-20T12:00:00.000Z')
const api = await startTestService({ VELOCITY_PER_MINUTE: '1000000' }, { clock })
after(() => api.stop())

/** Two operators with two agents each; a name and its other spelling are one counterparty. */
const LIMIT = { maxSingleTxUSDC: 20 }
const NAMES = [null, 'Alpha', ' ALPHA ', 'Álpha', 'Beta']
const WALLETS = [null, `0x${'a'.repeat(40)}`, `0x${'A'.repeat(40)}`, `0x${'1'.repeat(40)}`]

interface Step {
  readonly agent: number
  readonly name: number
  readonly wallet: number
  /** CLEAR, above the limit, or to a mixer. */
  readonly what: 'fits' | 'over' | 'mixed'
  readonly hours: number
}

const step: fc.Arbitrary<Step> = fc.record({
  agent: fc.integer({ min: 0, max: 3 }),
  name: fc.integer({ min: 0, max: NAMES.length - 1 }),
  wallet: fc.integer({ min: 0, max: WALLETS.length - 1 }),
  what: fc.constantFrom('fits', 'over', 'over', 'mixed'),
  hours: fc.integer({ min: 0, max: 30 }),
})

interface Past {
  readonly party: Party
  readonly name: string | null
  readonly wallet: string | null
  readonly verdict: ScreenResult['verdict']
  readonly at: number
}

const plain = (name: string): string =>
  name.normalize('NFD').replace(/\p{M}/gu, '').trim().replace(/\s+/g, ' ').toLowerCase()

const same = (one: string | null, other: string | null, form: (text: string) => string) =>
  one !== null && other !== null && form(one) === form(other)

const iso = (at: number): string => new Date(at).toISOString()
const day = (at: number): number => Math.floor(at / DAY_MS)
const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

function expected(past: readonly Past[], now: Past): PriorScreenings | undefined {
  const seen = past.filter(
    (one) =>
      same(one.name, now.name, plain) ||
      same(one.wallet, now.wallet, (wallet) => wallet.toLowerCase()),
  )
  const own = past.filter(({ party }) => party.agentId === now.party.agentId)
  if (seen.length === 0 && own.length === 0) return undefined
  return {
    counterparty: seen.length === 0 ? null : counterpartyOf(seen),
    agent: own.length === 0 ? null : agentOf(own, now.at),
  }
}

function counterpartyOf(seen: readonly Past[]): PriorScreenings['counterparty'] {
  const count = (verdict: string) => seen.filter((one) => one.verdict === verdict).length
  return {
    totalScreenings: seen.length,
    firstSeen: iso(Math.min(...seen.map(({ at }) => at))),
    lastSeen: iso(Math.max(...seen.map(({ at }) => at))),
    verdictHistory: { CLEAR: count('CLEAR'), REVIEW: count('REVIEW'), BLOCK: count('BLOCK') },
    distinctAgents: new Set(seen.map(({ party }) => party.agentId)).size,
    distinctOperators: new Set(seen.map(({ party }) => party.operatorId)).size,
  }
}

function agentOf(own: readonly Past[], now: number): PriorScreenings['agent'] {
  const share = (verdict: string) =>
    rounded(own.filter((one) => one.verdict === verdict).length / own.length, 4)
  const firstAt = Math.min(...own.map(({ at }) => at))
  const today = own.filter(({ at }) => day(at) === day(now)).length
  const days = day(now) - day(firstAt)
  return {
    totalScreenings: own.length,
    firstSeen: iso(firstAt),
    reviewRate: share('REVIEW'),
    blockRate: share('BLOCK'),
    avgDailyScreenings: days === 0 ? 0 : rounded((own.length - today) / days, 2),
    todayScreenings: today,
  }
}

/** Two operators, the first with a second agent of its own, so that both breadths differ. */
async function fourAgents(): Promise<Party[]> {
  const owners = [await api.party(LIMIT), await api.party(LIMIT)]
  const more = await Promise.all(
    owners.map(async (owner) => {
      const { body } = await api.registerAgent(owner, { spendPolicy: LIMIT })
      return { ...owner, agentId: body.agentId, agentToken: body.token }
    }),
  )
  return [...owners, ...more]
}

let runs = 0

test('every REVIEW, over any history of any agents', async () => {
  const kinds = { none: 0, agentOnly: 0, both: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 18 }), async (steps) => {
      // Each history has names and wallets of its own.
      const tag = ` ${String.fromCharCode(...[...String(runs)].map((digit) => 97 + Number(digit)))} firm`
      const digits = String(runs++).padStart(6, '0')
      const parties = await fourAgents()
      const past: Past[] = []
      for (const { agent, name, wallet, what, hours } of steps) {
        clock.advance(hours * HOUR_MS + 1)
        const [spelt, paid] = [NAMES[name]!, WALLETS[wallet]!]
        const cpName = spelt === null ? null : `${spelt}${tag}`
        const cpWallet = paid === null ? null : `${paid.slice(0, -6)}${digits}`
        const party = parties[agent]!
        const protocol = what === 'mixed' ? 'Tornado Cash' : undefined
        const payment = { cpName, cpWallet, protocol, amount: what === 'over' ? 50 : 1 }
        const { body, text } = await api.screen(party, payment)
        assert.equal(typeof body.verdict, 'string', text)
        const at = Date.parse(body.screenedAt)
        const now = { party, name: cpName, wallet: cpWallet, verdict: body.verdict, at }
        const model = body.verdict === 'REVIEW' ? expected(past, now) : undefined
        assert.deepEqual(body.priorScreenings, model)
        if (body.verdict === 'REVIEW') {
          const kind = model === undefined ? 'none' : model.counterparty ? 'both' : 'agentOnly'
          kinds[kind]++
        }
        past.push(now)
      }
    }),
    { numRuns: 40 },
  )
  for (const [kind, count] of Object.entries(kinds)) assert.ok(count > 5, `${kind}: ${count}`)
})
