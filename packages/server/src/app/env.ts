/** What every use case is given: the ports and the few settings that decide. */
import type { EpochMs, Plan, Sha256 } from '@portcullis/protocol'
import type { CredentialReader } from './parties/credentials.ts'
import type { Latencies } from './screening/latencies.ts'
import type {
  Clock,
  ExtendedScreening,
  IdentityRegistry,
  Ids,
  Keyring,
  Log,
  Store,
  Vault,
  Watchlists,
} from './ports.ts'
import type { Operator } from './records.ts'

export interface Settings {
  readonly version: string
  readonly environment: string
  /** Stale lists turn CLEAR into REVIEW. */
  readonly production: boolean
  readonly issuer: string
  readonly merchantId: string
  readonly baseUrl: string
  /** Screens a month; infinite when unlimited. */
  readonly quotas: Readonly<Record<Plan, number>>
  readonly receiptValidMs: number
  readonly retentionMs: number
  /** Screens of one agent in 60 seconds that are still usual (R16). */
  readonly velocityPerMinute: number
  /** Issuers whose identity tokens read as VERIFIED. */
  readonly identityIssuers: readonly string[]
}

export interface Env {
  readonly settings: Settings
  readonly clock: Clock
  readonly ids: Ids
  readonly keyring: Keyring
  readonly store: Store
  readonly watchlists: Watchlists
  readonly vault: Vault
  /** The audit log's hash function. */
  readonly sha256: Sha256
  readonly extended: ExtendedScreening
  readonly identityRegistry: IdentityRegistry
  readonly log: Log
  readonly credentials: CredentialReader
  readonly latencies: Latencies
  /** The first extended provider, asked by the re-screening only. */
  readonly rescreeningProvider?: ExtendedScreening | undefined
  /** Lets requests that wait have their turn; long work calls it often. */
  readonly yieldToOthers: () => Promise<void>
}

/** Who sends a request, and when it came. */
export interface Caller {
  readonly operator: Operator
  readonly requestId: string
  /** Reading of the monotonic clock at arrival, milliseconds. */
  readonly arrivedAt: number
  readonly now: EpochMs
  readonly idempotencyKey: string | undefined
}

/** An answer of a use case that may have been given before: the status and body to send. */
export interface Answer<Body> {
  readonly status: number
  readonly body: Body
}
