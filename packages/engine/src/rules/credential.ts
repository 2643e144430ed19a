/** R1, R2, R8, R15: is there a credential, does it stand, is it still of this owner and model? */
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
  return agent.ownershipTransferred === undefined
    ? passes('ownership of the agent is unchanged since issuance')
    : fires(
        `ownership of ${agent.ownershipTransferred} was transferred; the credential must be re-issued`,
      )
}

export const modelChanged: Predicate = ({ credential, agent }) => {
  const { atIssuance, now } = agent.model
  if (credential.status !== 'ACTIVE' || (atIssuance === null && now === null)) return notChecked
  if (atIssuance === now) return passes('the underlying model is that of issuance')
  const name = (model: string | null) => (model === null ? 'none' : `\`${model}\``)
  return fires(
    `the underlying model changed since issuance from ${name(atIssuance)} to ${name(now)}`,
  )
}
