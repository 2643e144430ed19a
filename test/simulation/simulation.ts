/** One simulated world and its model, side by side; every operation goes through here. */
import assert from 'node:assert/strict'
import { ServiceError } from '@portcullis/protocol'
import type { Text, WalletText } from './catalogue.ts'
import { isListed } from './oracle-screen.ts'
import { DAY, Model, type ModelAgent, type Policy, type ScreenCase } from './model.ts'
import type { Random } from './random.ts'
import type { World, WorldSettings } from './world.ts'

/** What kind of life the seed describes. */
export interface Temper {
  /** How often it is the oldest agent's turn. */
  readonly loyalty: number
  /** The UTC hour in which days begin. */
  readonly usualHour: number
  readonly clock: 'minutes' | 'days'
}

interface KeptAnswer {
  readonly key: string
  readonly screenCase: ScreenCase
  readonly at: number
  readonly body: string
}

export class Simulation {
  readonly random: Random
  readonly world: World
  readonly model: Model
  readonly temper: Temper
  /** What is being done now, for the report of a failure. */
  note = ''
  /** The agent about which time was moved: it should act before time moves on. */
  watched: ModelAgent | undefined
  /** How often each rule decided, and each error was answered. */
  readonly seen = new Map<string, number>()
  /** Entries of the audit log that are accounted for. */
  logged = 0
  /** Screens that were sent with an `Idempotency-Key`, and what was answered. */
  readonly keys: KeptAnswer[] = []

  constructor(random: Random, world: World, settings: WorldSettings, temper: Temper) {
    this.random = random
    this.world = world
    this.model = new Model(world.now, settings)
    this.temper = temper
  }

  count(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1)
  }

  /** Calls a use case: it must fail with the expected code, or succeed when there is none. */
  async attempt<T>(expected: string | undefined, call: () => Promise<T>): Promise<T | undefined> {
    const outcome = await settle(call)
    assert.equal(outcome.code, expected, 'error code')
    if (outcome.code !== undefined) this.count(`${this.note.split(' ')[0] ?? ''} ${outcome.code}`)
    return outcome.value
  }

  /** Mostly one that can pay, and often the oldest of them: so histories grow. */
  anyAgent(): ModelAgent {
    if (this.watched !== undefined && this.random.chance(0.6)) return this.watched
    const agents = [...this.model.agents.values()]
    const able = agents.filter(({ id }) => this.model.mayPay(id))
    if (able.length === 0 || this.random.chance(0.1)) return this.random.pick(agents)
    return this.random.chance(this.temper.loyalty) ? able[0]! : this.random.pick(able)
  }

  /** Mostly the agent's own operator; now and then somebody else. */
  operatorFor(agent: ModelAgent): string {
    if (this.random.chance(0.96)) return agent.operatorId
    return this.random.pick([...this.model.operators.keys()])
  }

  advance(ms: number): void {
    this.world.now += Math.max(0, Math.ceil(ms))
    this.model.now = this.world.now
  }

  policiesAbove(agent: ModelAgent): Policy[] {
    return this.model.chainOf(agent.id).map(({ policy }) => policy)
  }

  /** Whether registration refuses it: only OFAC lists, and never a mere resemblance. */
  isRefused(...texts: (Text | WalletText | null)[]): boolean {
    return texts.some((text) => isListed(this.model, 'ofac', text))
  }

  /** The error of every registration while no list is loaded, or for a listed party. */
  refusal(...texts: (Text | WalletText | null)[]): string | undefined {
    if (this.model.listed === undefined) return 'lists_unavailable'
    return this.isRefused(...texts) ? 'sanctions_match' : undefined
  }
}

export interface Outcome<T> {
  readonly code: string | undefined
  readonly value: T | undefined
}

export async function settle<T>(call: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { code: undefined, value: await call() }
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, value: undefined }
    throw error
  }
}

export const LIFETIME = { agent: 91 * DAY, defaultAgent: 90 * DAY, user: 30 * DAY } as const
