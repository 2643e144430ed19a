/**
 * Closed-loop load: each connection sends the next payment when the last is answered. Autocannon
 * sends; the latencies are taken from its events, because its own histogram counts in whole
 * milliseconds.
 */
import autocannon from 'autocannon'
import type { Server } from './child.ts'
import type { Payment } from './payments.ts'
import { type Latency, latencyOf } from './stats.ts'

/** Where to send what, with the credentials that the server gave out. */
export interface Target {
  readonly server: Server
  readonly operatorToken: string
  readonly agentToken: string
}

export interface LoadResult extends Latency {
  readonly perSecond: number
  /** Processor time of the server for one request, in microseconds; null outside Linux. */
  readonly processorUs: number | null
  readonly failed: number
}

export async function load(
  target: Target,
  connections: number,
  seconds: number,
  nextPayment: () => Payment,
): Promise<LoadResult> {
  const { server } = target
  const usedBefore = server.processorUs()
  const { latencies, failed, elapsedMs } = await send(
    target,
    connections,
    { duration: seconds },
    nextPayment,
  )
  const used = server.processorUs()
  return {
    perSecond: (latencies.length / elapsedMs) * 1_000,
    processorUs:
      used === undefined || usedBefore === undefined
        ? null
        : (used - usedBefore) / latencies.length,
    failed,
    ...latencyOf(latencies),
  }
}

export interface Sent {
  /** Of every payment that was screened, in milliseconds. */
  readonly latencies: readonly number[]
  readonly failed: number
  /** Until the last answer. */
  readonly elapsedMs: number
}

/** For so many seconds, or so many payments in all. */
export type Until = { readonly duration: number } | { readonly amount: number }

const SAMPLE_MS = 20

export async function send(
  { server, operatorToken, agentToken }: Target,
  connections: number,
  until: Until,
  nextPayment: () => Payment,
): Promise<Sent> {
  const latencies: number[] = []
  let failed = 0
  const begun = performance.now()
  const run = autocannon({
    url: server.url,
    connections,
    ...until,
    // It looks that often whether the last answer is there.
    sampleInt: SAMPLE_MS,
    requests: [
      {
        method: 'POST',
        path: '/v1/screen',
        headers: headers(operatorToken),
        setupRequest: (request) => ({
          ...request,
          body: JSON.stringify({ token: agentToken, ...nextPayment() }),
        }),
      },
    ],
  })
  let last = begun
  run.on('response', (_client, status, _bytes, ms) => {
    last = performance.now()
    if (status === 200) latencies.push(ms)
    else failed++
  })
  const { errors } = await run
  return { latencies, failed: failed + errors, elapsedMs: last - begun }
}

const headers = (operatorToken: string) => ({
  'content-type': 'application/json',
  authorization: `Bearer ${operatorToken}`,
})

/** Sends `count` payments one after the other and counts the verdicts. Throws for an error. */
export async function verdictsOf(
  { server, operatorToken, agentToken }: Target,
  count: number,
  nextPayment: () => Payment,
): Promise<Record<string, number>> {
  const verdicts: Record<string, number> = {}
  for (let sent = 0; sent < count; sent++) {
    const answer = await fetch(`${server.url}/v1/screen`, {
      method: 'POST',
      headers: headers(operatorToken),
      body: JSON.stringify({ token: agentToken, ...nextPayment() }),
    })
    const body = (await answer.json()) as { verdict: string }
    if (answer.status !== 200) throw new Error(`a screen failed: ${JSON.stringify(body)}`)
    verdicts[body.verdict] = (verdicts[body.verdict] ?? 0) + 1
  }
  return verdicts
}
