/**
 * What every store must do, whatever its engine: each MUST of `ports.ts` is one test. An engine's
 * own test file calls {@link storeContract} with a way to open a fresh, empty store.
 */
import { after, describe } from 'node:test'
import { agentsContract } from './agents.contract.ts'
import { answersContract } from './answers.contract.ts'
import { delegatesContract } from './delegates.contract.ts'
import { dispositionsContract } from './dispositions.contract.ts'
import { fleetsContract } from './fleets.contract.ts'
import { ledgerContract } from './ledger.contract.ts'
import { registrationContract } from './registration.contract.ts'
import { screensContract } from './screens.contract.ts'
import type { OpenedStore } from './store-fixtures.ts'

export type { OpenedStore } from './store-fixtures.ts'

/** Defines the contract's tests for one engine. */
export async function storeContract(
  name: string,
  openStore: () => Promise<OpenedStore>,
): Promise<void> {
  const opened = await openStore()
  describe(`the store contract: ${name}`, () => {
    after(() => opened.close())
    registrationContract(opened)
    agentsContract(opened)
    delegatesContract(opened)
    fleetsContract(opened)
    screensContract(opened)
    ledgerContract(opened)
    dispositionsContract(opened)
    answersContract(opened)
  })
}
