/** A server under test as a child process: started, waited for, measured from outside, stopped. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const POLL_MS = 5
const START_TIMEOUT_MS = 30_000
const BYTES_PER_KIB = 1024
/** `USER_HZ` of every Linux that Node supports. */
const TICK_US = 10_000

export interface Server {
  readonly url: string
  /** From spawn to the first 200 of `GET /v1/health`. */
  readonly startedInMs: number
  /** Resident memory now, and the most there ever was, in bytes; undefined outside Linux. */
  memory(): { readonly resident: number; readonly peak: number } | undefined
  /** Processor time used so far, in microseconds; undefined outside Linux. */
  processorUs(): number | undefined
  /** Sends a message to a process that {@link Start.answers}; what it says next is the answer. */
  ask(message: string): Promise<unknown>
  stop(): Promise<void>
}

export interface Start {
  readonly script: string
  readonly args?: readonly string[]
  /** Given beside what the process needs to run; nothing else of our environment reaches it. */
  readonly env: Readonly<Record<string, string>>
  /** Whether the script listens to messages of its parent, and answers each. */
  readonly answers?: boolean
}

/** As `npm start` runs the service; the floor gets the same. */
const NODE_FLAGS = ['--max-semi-space-size=8']

export async function startServer(start: Start): Promise<Server> {
  const { script, args = [], env, answers = false } = start
  const port = await freePort()
  const begun = performance.now()
  const child = spawn(process.execPath, [...NODE_FLAGS, script, ...args], {
    env: { PATH: process.env['PATH'], ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit', ...(answers ? (['ipc'] as const) : [])],
  })
  const url = `http://127.0.0.1:${port}`
  await untilHealthy(url, child, begun)
  const { pid = 0 } = child
  // Ended with us, also when the benchmark itself is ended.
  process.on('exit', () => child.kill('SIGKILL'))
  return {
    url,
    startedInMs: performance.now() - begun,
    memory: () => memoryOf(pid),
    processorUs: () => processorUsOf(pid),
    async ask(message) {
      const answer = once(child, 'message')
      child.send(message)
      return ((await answer) as unknown[])[0]
    },
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function untilHealthy(url: string, child: ChildProcess, begun: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/v1/health`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.status === 200) return
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`)
    if (performance.now() - begun > START_TIMEOUT_MS) {
      child.kill('SIGKILL')
      throw new Error('the server did not become healthy')
    }
    await pause(POLL_MS)
  }
}

function memoryOf(pid: number) {
  const status = procFile(pid, 'status')
  if (status === undefined) return undefined
  const bytes = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) * BYTES_PER_KIB
  return { resident: bytes('VmRSS'), peak: bytes('VmHWM') }
}

function processorUsOf(pid: number): number | undefined {
  const stat = procFile(pid, 'stat')
  if (stat === undefined) return undefined
  // The second field is the command in parentheses; user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_US
}

function procFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return undefined
  }
}
