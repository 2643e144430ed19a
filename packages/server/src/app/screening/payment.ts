/** Reads the payment out of a screen request: parse once, so that nothing later has to doubt it. */
import type { PaymentFact } from '@portcullis/engine'
import {
  CHAINS,
  COUNTERPARTY_TYPES,
  invalidField,
  LIST_SCOPES,
  type LogEntry,
  microUsd,
  NO_MONEY,
  RAILS,
  SCREEN_FIELD_NAMES,
  type ScreenRequest,
} from '@portcullis/protocol'
import { unknownFields } from '../unknown-fields.ts'

export interface ReadPayment {
  readonly payment: PaymentFact
  /** Whether the extended lists were asked for. */
  readonly wantsExtended: boolean
  /** What the request asked for and the screen did not do; a reader of the log should know. */
  readonly notes: readonly LogEntry[]
}

/** Throws `invalid_request` that names the field. An amount may be missing only with the token. */
export function readPayment(request: ScreenRequest): ReadPayment {
  const strangers = unknownFields(request, SCREEN_FIELD_NAMES)
  const payment: PaymentFact = {
    amount: readAmount(request),
    chain: choice('chain', request.chain, CHAINS),
    rail: choice('rail', request.rail, RAILS),
    counterpartyWallet: withoutBar('cpWallet', text(request.cpWallet)),
    counterpartyName: text(request.cpName),
    counterpartyType: choice('cpType', request.cpType, COUNTERPARTY_TYPES),
    protocol: text(request.protocol),
  }
  const wantsExtended = choice('lists', request.lists, LIST_SCOPES) === 'all'
  return { payment, wantsExtended, notes: strangers.map(ignored) }
}

function readAmount({ amount, token }: ScreenRequest): PaymentFact['amount'] {
  if (amount === undefined) {
    if (text(token) === undefined) return NO_MONEY
    throw invalidField('amount', 'is required')
  }
  const money = microUsd(amount)
  if (money === undefined) throw invalidField('amount', 'has more than 6 decimals')
  return money
}

const ignored = (name: string): LogEntry => ({
  ok: false,
  code: 'UNKNOWN_FIELD',
  msg: `field \`${name}\` is not known and was ignored`,
})

const text = (value: string | null | undefined): string | undefined =>
  value === null || value === undefined || value.trim() === '' ? undefined : value

/** A value of a closed set, in any case. */
function choice(field: string, value: string | null | undefined, known: readonly string[]) {
  const given = text(value)
  if (given === undefined) return undefined
  const wanted = given.trim().toUpperCase()
  const found = known.find((candidate) => candidate.toUpperCase() === wanted)
  if (found === undefined) throw invalidField(field, `must be one of ${known.join(', ')}`)
  return found
}

/** `|` parts the fields of the request hash: with one in a wallet two requests could hash alike. */
function withoutBar(field: string, value: string | undefined): string | undefined {
  if (value?.includes('|')) throw invalidField(field, 'must not hold `|`')
  return value
}
