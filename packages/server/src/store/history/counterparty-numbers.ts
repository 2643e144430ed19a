/** Keys of counterparties are 16 hex characters; the store keeps them as signed 64-bit integers. */
import type { CounterpartyKeys } from '../../app/history/history-records.ts'

const BITS = 64
const HEX_CHARACTERS = 16

export interface KeyNumbers {
  readonly name: bigint | null
  readonly wallet: bigint | null
}

export const keyNumbers = ({ name, wallet }: CounterpartyKeys): KeyNumbers => ({
  name: name === null ? null : numberOf(name),
  wallet: wallet === null ? null : numberOf(wallet),
})

const numberOf = (key: string): bigint => BigInt.asIntN(BITS, BigInt(`0x${key}`))

const textOf = (number: bigint): string =>
  BigInt.asUintN(BITS, number).toString(16).padStart(HEX_CHARACTERS, '0')

/** {@link CounterpartyKeys.subject} of a stored counterparty. */
export const subjectOf = (row: { name_key: bigint | null; wallet_key: bigint | null }): string =>
  [row.name_key, row.wallet_key].map((key) => (key === null ? '' : textOf(key))).join('')
