/** Sanctions lists that a test swaps while the service runs, and the proof of a receipt. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { AuditRecord, JwksDocument, ReceiptClaims, ScreenResult } from '@portcullis/protocol'
import { buildWatchlist, type ListId, type Watchlist } from '@portcullis/watchlist'
import { compactVerify, createLocalJWKSet } from 'jose'
import type { Watchlists } from '../../packages/server/src/app/ports.ts'

/** A party on a list, by default on OFAC's. */
export interface Listed {
  readonly list?: ListId
  readonly name: string
  readonly person?: boolean
  /** An alias that the publisher does not vouch for: enough for REVIEW, never for BLOCK. */
  readonly weakAlias?: string
  readonly wallet?: string
}

export interface SwappedLists extends Watchlists {
  /** Replaces all lists at once by these parties. */
  swap(parties: readonly Listed[], loadedAt?: string): void
  /** As while no list is loaded. */
  unload(): void
}

/** OFAC's, the UN's and the legislators' lists are loaded from the start, if only empty. */
const LOADED: readonly ListId[] = ['OFAC_SDN', 'UN_SC', 'EU_FSF', 'US_LEGISLATORS']

export function swappedLists(parties: readonly Listed[], loadedAt: string): SwappedLists {
  let current: Watchlist | undefined = watchlistOf(parties, loadedAt)
  return {
    current: () => current,
    swap(fresh, at = loadedAt) {
      current = watchlistOf(fresh, at)
    },
    unload() {
      current = undefined
    },
  }
}

const watchlistOf = (parties: readonly Listed[], loadedAt: string): Watchlist =>
  buildWatchlist(
    LOADED.map((id) => {
      const entries = parties
        .filter(({ list = 'OFAC_SDN' }) => list === id)
        .map(({ name, person, weakAlias, wallet }, at) => ({
          list: id,
          entryId: String(1_000 + at),
          type: person === true ? ('individual' as const) : ('entity' as const),
          primaryName: name,
          aliases: weakAlias
            ? [{ name: weakAlias, quality: 'weak' as const, kind: 'aka' as const }]
            : [],
          addresses: wallet ? [{ ticker: 'ETH', address: wallet }] : [],
          programs: ['TEST'],
        }))
      const contentHash = createHash('sha256').update(JSON.stringify(entries)).digest('hex')
      return { id, contentHash, publishedAt: null, loadedAt, source: 'a test', entries }
    }),
  )

/** The claims of a receipt, once its signature was checked against the published keys. */
export async function provenClaims(receipt: string, jwks: JwksDocument): Promise<ReceiptClaims> {
  const { payload, protectedHeader } = await compactVerify(
    receipt,
    createLocalJWKSet(jwks as never),
    { algorithms: ['ES256'] },
  )
  assert.equal(protectedHeader.typ, 'kya-receipt+jwt')
  return JSON.parse(new TextDecoder().decode(payload)) as ReceiptClaims
}

/** The receipt says what the result says, under our signature; answers its claims. */
export async function assertProven(
  result: ScreenResult | AuditRecord,
  jwks: JwksDocument,
): Promise<ReceiptClaims> {
  const claims = await provenClaims(result.receipt, jwks)
  const { verdict, txnId, riskScore, ruleTriggered, signals, agentId } = result
  const { screenedAt, lists, authorizedBy } = result
  const said = { verdict, txnId, riskScore, ruleTriggered, signals, agentId }
  assert.deepEqual(
    Object.fromEntries(Object.entries(claims).filter(([name]) => name in said)),
    said,
  )
  assert.deepEqual(
    [claims.screenedAt, claims.lists, claims.authorizedBy],
    [screenedAt, lists, authorizedBy],
  )
  return claims
}
