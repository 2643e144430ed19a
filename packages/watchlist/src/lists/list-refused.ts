import type { ListId } from '../entry.ts'

/**
 * A published list that does not parse whole. The last good list stays in use. `reason` is one
 * lower-case sentence for health, metrics and the console.
 */
export class ListRefused extends Error {
  override readonly name = 'ListRefused'
  readonly list: ListId
  readonly reason: string

  constructor(list: ListId, reason: string) {
    super(`${list} refused: ${reason}`)
    this.list = list
    this.reason = reason
  }
}
