/** Pieces that several bodies share. */
import { type TProperties, type TSchema, Type } from 'typebox'

export const MAX_NAME_CHARACTERS = 500
export const MAX_TEXT_CHARACTERS = 2_000
export const MAX_WALLET_CHARACTERS = 256

const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })

export const nameText = (description: string) => text(MAX_NAME_CHARACTERS, description)
export const freeText = (description: string) => text(MAX_TEXT_CHARACTERS, description)
export const walletText = (description: string) => text(MAX_WALLET_CHARACTERS, description)

/** An optional request field; an explicit null counts as left out. */
export function optionalText(schema: TSchema): TSchema {
  return Type.Optional(Type.Unsafe({ ...schema, type: ['string', 'null'], minLength: 0 }))
}

/** What every `cursor` is. */
export const NEXT_PAGE = '`nextCursor` of the page before'

export const isoTimestamp = Type.String({ description: 'ISO 8601, UTC' })

/** A JSON object whose members are not fixed here. */
export const openObject = Type.Object({}, { additionalProperties: true })

export const nullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] })

/** Every error body; some errors add members, named where they occur. */
export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'Code of the error catalogue' }),
    message: Type.String(),
    requestId: Type.String({ description: 'The same as in the `X-Request-Id` header' }),
    field: Type.Optional(Type.String({ description: 'The request field to blame' })),
  },
  { additionalProperties: true },
)

/** A request body. Unknown fields are refused or named by the use case, not dropped here. */
export const requestBody = <T extends TProperties>(fields: T) => Type.Object(fields)
