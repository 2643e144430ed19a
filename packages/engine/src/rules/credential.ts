/** R1, R2, R8: is there a credential, does it stand, is it still that of its owner? */
import { fires, notChecked, passes, type Predicate } from '../rule.ts'

export const noCredential: Predicate = ({ credential }) => {
  if (credential.status === 'MISSING') return fires('no agent credential was given')
  if (credential.status === 'MALFORMED') {
    return fires(`the agent credential is structurally invalid: ${credential.reason}`)
  }
  return passes('an agent credential was given')
}

export const credentialNotActive: Predicate = ({ credential }) => {
  switch (credential.status) {
    case 'MISSING':
    case 'MALFORMED':
      return notChecked
    case 'ACTIVE':
      return passes('the agent credential is genuine and ACTIVE')
    case 'INVALID':
      return fires(`the agent credential is invalid: ${credential.reason}`)
    case 'REVOKED':
    case 'EXPIRED':
    case 'SUSPENDED':
      return fires(`the agent credential is ${credential.status}: ${credential.reason}`)
  }
}

export const ownershipTransferred: Predicate = ({ credential, agent }) => {
  if (credential.status !== 'ACTIVE') return notChecked
  return agent.ownershipTransferred
    ? fires('ownership of the agent was transferred; its credential must be re-issued')
    : passes('ownership of the agent is unchanged since issuance')
}
