/** Whether the lists that a screen rests on are fresh enough to say CLEAR. */
import { fires, passes, type Predicate, warns } from '../rule.ts'

export const listsStale: Predicate = ({ lists }) => {
  if (lists.stale.length === 0) return passes('every loaded list is fresh')
  const message = `lists older than 36 hours: ${lists.stale.join(', ')}`
  return lists.reviewWhenStale ? fires(message) : warns(message)
}
