/** The screen request and the screening result (spec: POST /v1/screen, Screening result). */
import { type Static, Type } from 'typebox'
import type { IdentityAssertions } from '../identity-token.ts'
import { AMOUNT_CEILING_USD } from '../money.ts'
import {
  AGENT_TYPES,
  CHAINS,
  COUNTERPARTY_TYPES,
  CREDENTIAL_SIGNALS,
  IDENTITY_SIGNALS,
  LIST_SCOPES,
  RAILS,
  VERDICTS,
} from '../vocabulary.ts'
import { PriorScreenings } from './prior-screenings.ts'
import {
  isoTimestamp,
  nullableText,
  nameText,
  optionalText,
  requestBody,
  walletText,
} from './shared.ts'

const MAX_BODY_CHARACTERS = 65_536

const SCREEN_FIELDS = {
  token: optionalText(
    Type.String({
      maxLength: MAX_BODY_CHARACTERS,
      description:
        'Agent credential. May start with `Bearer`, `VerifiableCredential`, `ProofPack` or `JWT`',
    }),
  ),
  amount: Type.Optional(
    Type.Number({
      minimum: 0,
      exclusiveMaximum: AMOUNT_CEILING_USD,
      description: 'USD, at most 6 decimals. Required with a token',
    }),
  ),
  chain: optionalText(Type.String({ maxLength: 32, description: CHAINS.join(', ') })),
  rail: optionalText(Type.String({ maxLength: 32, description: RAILS.join(', ') })),
  cpWallet: optionalText(walletText('Counterparty wallet')),
  cpName: optionalText(nameText('Counterparty legal name')),
  cpType: optionalText(Type.String({ maxLength: 32, description: COUNTERPARTY_TYPES.join(', ') })),
  protocol: optionalText(nameText('Protocol or platform, for mixer detection')),
  identityToken: optionalText(
    Type.String({
      maxLength: MAX_BODY_CHARACTERS,
      description: 'Identity token of an agent-payment network; claims are read, never trusted',
    }),
  ),
  userToken: optionalText(
    Type.String({
      maxLength: MAX_BODY_CHARACTERS,
      description: 'User credential, for supervised agents; fills `authorizedBy`',
    }),
  ),
  lists: optionalText(Type.String({ maxLength: 32, description: LIST_SCOPES.join(', ') })),
}

export const ScreenBody = requestBody(SCREEN_FIELDS)

/** Fields that a screen knows; a near miss of one of these is refused. */
export const SCREEN_FIELD_NAMES = Object.keys(SCREEN_FIELDS)

export interface ScreenRequest {
  readonly token?: string | null
  readonly amount?: number
  readonly chain?: string | null
  readonly rail?: string | null
  readonly cpWallet?: string | null
  readonly cpName?: string | null
  readonly cpType?: string | null
  readonly protocol?: string | null
  readonly identityToken?: string | null
  readonly userToken?: string | null
  readonly lists?: string | null
}

/** One check that was made: whether it passed, its code, and what it saw. */
export const LogEntry = Type.Object({
  ok: Type.Boolean(),
  code: Type.String(),
  msg: Type.String(),
})
export type LogEntry = Static<typeof LogEntry>

/** Why a name or wallet counts as listed: enough for a reviewer to look it up on the list. */
export const MatchEvidence = Type.Object({
  field: Type.String({
    description: 'Whose name or wallet: `cpName`, `cpWallet`, `operatorLegalName`, ...',
  }),
  list: Type.String(),
  entryId: Type.String(),
  primaryName: Type.String(),
  matched: Type.String({ description: 'The listed name or address that matched' }),
  score: Type.Number({ description: '0 to 1' }),
  method: Type.String({ description: 'exact, substring, edit_distance, homoglyph or address' }),
  tickers: Type.Optional(Type.Array(Type.String())),
})
export type MatchEvidence = Static<typeof MatchEvidence>

export const ListVersionSchema = Type.Object({
  list: Type.String(),
  contentHash: Type.String({ description: 'SHA-256 of the files, lower-case hex' }),
  date: isoTimestamp,
})

