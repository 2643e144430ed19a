/** `Idempotency-Key` in the store: the first answer, kept in the transaction that it answers. */
import { ServiceError } from '@portcullis/protocol'
import type { Idempotent, Once } from '../app/ports.ts'
import { all, first, type Script } from './script.ts'
import type { Statements } from './statements.ts'

/** Runs `work` unless its key has an answer already. An error of `work` leaves no key behind. */
export function* takeOnce<T>(
  sql: Statements,
  once: Idempotent<T> | undefined,
  work: () => Script<T>,
): Script<Once<T>> {
  if (once === undefined) return { replayed: false, value: yield* work() }
  const { id, requestDigest, now, expiresAt } = once.key
  const taken = yield* first(sql.findIdempotencyKey({ id, now: BigInt(now) }))
  if (taken !== undefined) {
    if (taken.request_digest !== requestDigest) throw new ServiceError('idempotency_key_reused')
    return { replayed: true, answer: taken.answer }
  }
  const value = yield* work()
  yield* all(sql.purgeIdempotencyKeys({ now: BigInt(now) }))
  yield* all(
    sql.insertIdempotencyKey({
      id,
      request_digest: requestDigest,
      answer: once.answerOf(value),
      expires_at_ms: BigInt(expiresAt),
    }),
  )
  return { replayed: false, value }
}
