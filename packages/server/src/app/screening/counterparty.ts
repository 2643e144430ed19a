/** What can be learned of the counterparty and the agent's identity before the ledger is read. */
import type {
  AdverseMedia,
  Extended,
  ExtendedMatches,
  Facts,
  PaymentFact,
} from '@portcullis/engine'
import {
  type IdentityReading,
  type LogEntry,
  type MatchEvidence,
  readIdentityToken,
  type ScreenRequest,
} from '@portcullis/protocol'
import type { Watchlist } from '@portcullis/watchlist'
import type { Caller, Env } from '../env.ts'
import type { CounterpartyScreenings } from './listed-matches.ts'
import type { ScreenCase } from './screen-case.ts'
import { screenNames, screenWallets, type Subject, together } from './screening.ts'

/**
 * The counterparty on every layer. A wallet may hide in the name, or in the protocol: each text is
 * looked up for both.
 */
export function counterpartyScreenings(
  watchlist: Watchlist,
  payment: Pick<PaymentFact, 'counterpartyName' | 'counterpartyWallet' | 'protocol'>,
): CounterpartyScreenings {
  const names: Subject[] = [['cpName', payment.counterpartyName]]
  const wallets: Subject[] = [['cpWallet', payment.counterpartyWallet]]
  const hidden = screenWallets(watchlist, [
    ['cpName', payment.counterpartyName],
    ['protocol', payment.protocol],
  ])
  const given = screenWallets(watchlist, wallets)
  return {
    counterpartyWallet: hidden.listed.length > 0 ? together(given, hidden) : given,
    counterpartyName: screenNames(watchlist, names),
    globalSanctions: together(
      screenWallets(watchlist, wallets, 'global'),
      screenNames(watchlist, names, 'global'),
    ),
    publicOfficial: screenNames(watchlist, names, 'officials'),
  }
}

interface Answers {
  readonly extended: Extended<ExtendedMatches>
  readonly adverseMedia: Extended<AdverseMedia>
}

export const NOT_ASKED: Answers = {
  extended: { status: 'NOT_SCREENED' },
  adverseMedia: { status: 'NOT_SCREENED' },
}

/** Asks both providers at once; one that is not configured is not asked. */
export async function askProviders({ extended }: Env, payment: PaymentFact): Promise<Answers> {
  const query = {
    name: payment.counterpartyName,
    wallet: payment.counterpartyWallet,
    type: payment.counterpartyType,
  }
  const [matches, media] = await Promise.all([
    extended.sanctions(query),
    extended.adverseMedia(query),
  ])
  return { extended: matches, adverseMedia: media }
}

export const identityOf = (
  { settings }: Env,
  { identityToken }: ScreenRequest,
  { now }: Caller,
): IdentityReading | undefined =>
  identityToken === undefined || identityToken === null || identityToken.trim() === ''
    ? undefined
    : readIdentityToken(identityToken, settings.identityIssuers, now)

export const identityAssertions = ({ identity }: ScreenCase) =>
  identity?.assertions === undefined ? {} : { identityAssertions: identity.assertions }

/** The claims that a receipt carries of an identity token (spec: Receipt). */
export const identityClaims = ({ identity }: ScreenCase) =>
  identity?.assertions === undefined
    ? {}
    : {
        identityAssertions: identity.assertions,
        identityIssuer: identity.assertions.issuer,
        identityVerificationLevel: identity.assertions.verificationLevel,
      }

/** What the log should say beside the checks: how an identity token read, what nobody was asked. */
export function notesOn(
  { extended }: Env,
  screenCase: ScreenCase,
  wantsExtended: boolean,
): LogEntry[] {
  const notes: LogEntry[] = []
  const { identity } = screenCase
  if (identity !== undefined) {
    const msg = `the identity token reads as ${identity.signal}; its signature is not checked`
    notes.push({ ok: identity.signal === 'VERIFIED', code: 'IDENTITY_TOKEN', msg })
  }
  if (wantsExtended && !(extended.configured.sanctions && extended.configured.adverseMedia)) {
    const msg = 'an extended list provider that was asked for is not configured'
    notes.push({ ok: false, code: 'EXTENDED_SCREENING', msg })
  }
  return notes
}

/** Every match, the counterparty's first. */
export function evidenceOf(facts: Facts): MatchEvidence[] {
  const { extended } = facts
  return [
    facts.counterpartyWallet,
    facts.counterpartyName,
    facts.operatorWallet,
    facts.operatorName,
    facts.globalSanctions,
    facts.publicOfficial,
  ]
    .flatMap(({ listed, near }) => [...listed, ...near])
    .concat(extended.status === 'SCREENED' ? [...extended.sanctions, ...extended.peps] : [])
}
