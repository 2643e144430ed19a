/**
 * The spend policy of an agent: what it may spend, where, and how. The wire object speaks USD
 * numbers; rules compare micro-USD. How the policies of a chain combine: effective-policy.ts.
 */
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { AMOUNT_CEILING_USD, microUsd } from './money.ts'
import { OperatingHours } from './operating-hours.ts'
import { CHAINS, COUNTERPARTY_SCREENINGS, COUNTERPARTY_TYPES, RAILS } from './vocabulary.ts'

const MAX_CHOICES = 50
const MAX_WHITELISTED = 1_000
const MAX_SCREENS_PER_MINUTE = 1_000_000

const usdLimit = (description: string) =>
  Type.Number({ minimum: 0, exclusiveMaximum: AMOUNT_CEILING_USD, description })

const textList = (maxItems: number, maxLength: number, description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength }), { maxItems, description })

const choiceOf = (values: readonly string[], description: string) =>
  textList(
    MAX_CHOICES,
    32,
    `${description} One of ${values.join(', ')}, in any case; empty allows all.`,
  )

const FIELDS = {
  maxSingleTxUSDC: usdLimit('Per-transaction ceiling in USD; above it the verdict is REVIEW.'),
  dailyLimitUSDC: usdLimit('Cumulative ceiling in USD for each agent and UTC date.'),
  allowedChains: choiceOf(CHAINS, 'Chains that payments may use.'),
  allowedRails: choiceOf(RAILS, 'Rails that payments may use.'),
  allowedPaymentRails: choiceOf(RAILS, 'Another name of `allowedRails`.'),
  allowedCounterpartyTypes: choiceOf(COUNTERPARTY_TYPES, 'Whom payments may go to.'),
  allowedProtocols: textList(
    MAX_CHOICES,
    100,
    'Protocols that payments may use, compared by letters and digits; empty allows all.',
  ),
  counterpartyWhitelist: textList(
    MAX_WHITELISTED,
    500,
    'Names or wallets that payments may go to; empty allows all.',
  ),
  counterpartyScreening: Type.Enum([...COUNTERPARTY_SCREENINGS]),
  noMixerProtocols: Type.Boolean({
    description: 'Mixer and privacy protocols are blocked unless this is false.',
  }),
  maxScreensPerMinute: Type.Integer({
    minimum: 1,
    maximum: MAX_SCREENS_PER_MINUTE,
    description: 'Screens of the agent in 60 seconds; more is unusual velocity.',
  }),
  operatingHours: OperatingHours,
}

type Fields = { -readonly [Name in keyof typeof FIELDS]: Static<(typeof FIELDS)[Name]> }
export type PolicyField = keyof Fields

/** Every field of the policy object. */
export const POLICY_FIELDS: readonly string[] = Object.keys(FIELDS)

/** The same fields, each optional; with `orNull`, an explicit null is a value too. */
const optionalFields = (orNull: boolean): TProperties =>
  Object.fromEntries(
    Object.entries(FIELDS).map(([name, schema]) => [
      name,
      Type.Optional(orNull ? withNull(schema) : schema),
    ]),
  )

/** `type: [X, "null"]` and not `anyOf`: its error names one field and one sentence. */
function withNull(schema: TSchema): TSchema {
  const { type, enum: values, ...rest } = schema as { type?: string; enum?: unknown[] }
  const choices = values === undefined ? {} : { enum: [...values, null] }
  return Type.Unsafe({ ...rest, ...choices, type: [type ?? 'string', 'null'] })
}

/** A change of policy: an omitted field keeps its value, an explicit null clears it. */
export const SpendPolicyPatch = Type.Object(optionalFields(true), {
  additionalProperties: false,
  minProperties: 1,
})

/** The policy given at registration: the same fields, null meaning "not set". */
export const SpendPolicyInput = Type.Object(optionalFields(true), { additionalProperties: false })

/** The policy as it is kept and shown: only the fields that are set, both names of the rails. */
export const SpendPolicyView = Type.Object(optionalFields(false))

/** A stored policy. `allowedRails` is kept under that one name. */
export type SpendPolicy = {
  readonly [Name in Exclude<PolicyField, 'allowedPaymentRails'>]?: Fields[Name]
}

export type SpendPolicyChange = { readonly [Name in PolicyField]?: Fields[Name] | null }

/** Why a change was refused, and which field is to blame. */
export interface PolicyProblem {
  readonly field: PolicyField | 'operatingHours.timeZone'
  readonly message: string
}

