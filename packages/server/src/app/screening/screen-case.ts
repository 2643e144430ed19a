/** One screen before the ledger is read: everything that could be learned without a lock. */
import type {
  AdverseMedia,
  Extended,
  ExtendedMatches,
  PaymentFact,
  Screening,
} from '@portcullis/engine'
import type { EpochMs, IdentityReading } from '@portcullis/protocol'
import type { Watchlist } from '@portcullis/watchlist'
import type { CredentialReading } from '../parties/credentials.ts'

/** What is known of a screen before the ledger is read. */
export interface ScreenCase {
  readonly now: EpochMs
  readonly payment: PaymentFact
  readonly credential: CredentialReading
  /** MISSING when no user credential was given. */
  readonly userCredential: CredentialReading
  readonly identity: IdentityReading | undefined
  readonly counterpartyWallet: Screening
  readonly counterpartyName: Screening
  readonly globalSanctions: Screening
  readonly publicOfficial: Screening
  readonly extended: Extended<ExtendedMatches>
  readonly adverseMedia: Extended<AdverseMedia>
  readonly watchlist: Watchlist
  /** On-chain identity anchoring of the agent (ERC-8004). */
  readonly erc8004: 'PENDING'
  /** False for a staged payment. */
  readonly chargeable: boolean
}
