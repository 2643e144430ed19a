/** Clock and chance: the only places where the service meets them. */
import { randomInt } from 'node:crypto'
import type { AgentId, AlertId, FleetId, OperatorId, TxnId, UserId } from '@portcullis/protocol'
import type { Pause } from '../app/lists/list-ports.ts'
import type { Clock, Ids, Timer } from '../app/ports.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
}

const MILLIONTHS = 1_000_000

/** `holds` says whether a wait keeps the process alive. */
const pauseThat = (holds: boolean): Pause => ({
  wait: (ms, signal) =>
    new Promise((resolve) => {
      // Nothing would keep the process alive for a timer, and whoever stops would wait for ever.
      if (signal.aborted) {
        resolve()
        return
      }
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      if (!holds) timer.unref()
      signal.addEventListener('abort', done)
    }),
  chance: () => randomInt(MILLIONTHS) / MILLIONTHS,
})

/** For the service, which lives as long as it listens. */
export const systemPause: Pause = pauseThat(false)

/** For a command, which has nothing else to live for while it waits to ask again. */
export const holdingPause: Pause = pauseThat(true)

/** Runs work again and again without keeping the process alive; never twice at once. */
export const systemTimer: Timer = {
  every(ms, work) {
    let running: Promise<void> | undefined
    const timer = setInterval(() => {
      running ??= work().finally(() => (running = undefined))
    }, ms)
    timer.unref()
    return async () => {
      clearInterval(timer)
      await running
    }
  },
}

/** Lets everything that waits have its turn before the caller goes on. */
export const yieldToOthers = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

const LOWER = '0123456789abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()

/** 16 characters of 36: 82 bits, so that ids cannot be guessed or met twice. */
const PARTY_ID_CHARACTERS = 16
const TXN_ID_CHARACTERS = 8

export const randomIds: Ids = {
  operator: () => `op_${draw(LOWER, PARTY_ID_CHARACTERS)}` as OperatorId,
  agent: () => `agt_${draw(LOWER, PARTY_ID_CHARACTERS)}` as AgentId,
  txn: () => `txn_${draw(UPPER, TXN_ID_CHARACTERS)}` as TxnId,
  fleet: () => `flt_${draw(LOWER, PARTY_ID_CHARACTERS)}` as FleetId,
  user: () => `usr_${draw(LOWER, PARTY_ID_CHARACTERS)}` as UserId,
  alert: () => `alert_${draw(LOWER, PARTY_ID_CHARACTERS)}` as AlertId,
  credential: () => `cred_${draw(LOWER, PARTY_ID_CHARACTERS)}`,
}

function draw(alphabet: string, characters: number): string {
  let text = ''
  for (let i = 0; i < characters; i++) text += alphabet.charAt(randomInt(alphabet.length))
  return text
}
