/** Values of options that are more than a text; what is wrong with one is a usage error. */
import { InvalidArgumentError } from 'commander'

const MOST = 0xffffffff

/** A whole number of 32 bits, without sign. */
export function wholeNumber(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number > MOST)
    throw new InvalidArgumentError(`A whole number from 0 to ${MOST} is wanted.`)
  return number
}

/** The same, but not 0. */
export function positiveNumber(text: string): number {
  const number = wholeNumber(text)
  if (number === 0) throw new InvalidArgumentError('At least 1 is wanted.')
  return number
}
