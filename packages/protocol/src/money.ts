/**
 * Money as whole millionths of a US dollar. A bigint, so that no sum can round, and so that every
 * crossing to the wire has to be written down (a bigint has no JSON form).
 */
export type MicroUsd = bigint & { readonly __unit: 'micro-USD' }

const MICRO_PER_USD = 1_000_000n
const FRACTION_DIGITS = 6

/**
 * The first amount that is too large for one payment or one limit, in USD. Below it, six decimals
 * fit into the 15 significant digits that a JSON number carries without loss.
 */
export const AMOUNT_CEILING_USD = 1_000_000_000

export const NO_MONEY = 0n as MicroUsd

/**
 * Whole micro-USD from a JSON number of USD.
 *
 * Returns undefined when the amount is negative, not finite, has more than six decimals, or is at
 * or above {@link AMOUNT_CEILING_USD}. Negative zero is zero.
 */
export function microUsd(usd: number): MicroUsd | undefined {
  if (!(usd >= 0 && usd < AMOUNT_CEILING_USD)) return undefined
  const [whole = '0', fraction = ''] = plainDecimal(usd).split('.')
  if (fraction.length > FRACTION_DIGITS) return undefined
  const micro = BigInt(whole) * MICRO_PER_USD + BigInt(fraction.padEnd(FRACTION_DIGITS, '0'))
  return micro as MicroUsd
}

/** The USD number that {@link microUsd} was given; exact below the ceiling. */
export const usdNumber = (amount: MicroUsd): number => Number(usdText(amount))

/** `1234.5` and not `1234.500000`: the shortest decimal text of the amount in USD. */
export function usdText(amount: MicroUsd): string {
  const whole = amount / MICRO_PER_USD
  const fraction = (amount % MICRO_PER_USD).toString().padStart(FRACTION_DIGITS, '0')
  const shortest = fraction.replace(/0+$/, '')
  return shortest === '' ? whole.toString() : `${whole}.${shortest}`
}

/** Adds without loss; the brand stays. */
export const addMoney = (a: MicroUsd, b: MicroUsd): MicroUsd => (a + b) as MicroUsd

/** JavaScript writes small numbers as `1e-7`; money needs every digit in its place. */
function plainDecimal(value: number): string {
  const [mantissa = '0', exponent] = String(value === 0 ? 0 : value).split('e')
  if (exponent === undefined) return mantissa
  const digits = mantissa.replace('.', '')
  return `0.${'0'.repeat(-Number(exponent) - 1)}${digits}`
}