const UPPER_CASE: readonly string[] = ['allowedChains', 'allowedRails', 'allowedPaymentRails']
const LOWER_CASE: readonly string[] = ['allowedCounterpartyTypes']

/** Merges a change into a policy. Idempotent: the same change twice is the same policy. */
export function mergeSpendPolicy(policy: SpendPolicy, change: SpendPolicyChange): SpendPolicy {
  const { allowedPaymentRails, ...rest } = change
  const named =
    allowedPaymentRails === undefined ? rest : { ...rest, allowedRails: allowedPaymentRails }
  const merged: Record<string, unknown> = { ...policy }
  for (const [name, value] of Object.entries(named)) {
    if (value === null) delete merged[name]
    else merged[name] = isTextList(value) ? tidyList(name, value) : value
  }
  return merged
}

const isTextList = (value: unknown): value is string[] => Array.isArray(value)

const tidyList = (name: string, values: readonly string[]): string[] => [
  ...new Set(values.map((value) => tidyText(name, value))),
]

function tidyText(name: string, value: string): string {
  if (UPPER_CASE.includes(name)) return value.trim().toUpperCase()
  return LOWER_CASE.includes(name) ? value.trim().toLowerCase() : value.trim()
}

/** What the schema cannot say: values of the closed sets in any case, money that can be kept. */
export function spendPolicyProblem(
  change: SpendPolicyChange,
  isTimeZone: (name: string) => boolean,
): PolicyProblem | undefined {
  return (
    unknownChoice('allowedChains', change.allowedChains, CHAINS) ??
    unknownChoice('allowedRails', change.allowedRails, RAILS) ??
    unknownChoice('allowedPaymentRails', change.allowedPaymentRails, RAILS) ??
    unknownChoice(
      'allowedCounterpartyTypes',
      change.allowedCounterpartyTypes,
      COUNTERPARTY_TYPES,
    ) ??
    blankItem('allowedProtocols', change.allowedProtocols) ??
    blankItem('counterpartyWhitelist', change.counterpartyWhitelist) ??
    disagreement(change) ??
    badMoney('maxSingleTxUSDC', change.maxSingleTxUSDC) ??
    badMoney('dailyLimitUSDC', change.dailyLimitUSDC) ??
    badTimeZone(change.operatingHours, isTimeZone)
  )
}

function unknownChoice(
  field: PolicyField,
  given: readonly string[] | null | undefined,
  known: readonly string[],
): PolicyProblem | undefined {
  const stray = given?.find((value) => !known.includes(tidyText(field, value)))
  if (stray === undefined) return undefined
  return { field, message: `holds \`${stray}\`, which is not one of ${known.join(', ')}` }
}

/** A blank item matches nothing, and a list of nothing but blanks must not read as "allows all". */
function blankItem(
  field: PolicyField,
  given: readonly string[] | null | undefined,
): PolicyProblem | undefined {
  const blank = given?.some((value) => value.trim() === '') ?? false
  return blank ? { field, message: 'holds a blank item' } : undefined
}

/** Two names of one field may both be given, but only with one value. */
function disagreement({ allowedRails, allowedPaymentRails }: SpendPolicyChange) {
  if (allowedRails === undefined || allowedPaymentRails === undefined) return undefined
  const [one, other] = [allowedRails, allowedPaymentRails].map((rails) =>
    rails === null ? 'null' : tidyList('allowedRails', rails).toSorted().join(),
  )
  if (one === other) return undefined
  const field = 'allowedPaymentRails' as const
  return { field, message: 'differs from `allowedRails`, its other name' }
}

function badMoney(field: PolicyField, usd: number | null | undefined): PolicyProblem | undefined {
  if (usd === undefined || usd === null || microUsd(usd) !== undefined) return undefined
  return { field, message: 'has more than 6 decimals' }
}

function badTimeZone(
  hours: OperatingHours | null | undefined,
  isTimeZone: (name: string) => boolean,
): PolicyProblem | undefined {
  if (hours === undefined || hours === null || isTimeZone(hours.timeZone)) return undefined
  return { field: 'operatingHours.timeZone', message: 'is not the IANA name of a time zone' }
}

/** The policy on the wire, with both names of the rails. */
export const viewSpendPolicy = (policy: SpendPolicy): SpendPolicyChange =>
  policy.allowedRails === undefined
    ? policy
    : { ...policy, allowedPaymentRails: policy.allowedRails }
