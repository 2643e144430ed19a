/** Escalations that rest on lists beside OFAC's: UN, EU, UK, officials, the extended provider. */
import type { MatchEvidence } from '@portcullis/protocol'
import { FLAG_CATEGORIES } from '@portcullis/protocol'
import type { Facts } from '../facts.ts'
import { fires, notChecked, passes, type Predicate, warns } from '../rule.ts'
import { EXTENDED_BLOCK_ABOVE } from '../thresholds.ts'
import { describe } from './sanctions.ts'

export const globalSanctionsMatch: Predicate = ({ globalSanctions }) => {
  if (!globalSanctions.screened) return notChecked
  const [match] = globalSanctions.listed
  return match === undefined
    ? passes('the counterparty is on no UN, EU or UK list')
    : fires(`the counterparty matches ${describe(match)}`)
}

export const publicOfficialMatch: Predicate = ({ publicOfficial }) => {
  if (!publicOfficial.screened) return notChecked
  const [match] = publicOfficial.listed
  return match === undefined
    ? passes('the counterparty is no listed public official')
    : fires(`the counterparty matches ${describe(match)}`)
}

export const extendedSanctionsBlock: Predicate = (facts) => {
  const match = strongestExtended(facts)
  if (match === undefined || match.score <= EXTENDED_BLOCK_ABOVE) return notChecked
  return fires(`the extended provider names ${describe(match)}`)
}

export const extendedSanctionsMatch: Predicate = (facts) => {
  if (facts.extended.status !== 'SCREENED') return notChecked
  const match = strongestExtended(facts)
  if (match === undefined) return passes('the extended provider names no sanctioned party')
  if (match.score > EXTENDED_BLOCK_ABOVE) return notChecked
  return fires(`the extended provider names ${describe(match)}`)
}

const strongestExtended = ({ extended }: Facts): MatchEvidence | undefined =>
  extended.status === 'SCREENED'
    ? extended.sanctions.toSorted((a, b) => b.score - a.score)[0]
    : undefined

export const pepMatch: Predicate = ({ extended }) => {
  if (extended.status !== 'SCREENED') return notChecked
  const [match] = extended.peps
  return match === undefined
    ? passes('the extended provider names no politically exposed person')
    : fires(`the extended provider names the politically exposed person ${describe(match)}`)
}

export const adverseMediaFlag: Predicate = ({ adverseMedia }) => {
  if (adverseMedia.status !== 'SCREENED') return notChecked
  const flagged = FLAG_CATEGORIES.filter((category) => (adverseMedia.hits[category] ?? 0) > 0)
  return flagged.length === 0
    ? passes('no adverse media in a flagged category')
    : fires(`adverse media: ${flagged.join(', ')}`)
}

export const extendedUnavailable: Predicate = ({ extended, adverseMedia }) => {
  const asked = [extended, adverseMedia].filter(({ status }) => status !== 'NOT_SCREENED')
  if (asked.length === 0) return notChecked
  return asked.some(({ status }) => status === 'UNAVAILABLE')
    ? fires('extended screening was asked for and did not answer in time')
    : passes('extended screening answered')
}

export const listsStale: Predicate = ({ lists }) => {
  if (lists.stale.length === 0) return passes('every loaded list is fresh')
  const message = `lists older than 36 hours: ${lists.stale.join(', ')}`
  return lists.reviewWhenStale ? fires(message) : warns(message)
}
