/**
 * `Idempotency-Key`: the first answer to a request, kept for 24 hours and given again word for
 * word, so that a retry neither spends nor charges twice (decisions page, section 8).
 */
import { DAY_MS, type EpochMs } from '@portcullis/protocol'
import type { Answer } from './env.ts'
import type { Idempotent, Once, Vault } from './ports.ts'

export interface RetryableRequest {
  /** Whose key it is: two callers may use one key for different things. */
  readonly scope: string
  readonly key: string | undefined
  readonly operation: string
  readonly body: unknown
  readonly now: EpochMs
}

/** Runs `work` once for each key. Errors are not kept: a request that failed may be sent again. */
export async function answerOnce<Value, Body>(
  vault: Vault,
  request: RetryableRequest,
  answerOf: (value: Value) => Answer<Body>,
  work: (once: Idempotent<Value> | undefined) => Promise<Once<Value>>,
): Promise<Answer<Body>> {
  const { key, scope, operation, body, now } = request
  if (key === undefined) return valueOf(await work(undefined), answerOf)
  const secret = `${scope}\n${key}`
  // Drawn up once: an answer with a token is signed anew each time, and must go out as it is kept.
  let kept: Answer<Body> | undefined
  const done = await work({
    key: {
      id: vault.digest(secret),
      requestDigest: vault.digest(`${operation}\n${JSON.stringify(body)}`),
      now,
      expiresAt: now + DAY_MS,
    },
    // Sealed: an answer may hold credentials, and the store must not.
    answerOf(value) {
      kept = answerOf(value)
      return vault.seal(JSON.stringify(kept), secret)
    },
  })
  if (done.replayed) return JSON.parse(vault.open(done.answer, secret)) as Answer<Body>
  return kept ?? answerOf(done.value)
}

function valueOf<Value, Body>(done: Once<Value>, answerOf: (value: Value) => Answer<Body>) {
  if (done.replayed) throw new Error('an answer was replayed without a key')
  return answerOf(done.value)
}
