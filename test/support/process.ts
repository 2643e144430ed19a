/** The service as a process of its own, for tests that kill it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { clientOf } from './service.ts'

const CLI = fileURLToPath(new URL('../../packages/server/src/cli/main.ts', import.meta.url))

export interface ServiceProcess {
  readonly client: ReturnType<typeof clientOf>
  readonly child: ChildProcess
  readonly printed: () => string
  /** Sends the signal, and answers the exit code when the process is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** A test that fails half way must not keep the test process alive. */
const children = new Set<ChildProcess>()
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

export async function spawnService(
  variables: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const env = {
    PATH: process.env['PATH'],
    PORT: '0',
    LOG_LEVEL: 'silent',
    LISTS_SYNC: 'off',
    PLAN_FREE_SCREENS: 'unlimited',
    ...variables,
  }
  const child = spawn(process.execPath, [CLI, 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  process.once('exit', () => child.kill('SIGKILL'))
  let printed = ''
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const found = /listens on (\S+)[^]*receipts\/verify/.exec(printed)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', (code) =>
      reject(new Error(`the service ended with ${code} before it listened`)),
    )
  })
  return {
    client: clientOf(address),
    child,
    printed: () => printed,
    async end(signal) {
      const gone = once(child, 'exit') as Promise<[number | null]>
      child.kill(signal)
      const [code] = await gone
      return code
    },
  }
}
