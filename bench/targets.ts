/** The three servers: the service, and the floor with two ways to commit. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Server, startServer } from './child.ts'
import type { Target } from './load.ts'

const script = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Limits that no round reaches, so that every rule of spending has something to compare. */
const SPEND_POLICY = {
  maxSingleTxUSDC: 1_000,
  dailyLimitUSDC: 999_999_999,
  allowedChains: ['ETH', 'BASE', 'POLYGON', 'SOL', 'TRON'],
  allowedRails: ['USDC'],
}

export function startService(dataDir: string, listsDir: string | undefined): Promise<Server> {
  return startServer({
    script: script('../packages/server/src/cli/main.ts'),
    args: ['serve'],
    env: {
      DATA_DIR: dataDir,
      PLAN_FREE_SCREENS: 'unlimited',
      VELOCITY_PER_MINUTE: '1000000',
      LOG_LEVEL: 'warn',
      LISTS_SYNC: 'off',
      ...(listsDir === undefined ? {} : { LISTS_DIR: listsDir }),
    },
  })
}

/** An operator and an agent, registered as anybody would. */
export async function registered(server: Server): Promise<Target> {
  const { operatorToken } = await post<{ operatorToken: string }>(
    `${server.url}/v1/operators/register`,
    { legalName: 'Bench Instruments Ltd', email: 'bench@example.com' },
  )
  const { token } = await post<{ token: string }>(
    `${server.url}/v1/agents/register`,
    {
      agentName: 'Bench agent',
      agentType: 'autonomous',
      operatorLegalName: 'Bench Instruments Ltd',
      purpose: 'measuring',
      spendPolicy: SPEND_POLICY,
    },
    operatorToken,
  )
  return { server, operatorToken, agentToken: token }
}

async function post<T>(url: string, body: object, token?: string): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}

export async function startFloor(dataDir: string, commit: 'each' | 'group'): Promise<Target> {
  const folder = join(dataDir, `floor-${commit}`)
  mkdirSync(folder)
  const server = await startServer({
    script: script('./floor.ts'),
    args: ['--commit', commit],
    env: { DATA_DIR: folder },
  })
  const { token } = (await (await fetch(`${server.url}/token`)).json()) as { token: string }
  return { server, operatorToken: token, agentToken: token }
}
