/**
 * One conditional download into a file: redirects by hand, bounded in time and size, retried when
 * the network or the publisher fails.
 */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { ListUnreachable, type Pause } from '../../app/lists/list-ports.ts'

/** What a publisher said of the file that we have. */
export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
}

/** What to fetch, and within which bounds. */
export interface DownloadOrder {
  readonly name: string
  readonly url: string
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly validators: Validators
  /** Where the bytes go. */
  readonly path: string
}

/** The file is as it was, is not there, or is new. */
export type Download =
  | { readonly kind: 'unchanged' | 'absent' }
  | ({ readonly kind: 'new'; readonly sha256: string } & Validators)

type Progress = (done: number, total: number | undefined) => void

const MAX_REDIRECTS = 5
const ATTEMPTS = 3
const FIRST_BACKOFF_MS = 500
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const ABSENT = new Set([404, 410])

/** Worth another attempt at once: the answer may be another one in a second. */
class Passing extends ListUnreachable {}

/** Throws `ListUnreachable` with a reason that names no path. */
export async function download(
  order: DownloadOrder,
  pause: Pause,
  signal: AbortSignal,
  progress: Progress,
): Promise<Download> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(order.timeoutMs)])
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce(order, bounded, progress)
    } catch (error) {
      const failure = asUnreachable(error, order, bounded)
      if (!(failure instanceof Passing) || attempt === ATTEMPTS) throw failure
      await pause.wait(FIRST_BACKOFF_MS * 4 ** (attempt - 1) * (1 + pause.chance()), bounded)
      if (bounded.aborted) throw failure
    }
  }
}

async function attemptOnce(
  order: DownloadOrder,
  signal: AbortSignal,
  progress: Progress,
): Promise<Download> {
  const response = await follow(order, signal)
  const { status, headers } = response
  if (status === 304) return { kind: 'unchanged' }
  if (ABSENT.has(status)) {
    await response.body?.cancel()
    return { kind: 'absent' }
  }
  if (status !== 200) {
    await response.body?.cancel()
    const text = `${order.name}: the publisher answers ${status}`
    throw status >= 500 || status === 429 ? new Passing(text) : new ListUnreachable(text)
  }
  const etag = headers.get('etag')
  const lastModified = headers.get('last-modified')
  const sha256 = await save(response, order, progress)
  return {
    kind: 'new',
    sha256,
    ...(etag !== null && { etag }),
    ...(lastModified !== null && { lastModified }),
  }
}

async function follow(order: DownloadOrder, signal: AbortSignal): Promise<Response> {
  const { etag, lastModified } = order.validators
  const headers = {
    'user-agent': 'portcullis (sanctions list sync)',
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  }
  let url = new URL(order.url)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await fetch(url, { headers, signal, redirect: 'manual' })
    const location = response.headers.get('location')
    if (!REDIRECTS.has(response.status) || location === null) return response
    await response.body?.cancel()
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined
    const kept = next?.protocol === 'https:' || next?.protocol === url.protocol
    if (next === undefined || !kept || !/^https?:$/.test(next.protocol))
      throw new ListUnreachable(`${order.name}: the publisher redirects to an unsafe address`)
    url = next
  }
  throw new ListUnreachable(`${order.name}: more than ${MAX_REDIRECTS} redirects`)
}

/** The bytes as they come, never more than allowed; the hash on the way. */
async function save(response: Response, order: DownloadOrder, progress: Progress): Promise<string> {
  const length = response.headers.get('content-length')
  const encoded = response.headers.has('content-encoding')
  const total = length === null || encoded ? undefined : Number(length)
  if (Number(length ?? 0) > order.maxBytes) {
    await response.body?.cancel()
    throw tooLarge(order)
  }
  const hash = createHash('sha256')
  const file = await open(order.path, 'w', 0o600)
  let done = 0
  try {
    const body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> = response.body ?? []
    for await (const chunk of body) {
      done += chunk.length
      if (done > order.maxBytes) throw tooLarge(order)
      hash.update(chunk)
      await file.writeFile(chunk)
      progress(done, total)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  if (total !== undefined && done !== total)
    throw new Passing(`${order.name}: ${done} bytes came instead of ${total}`)
  return hash.digest('hex')
}

const tooLarge = ({ name, maxBytes }: DownloadOrder): ListUnreachable =>
  new ListUnreachable(`${name}: more than the ${maxBytes} bytes that are allowed`)

function asUnreachable(error: unknown, order: DownloadOrder, signal: AbortSignal): ListUnreachable {
  if (error instanceof ListUnreachable) return error
  if (signal.aborted) {
    const late = `${order.name}: not had within ${Math.round(order.timeoutMs / 1000)} s`
    return new ListUnreachable(late)
  }
  return new Passing(`${order.name}: ${plainReason(error)}`)
}

/** The code of a network failure; its message would name addresses of ours. */
function plainReason(error: unknown): string {
  const { cause } = error as { cause?: { code?: string } }
  const code = cause?.code ?? (error as { code?: string }).code
  return code === undefined ? 'the connection failed' : `the connection failed (${code})`
}
