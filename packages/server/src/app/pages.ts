/** Lists, a page at a time: `{ items, nextCursor }`, in the order of ids. */
import type { Page } from '@portcullis/protocol'
import type { PageRequest } from './ports.ts'

const DEFAULT_LIMIT = 50

/** The cursor is the last id of the page before; an unknown one simply starts after its place. */
export const readPage = ({ cursor, limit }: Page): PageRequest => ({
  after: cursor ?? '',
  limit: limit === undefined ? DEFAULT_LIMIT : Number(limit),
})

/** `found` holds one more than `limit` when there is a next page. */
export function toPage<Found, Shown>(
  found: readonly Found[],
  limit: number,
  idOf: (item: Found) => string,
  show: (item: Found) => Shown,
): { items: Shown[]; nextCursor: string | null } {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const more = found.length > limit && last !== undefined
  return { items: items.map(show), nextCursor: more ? idOf(last) : null }
}
