/** Operators, agents, delegates and users. */
import {
  type AgentId,
  type FleetId,
  MAX_DELEGATION_DEPTH,
  type OperatorId,
  ServiceError,
} from '@portcullis/protocol'
import type { Idempotent, Once, OperatorRegistration, PageRequest } from '../app/ports.ts'
import type { Agent, Operator, User } from '../app/records.ts'
import { agentOf, agentRow, operatorOf, operatorRow, userRow } from './rows.ts'
import { all, first, type Script } from './script.ts'
import type { BoundStatement } from './statement.ts'
import type { AgentRow, Statements } from './statements.ts'
import { takeOnce } from './take-once.ts'

export function partyTransactions(sql: Statements) {
  return { ...operatorTransactions(sql), ...agentTransactions(sql), ...delegationTransactions(sql) }
}

function operatorTransactions(sql: Statements) {
  return {
    *registerOperator(
      registration: OperatorRegistration,
      once?: Idempotent<OperatorRegistration>,
    ): Script<Once<OperatorRegistration>> {
      return yield* takeOnce(sql, once, function* () {
        const { operator, agent, emailDigest, date, maxPerDay } = registration
        const counted = yield* first(sql.countRegistrations({ emailDigest, date }))
        if (Number(counted?.count ?? 0n) >= maxPerDay) {
          const message = `this email has used its ${maxPerDay} registrations of the day`
          throw new ServiceError('rate_limit_exceeded', { message })
        }
        yield* all(sql.addRegistration({ emailDigest, date }))
        yield* all(sql.insertOperator(operatorRow(operator)))
        yield* all(sql.insertAgent(agentRow(agent)))
        return registration
      })
    },
    *ensureOperator(operator: Operator, agent: Agent): Script<void> {
      const { operatorId } = operator
      if ((yield* first(sql.findOperator({ operatorId }))) !== undefined) return
      yield* all(sql.insertOperator(operatorRow(operator)))
      yield* all(sql.insertAgent(agentRow(agent)))
    },
    *findOperator(operatorId: OperatorId): Script<Operator | undefined> {
      const row = yield* first(sql.findOperator({ operatorId }))
      return row === undefined ? undefined : operatorOf(row)
    },
    *setOperatorWallet(operatorId: OperatorId, wallet: string): Script<Operator | undefined> {
      yield* all(sql.setOperatorWallet({ operatorId, wallet }))
      const row = yield* first(sql.findOperator({ operatorId }))
      return row === undefined ? undefined : operatorOf(row)
    },
    *registerUser(user: User, once?: Idempotent<User>): Script<Once<User>> {
      return yield* takeOnce(sql, once, function* () {
        yield* all(sql.insertUser(userRow(user)))
        return user
      })
    },
  }
}

function agentTransactions(sql: Statements) {
  return {
    *registerAgent(agent: Agent, once?: Idempotent<Agent>): Script<Once<Agent>> {
      return yield* takeOnce(sql, once, function* () {
        if (agent.fleetId !== null) yield* requireFleet(sql, agent.operatorId, agent.fleetId)
        yield* all(sql.insertAgent(agentRow(agent)))
        return agent
      })
    },
    *findAgent(operatorId: OperatorId, agentId: AgentId): Script<Agent | undefined> {
      const row = yield* first(sql.findAgent({ agentId }))
      return row?.operator_id === operatorId ? agentOf(row) : undefined
    },
    *listAgents(operatorId: OperatorId, { after, limit }: PageRequest): Script<readonly Agent[]> {
      const rows = yield* all(sql.listAgents({ operatorId, after, limit: BigInt(limit) }))
      return rows.map(agentOf)
    },
    *changeAgent(
      operatorId: OperatorId,
      agentId: AgentId,
      change: (agent: Agent, ancestors: readonly Agent[]) => Agent,
      once?: Idempotent<Agent>,
    ): Script<Once<Agent> | undefined> {
      const [agent, ...ancestors] = yield* readChain(sql, agentId)
      if (agent?.operatorId !== operatorId) return undefined
      return yield* takeOnce(sql, once, function* () {
        const changed = change(agent, ancestors)
        if (changed.fleetId !== null && changed.fleetId !== agent.fleetId) {
          yield* requireFleet(sql, operatorId, changed.fleetId)
        }
        yield* all(sql.updateAgent(agentRow(changed)))
        return changed
      })
    },
  }
}

function delegationTransactions(sql: Statements) {
  return {
    *mintDelegate(
      operatorId: OperatorId,
      parentId: AgentId,
      mint: (chain: readonly Agent[]) => Agent,
      once?: Idempotent<Agent>,
    ): Script<Once<Agent> | undefined> {
      const chain = yield* readChain(sql, parentId)
      if (chain[0]?.operatorId !== operatorId) return undefined
      return yield* takeOnce(sql, once, function* () {
        const delegate = mint(chain)
        yield* all(sql.insertAgent(agentRow(delegate)))
        return delegate
      })
    },
  }
}

/** The agent first, then its ancestors up to the root; empty when there is no such agent. */
export function* readChain(sql: Statements, agentId: AgentId): Script<readonly Agent[]> {
  const rows = yield* chainFrom(agentId, (next) => sql.findAgent({ agentId: next }))
  return rows.map(agentOf)
}

/** The chain of an agent, with whatever the statement reads beside it. */
export function* chainFrom<Row extends Pick<AgentRow, 'parent_agent_id'>>(
  agentId: AgentId,
  find: (agentId: string) => BoundStatement<Row>,
): Script<readonly Row[]> {
  const chain: Row[] = []
  for (let next: string | null = agentId; next !== null;) {
    if (chain.length > MAX_DELEGATION_DEPTH) throw new RangeError('a delegation chain has no end')
    const row: Row | undefined = yield* first(find(next))
    if (row === undefined) {
      if (chain.length === 0) return []
      throw new RangeError(`the parent agent ${next} is missing`)
    }
    chain.push(row)
    next = row.parent_agent_id
  }
  return chain
}

function* requireFleet(sql: Statements, operatorId: OperatorId, fleetId: FleetId): Script<void> {
  const row = yield* first(sql.findFleet({ fleetId }))
  if (row?.operator_id === operatorId) return
  throw new ServiceError('invalid_request', {
    field: 'fleetId',
    message: '`fleetId` names no fleet of this operator',
  })
}
