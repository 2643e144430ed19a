/** Runs one seed from its first operation to its last; a failure says how to see it again. */
import {
  attest,
  changeAgentsFleet,
  changeModel,
  changeMood,
  changePolicy,
  changeStatus,
  passTime,
  reactivate,
  refreshLists,
  reissue,
  restart,
  swapLists,
  transfer,
} from './changes.ts'
import { agreeOnCounters, limitsAreKept, logAddsUp } from './counters.ts'
import {
  addAgent,
  addDelegate,
  addFleet,
  addOperator,
  addUser,
  changeFleet,
  changeOperatorWallet,
} from './parties.ts'
import { randomOf } from './random.ts'
import { badScreen, dispose, screenTogether, screenWithKey } from './screening.ts'
import { Simulation } from './simulation.ts'
import { World } from './world.ts'

export const OPERATIONS_PER_SEED = 200

type Operation = (sim: Simulation) => Promise<void>

/** Name, relative weight, and what it does. */
const OPERATIONS: readonly (readonly [name: string, weight: number, run: Operation])[] = [
  ['screenTogether', 90, screenTogether],
  ['screenWithKey', 5, screenWithKey],
  ['badScreen', 1.5, badScreen],
  ['dispose', 18, dispose],
  ['passTime', 22, passTime],
  ['changePolicy', 14, changePolicy],
  ['changeStatus', 3, changeStatus],
  ['reactivate', 4, reactivate],
  ['reissue', 5, reissue],
  ['transfer', 0.6, transfer],
  ['changeModel', 2, changeModel],
  ['changeAgentsFleet', 4, changeAgentsFleet],
  ['attest', 5, attest],
  ['swapLists', 7, swapLists],
  ['refreshLists', 4, refreshLists],
  ['changeMood', 2, changeMood],
  ['addOperator', 1, addOperator],
  ['addAgent', 3, addAgent],
  ['addDelegate', 6, addDelegate],
  ['addFleet', 2, addFleet],
  ['changeFleet', 5, changeFleet],
  ['addUser', 3, addUser],
  ['changeOperatorWallet', 1.5, changeOperatorWallet],
  ['restart', 0.6, restart],
]
const WEIGHTS = Object.fromEntries(OPERATIONS.map(([name, weight]) => [name, weight]))
const BY_NAME = new Map(OPERATIONS.map(([name, , run]) => [name, run]))

/** Counts of the rules that decided and of the errors that were answered. */
export type Seen = ReadonlyMap<string, number>

export async function runSeed(seed: number): Promise<Seen> {
  const random = randomOf(seed)
  const settings = {
    production: random.chance(0.2),
    screensPerMonth: random.chance(0.25) ? random.int(30, 200) : Infinity,
    velocityPerMinute: random.pick([5, 12, 60]),
  }
  const temper = {
    clock: random.pick(['minutes', 'days'] as const),
    loyalty: random.pick([0.4, 0.9]),
    usualHour: random.int(0, 23),
  }
  const start = Date.parse('2027-01-01T00:00:00Z') + random.int(0, 400) * 86_400_000
  const now = start + random.int(0, 86_399_999)
  const world = await World.open(random, settings, now, `seed-${seed}`)
  const sim = new Simulation(random, world, settings, temper)
  let at = 0
  try {
    begin(sim)
    while (sim.model.agents.size === 0) await addOperator(sim)
    for (const prelude of [addFleet, addAgent, addAgent, addDelegate]) await prelude(sim)
    for (at = 1; at <= OPERATIONS_PER_SEED; at++) {
      const entriesBefore = sim.logged
      const name = random.weighted(WEIGHTS)
      sim.note = name
      await BY_NAME.get(name)!(sim)
      agreeOnCounters(sim)
      limitsAreKept(sim, entriesBefore)
    }
    logAddsUp(sim)
  } catch (error) {
    throw failure(seed, at, sim.note, error)
  } finally {
    await world.close()
  }
  return sim.seen
}

/** Some parties are listed from the start, the operators' own are not. */
function begin({ random, model, world }: Simulation): void {
  const parties = ['gorbatov', 'zharov', 'kestrel', 'vostrikov', 'halloran'] as const
  model.listed = new Set(parties.filter(() => random.chance(0.7)))
  world.publish(model.listed, model.now)
}

function failure(seed: number, at: number, note: string, cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause)
  return new Error(
    `seed ${seed}, operation ${at}: ${note}\n${message}\n` +
      `Again: SIMULATION_SEED=${seed} node --test test/simulation.test.ts`,
    { cause },
  )
}
