/**
 * The spend policy of an agent: what it may spend, where, and how. The wire object speaks USD
 * numbers; rules compare micro-USD.
 */
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { AMOUNT_CEILING_USD, microUsd } from './money.ts'
import { CHAINS, COUNTERPARTY_SCREENINGS, RAILS } from './vocabulary.ts'

const MAX_CHOICES = 50

const usdLimit = (description: string) =>
  Type.Number({ minimum: 0, exclusiveMaximum: AMOUNT_CEILING_USD, description })

const choiceOf = (values: readonly string[], description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 32 }), {
    maxItems: MAX_CHOICES,
    description: `${description} One of ${values.join(', ')}, in any case; empty allows all.`,
  })

const FIELDS = {
  maxSingleTxUSDC: usdLimit('Per-transaction ceiling in USD; above it the verdict is REVIEW.'),
  dailyLimitUSDC: usdLimit('Cumulative ceiling in USD for each agent and UTC date.'),
  allowedChains: choiceOf(CHAINS, 'Chains that payments may use.'),
  allowedRails: choiceOf(RAILS, 'Rails that payments may use.'),
  allowedPaymentRails: choiceOf(RAILS, 'Another name of `allowedRails`.'),
  counterpartyScreening: Type.Enum([...COUNTERPARTY_SCREENINGS]),
  noMixerProtocols: Type.Boolean({
    description: 'Mixer and privacy protocols are blocked unless this is false.',
  }),
}

type Fields = { -readonly [Name in keyof typeof FIELDS]: Static<(typeof FIELDS)[Name]> }
type FieldName = keyof Fields

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
  readonly [Name in Exclude<FieldName, 'allowedPaymentRails'>]?: Fields[Name]
}

export type SpendPolicyChange = { readonly [Name in FieldName]?: Fields[Name] | null }

/** Why a change was refused, and which field is to blame. */
export interface PolicyProblem {
  readonly field: string
  readonly message: string
}

/** Merges a change into a policy. Idempotent: the same change twice is the same policy. */
export function mergeSpendPolicy(policy: SpendPolicy, change: SpendPolicyChange): SpendPolicy {
  const { allowedPaymentRails, ...rest } = change
  const named =
    allowedPaymentRails === undefined ? rest : { ...rest, allowedRails: allowedPaymentRails }
  const merged: Record<string, unknown> = { ...policy }
  for (const [name, value] of Object.entries(named)) {
    if (value === null) delete merged[name]
    else merged[name] = Array.isArray(value) ? upperCased(value) : value
  }
  return merged
}

/** What the schema cannot say: values of the closed sets in any case, money that can be kept. */
export function spendPolicyProblem(change: SpendPolicyChange): PolicyProblem | undefined {
  return (
    unknownChoice('allowedChains', change.allowedChains, CHAINS) ??
    unknownChoice('allowedRails', change.allowedRails, RAILS) ??
    unknownChoice('allowedPaymentRails', change.allowedPaymentRails, RAILS) ??
    disagreement(change) ??
    badMoney('maxSingleTxUSDC', change.maxSingleTxUSDC) ??
    badMoney('dailyLimitUSDC', change.dailyLimitUSDC)
  )
}

function unknownChoice(
  field: string,
  given: readonly string[] | null | undefined,
  known: readonly string[],
) {
  const stray = upperCased(given ?? []).find((value) => !known.includes(value))
  if (stray === undefined) return undefined
  return { field, message: `\`${stray}\` is not one of ${known.join(', ')}` }
}

/** Two names of one field may both be given, but only with one value. */
function disagreement({ allowedRails, allowedPaymentRails }: SpendPolicyChange) {
  if (allowedRails === undefined || allowedPaymentRails === undefined) return undefined
  const same =
    String(upperCased(allowedRails ?? [])) === String(upperCased(allowedPaymentRails ?? []))
  const bothNull = (allowedRails === null) === (allowedPaymentRails === null)
  if (same && bothNull) return undefined
  return { field: 'allowedPaymentRails', message: 'differs from `allowedRails`, its other name' }
}

function badMoney(field: string, usd: number | null | undefined) {
  if (usd === undefined || usd === null || microUsd(usd) !== undefined) return undefined
  return { field, message: 'has more than 6 decimals' }
}

const upperCased = (values: readonly string[]): string[] => [
  ...new Set(values.map((value) => value.trim().toUpperCase())),
]

/** The policy on the wire, with both names of the rails. */
export const viewSpendPolicy = (policy: SpendPolicy): SpendPolicyChange =>
  policy.allowedRails === undefined
    ? policy
    : { ...policy, allowedPaymentRails: policy.allowedRails }
