/** Spend policies of every kind, small enough that two of them often overlap. */
import fc from 'fast-check'
import type { OperatingHours } from '../src/operating-hours.ts'
import type { SpendPolicy, SpendPolicyChange } from '../src/spend-policy.ts'
import { COUNTERPARTY_TYPES, type Weekday, WEEKDAYS } from '../src/vocabulary.ts'

const two = (value: number): string => String(value).padStart(2, '0')

/** Minutes of the clock, most often the same few. */
const clock = fc.oneof(
  fc.constantFrom('00:00', '09:00', '17:00', '23:59'),
  fc.tuple(fc.nat(23), fc.nat(59)).map(([hour, minute]) => `${two(hour)}:${two(minute)}`),
)

const days: fc.Arbitrary<Weekday[]> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Weekday[]>([...WEEKDAYS]) },
  { weight: 4, arbitrary: fc.shuffledSubarray([...WEEKDAYS], { minLength: 1 }) },
)

export const hoursIn = (timeZone: fc.Arbitrary<string>): fc.Arbitrary<OperatingHours> =>
  fc.record({ timeZone, days, start: clock, end: clock })

const limit = fc.oneof(
  fc.constantFrom(0, 1, 100, 999_999_999.999999),
  fc.nat(1_000_000_000).map((micro) => micro / 1_000_000),
)

const some = (values: readonly string[]) => fc.shuffledSubarray([...values])

/** Two spellings of each protocol, so that keys and not texts have to be compared. */
export const PROTOCOLS = ['Uniswap v3', 'UNISWAP-V3', 'Aave', 'aave!', 'Curve']
export const PARTIES = ['Acme Corp', 'ACME CORP', 'Globex', '0xAA', '0xaa']
export const CHOICES = {
  allowedChains: ['BASE', 'ETH', 'SOL'],
  allowedRails: ['USDC', 'ACH', 'WIRE'],
  allowedCounterpartyTypes: COUNTERPARTY_TYPES,
} as const

const FIELDS = {
  maxSingleTxUSDC: limit,
  dailyLimitUSDC: limit,
  allowedChains: some(CHOICES.allowedChains),
  allowedRails: some(CHOICES.allowedRails),
  allowedCounterpartyTypes: some(CHOICES.allowedCounterpartyTypes),
  allowedProtocols: some(PROTOCOLS),
  counterpartyWhitelist: some(PARTIES),
  counterpartyScreening: fc.constantFrom('OFAC' as const, 'OFAC+CONS' as const),
  noMixerProtocols: fc.boolean(),
  maxScreensPerMinute: fc.integer({ min: 1, max: 100 }),
  operatingHours: hoursIn(fc.constantFrom('UTC', 'UTC', 'UTC', 'Europe/Berlin')),
}

/** As a policy is stored: tidy values, any of the fields left out. */
export const anyPolicy: fc.Arbitrary<SpendPolicy> = fc.record(FIELDS, { requiredKeys: [] })

/** From the agent at the root down. */
export const anyChain: fc.Arbitrary<SpendPolicy[]> = fc.array(anyPolicy, {
  minLength: 1,
  maxLength: 3,
})

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

/** Choices as people write them. */
const untidy = (values: readonly string[]) =>
  fc.array(
    fc
      .tuple(fc.constantFrom(...values), fc.boolean())
      .map(([value, other]) => (other ? ` ${value.toLowerCase()}` : `${value.toUpperCase()} `)),
    { maxLength: 5 },
  )

export const anyChange: fc.Arbitrary<SpendPolicyChange> = fc.record(
  {
    maxSingleTxUSDC: orNull(limit),
    dailyLimitUSDC: orNull(limit),
    allowedChains: orNull(untidy(CHOICES.allowedChains)),
    allowedPaymentRails: orNull(untidy(CHOICES.allowedRails)),
    allowedCounterpartyTypes: orNull(untidy(CHOICES.allowedCounterpartyTypes)),
    allowedProtocols: orNull(untidy(PROTOCOLS)),
    counterpartyWhitelist: orNull(untidy(PARTIES)),
    counterpartyScreening: orNull(FIELDS.counterpartyScreening),
    noMixerProtocols: orNull(fc.boolean()),
    maxScreensPerMinute: orNull(FIELDS.maxScreensPerMinute),
    operatingHours: orNull(FIELDS.operatingHours),
  },
  { requiredKeys: [] },
)
