/** The store port over any engine that can run the scripts. */
import type { Store } from '../app/ports.ts'
import { historyStore } from './history/history-store.ts'
import type { Script, ScriptRunner } from './script.ts'
import type { Statements } from './statements.ts'
import { auditStoreOver } from './audit/audit-store.ts'
import { transactions } from './transactions.ts'

export function storeOver(runner: ScriptRunner, sql: Statements): Store {
  const tx = transactions(sql)
  const write = <T>(script: () => Script<T>): Promise<T> => runner.write(script)
  const read = <T>(script: () => Script<T>): Promise<T> => runner.read(script)
  return {
    registerOperator: (registration, once) => write(() => tx.registerOperator(registration, once)),
    ensureOperator: (operator, agent) => write(() => tx.ensureOperator(operator, agent)),
    findOperator: (operatorId) => read(() => tx.findOperator(operatorId)),
    setOperatorWallet: (operatorId, wallet) =>
      write(() => tx.setOperatorWallet(operatorId, wallet)),
    registerAgent: (agent, once) => write(() => tx.registerAgent(agent, once)),
    findAgent: (operatorId, agentId) => read(() => tx.findAgent(operatorId, agentId)),
    listAgents: (operatorId, page) => read(() => tx.listAgents(operatorId, page)),
    changeAgent: (operatorId, agentId, change, once) =>
      write(() => tx.changeAgent(operatorId, agentId, change, once)),
    mintDelegate: (operatorId, parentId, mint, once) =>
      write(() => tx.mintDelegate(operatorId, parentId, mint, once)),
    createFleet: (fleet, once) => write(() => tx.createFleet(fleet, once)),
    findFleet: (operatorId, fleetId) => read(() => tx.findFleet(operatorId, fleetId)),
    listFleets: (operatorId, page) => read(() => tx.listFleets(operatorId, page)),
    changeFleet: (operatorId, fleetId, change) =>
      write(() => tx.changeFleet(operatorId, fleetId, change)),
    registerUser: (user, once) => write(() => tx.registerUser(user, once)),
    commitScreen: (key, decide, once) => write(() => tx.commitScreen(key, decide, once)),
    recordDisposition: (operatorId, txnId, entry, date, since) =>
      write(() => tx.recordDisposition(operatorId, txnId, entry, date, since)),
    findAuditRecord: (operatorId, txnId, since) =>
      read(() => tx.findAuditRecord(operatorId, txnId, since)),
    ...auditStoreOver(runner, tx),
    ...historyStore(tx, read, write),
    ping: () => read(() => tx.ping()),
    close: () => runner.close(),
  }
}
