/** The store port over any engine that can run the scripts. */
import type { Store } from '../app/ports.ts'
import type { ScriptRunner } from './script.ts'
import type { Statements } from './statements.ts'
import { transactions } from './transactions.ts'

export function storeOver(runner: ScriptRunner, sql: Statements): Store {
  const tx = transactions(sql)
  return {
    registerOperator: (registration, once) =>
      runner.write(() => tx.registerOperator(registration, once)),
    registerAgent: (agent, once) => runner.write(() => tx.registerAgent(agent, once)),
    ensureOperator: (operator, agent) => runner.write(() => tx.ensureOperator(operator, agent)),
    findOperator: (operatorId) => runner.read(() => tx.findOperator(operatorId)),
    changeSpendPolicy: (operatorId, agentId, change) =>
      runner.write(() => tx.changeSpendPolicy(operatorId, agentId, change)),
    commitScreen: (key, decide, once) => runner.write(() => tx.commitScreen(key, decide, once)),
    findAuditRecord: (operatorId, txnId, since) =>
      runner.read(() => tx.findAuditRecord(operatorId, txnId, since)),
    ping: () => runner.read(() => tx.ping()),
    close: () => runner.close(),
  }
}