const state = (...values: string[]) => Type.Enum(values)

export const Signals = Type.Object({
  ofac: state('CLEAR', 'HIT'),
  ofacNearMatch: state('CLEAR', 'MATCH'),
  spendPolicy: state('CLEAR', 'REVIEW', 'BLOCK'),
  credential: Type.Enum([...CREDENTIAL_SIGNALS]),
  globalSanctions: state('HIT', 'CLEAR', 'NOT_SCREENED'),
  publicOfficial: state('MATCH', 'CLEAR', 'NOT_SCREENED'),
  pep: state('CLEAR', 'MATCH', 'NOT_SCREENED', 'UNAVAILABLE'),
  adverseMedia: state('CLEAR', 'FLAG', 'NOT_SCREENED', 'UNAVAILABLE'),
  agentScore: Type.Object(
    { score: Type.Integer(), grade: state('A', 'B', 'C', 'D', 'F') },
    { description: 'Behaviour of the agent, 0 to 100' },
  ),
  erc8004: state('PENDING'),
  identity: Type.Optional(Type.Enum([...IDENTITY_SIGNALS])),
})
export type Signals = Static<typeof Signals>

/** The user behind a supervised agent's screen. */
export interface AuthorizedBy {
  readonly userId: string
  readonly userLegalName: string
  readonly userRole: string
}

const IdentityAssertionsSchema = Type.Unsafe<IdentityAssertions>(
  Type.Object({
    issuer: nullableText,
    agentId: nullableText,
    verifiedName: nullableText,
    verificationLevel: nullableText,
    issuedAt: nullableText,
    expiresAt: nullableText,
  }),
)

export const RESULT_FIELDS = {
  verdict: Type.Enum([...VERDICTS]),
  txnId: Type.String(),
  riskScore: Type.Integer({ description: '0 to 100' }),
  reason: Type.String(),
  ruleTriggered: nullableText,
  signals: Signals,
  agentId: nullableText,
  agentName: nullableText,
  agentMode: Type.Unsafe<'autonomous' | 'supervised' | null>({
    type: ['string', 'null'],
    enum: [...AGENT_TYPES, null],
  }),
  credentialStatus: nullableText,
  screenedAt: isoTimestamp,
  responseTimeMs: Type.Number({ description: 'From arrival to decision' }),
  receipt: Type.String({ description: 'ES256 JWS of type kya-receipt+jwt' }),
  log: Type.Array(LogEntry),
  matches: Type.Array(MatchEvidence),
  lists: Type.Array(ListVersionSchema),
  authorizedBy: Type.Unsafe<AuthorizedBy | null>({
    type: ['object', 'null'],
    properties: {
      userId: { type: 'string' },
      userLegalName: { type: 'string' },
      userRole: { type: 'string' },
    },
    required: ['userId', 'userLegalName', 'userRole'],
  }),
  identityAssertions: Type.Optional(IdentityAssertionsSchema),
  priorScreenings: Type.Optional(PriorScreenings),
}

export const ScreenResult = Type.Object(RESULT_FIELDS)
export type ScreenResult = Static<typeof ScreenResult>

/** The 400 of a screen without a token is an error and a full UNKNOWN result in one. */
export const MissingTokenBody = Type.Object(
  {
    error: Type.String(),
    message: Type.String(),
    requestId: Type.String(),
    ...Object.fromEntries(
      Object.entries(RESULT_FIELDS).map(([name, schema]) => [name, Type.Optional(schema)]),
    ),
  },
  { additionalProperties: true },
)

export const DemoBody = requestBody({
  scenario: Type.Integer({
    minimum: 1,
    maximum: 4,
    description: '1 CLEAR, 2 REVIEW (R10), 3 BLOCK (OFAC wallet), 4 BLOCK (R14, spend policy)',
  }),
})

export const DemoResult = Type.Object({ demo: Type.Literal(true), ...RESULT_FIELDS })
